"""Assertions for users' tests: a function is an all-reduce, or ranks compute what a single-device program does."""

import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import NoReturn

from p2smt.argument_types import require
from p2smt.collective import Collective
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.sent_function import by_value, file_of, name_of, refuse_while_tracing, require_function
from p2smt.frontend.torch_function.plan import TIMEOUT_S, TraceOptions, lengths_to_try, trace_lengths
from p2smt.frontend.torch_ranks.annotations import ranks_of
from p2smt.frontend.torch_ranks.ranks import verify_function
from p2smt.frontend.verification import verify_lengths
from p2smt.tensor.program import Program
from p2smt.tensor.verification.check import verify_program
from p2smt.tensor.verification.mistake_words import mistake_words
from p2smt.verify.operation import GoalCollective
from p2smt.verify.plan import Groups
from p2smt.verify.plan_verdict import PlanMistake, Vacuity
from p2smt.verify.text import example_text
from p2smt.verify.verdict import Proved, Refuted, Unknown
from p2smt.wording import sizes_text


def assert_reduces(
    function: Callable[..., object],
    devices: int = 8,
    *,
    goal: GoalCollective = Collective.ALL_REDUCE,
    groups: Groups | None = None,
    root: int | None = None,
    average: bool = False,
    elements: int | None = None,
    dtype: str = "float32",
    timeout_s: float = TIMEOUT_S,
) -> None:
    """Raise AssertionError unless a function that uses torch.distributed is proved to be an all-reduce on `devices`.

    `function` takes a one-dimensional tensor and returns the result or writes it there in place; for a class, an
    instance is called. It may be defined anywhere: in a module, at the top of a script, in a notebook, inside
    another function. It runs once per device in a separate process, on a backend that moves no data, with tensors
    of several lengths (or of `elements`), as `p2smt verify --run-python` does. `goal`, `groups`, `root` and
    `average` replace the default goal, the sum over all devices. Raises VerifyError if the function cannot be
    traced.
    """
    __tracebackhide__ = True
    refuse_while_tracing("assert_reduces")
    require_function(function)
    path, module = _module_of(function)
    tracing = TraceOptions(
        devices,
        elements=elements,
        function=getattr(function, "__qualname__", None),
        dtype=dtype,
        timeout_s=timeout_s,
        module=module,
        code=b"" if module else by_value(function),
    )
    asked = AskedGoal(collective=goal, groups=groups, root=root, average=average)
    found = verify_lengths(trace_lengths(path, tracing, asked, lengths_to_try(tracing, asked)))
    match found.verdict:
        case Proved():
            return
        case Refuted(counter_example):
            said = _against(counter_example)
        case Unknown(reason):
            said = [f"unknown: {reason}"]
    why = "\n  ".join([*said, *found.notes])
    _fail(f"{name_of(function)} on {devices} devices is {why}")


def assert_same(
    program: Program | Callable[..., object],
    single: Program,
    devices: int | None = None,
    *,
    mesh: str | None = None,
    timeout_s: float = TIMEOUT_S,
) -> None:
    r"""Raise AssertionError unless what ranks do is proved to compute what a program for one device does.

    `program` is a distributed program, or a function that every rank runs on its parts of what `single` is given:
    under the same names, with layouts as annotations (`x: "sliced(0)"`), wherever it stands; then `devices`, or the
    `mesh` (`"data=2,model=4"`), says which ranks there are. It is what `p2smt verify --against` does. VerifyError where
    the function cannot be run so.

    >>> from p2smt.tensor.text.parser import parse_program
    >>> text = "program {}\ninput x : f32[4] {}\ny = {}\noutput y\n"
    >>> single = parse_program(text.format("one", "", "relu(x)"))
    >>> assert_same(parse_program(text.format("many", "partial(+)", "relu(AllReduce(x))")), single, devices=2)
    """
    __tracebackhide__ = True
    require(single, Program, "single", "read_program reads a file, capture makes one of a model")
    deadline = monotonic() + timeout_s
    if isinstance(program, Program):
        name, where = program.name, "" if devices is None else f" on {devices} ranks"
        verdict = verify_program(program, single, devices, deadline)
    else:
        refuse_while_tracing("assert_same")
        require_function(program)
        name, axes = name_of(program), ranks_of(mesh, devices)
        where = f" on {sizes_text((axis.name, axis.size) for axis in axes)}"
        code = by_value(program)
        verdict = verify_function(file_of(program), name, axes, single, timeout_s, deadline, code=code).verdict
    match verdict:
        case Proved():
            return
        case Refuted(mistake):
            (_, first), *more = mistake_words(mistake, single.name)
            why = "\n  ".join([f"wrong: {first}", *(f"{label} {text}" for label, text in more)])
        case Unknown(reason):
            why = f"not proved: {reason}"
    _fail(f"{name}{where} is {why}")


def _against(counter_example: PlanMistake | Vacuity) -> list[str]:
    match counter_example:
        case PlanMistake(rule, _, message, example):
            return [f"invalid: {rule}", message, *([] if example is None else [example_text(example)])]
        case Vacuity(reason):
            return [f"vacuous: {reason}"]


def _fail(message: str) -> NoReturn:
    __tracebackhide__ = True
    raise AssertionError(message)


def _module_of(function: Callable[..., object]) -> tuple[Path, str]:
    """Return the function's file and the importable module that contains it; the module is empty if there is none."""
    name, module = getattr(function, "__qualname__", None), getattr(function, "__module__", None)
    held: object = sys.modules.get(module or "")
    for word in (name or "").split("."):
        held = getattr(held, word, None)
    if name is None or module in (None, "__main__") or held is not function:
        return file_of(function), ""
    return file_of(function), str(module)
