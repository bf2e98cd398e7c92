"""`p2smt verify FILE:FUNCTION --run-python --against`: exit codes, the screen, and what may stand beside it."""

import json

import pytest
from frontend.torch_ranks.judged import FUNCTIONS, MLP, traced_in_process
from tiers import is_full

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.main import run


@pytest.fixture
def single(tmp_path, monkeypatch):
    traced_in_process(monkeypatch)
    path = tmp_path / "single.tp"
    path.write_text(MLP, encoding="utf-8")
    return str(path)


def verify(single, function, *more):
    return run(["verify", f"{FUNCTIONS}:{function}", "--run-python", "--against", single, *more])


def test_exit_codes_and_screens(single, capsys):
    assert verify(single, "mlp", "--devices", "4") == ExitCode.FOUND
    assert "right: mlp computes what mlp does, on ranks=4" in capsys.readouterr().out
    assert verify(single, "mlp_in_pairs", "--devices", "4") == ExitCode.NEGATIVE
    out = capsys.readouterr().out
    assert "wrong: y: its value differs from that on one device" in out
    assert "shown: y: rank 0, element [0, 0] is" in out
    assert verify(single, "mlp_unknown", "--devices", "2", "--json") == ExitCode.PARTIAL
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "not proved"
    assert "aten.i0.default" in document["message"]
    if not is_full():  # meshes are given in tests/frontend/torch_ranks
        return
    assert verify(single, "mlp_both_wrong", "--mesh", "data=2,model=2", "--json") == ExitCode.NEGATIVE
    document = json.loads(capsys.readouterr().out)
    assert (document["mesh"], document["rule"]) == ({"data": 2, "model": 2}, "not_partial")


REFUSED = (
    (("mlp",), "--run-python needs --devices, or --mesh: which ranks run the function"),
    (
        ("mlp", "--mesh", "data=2", "--devices", "4"),
        "--mesh data=2 has 2 ranks, but --devices is 4; the two must be equal",
    ),
    (("mlp", "--mesh", "data:2"), "--mesh 'data:2' does not parse; write axes and their ranks, as in data=2,model=4"),
    (("nothing", "--devices", "2"), "there is no function 'nothing'; give FILE.py:FUNCTION"),
    (
        ("sgd", "--devices", "2"),
        "sgd takes y, which is not a source of the program for one device; its sources are x, w1,",
    ),
    (("mlp", "--devices", "2", "--average"), "--against compares a function with a tensor program; it goes only"),
    (("mlp", "--devices", "2", "--elements", "4"), "--elements is for a function that reduces one tensor"),
)


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_cannot_be_run_so_is_one_message(single, capsys, arguments, message):
    function, *more = arguments
    assert verify(single, function, *more) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.thorough  # verdicts: tests/frontend/torch_ranks
def test_a_rank_that_has_nothing_is_not_proved(single, capsys):
    """Of 12 columns the last of five ranks has none, by torch.chunk's blocks."""
    assert verify(single, "mlp", "--devices", "5") == ExitCode.PARTIAL
    assert "it takes a tensor without elements; tensors need at least one" in " ".join(capsys.readouterr().out.split())


def test_python_is_not_run_unasked(single, capsys):
    assert run(["verify", f"{FUNCTIONS}:mlp", "--against", single]) == ExitCode.USAGE
    assert "is Python code, which is not run by default; give --run-python" in capsys.readouterr().err
    assert run(["verify", single, "--mesh", "a=2"]) == ExitCode.USAGE
    assert "--mesh, --layout and --up-to-rounding apply to a comparison" in capsys.readouterr().err
