"""`p2smt verify TEXT --against`: texts that every device runs, by their exit codes and screens."""

import json

from frontend.xla_ranks.executed import TEXTS

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.main import run

MLP = """program mlp
input x : f64[8, 6]
parameter w1 : f64[6, 12]
parameter w2 : f64[12, 4]
y = matmul(relu(matmul(x, w1)), w2)
output y
"""


def verify(name, *more):
    path = TEXTS / name
    return run(["verify", str(path), "--against", str(path.parent / "single.mlir"), *more])


def test_exit_codes_and_screens(capsys, tmp_path):
    assert verify("mlp_two_axes/right.mlir") == ExitCode.FOUND
    assert "right: right.mlir computes what single does, on data=2 x model=2" in capsys.readouterr().out
    assert verify("mlp_two_axes/other_axis.mlir", "--json") == ExitCode.NEGATIVE
    document = json.loads(capsys.readouterr().out)
    assert (document["mesh"], document["rule"]) == ({"data": 2, "model": 2}, "not_partial")
    assert document["shown"]["element"] is not None
    assert document["cause"] == "all_reduce.line8 is a sum over other ranks; with one over model = 2 all would be right"
    assert document["smallest"] is None, "its shapes are the user's own"
    assert verify("exchanged/right.hlo") == ExitCode.PARTIAL
    said = " ".join(capsys.readouterr().out.split())  # a long path wraps elsewhere
    assert "line 49: all-to-all all-to-all: an all-to-all of several tensors at once is not supported" in said
    single = tmp_path / "single.tp"
    single.write_text(MLP, encoding="utf-8")
    assert run(["verify", str(TEXTS / "mlp/right.hlo"), "--against", str(single)]) == ExitCode.FOUND
    assert "right: right.hlo computes what mlp does, on ranks=4" in capsys.readouterr().out


def test_what_is_malformed_is_refused_with_its_line(capsys, tmp_path):
    text = (TEXTS / "mlp/right.mlir").read_text(encoding="utf-8")
    broken = tmp_path / "broken.mlir"
    for old, new, message in (
        ("contracting_dims = [1] x [0]", "contracting_dims = [1] x [7]", "broken.mlir, line 5: stablehlo.dot_general"),
        ("sdy.return %", "sdy.return %9", "is used before it is defined"),
        ('<["x"=4]>', '<["x"=0]>', "the mesh has 0 devices, and the text is for 4"),
        ("[[0, 1, 2, 3]]", "[[0, 1, 2, 2]]", "its groups name device 2 twice"),
    ):
        assert old in text
        broken.write_text(text.replace(old, new), encoding="utf-8")
        assert run(["verify", str(broken), "--against", str(TEXTS / "mlp/single.mlir")]) == ExitCode.USAGE
        assert message in capsys.readouterr().err


def test_what_stands_beside_it(capsys):
    assert verify("mlp/right.mlir", "--layout", "x") == ExitCode.USAGE
    assert "--layout 'x' does not parse; write --layout 'x=sliced(0)'" in capsys.readouterr().err
    assert verify("mlp/right.mlir", "--devices", "8") == ExitCode.USAGE
    assert "is for 4 devices, not for 8" in capsys.readouterr().err
    assert verify("mlp/right.hlo", "--mesh", "a=2,b=2") == ExitCode.FOUND
    assert "on a=2 x b=2" in capsys.readouterr().out
    against = str(TEXTS / "mlp/right.mlir")
    assert run(["verify", against, "--against", against]) == ExitCode.USAGE
    assert "the reference program has to be for one device" in capsys.readouterr().err
