"""`p2smt measure --torchrun`: rank 0 leads, the others follow, all end."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from forked_ranks import started
from paths import ROOT
from support import problem

from p2smt.cli.main import run
from p2smt.errors import RunError
from p2smt.run.measure.ranks import torchrun_ranks
from p2smt.run.measure.results import read_results

ASKED = [
    "measure",
    "--torchrun",
    "--system",
    "2x1",
    "--axes",
    "2",
    "--reduce",
    "0",
    "--bytes",
    "40kB",
    "--sample",
    "3",
    "--out",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "real",
    [False, pytest.param(True, marks=pytest.mark.thorough)],  # forked ranks have the variables that it sets
)
def test_ranks_of_torchrun_measure_together(real, tmp_path):
    """Under torchrun in the full tier; in both on forked ranks."""
    path = tmp_path / "table.csv"
    if real:
        binaries = Path(sys.executable).parent
        torchrun = [binaries / "torchrun", "--standalone", "--nproc-per-node", "2", "--no-python", binaries / "p2smt"]
        done = subprocess.run([*torchrun, *ASKED, path], capture_output=True, text=True, timeout=120, check=False)
        codes, out, err = [done.returncode], done.stdout, done.stderr
    else:
        code = f"import sys\nfrom p2smt.cli.main import main\nsys.argv[1:] = {[*ASKED, str(path)]}\nmain()\n"
        (tmp_path / "rank.py").write_text(code, encoding="utf-8")
        ended = started(tmp_path, "rank.py", 2, PYTHONPATH=str(ROOT))
        codes, out, err = ended.codes, ended.out.decode(), ended.err.decode()
    assert not any(codes), err[-2000:]
    assert out.count("4 of 4 programs measured") == 1
    assert [row.wrong for row in read_results(path)] == [0, 0, 0, 0]


def test_without_torchrun_it_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    path = tmp_path / "table.csv"
    assert run(["measure", "--torchrun", "--system", "2x2", "--axes", "4", "--reduce", "0", "--out", str(path)]) == 2
    assert "this process was not started by torchrun; start with torchrun --no-python" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("rank", [0, 1])
def test_as_many_ranks_as_devices_lead_or_follow(rank, monkeypatch):
    """Ranks of torchrun by their numbers alone; each but the first follows to the end."""
    followed = []

    def joined(ranks):
        @contextmanager
        def cluster():
            yield SimpleNamespace(ranks=ranks, rank=rank, follow=lambda: followed.append(ranks))

        monkeypatch.setattr("p2smt.run.measure.torchrun.TorchrunCluster", cluster)
        return torchrun_ranks(problem((2, 2), (4,)))

    for ranks in (2, 3, 5, 8):
        with pytest.raises(RunError, match=f"torchrun started {ranks} ranks, but the system has 4 devices"):
            joined(ranks).__enter__()
    assert followed == []
    with joined(4) as leading:
        assert (leading is None) == (rank == 1)
    assert followed == [4] * rank
