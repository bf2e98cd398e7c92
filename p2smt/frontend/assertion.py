"""For tests of users: a function of theirs reduces, or the test fails with the reason."""

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.torch_function.plan import TIMEOUT_S, TraceOptions, lengths_to_try, trace_lengths
from p2smt.frontend.verification import verify_lengths
from p2smt.verify.operation import GoalCollective
from p2smt.verify.plan import Groups
from p2smt.verify.plan_verdict import PlanMistake, Vacuity
from p2smt.verify.text import example_text
from p2smt.verify.verdict import Proved, Refuted, Unknown


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

    `function` stands at the top of a module: a function that takes a one-dimensional tensor and gives the result or
    leaves it there, or a class whose objects do. It is run once per device in a process of its own, on a backend that
    moves nothing, with tensors of several lengths (or of `elements`), as `p2smt verify --run-python` does. `goal`,
    `groups`, `root` and `average` ask for something else than the sum among all devices. Raises VerifyError where it
    cannot be followed.
    """
    __tracebackhide__ = True
    name, path, module = _home(function)
    tracing = TraceOptions(devices, elements=elements, function=name, dtype=dtype, timeout_s=timeout_s, module=module)
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
    _fail(f"{name} on {devices} devices is {why}")


def _against(counter_example: PlanMistake | Vacuity) -> list[str]:
    match counter_example:
        case PlanMistake(rule, _, message, example):
            return [f"invalid: {rule}", message, *([] if example is None else [example_text(example)])]
        case Vacuity(reason):
            return [f"vacuous: {reason}"]


def _fail(message: str) -> NoReturn:
    __tracebackhide__ = True
    raise AssertionError(message)


def _home(function: Callable[..., object]) -> tuple[str, Path, str]:
    """The function's name, the file that it stands in, and the module that is to be imported; none: the file is run."""
    name, module = getattr(function, "__qualname__", None), getattr(function, "__module__", None)
    held: object = sys.modules.get(module or "")
    for word in (name or "").split("."):
        held = getattr(held, word, None)
    if name is None or module is None or held is not function:
        raise VerifyError(
            f"{name or function!r} cannot be imported; give a function or class from the top of a module, so that "
            "another process can find it"
        )
    path = inspect.getsourcefile(function)
    if path is None:
        raise VerifyError(f"{name} of module {module} stands in no file of Python")
    return name, Path(path), "" if module == "__main__" else module
