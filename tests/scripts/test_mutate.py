"""scripts/mutate.py: every deliberate fault applies, and on a tiny tree the kinds of verdicts are told apart."""

import json
import subprocess
from dataclasses import replace

import pytest
from paths import ROOT
from scripts.loading import ran, script_module

mutate = script_module("mutate")
records = script_module("fault_records")
check_import = mutate.check_import

ROOMS = frozenset(
    {
        "placement",
        "problem",
        "verify",
        "smt",
        "reduction",
        "tensor",
        "cost",
        "frontend",
        "emit",
        "spmd",
        "schedule",
        "run",
        "job",
        "sweep",
        "report",
        "cli",
    }
)

SOURCE = "def larger(a, b):\n    # of two numbers\n    return a if a > b else b\n"
TESTS = """\
import os
import tiny.numbers

def test_larger():
    assert tiny.numbers.larger(1, 2) == 2

def test_more(request):
    assert not request.config.getoption("--all") or tiny.numbers.larger(2, -1) == 2

def test_wrong_all_the_same():
    assert os.environ.get("TINY") is None
"""
CONFTEST = 'def pytest_addoption(parser):\n    parser.addoption("--all", action="store_true")\n'
RECORD = """\
[[fault]]
id = "{id}"
file = "tiny/numbers.py"
old = "a > b"
new = "{new}"
means = "A number is another."
tests = ["tests/test_numbers.py"]
"""
KINDS = {"smaller": "a < b", "negative": "a > b and b >= 0", "equal": "a >= b"}
"""What the standard tier notices, what only the full tier does, and what no test can notice."""


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "root"
    texts = {
        "tiny/__init__.py": "",
        "tiny/numbers.py": SOURCE,
        "tests/conftest.py": CONFTEST,
        "tests/test_numbers.py": TESTS,
        "pytest.ini": "[pytest]\n",
        ".gitignore": "ignored\n",
        "ignored": "",
        "faults/sums.toml": "\n".join(RECORD.format(id=name, new=new) for name, new in KINDS.items()),
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def contents(root):
    paths = [path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts]
    return {path: path.read_bytes() for path in paths}


class Pretended:
    """A run of pytest as far as the tiny tree needs it: the tests in this process, without pytest."""

    def __init__(self, wrong_anyway=()):
        self.calls, self._wrong_anyway = [], wrong_anyway

    def __call__(self, tree, arguments):
        self.calls.append(arguments)
        space = {}
        exec((tree / "tiny" / "numbers.py").read_text(encoding="utf-8"), space)
        asked = [(1, 2), (2, -1)] if "--all" in arguments else [(1, 2)]
        failed = [f"tests/test_numbers.py::test{pair}" for pair in asked if space["larger"](*pair) != 2]
        alone = [argument for argument in arguments if "::" in argument and not argument.startswith("--")]
        failed += [test for test in self._wrong_anyway if f"--deselect={test}" not in arguments]
        failed = [test for test in failed if not alone or test in alone]
        return mutate.Outcome(failed[0] if failed else None)


def judged(tree, tmp_path, run, tiers=tuple(mutate.Tier), out=None):
    faults = records.read_faults(tree / "faults")
    results = mutate.Results(out, faults, "commit", tiers)
    mutate.judge_all(tree, faults, results, run, tiers, 1, nearest=False)
    return {name: (verdict.tier, verdict.by) for name, verdict in results.known.items()}


@pytest.fixture(autouse=True)
def _imports_are_fine(monkeypatch):
    """A Python of its own for each tree would import for nothing; one test below starts a real one."""
    monkeypatch.setattr(mutate, "check_import", lambda tree, package: None)


def test_every_fault_applies_and_its_tests_are_there():
    faults = records.read_faults(mutate.FOLDER)
    for fault in faults:
        records.check_fault(ROOT, fault)
    assert {fault.room.partition("/")[0] for fault in faults} == ROOMS
    assert all(fault.top_room == fault.room.partition("/")[0] for fault in faults)
    assert len(faults) >= 100
    late = ("tensor", "spmd", "schedule", "emit/torch/program", "run/training")
    assert sum(fault.room.startswith(late) for fault in faults) >= 35
    assert all(fault.means.endswith(".") for fault in faults)
    assert len({(fault.file, fault.after, fault.old, fault.new) for fault in faults}) == len(faults)


def test_a_fault_is_noticed_by_the_standard_tier_by_the_full_one_alone_or_survives(tree, tmp_path):
    before = contents(tree)
    run = Pretended()
    assert judged(tree, tmp_path, run) == {
        "smaller": (mutate.Tier.STANDARD, "tests/test_numbers.py::test(1, 2)"),
        "negative": (mutate.Tier.FULL, "tests/test_numbers.py::test(2, -1)"),
        "equal": (None, ""),
    }
    assert contents(tree) == before


def test_the_copy_is_whole_after_each_fault_even_if_a_run_breaks_off(tree):
    (fault, *_) = records.read_faults(tree / "faults")
    source = tree / "tiny" / "numbers.py"

    def broken(tree, arguments):
        assert source.read_text(encoding="utf-8") != SOURCE
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mutate.Judge(tree=tree, run=broken, tiers=list(mutate.Tier)).verdict(fault)
    assert source.read_text(encoding="utf-8") == SOURCE


def test_a_test_that_fails_without_a_fault_notices_none(tree, tmp_path):
    wrong = "tests/test_numbers.py::test_wrong_all_the_same"
    run = Pretended([wrong])
    found = judged(tree, tmp_path, run)
    assert [tier for tier, _ in found.values()] == [mutate.Tier.STANDARD, mutate.Tier.FULL, None]
    assert all(by != wrong for _, by in found.values())
    assert sum(arguments == [wrong] for arguments in run.calls) == 1, "it is tried without a fault once"


def test_what_cannot_be_loaded_without_a_fault_is_an_error_of_the_tree(tree, tmp_path):
    with pytest.raises(records.FaultError, match="cannot be loaded without a fault either"):
        judged(tree, tmp_path, Pretended([mutate.COLLECTION]))


def test_verdicts_are_kept_as_they_come_and_not_made_again(tree, tmp_path):
    out = tmp_path / "out.jsonl"
    first = judged(tree, tmp_path, Pretended(), out=out)
    whole = out.read_text(encoding="utf-8")
    assert [json.loads(line)["id"] for line in whole.splitlines()] == list(KINDS)
    out.write_text(whole[:-20], encoding="utf-8")  # cut off by a crash
    run = Pretended()
    assert judged(tree, tmp_path, run, out=out) == first
    assert len(run.calls) == 2, "the last one survives: one run of each tier"
    faults = tree / "faults" / "sums.toml"
    faults.write_text(faults.read_text(encoding="utf-8").replace("another", "not the same"), encoding="utf-8")
    changed = Pretended()
    judged(tree, tmp_path, changed, out=out)
    assert len(changed.calls) > 2, "the text of the faults has changed"


def test_nearest_tests_come_first(tree):
    for room in ("sums", "users", "strangers"):
        (tree / "tiny" / room).mkdir()
        (tree / "tests" / room).mkdir()
        text = "from tiny.sums import total\n" if room == "users" else "total = 0\n"
        (tree / "tiny" / room / "one.py").write_text(text, encoding="utf-8")
    fault = replace(records.read_faults(tree / "faults")[0], file="tiny/sums/one.py")
    assert mutate.stages(tree, fault) == [["tests/test_numbers.py"], ["tests/sums"], ["tests/users"]]


@pytest.mark.thorough  # runs are read in the other tests
def test_a_real_run_names_the_test_that_fails_and_ends_the_one_that_hangs(tree, monkeypatch):
    """And the package is imported from the copy, whatever is installed. No plugin is loaded that these tests lack."""
    with_plugins = mutate.environment
    monkeypatch.setattr(
        mutate,
        "environment",
        lambda tree: with_plugins(tree) | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    check_import(tree, "tiny")
    run = mutate.Pytest(120.0)
    mutate.put(tree, "tiny/numbers.py", SOURCE.replace("a > b", "a < b"))
    assert run(tree, ["tests/test_numbers.py"]) == mutate.Outcome("tests/test_numbers.py::test_larger")
    assert run(tree, ["tests/test_numbers.py", "--deselect=tests/test_numbers.py::test_larger"]).failed is None
    mutate.put(tree, "tiny/numbers.py", SOURCE.replace("return", "__import__('time').sleep(600)\n    return"))
    assert mutate.Pytest(1.5)(tree, ["tests/test_numbers.py"]).timeout


def test_files_that_git_ignores_are_not_copied(tree, tmp_path):
    mutate.copy_tree(tree, tmp_path / "copy")
    assert (tmp_path / "copy" / "tiny" / "numbers.py").read_text(encoding="utf-8") == SOURCE
    assert not (tmp_path / "copy" / "ignored").exists()


def test_the_table_counts_by_room_and_names_what_the_standard_tier_misses(tree, tmp_path):
    faults = records.read_faults(tree / "faults")
    tiers = [mutate.Tier.STANDARD, mutate.Tier.FULL, None]
    known = {
        each.id: mutate.Verdict(each.id, tier, "t::x" if tier else "", 1.0)
        for each, tier in zip(faults, tiers, strict=True)
    }
    text = mutate.table_text(faults, known)
    assert "| sums |      3 |        1 |         1 |        1 |" in text
    assert "Only the full tier notices:\n\n- negative (tiny/numbers.py): A number is another. Noticed by t::x." in text
    assert "No tier notices:\n\n- equal (tiny/numbers.py): A number is another.\n" in text
    assert all(len(line) <= 80 for line in text.splitlines() if line.startswith("|"))
    assert "smaller: A number is another. t::x" in mutate.report_text(faults, known)
    counts = mutate.counted(known.values())
    assert not mutate.is_enough(counts, tiers[:2])
    assert mutate.is_enough(replace(counts, standard=19), tiers[:2])
    assert not mutate.is_enough(replace(counts, standard=18), tiers[:2])
    assert not mutate.is_enough(counts, tiers[:1]), "of one tier every fault is noticed"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[fault]\n", "sums.toml: "),
        ("", "has nothing"),
        ("other = 1\n", "it has records of [[fault]] alone"),
        (RECORD.format(id="a", new="a < b") + "what = 1\n", "fault 1 has 'what'"),
        (RECORD.format(id="a", new="a < b").replace("means", "# means"), "has no means"),
        (RECORD.format(id="a", new="a < b").replace('["tests/test_numbers.py"]', "1"), "tests is 1"),
        (RECORD.format(id="a", new="a < b").replace('["tests/test_numbers.py"]', "[1]"), "tests is [1]"),
        (RECORD.format(id="A b", new="a < b"), "id 'A b'"),
        (RECORD.format(id="a", new="a > b"), "old and new are the same"),
        (RECORD.format(id="a", new="a < b") * 2, "two faults have the id a"),
        (RECORD.format(id="a", new="a <"), "does not parse with the fault"),
        (RECORD.format(id="a", new="a < b").replace("a > b", "b"), "times; it has to be there once"),
        (RECORD.format(id="a", new="a < b") + 'after = "else"\n', "behind 'else'"),
        (RECORD.format(id="a", new="a < b").replace("numbers.py", "none.py", 1), "there is no file tiny/none.py"),
        (RECORD.format(id="a", new="a < b").replace("test_numbers", "test_none"), "there is no tests/test_none.py"),
    ],
)
def test_bad_records_are_refused_with_the_place(tree, text, message):
    (tree / "faults" / "sums.toml").write_text(text, encoding="utf-8")
    done = ran("mutate", "--check", "--tree", tree, "--faults", tree / "faults")
    assert done.returncode == 2
    assert message in done.stderr


def test_the_command_checks_chooses_and_refuses(tree, tmp_path):
    where = ("--tree", tree, "--faults", tree / "faults")
    assert ran("mutate", "--check", *where).stdout == "3 faults apply\n"
    assert ran("mutate", "--check", "--only", "equal", *where).stdout == "1 faults apply\n"
    assert ran("mutate", "--check", "--room", "sums", *where).stdout == "3 faults apply\n"
    assert "there is no fault none" in ran("mutate", "--only", "none", *where).stderr
    assert "rooms are sums" in ran("mutate", "--room", "none", *where).stderr
    assert ran("mutate", "--jobs", "0", *where).returncode == 2


def test_an_anchor_makes_a_text_unique():
    fault = records.Fault(
        id="a", room="r", file="f", old="x = 1", new="x = 2", means="m", tests=("t",), after="def g():"
    )
    text = "def f():\n    x = 1\n\n\ndef g():\n    x = 1\n\n\ndef h():\n    x = 1\n"
    assert records.mutated(text, fault) == text[: text.index("def g")] + text[text.index("def g") :].replace(
        "1", "2", 1
    )
