"""Inputs and outputs of repeated lines, by the names that the values have in each repetition."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from p2smt.emit.torch.program.marks import MarkedLine, MarkRole
from p2smt.emit.torch.program.repeats import Repeat

Names = tuple[str, ...]
"""The names of one value, one per repetition."""
Owner = tuple[int, int]
"""The number of a repeat, and of the repetition."""

_LEAST_KEPT = 3


@dataclass(frozen=True, slots=True)
class Bundle:
    """Values that one repeat makes and only another reads; `partners` maps its repetitions to those of the maker.

    `made` and `read` are the names of the values in the maker's and the reader's repetitions, in the same order.
    """

    reader: int
    partners: tuple[int, ...]
    made: tuple[Names, ...]
    read: tuple[Names, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """Inputs and outputs of a repeat's repetitions.

    `reads`: values from outside. `makes`: all values that the lines assign. `numbers`: constants that differ between
    repetitions. `results`: values that are made here and read elsewhere, except those `kept` for another repeat.
    """

    reads: tuple[Names, ...]
    makes: tuple[Names, ...]
    numbers: tuple[Names, ...]
    results: tuple[Names, ...]
    kept: Bundle | None


def interfaces(
    lines: Sequence[MarkedLine], repeats: Sequence[Repeat], observed: frozenset[str]
) -> tuple[Interface, ...]:
    """Return the interface of every repeat; names in `observed` are read after the last line."""
    owners = {
        start + offset: (number, repetition)
        for number, repeat in enumerate(repeats)
        for repetition, start in enumerate(repeat.starts)
        for offset in range(repeat.length)
    }
    readers: dict[str, set[Owner | None]] = {name: {None} for name in observed}
    for number, line in enumerate(lines):
        for mark in line.marks:
            if mark.role is MarkRole.READ:
                readers.setdefault(mark.text, set()).add(owners.get(number))
    plain = [_plain(lines, repeat) for repeat in repeats]
    return tuple(_interface(number, plain, readers) for number in range(len(plain)))


@dataclass(frozen=True, slots=True)
class _Plain:
    reads: tuple[Names, ...]
    makes: tuple[Names, ...]
    numbers: tuple[Names, ...]


def _plain(lines: Sequence[MarkedLine], repeat: Repeat) -> _Plain:
    made: list[Names] = []
    read: dict[Names, None] = {}
    numbers: dict[Names, None] = {}
    for role, names in names_of(lines, repeat):
        if role is MarkRole.MADE:
            made.append(names)
        elif role is MarkRole.NUMBER and len(set(names)) > 1:
            numbers[names] = None
        elif role is MarkRole.READ and names not in made:
            read[names] = None
    return _Plain(tuple(read), tuple(made), tuple(numbers))


def names_of(lines: Sequence[MarkedLine], repeat: Repeat) -> Iterator[tuple[MarkRole, Names]]:
    """Yield the marks of a repeat's lines, in order, each with its text in every repetition."""
    for offset in range(repeat.length):
        each = [lines[start + offset].marks for start in repeat.starts]
        for marks in zip(*each, strict=True):
            yield marks[0].role, tuple(mark.text for mark in marks)


def ended(
    lines: Sequence[MarkedLine], repeat: Repeat, passed: Sequence[Names], observed: frozenset[str]
) -> tuple[Names, ...]:
    """Return those of the values passed to a repeat that nothing reads after it, in any repetition.

    None if they are fewer than `_LEAST_KEPT`: what one call holds of them is then not worth a list.
    """
    made = {mark.text for line in lines for mark in line.marks if mark.role is MarkRole.MADE}
    last = {mark.text: n for n, line in enumerate(lines) for mark in line.marks if mark.role is MarkRole.READ}
    often = [Counter(names[repetition] for names in passed) for repetition in range(len(repeat.starts))]

    def ends(names: Names) -> bool:
        return all(
            name in made and name not in observed and given[name] == 1 and last[name] < start + repeat.length
            for name, given, start in zip(names, often, repeat.starts, strict=True)
        )

    found = tuple(names for names in passed if ends(names))
    return found if len(found) >= _LEAST_KEPT else ()


def _interface(number: int, plain: Sequence[_Plain], readers: Mapping[str, set[Owner | None]]) -> Interface:
    outside = {
        names: [readers.get(name, set()) - {(number, repetition)} for repetition, name in enumerate(names)]
        for names in plain[number].makes
    }
    results = [names for names, found in outside.items() if any(found)]
    groups: dict[tuple[int, tuple[int, ...]], list[tuple[Names, Names]]] = {}
    for names in results:
        reader = _only_reader(number, names, outside[names], plain)
        if reader is not None:
            other, partners, read = reader
            groups.setdefault((other, partners), []).append((names, read))
    # One bundle at most: the largest group of values that a single other repeat reads, repetition
    # by repetition.
    largest = max(groups.items(), key=lambda item: len(item[1]), default=None)
    kept = None
    if largest is not None and len(largest[1]) >= _LEAST_KEPT:
        (other, partners), pairs = largest
        kept = Bundle(other, partners, tuple(made for made, _ in pairs), tuple(read for _, read in pairs))
    return Interface(
        reads=plain[number].reads,
        makes=plain[number].makes,
        numbers=plain[number].numbers,
        results=tuple(names for names in results if kept is None or names not in kept.made),
        kept=kept,
    )


def _only_reader(
    number: int, names: Names, found: Sequence[set[Owner | None]], plain: Sequence[_Plain]
) -> tuple[int, tuple[int, ...], Names] | None:
    """Return the repeat that is the only reader of values, its repetitions, and its names for them; None if none is."""
    owners = [next(iter(each)) for each in found if len(each) == 1]
    pairs = [owner for owner in owners if owner is not None]
    others = {other for other, _ in pairs}
    partners = tuple(repetition for _, repetition in pairs)
    if len(pairs) != len(names) or len(others) != 1 or others == {number}:
        return None
    (other,) = others
    reads = plain[other].reads
    if sorted(partners) != list(range(len(reads[0]) if reads else 0)):
        return None
    placed = dict(zip(partners, names, strict=True))
    wanted = tuple(placed[repetition] for repetition in range(len(names)))
    if any(read != wanted and set(read) & set(wanted) for read in reads) or wanted not in reads:
        return None
    return other, partners, wanted
