"""Descriptions of an emitted file's program, schedule and functions, as docstring lines."""

from textwrap import wrap

from p2smt.emit.torch.program.lines import WIDTH
from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.scheduled import Kernel, KernelGroup
from p2smt.schedule.text.printer import print_schedule
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.layout import Partial
from p2smt.tensor.program import Program


def group_words(group: KernelGroup) -> str:
    """Return a sentence on a fused group and its members."""
    kind = "One kernel" if group.kernel is Kernel.COMPUTATION else f"A {group.kernel}"
    return fitting(f"{kind}: {', '.join(group.members)}.")


def fitting(words: str) -> str:
    """Return the words, shortened to fit a docstring line."""
    most = WIDTH - len('    """"""')
    return words if len(words) <= most else f"{words[: most - 4].rpartition(',')[0]} ..."


def schedule_text(checked: CheckedSchedule) -> str:
    """Return the steps of a schedule, as docstring lines."""
    lines = print_schedule(checked.schedule).splitlines()
    wrapped = [part for line in lines or ["no steps"] for part in wrap(line, WIDTH - 4, subsequent_indent="    ")]
    return "\n".join(f"    {line}" for line in wrapped)


def facts(program: Program) -> str:
    """Return sentences on the inputs and outputs of ranks."""
    summed = [  # only Partial: others are printed as they are
        source.name
        for source in program.sources
        if source.kind is SourceKind.INPUT and any(isinstance(each.layout, Partial) for each in source.layouts)
    ]
    of_sums = f" Of {', '.join(summed)} it gives its own summand." if summed else ""
    words = (
        f"Every rank gives whole tensors, or its own part of them.{of_sums} It gets its part of the outputs, which may "
        "be the tensors of states themselves. `step.state_dict()` is a checkpoint of whole tensors, whatever is kept "
        "in slices."
    )
    return "\n".join(wrap(words, WIDTH))
