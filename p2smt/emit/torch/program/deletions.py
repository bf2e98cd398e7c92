"""Where names of emitted code are deleted: behind what reads them last, a few on a line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap

from p2smt.emit.torch.program.lines import WIDTH

_TOGETHER = 6


@dataclass(frozen=True, slots=True)
class Unit:
    """Lines that stand together, the names in them, and those that they assign.

    What is dead behind them is deleted at once where that `frees` much.
    """

    lines: tuple[str, ...]
    names: frozenset[str]
    made: tuple[str, ...]
    frees: bool = False


def with_deletions(units: Sequence[Unit], stays: Iterable[str]) -> list[str]:
    """The lines, with what they assign deleted once it is read no more, but for what `stays`.

    So many values are kept a little longer than they are read as are deleted together.
    """
    last = {name: number for number, unit in enumerate(units) for name in unit.names}
    kept, known = {*stays}, dict.fromkeys(name for unit in units for name in unit.made)
    ends: dict[int, list[str]] = {}
    for name in known:
        if name not in kept:
            ends.setdefault(last[name], []).append(name)
    found: list[str] = []
    dead: list[str] = []
    for number, unit in enumerate(units):
        found += unit.lines
        dead += ends.get(number, [])
        if (
            dead
            and number + 1 < len(units)
            and (unit.frees or len(dead) >= _TOGETHER or len(", ".join(dead)) > WIDTH // 2)
        ):
            found += _deleting(dead)
            dead = []
    return found


def _deleting(names: Sequence[str]) -> list[str]:
    """Names are deleted on as many lines as they need."""
    return [f"    del {line.rstrip(',')}" for line in wrap(", ".join(names), WIDTH - len("    del "))]
