"""Repeated lines as functions, so that equal layers are written once.

Method: procedural abstraction (Fraser, Myers and Wendt, "Analyzing and compressing assembly code", 1984). `repeats.py`
proposes sequences of lines that differ only in names; those whose function does not pay off are dropped. Dropping one
changes what the others pass on, so it is a fixed point from above:
    found := { r in found : lines(function of r) + lines(calls of r) < lines that r replaces },   until nothing changes.
Functions of labelled layers, and pairs of a forward and a backward one, stay in any case. Lines that may move (`early`)
are placed behind the last value they read.
Complexity: at most as many rounds as repeats, each linear in the lines.

Example: ten layers of 40 lines, equal but for names: one function of 42 lines and ten calls, 52 lines instead of 400.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2smt.emit.torch.program.deletions import Unit, with_deletions
from p2smt.emit.torch.program.function import RepeatedFunction, Surroundings
from p2smt.emit.torch.program.interface import Interface, interfaces
from p2smt.emit.torch.program.labels import Labels, labels_of
from p2smt.emit.torch.program.marks import NUMBER, MarkedLine, MarkRole, StatementLine, commented, marked, names_in
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.program.repeats import Repeat, repeats
from p2smt.emit.torch.program.storage import IN_PLACE

_SHORT = 3
_WRITES = (".copy_(", *(f".{name}(" for name in IN_PLACE.values()))
_KEPT = "Kept = list[torch.Tensor]\n"


@dataclass(frozen=True, slots=True)
class FoldedText:
    """The text of the functions, and the lines that call them, with the unrepeated lines in between."""

    functions: str
    lines: list[str]


def folded(written: Sequence[StatementLine], around: Surroundings, names: PythonNames) -> FoldedText | None:
    """Return the lines with their repeats as functions; None if nothing repeats.

    The operations, their values and their order do not change, so results are the same bit for bit. Early lines do not
    break repeats: they move after the function that makes the last value they read.
    """
    every = marked(written, around.keys)
    lines = _numbers_first([line for line in every if not line.written.early])
    early = [line for line in every if line.written.early]
    asked = {mark.text for line in early for mark in line.marks if mark.role is MarkRole.READ}
    given = replace(around, observed=around.observed | asked)
    found = repeats(lines)
    # Dropping one repeat changes the interfaces of the others, so sizes are checked again until
    # nothing changes.
    while found:
        functions = _functions(lines, found, given)
        short = [repeat for repeat, function in zip(found, functions, strict=True) if _shortens(function)]
        if short == found:
            break
        found = short
    if not found:
        return None
    for function in functions:
        function.name = names.fresh(function.name)
    texts = [function.text() for function in functions]
    if any(function.empties for function in functions):
        texts.insert(0, _KEPT)
    units = _called(functions, given, names)
    # Early lines go as far up as the values that they read allow; reversed, so that they keep their
    # order.
    for line in reversed(early):
        reads = {mark.text for mark in line.marks if mark.role is MarkRole.READ}
        makers = [number for number, unit in enumerate(units) if not reads.isdisjoint(unit.made)]
        units.insert(max(makers, default=-1) + 1, _line(line))
    return FoldedText("\n\n".join(texts), with_deletions(units, around.observed))


def _functions(lines: Sequence[MarkedLine], found: Sequence[Repeat], around: Surroundings) -> list[RepeatedFunction]:
    """Return a function for each repeat; their names may not be unique yet."""
    ends = interfaces(lines, found, around.observed)
    labels = [labels_of(end.reads, {**around.keys, **around.converted}) for end in ends]
    return [
        RepeatedFunction(
            name=stem,
            lines=lines,
            repeat=found[number],
            end=ends[number],
            labels=labels[number],
            taken={other: end.kept for other, end in enumerate(ends) if end.kept and end.kept.reader == number},
            around=around,
        )
        for number, stem in enumerate(_stems(ends, labels, lines, found))
    ]


def _shortens(function: RepeatedFunction) -> bool:
    """True if a function and its calls are shorter than the lines they replace; always True with labels."""
    if function.taken or function.end.kept is not None or function.labels.labels:
        return True
    read = frozenset(name for names in function.end.results for name in names)
    repetitions = range(len(function.repeat.starts))
    calls = [line for number in repetitions for line in function.call(number, {}, 0, read, "ended").lines]
    first = function.repeat.starts[0]
    lines = [
        line
        for each in function.lines[first : first + function.repeat.length]
        for line in commented(each.written.text, each.written.comment)
    ]
    return _count([function.text(), *calls]) < _count(lines) * len(repetitions)


def _count(texts: Sequence[str]) -> int:
    return sum(text.count("\n") + 1 for text in texts)


def _numbers_first(lines: Sequence[MarkedLine]) -> tuple[MarkedLine, ...]:
    """Move the lines of numeric constants, which several layers may read, to the front."""

    def computed(line: MarkedLine) -> bool:
        return line.written.comment != NUMBER or any(mark.role is MarkRole.READ for mark in line.marks)

    return tuple(sorted(lines, key=computed))


def _stems(
    ends: Sequence[Interface], labels: Sequence[Labels], lines: Sequence[MarkedLine], found: Sequence[Repeat]
) -> list[str]:
    """Return name stems for functions, from the layers that they represent or from what they do."""
    stems = []
    for repeat, label in zip(found, labels, strict=True):
        body = lines[repeat.starts[0] : repeat.starts[0] + repeat.length]
        updates = any(write in line.written.text for line in body for write in _WRITES)
        stems.append("updated" if updates else _layers(label))
    for number, end in enumerate(ends):
        if end.kept is not None and stems[end.kept.reader] != "updated":
            stems[end.kept.reader] = f"{stems[number]}_backward"
    return stems


def _layers(label: Labels) -> str:
    if not label.labels or label.word != "layer":
        return "repeated"
    return label.prefix.replace(".", "_") if len(label.prefix) >= _SHORT else "layer"


def _called(functions: Sequence[RepeatedFunction], around: Surroundings, names: PythonNames) -> list[Unit]:
    """Return the lines with calls in place of the repeated lines."""
    kept = {
        (number, repetition): names.fresh(f"{function.name}_kept")
        for number, function in enumerate(functions)
        if function.end.kept is not None
        for repetition in range(len(function.repeat.starts))
    }
    lists = [names.fresh(f"{function.name}_ended") if function.empties else "" for function in functions]
    lines = functions[0].lines
    begins = {
        start: (number, repetition)
        for number, function in enumerate(functions)
        for repetition, start in enumerate(function.repeat.starts)
    }
    read = frozenset(mark.text for line in lines for mark in line.marks if mark.role is MarkRole.READ)
    read |= around.observed | {*kept.values()}
    units: list[Unit] = []
    number = 0
    while number < len(lines):
        if number in begins:
            function, repetition = begins[number]
            units.append(functions[function].call(repetition, kept, function, read, lists[function]))
            number += functions[function].repeat.length
        else:
            units.append(_line(lines[number]))
            number += 1
    return units


def _line(line: MarkedLine) -> Unit:
    made = tuple(mark.text for mark in line.marks if mark.role is MarkRole.MADE)
    written = line.written
    return Unit(tuple(commented(written.text, written.comment)), frozenset(names_in([written.text])), made)
