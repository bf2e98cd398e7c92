"""Instructions and programs (paper, section 3.3), and the groupings of devices that they denote."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, assert_never

from p2smt.collective import Collective


@dataclass(frozen=True, slots=True)
class InsideGroup:
    """Devices that agree on levels 0 to slice form a group."""


@dataclass(frozen=True, slots=True)
class Parallel:
    """Devices that agree on levels 0 to ancestor and below the slice form a group."""

    ancestor: int


@dataclass(frozen=True, slots=True)
class Master:
    """Groups of `Parallel` whose digits below the slice are all 0."""

    ancestor: int


Form = InsideGroup | Parallel | Master


class Grouping(NamedTuple):
    """A rule that partitions devices into groups: members differ on the levels `outer + 1 .. inner`.

    With `masters`, only devices whose digits on all levels below `inner` are 0 take part. Levels are numbered root = 0,
    1, ..., n from the outside; `0 <= outer < inner <= n`, and `masters` only with `inner < n`. Several (slice, form)
    pairs can denote the same grouping. A NamedTuple, because searches use millions of steps as dictionary keys.
    """

    outer: int
    inner: int
    masters: bool = False

    @property
    def levels(self) -> range:
        """Return the levels on which the members of a group differ."""
        return range(self.outer + 1, self.inner + 1)

    def below(self, levels: int) -> range:
        """Return the levels on which all members have digit 0: with `masters` those below `inner`, otherwise none."""
        return range(self.inner + 1, levels + 1) if self.masters else range(0)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step: `slice` and `form` define the groups, and every group performs `collective`."""

    slice: int
    form: Form
    collective: Collective


Program = tuple[Instruction, ...]


def grouping_of(slice_level: int, form: Form, levels: int) -> Grouping | None:
    """Return the grouping of (slice, form) on a hierarchy with `levels` levels below the root, or None.

    None if every group has a single device, or if the form's ancestor is not an ancestor of the slice.

    >>> grouping_of(1, InsideGroup(), 2), grouping_of(1, Master(0), 2)
    (Grouping(outer=1, inner=2, masters=False), Grouping(outer=0, inner=1, masters=True))
    """
    match form:
        case InsideGroup():
            return Grouping(slice_level, levels) if slice_level < levels else None
        case Parallel(ancestor):
            return Grouping(ancestor, slice_level) if ancestor < slice_level else None
        case Master(ancestor):
            return Grouping(ancestor, slice_level, slice_level < levels) if ancestor < slice_level else None
        case _:
            assert_never(form)


def slice_and_form(grouping: Grouping, levels: int) -> tuple[int, Form]:
    """Return the canonical (slice, form) of a grouping: InsideGroup if possible, else Parallel or Master.

    Invariant: `grouping_of(*slice_and_form(grouping, levels), levels) == grouping`.
    """
    if grouping.masters:
        return grouping.inner, Master(grouping.outer)
    if grouping.inner == levels:
        return grouping.outer, InsideGroup()
    return grouping.inner, Parallel(grouping.outer)


# Searches ask for the same few hundred instructions a million times; sharing them also lets
# programs be compared by identity first.
@lru_cache(maxsize=1024)
def instruction_for(grouping: Grouping, collective: Collective, levels: int) -> Instruction:
    """Return the canonical instruction for a grouping and a collective."""
    return Instruction(*slice_and_form(grouping, levels), collective)
