"""Abbreviated programs for tables: `RS gpu · AR node · AG gpu` instead of three instructions."""

from collections.abc import Sequence

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.reduction.language.instruction import Form, Grouping, InsideGroup, Master, Parallel, grouping_of
from p2smt.reduction.language.text import INSTRUCTION

_SHORT: dict[str, str] = {
    Collective.ALL_REDUCE: "AR",
    Collective.REDUCE_SCATTER: "RS",
    Collective.ALL_GATHER: "AG",
    Collective.REDUCE: "Reduce",
    Collective.BROADCAST: "Broadcast",
    Exchange.ALL_TO_ALL: "A2A",
    Exchange.SEND: "Send",
    NeighbourSend.NEXT: "Send",
    NeighbourSend.AROUND: "Send around",
}


def short_steps(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Abbreviate each step of a program to its collective and the levels along which the members of a group differ.

    `names` are the level names of the hierarchy that the text is written for, root first. A text that does not parse as
    a program of such a hierarchy is returned as a single step.

    >>> short_steps("(node, InsideGroup, ReduceScatter); (node, Master(root), AllReduce)", ["root", "node", "gpu"])
    ('RS gpu', 'AR node (masters)')
    """
    steps = []
    for part in text.split(";"):
        step = _short_step(part.strip(), names)
        if step is None:
            return (text,)
        steps.append(step)
    return tuple(steps)


def _short_step(text: str, names: Sequence[str]) -> str | None:
    match = INSTRUCTION.fullmatch(text)
    if match is None:
        return None
    slice_name, form_name, ancestor, communication = match.groups()
    if slice_name not in names or communication not in _SHORT or (ancestor is not None and ancestor not in names):
        return None
    form = _form(form_name, None if ancestor is None else names.index(ancestor))
    grouping = None if form is None else grouping_of(names.index(slice_name), form, len(names) - 1)
    return None if grouping is None else f"{_SHORT[communication]} {_levels(grouping, names)}"


def _form(name: str, ancestor: int | None) -> Form | None:
    match name, ancestor:
        case "InsideGroup", None:
            return InsideGroup()
        case "Parallel", int(level):
            return Parallel(level)
        case "Master", int(level):
            return Master(level)
        case _:
            return None


def _levels(grouping: Grouping, names: Sequence[str]) -> str:
    levels = grouping.levels
    if len(levels) == len(names) - 1 > 1:
        return "all"
    text = "+".join(names[level] for level in levels)
    return f"{text} (masters)" if grouping.masters else text
