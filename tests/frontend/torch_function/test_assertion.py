"""`p2smt.assert_reduces` in tests of users, each function run in a process of its own."""

import os
import re
import runpy
import subprocess
import sys
from functools import partial

import pytest
from documents import Document
from paths import ROOT

import p2smt
from p2smt.errors import P2Error, UserCodeError, VerifyError
from p2smt.frontend.torch_function.plan import TraceOptions
from p2smt.frontend.verification import verify_file
from p2smt.tensor.text.parser import parse_program


def summed(tensor):
    from torch import distributed

    distributed.all_reduce(tensor)


def only_of_four(tensor):
    """Right for lengths that divide by four."""
    from torch import distributed

    distributed.all_reduce(tensor[: tensor.numel() // 4 * 4])


class Halved:
    """Its objects average between two."""

    def __call__(self, tensor):
        from torch import distributed

        distributed.all_reduce(tensor)
        return tensor / 2


def cached(tensor, groups=[]):  # noqa: B006
    """Keeps its group from call to call, as many programs do: on every rank its own."""
    from torch import distributed

    if not groups:
        groups.append(distributed.new_group([0, 1]))
    distributed.all_reduce(tensor, group=groups[0])


@pytest.mark.slow
def test_functions_that_reduce():
    p2smt.assert_reduces(summed, devices=4)
    p2smt.assert_reduces(Halved, 2, average=True)
    p2smt.assert_reduces(cached, 2)


@pytest.mark.slow
def test_functions_that_do_not():
    wanted = (
        "only_of_four on 4 devices is invalid: a contribution is missing\n"
        "  with tensors of 5 elements: no step writes it: data[4] of device 0 lacks the contribution of device 1 "
        "(3 of 4 are missing)\n"
        "  try it: let device 1 contribute 1 to chunk 4 and all else be 0; device 0 ends with 0 in chunk 4 instead of "
        "1\n"
        "  with tensors of 4 elements it is right"
    )
    with pytest.raises(AssertionError, match=re.escape(wanted)):
        p2smt.assert_reduces(only_of_four, devices=4)
    with pytest.raises(AssertionError, match="summed on 2 devices is invalid: a contribution counts with the wrong we"):
        p2smt.assert_reduces(summed, devices=2, average=True, elements=2)


def test_functions_that_no_process_can_import():
    """An inner function with what it closes over, one that is made of another, and an object."""
    from torch import distributed

    factor = 2

    def inner(tensor):
        distributed.all_reduce(tensor)
        return tensor * factor / factor

    p2smt.assert_reduces(inner, 2)
    p2smt.assert_reduces(partial(summed), 2, elements=3)
    p2smt.assert_reduces(Halved(), 2, average=True, elements=4)
    with pytest.raises(AssertionError, match=r"^<lambda> on 2 devices is invalid: a contribution is missing"):
        p2smt.assert_reduces(lambda tensor: tensor, 2, elements=2)


SCRIPT = """
import p2smt
from torch import distributed

def rows(x: "sliced(0)", w):
    total = (x @ w).sum()
    distributed.all_reduce(total)
    return total

def mean(x: "sliced(0)", w):
    return rows(x, w) / distributed.get_world_size()

def fails(tensor):
    return tensor.nonsense()

def looks(x: "sliced(0)", w):
    return x.sum() if x.sum() > 0 else w.sum()

single = p2smt.read_program("one.tp")
"""
ONE = """program one
input x : f32[4, 3]
parameter w : f32[3, 2]
y = matmul(x, w)
z = sum(y, dims=0,1)
output z
"""


@pytest.fixture
def script(tmp_path, monkeypatch):
    """The names of a script that is run as such: its functions are of `__main__`, which no other process finds."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.tp").write_text(ONE, encoding="utf-8")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    return runpy.run_path(str(tmp_path / "script.py"), run_name="__main__")


def test_functions_of_a_script_compute_what_one_device_does(script):
    p2smt.assert_same(script["rows"], script["single"], 2)
    p2smt.assert_same(script["rows"], script["single"], mesh="data=2")
    wanted = r"^mean on ranks=2 is wrong: .*(\n.*)*cause: it is too small by 2"
    with pytest.raises(AssertionError, match=wanted):
        p2smt.assert_same(script["mean"], script["single"], 2)
    with pytest.raises(AssertionError, match=r"^looks on ranks=2 is not proved: .*line 17"):
        p2smt.assert_same(script["looks"], script["single"], 2)
    with pytest.raises(UserCodeError, match=r"script\.py: rank 0, line 14: AttributeError: .*nonsense"):
        p2smt.assert_reduces(script["fails"], 2, elements=2)


def test_programs_compute_what_one_device_does(script):
    text = ONE.replace("one", "many").replace("[4, 3]", "[4, 3] sliced(0)").replace("sum(y", "AllReduce(sum(y")
    many = parse_program(text.replace("dims=0,1)", "dims=0,1))"))
    p2smt.assert_same(many, script["single"], 2)
    with pytest.raises(AssertionError, match=r"^many on 2 ranks is wrong: "):
        p2smt.assert_same(
            parse_program(text.replace("AllReduce(", "2 * AllReduce(").replace("1)", "1))")), script["single"], 2
        )


def test_mistakes_of_the_caller_are_named(script):
    for call, message in (
        (lambda: p2smt.assert_reduces("reduce", 2), "function is 'reduce', a str; give a Callable"),
        (
            lambda: p2smt.assert_same(script["rows"], "one.tp", 2),
            "single is 'one.tp', a str; give a Program; read_program",
        ),
        (lambda: p2smt.assert_same(script["rows"], script["single"]), "--devices, or --mesh"),
    ):
        with pytest.raises(P2Error, match=message):
            call()
    frame = sys._getframe()

    def holds_a_frame(tensor):
        return frame

    with pytest.raises(VerifyError, match=r"holds_a_frame cannot be sent to the process that runs it: .*inside of it"):
        p2smt.assert_reduces(holds_a_frame, 2)


def test_a_file_that_asserts_while_it_is_run_is_told_so_at_once(tmp_path):
    text = SCRIPT.replace('single = p2smt.read_program("one.tp")', "p2smt.assert_reduces(fails, 2)")
    (tmp_path / "above.py").write_text(text, encoding="utf-8")
    tracing = TraceOptions(2, function="fails")
    with pytest.raises(VerifyError, match=r'assert_reduces is called by the file .* if __name__ == "__main__":'):
        verify_file(tmp_path / "above.py", tracing=tracing)


@pytest.mark.slow
@pytest.mark.thorough  # the tests before do the same in this process
@pytest.mark.parametrize("how", ["file", "stdin"])
def test_a_script_asserts_at_its_top(how, tmp_path):
    (tmp_path / "one.tp").write_text(ONE, encoding="utf-8")
    script = tmp_path / "script.py"
    script.write_text(f"{SCRIPT}\np2smt.assert_same(rows, single, 2)\nprint('same')\n", encoding="utf-8")
    command = [sys.executable, *([str(script)] if how == "file" else ["-"])]
    given = None if how == "file" else script.read_text(encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, input=given, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout) == (0, "same\n"), done.stderr


@pytest.fixture
def example(tmp_path):
    """A folder with the example of the page, its test, and the same with a mistake."""
    room = ROOT / "p2smt" / "frontend"
    page = Document(room / "README.md").files | Document(room / "torch_function" / "README.md").files
    for name in ("reduce.py", "test_reduce.py"):
        (tmp_path / name).write_text(page[name], encoding="utf-8")
    broken = page["reduce.py"].replace("group=pairs[2 + rank % 2]", "group=pairs[rank // 2]")
    assert broken != page["reduce.py"]
    (tmp_path / "broken.py").write_text(broken, encoding="utf-8")
    test = page["test_reduce.py"].replace("from reduce import", "from broken import")
    (tmp_path / "test_broken.py").write_text(test, encoding="utf-8")
    return tmp_path


def test_the_example_of_the_page_passes_and_fails(example, monkeypatch):
    monkeypatch.syspath_prepend(str(example))
    monkeypatch.chdir(example)
    try:
        for file in ("test_reduce.py", "test_broken.py"):
            tests = [each for name, each in runpy.run_path(file).items() if name.startswith("test_")]
            assert len(tests) == 1
            if file == "test_reduce.py":
                tests[0]()
                continue
            with pytest.raises(AssertionError, match=r"reduce on 4 devices is invalid: a contribution is "):
                tests[0]()
    finally:
        for name in ("reduce", "broken"):
            sys.modules.pop(name, None)


@pytest.mark.slow
@pytest.mark.thorough  # the test before it does the same in this process
def test_the_example_of_the_page_passes_and_fails_with_pytest(example):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    # Options for this run are not options for that one.
    plain = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    done = subprocess.run(command, cwd=example, env=plain, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert "AssertionError: reduce on 4 devices is invalid: a contribution is " in done.stdout
    assert "FAILED test_broken.py::" in done.stdout
    assert "1 failed, 1 passed in " in done.stdout


@pytest.mark.slow
def test_where_there_is_nothing_to_reduce_nothing_is_shown():
    with pytest.raises(AssertionError, match="summed on 1 devices is vacuous: "):
        p2smt.assert_reduces(summed, devices=1, elements=4)
