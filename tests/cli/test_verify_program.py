"""`p2smt verify --against`: exit codes, what is printed in 80 columns, the JSON document."""

import json

import pytest
from command_line import output, refused

MANY = """# two ranks
program many
mesh model=2
input x : f32[4, 6] sliced(1, sizes=4/2)
parameter w : f32[6, 5] sliced(0, sizes=4/2)
parameter b : f32[5]
y = AllReduce(matmul(x, w)) + b
output y
"""
ONE = """program one
input x : f32[4, 6]
parameter w : f32[6, 5]
parameter b : f32[5]
y = matmul(x, w) + b
output y
"""
RIGHT = """\
right: many computes what one does, on model=2, for all values of these sizes
  layouts: 6 judgements (REP 1, RED 1), replayed by a checker that infers
           nothing
  rules: 3 schemas of rules and collectives, proved by the solver for all sizes,
         cuts and numbers of ranks
  equal: without its collectives it is one expression by expression
  simulated: all ranks, over a field of about 2^61 elements and float64; no
             value differs
  not in it: rounding; numbers are real, so none is infinite
"""
WRONG = """\
wrong: y, axis model: an operand that is not partial would be counted once per
       rank
  there operands are partial(+), replicated
  shown: y: rank 0, element [0, 0] is 124.0, not 120.0
  smallest: on model=2, y: rank 0, element [0, 0] is 4.0, not 2.0:
    program many
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = {
        "many.tp": MANY,
        "one.tp": ONE,
        "wrong.tp": MANY.replace(")) + b", ") + b)"),
        "less.tp": MANY.replace(")) + b", ")) - b"),
        "other.tp": MANY.replace("matmul(x, w)) + b", "matmul(x, w)) + relu(b) - relu(0 - b)"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def verify(name, *more):
    return ["verify", name, "--against", "one.tp", *more]


def test_right(files, capsys):
    assert output(verify("many.tp"), capsys) == RIGHT
    assert json.loads(output(verify("many.tp", "--json"), capsys)) == {
        "version": 1,
        "verdict": "right",
        "meshes": [{"model": 2}],
        "judgements": 6,
        "rules": {"REP": 1, "RED": 1},
        "schemas": 3,
        "equality": "expressions",
        "simulated": ["field", "reals"],
        "assumed": [],
    }


def test_on_one_device_nothing_is_said_of_layouts(files, capsys):
    text = output(["verify", "one.tp", "--against", "one.tp"], capsys)
    assert text.startswith("right: one computes what one does, on one device, for all values of these sizes\n  equal: ")


def test_wrong_by_a_rule(files, capsys):
    text = output(verify("wrong.tp"), capsys, code=1)
    lines = text.splitlines()
    assert [line for line in lines if not line.startswith(("  shown", "  smallest"))][:3] == WRONG.splitlines()[:3]
    assert max(map(len, lines)) <= 80
    document = json.loads(output(verify("wrong.tp", "--json"), capsys, code=1))
    assert (document["verdict"], document["statement"], document["axis"]) == ("wrong", "y", "model")
    assert document["rule"] == "partial_and_whole"
    assert document["shown"]["name"] == "y"
    assert (document["shown"]["rank"], document["shown"]["element"]) == (0, [0, 0])
    assert document["smallest"]["mesh"] == {"model": 2}
    assert document["smallest"]["shown"]["rank"] == 0


def test_the_smallest_program_is_a_file_that_is_wrong_in_the_same_way(files, capsys):
    small = json.loads(output(verify("wrong.tp", "--json"), capsys, code=1))["smallest"]
    (files / "small.tp").write_text(small["program"], encoding="utf-8")
    (files / "small_one.tp").write_text(small["single"], encoding="utf-8")
    again = ["verify", "small.tp", "--against", "small_one.tp", "--json"]
    document = json.loads(output(again, capsys, code=1))
    assert document["rule"] == "partial_and_whole"


def test_wrong_by_a_value(files, capsys):
    text = output(verify("less.tp"), capsys, code=1)
    assert text.startswith("wrong: y: its value differs from that of one; layouts fit\n")
    document = json.loads(output(verify("less.tp", "--json"), capsys, code=1))
    assert (document["rule"], document["axis"], document["statement"]) == (None, None, "y")


def test_not_proved(files, capsys):
    assert output(verify("other.tp"), capsys, code=3).startswith("not proved: without its collectives it has other")
    assert json.loads(output(verify("other.tp", "--json"), capsys, code=3))["verdict"] == "not proved"
    assert output(verify("many.tp", "--timeout", "1e-6"), capsys, code=3).endswith("time is up\n")


def test_a_program_alone_says_what_is_missing(files, capsys):
    assert refused(["verify", "many.tp"], capsys) == (
        "many.tp is a tensor program; name the program to compare it with: --against FILE"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (verify("none.tp"), "cannot read none.tp: No such file or directory; did you mean one.tp?"),
        (
            ["verify", "many.tp", "--against", "wrong.tp"],
            "program many, the reference, is wrong itself: y: an operand that is not partial would be "
            "counted once per rank: operands are partial(+), replicated; verify and mend it first",
        ),
        (
            verify("many.tp", "--goal", "reduce-scatter"),
            "--against compares tensor programs; it goes only with --devices, --timeout and --json",
        ),
        (verify("many.tp", "--devices", "3"), "program many is for 2 devices, not for 3"),
    ],
)
def test_bad_input_is_one_message(arguments, message, files, capsys):
    assert refused(arguments, capsys) == message


def test_a_mistake_in_a_file_has_its_place(files, capsys):
    (files / "bad.tp").write_text(MANY.replace("matmul", "matmull"), encoding="utf-8")
    assert refused(verify("bad.tp"), capsys) == (
        "bad.tp: line 7, column 15: 'matmull' is not an operation; did you mean matmul?"
    )
    (files / "bad.tp").write_bytes(b"program \xff")
    assert (
        refused(verify("bad.tp"), capsys)
        == "bad.tp: byte 8 is not UTF-8; give a tensor program, as `p2smt capture` writes it"
    )
