"""Plan files with their verdict, and what is said of files that are none."""

import json
import tomllib

from looped import looped
from paths import TESTS

from p2smt.cli.main import run

PLANS = sorted((TESTS / "plans").glob("*.toml"))

HEAD = "version = 1\ndevices = 4\nchunks = 4\nbuffers = { shard = 1, half = 2 }\n"
STEP = '[[step]]\noperation = "{}"\n{}\n'


def document(tmp_path, capsys, text, *arguments):
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    code = run(["verify", str(path), "--json", *arguments])
    return code, json.loads(capsys.readouterr().out)


@looped("path", PLANS)
def test_the_verdict_of_every_plan_file(path, capsys):
    wanted = tomllib.loads(path.read_text(encoding="utf-8"))["verdict"]
    code = run(["verify", str(path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert code == (0 if wanted["verdict"] == "valid" else 1)
    assert {name: found[name] for name in wanted} == wanted


def step(operation, rest=""):
    return STEP.format(operation, rest)


PAIRS = "groups = [[0, 1], [2, 3]]"
ACROSS = "groups = [[0, 2], [1, 3]]"


@looped(
    ("steps", "rule", "number", "words"),
    [
        (step("AllReduce", PAIRS), "missing", 1, "lacks the contribution of device 2 (2 of 4 are missing)"),
        (step("AllReduce") + step("AllReduce", PAIRS), "counted_twice", 2, "contribution of device 0 2 times"),
        (
            step("ReduceScatter", PAIRS + '\nto = "half"')
            + step("AllReduce", PAIRS + '\nfrom = "half"')
            + step("AllReduce", ACROSS + '\nfrom = "half"')
            + step("AllGather", PAIRS + '\nfrom = "half"\nto = "data"'),
            "foreign",
            2,
            "chunks 0, 2 are added together",
        ),
        (step("Reduce") + step("AllReduce", PAIRS), "undefined", 2, "is undefined at the end"),
        (step("AllReduce", "groups = [[0, 1], [1, 2]]"), "twice", 1, "also in group [0, 1]"),
        (step("AllReduce", "groups = [[0, 0]]"), "twice", 1, "is twice in it"),
        (step("AllReduce", "groups = [[0, 4]]"), "no_device", 1, "device 4 does not exist; devices are 0 to 3"),
        (step("Reduce", PAIRS + "\nroot = 2"), "root", 1, "root 2 is not an index in group [0, 1]"),
        (step("AllReduce", 'from = "data[2:6]"'), "outside", 1, "data[2:6] lies outside the buffer"),
        (step("ReduceScatter", "groups = [[0, 1, 2]]"), "uneven", 1, "are no 3 equal blocks for group [0, 1, 2]"),
        (step("AllGather", 'from = "shard"\nto = "half"'), "lengths", 1, "gives 4 chunks among 4 devices, but half"),
        (step("AllReduce", 'from = "data[0:2]"\nto = "data[1:3]"'), "overlap", 1, "overlap but are not the same"),
        (
            step("ReduceScatter", 'groups = [[1, 0, 2, 3]]\nto = "shard"')
            + step("AllGather", 'from = "shard"\nto = "data"'),
            "foreign",
            2,
            "data[0] of device 0 holds chunk 1 instead of chunk 0",
        ),
        (step("Send", "groups = [[0, 1]]") + step("AllReduce"), "counted_twice", 2, "contribution of device 0 2 times"),
    ],
)
def test_mistakes_are_named(tmp_path, capsys, steps, rule, number, words):
    code, found = document(tmp_path, capsys, HEAD + steps)
    assert (code, found["verdict"], found["rule"], found["step"]) == (1, "invalid", rule, number)
    assert words in found["message"]


@looped(
    "steps",
    [
        step("AllReduce"),
        step("AllReduce", PAIRS) + step("AllReduce", ACROSS),
        step("Reduce", "root = 3") + step("Broadcast", "root = 3"),
        step("ReduceScatter") + step("AllGather"),
        step("ReduceScatter", 'to = "shard"') + step("AllGather", 'from = "shard"\nto = "data"'),
        step("ReduceScatter", 'groups = [[3, 1, 2, 0]]\nto = "shard"')
        + step("AllGather", 'groups = [[3, 1, 2, 0]]\nfrom = "shard"\nto = "data"'),
        step("AllReduce", 'from = "data[0:2]"') + step("AllReduce", 'from = "data[2:4]"'),
        step("AllReduce", PAIRS) + step("AllReduce", "groups = { size = 2, stride = 2 }"),
    ],
)
def test_right_plans_are_valid(tmp_path, capsys, steps):
    assert document(tmp_path, capsys, HEAD + steps) == (
        0,
        {"version": 1, "verdict": "valid", "step": None, "rule": None, "message": None, "checked": 16},
    )


def test_the_goal_can_be_given(tmp_path, capsys):
    plan = HEAD + step("AllReduce", PAIRS)
    assert document(tmp_path, capsys, plan, "--groups", "0,1;2,3")[0] == 0
    assert document(tmp_path, capsys, plan, "--groups", "0,2;1,3")[1]["rule"] == "foreign"
    code, found = document(tmp_path, capsys, plan, "--groups", "0;1")
    assert (code, found["verdict"]) == (1, "vacuous")


def test_a_plan_of_p2smts_own(tmp_path, capsys):
    path = tmp_path / "plan.json"
    assert run(["plan", "--system", "2x4", "--axes", "8", "--reduce", "0", "--out", str(path)]) == 0
    assert run(["verify", str(path)]) == 0
    assert capsys.readouterr().out.startswith("valid: ")
    text = path.read_text(encoding="utf-8")
    assert text.count('"collective": "AllReduce"') == 1
    path.write_text(text.replace('"collective": "AllReduce"', '"collective": "Broadcast"'), encoding="utf-8")
    assert run(["verify", str(path)]) == 1
    assert capsys.readouterr().out.startswith("invalid: ")


def test_the_text_says_how_to_try_it(tmp_path, capsys):
    path = tmp_path / "plan.toml"
    path.write_text(HEAD + step("AllReduce", PAIRS), encoding="utf-8")
    assert run(["verify", str(path)]) == 1
    assert capsys.readouterr().out.splitlines()[2] == (
        "  try it: let device 2 contribute 1 to chunk 0 and all else be 0; device 0 ends with 0 in chunk 0 instead of 1"
    )


@looped(
    ("text", "message"),
    [
        ("", "object missing required field version"),
        ("version = 2\ndevices = 1\nchunks = 1", "version 2 is not supported; this p2smt reads version 1"),
        ("version = 1\ndevices = 0\nchunks = 1", "0 devices are out of range; a plan has 1 to 4096"),
        ("version = 1\ndevices = 4096\nchunks = 4096", "4096 devices with 4096 chunks each; at most 4194304 in all"),
        ("version = 1\ndevices = 4\nchunks = 1\nstepp = 1", "unknown key 'stepp'; did you mean step?"),
        (HEAD + step("AllReduce", 'from = "dta"'), "step 1: 'dta' is not part of a buffer; write a name"),
        (HEAD + step("AllReduce", "groups = { size = 3 }"), "groups of size 3 and stride 1 do not divide 4 devices"),
        (HEAD + step("AllReduce", 'groups = { along = ["gpu"] }'), "level 'gpu' is unknown; [levels] has none"),
        (
            HEAD + step("AllReduc"),
            "step 1: operation 'AllReduc' is unknown; it is one of AllReduce, Red",
        ),
        (HEAD + step("AllReduce", "groups = [[]]"), "step 1: a group is empty; name its devices"),
        ("goal = [[0, 0]]\n" + HEAD, "goal: device 0 is repeated or out of range; name devices 0 to 3"),
        ("order = { 0 = [2] }\n" + HEAD + step("AllReduce"), "order of device 0 names step 2; it takes part in 1"),
        ("order = { 4 = [1] }\n" + HEAD + step("AllReduce"), "order names device 4; devices are 0 to 3"),
        (
            "levels = { node = 2, gpu = 4 }\n" + HEAD + step("AllReduce", 'groups = { along = ["gpu"] }'),
            "do not multiply to 4 devices",
        ),
        (HEAD + step("AllReduce", "groups = [[0, 1, 2], [3]]\naverage = true"), "an average over groups of 1 and of 3"),
        (HEAD + step("AllReduce", "divisor = 0"), "divisor 0 is out of range; it must be from 1 to 65536"),
        (HEAD + step("AllReduce", "divisor = 65537"), "divisor 65537 is out of range; it must be from 1 to 65536"),
        (HEAD + 65 * step("AllReduce", "divisor = 2"), "65 steps divide; at most 64 are computed exactly"),
        (HEAD.replace("half = 2", "two = 0"), "buffer 'two' of 0 chunks; a name is letters, digits, _, a length >= 1"),
        ('zeros = ["data"]\n' + HEAD, "zeros names 'data'; it lists buffers of [buffers]"),
        ("{", "is neither TOML nor JSON"),
        ("x = " + "[" * 5000, "is neither TOML nor JSON"),
    ],
)
def test_what_is_no_plan_is_refused(tmp_path, capsys, text, message):
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    assert run(["verify", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
