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
from p2smt.errors import VerifyError


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


@pytest.mark.parametrize("function", [lambda tensor: tensor, partial(summed), Halved()])
def test_what_another_process_cannot_find_is_refused(function):
    with pytest.raises(VerifyError, match="cannot be imported; give a function or class from the top of a module"):
        p2smt.assert_reduces(function)


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
