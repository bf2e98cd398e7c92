"""`p2smt calibrate --operations --torchrun`: products alone and beside AllReduce, on real ranks."""

import subprocess
import sys
from pathlib import Path
from string import Template

import pytest
from forked_ranks import started
from paths import ROOT

from p2smt.cli.main import run
from p2smt.problem.system.device_models import device_models
from p2smt.problem.system.file import read_system

SMALL = """
import sys
from p2smt.run.measure import operations, overlap
from p2smt.cli.main import main

case = operations.OperationCase
cases = case("matmul", "float32", (96, 96, 96)), case("add", "float32", (1 << 20,))
operations.operation_cases = lambda *, cuda: iter(cases)
operations._LAUNCHES, operations._MOST = 2, 3
overlap.overlap_cases = lambda *, cuda: (case("matmul", "float32", (64, 64, 64)),)
overlap._PRODUCTS_S = {"cpu": $seconds}
overlap._REDUCED_BYTES = {"cpu": 4096}
overlap._MOST_DOUBLED = $doubled
sys.argv[1:] = ["calibrate", "--operations", "--torchrun", "--out", $out]
main()
"""


def calibrated(folder, ranks, seconds, doubled):
    text = Template(SMALL).substitute(out=repr(str(folder / "mine.toml")), seconds=seconds, doubled=doubled)
    (folder / "rank.py").write_text(text, encoding="utf-8")
    return started(folder, "rank.py", ranks, PYTHONPATH=str(ROOT))


@pytest.mark.slow
@pytest.mark.parametrize(
    "real",
    [False, pytest.param(True, marks=pytest.mark.thorough)],  # all operations, under torchrun: a minute and a half
)
def test_ranks_measure_what_contractions_lose(real, tmp_path):
    path = tmp_path / "mine.toml"
    if real:
        binaries = Path(sys.executable).parent
        torchrun = [binaries / "torchrun", "--standalone", "--nproc-per-node", "2", "--no-python", binaries / "p2smt"]
        asked = ["calibrate", "--operations", "--torchrun", "--out", path]
        done = subprocess.run([*torchrun, *asked], capture_output=True, text=True, timeout=600, check=False)
        codes, out, err = [done.returncode], done.stdout, done.stderr
    else:
        ended = calibrated(tmp_path, 2, 0.002, 12)
        codes, out, err = ended.codes, ended.out.decode(), ended.err.decode()
    assert not any(codes), err[-2000:]
    text = " ".join(out.split())
    assert text.count("what operations reach") == 1
    assert f"longer beside communication: {'3 rows' if real else '1 row'} not measured" in text
    (model,) = device_models(read_system(path))
    assert 0 <= model.overlap_loss <= 4
    assert "beside AllReduce of 2 ranks" in model.source


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranks", "doubled", "said"),
    [
        (2, 0, "1 AllReduces of 4096 bytes ended before"),
        (1, 12, "one rank has nothing to communicate beside its products; start at least two"),
    ],
)
def test_what_cannot_be_measured_is_refused_by_all_ranks(ranks, doubled, said, tmp_path):
    ended = calibrated(tmp_path, ranks, 0.2, doubled)
    assert ended.codes == [2] * ranks
    assert said in " ".join(ended.err.decode().split())
    assert not (tmp_path / "mine.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--operations", "rows.csv", "--torchrun"], "--torchrun measures operations on the ranks of torchrun"),
        (["--torchrun", "--system", "2x2"], "give --operations without a table beside it, or drop it"),
        (["--operations", "--torchrun"], "this process was not started by torchrun"),
    ],
)
def test_arguments_that_say_nothing_to_measure(arguments, said, capsys, monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    assert run(["calibrate", *arguments]) == 2
    assert said in " ".join(capsys.readouterr().err.split())
