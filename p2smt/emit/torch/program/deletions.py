"""Deletions in emitted code: each name is deleted after its last reader."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap

from p2smt.emit.torch.program.lines import WIDTH


@dataclass(frozen=True, slots=True)
class Unit:
    """Lines that belong together, the names in them, the names they assign, and those that they delete themselves."""

    lines: tuple[str, ...]
    names: frozenset[str]
    made: tuple[str, ...]
    deleted: tuple[str, ...] = ()


def with_deletions(units: Sequence[Unit], stays: Iterable[str]) -> list[str]:
    """Return the lines, with each assigned name deleted after its last reader, except for those in `stays`."""
    last = {name: number for number, unit in enumerate(units) for name in unit.names}
    kept = {*stays, *(name for unit in units for name in unit.deleted)}
    known = dict.fromkeys(name for unit in units for name in unit.made)
    ends: dict[int, list[str]] = {}
    for name in known:
        if name not in kept:
            ends.setdefault(last[name], []).append(name)
    found: list[str] = []
    for number, unit in enumerate(units):
        found += unit.lines
        if number in ends and number + 1 < len(units):
            found += deleting(ends[number])
    return found


def deleting(names: Sequence[str]) -> list[str]:
    """Return the lines that delete names."""
    return [f"    del {line.rstrip(',')}" for line in wrap(", ".join(names), WIDTH - len("    del "))]
