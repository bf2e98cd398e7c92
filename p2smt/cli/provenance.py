"""The header comment of emitted files: version, command, system, predicted time, memory, and how to check the file.

There is no time stamp, and the output path is omitted, so the same command on the same input writes the same bytes.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from p2smt.cli.next_step import typed_command

if TYPE_CHECKING:
    from p2smt.cost.network.cost import Cost
    from p2smt.problem.system.network import System
    from p2smt.reduction.plan.model import Plan

Facts = Sequence[tuple[str, str]]

_WIDTH = 118


def signed(text: str, facts: Facts = ()) -> str:
    """Prefix a Python file with the version, command and facts; formats without comments stay unchanged."""
    if not text.startswith(('"""', "import ", "from ")):
        return text
    from importlib.metadata import version

    lines = [("written", f"by p2smt {version('p2smt')}: {typed_command()}"), *facts]
    return "".join(f"# {line}\n" for head, fact in lines for line in _lines(head, fact)) + text


def plan_facts(plan: "Plan", *, for_torch: bool) -> Iterator[tuple[str, str]]:
    """Yield the system, predicted time and memory of a plan; only memory for a plan without a system."""
    from p2smt.emit.torch.memory import memory_words

    if plan.system is not None:
        from p2smt.cost.explanation import problem_of
        from p2smt.cost.network.backend import cost_of
        from p2smt.problem.model import Search
        from p2smt.problem.quantity import format_bytes, format_seconds
        from p2smt.reduction.plan.lower import Lowering

        cost = cost_of(plan.system)
        plain = cost.plan_seconds(Lowering(problem_of(plan, plan.system, Search()), plan.matrix).direct)
        seconds = cost.plan_seconds(plan)
        yield from system_facts(plan.system)
        what = f"{format_seconds(seconds)} for {format_bytes(plan.payload.bytes)} of {plan.payload.dtype} a device"
        gain = f", {plain / seconds:.2f}x" if seconds else ""
        yield "predicted", f"{what}; one {plan.goal}: {format_seconds(plain)}{gain}"
    if for_torch:
        yield "memory", memory_words(plan)


def system_facts(system: "System") -> Iterator[tuple[str, str]]:
    """Yield the system's name, and the origin of its parameters."""
    from p2smt.problem.system.link_origin import links_text
    from p2smt.wording import sizes_text

    name = f"{system.name}: " if system.name else ""
    yield "system", f"{name}{sizes_text(system.levels)}; {links_text(system)}"


def job_facts(cost: "Cost", seconds: float) -> Iterator[tuple[str, str]]:
    """Yield the system of a job, and the predicted time of its communication."""
    from p2smt.problem.quantity import format_seconds

    yield from system_facts(cost.system)
    yield "predicted", f"{format_seconds(seconds)} of communication a step"


def step_facts(system: "System", seconds: float) -> Iterator[tuple[str, str]]:
    """Yield the system of a training step, and its predicted time."""
    from p2smt.problem.quantity import format_seconds

    yield from system_facts(system)
    yield "predicted", f"{format_seconds(seconds)} a step"


def _lines(head: str, fact: str) -> list[str]:
    printed = "".join(each if each.isprintable() else "?" for each in fact)
    first, *rest = wrap(printed, _WIDTH - 11, break_long_words=False, break_on_hyphens=False) or [""]
    return [f"{head:<10}{first}", *(f"{'':10}{line}" for line in rest)]
