"""`p2smt measure --torchrun`: rank 0 leads, the others follow, all end."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import problem

from p2smt.cli.main import run
from p2smt.errors import RunError
from p2smt.run.measure.ranks import torchrun_ranks
from p2smt.run.measure.results import read_results


@pytest.mark.slow
def test_ranks_of_torchrun_measure_together(tmp_path):
    path = tmp_path / "table.csv"
    binaries = Path(sys.executable).parent
    asked = [
        binaries / "torchrun", "--standalone", "--nproc-per-node", "2", "--no-python", binaries / "p2smt", "measure",
        "--torchrun", "--system", "2x1", "--axes", "2", "--reduce", "0", "--bytes", "40kB", "--sample", "3",
        "--out", path,
    ]  # fmt: skip
    done = subprocess.run(asked, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("4 of 4 programs measured") == 1
    assert [row.wrong for row in read_results(path)] == [0, 0, 0, 0]


def test_without_torchrun_it_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    path = tmp_path / "table.csv"
    assert run(["measure", "--torchrun", "--system", "2x2", "--axes", "4", "--reduce", "0", "--out", str(path)]) == 2
    assert "there is no torchrun here; start with torchrun --no-python" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("rank", [0, 1])
def test_as_many_ranks_as_devices_lead_or_follow(rank, monkeypatch):
    """Ranks of torchrun by their numbers alone; each but the first follows to the end."""
    followed = []

    def started(ranks):
        @contextmanager
        def cluster():
            yield SimpleNamespace(ranks=ranks, rank=rank, follow=lambda: followed.append(ranks))

        monkeypatch.setattr("p2smt.run.measure.torchrun.TorchrunCluster", cluster)
        return torchrun_ranks(problem((2, 2), (4,)))

    for ranks in (2, 3, 5, 8):
        with pytest.raises(RunError, match=f"torchrun started {ranks} ranks, but the system has 4 devices"):
            started(ranks).__enter__()
    assert followed == []
    with started(4) as leading:
        assert (leading is None) == (rank == 1)
    assert followed == [4] * rank
