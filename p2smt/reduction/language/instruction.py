"""Instructions and programs (paper, section 3.3), and the groupings that instructions stand for."""

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
    """The levels `outer + 1 .. inner` vary inside a group; `masters`: digits of levels below `inner` are 0.

    Levels are numbered root = 0, 1, ..., n from the outside; `0 <= outer < inner <= n`, and `masters` only
    with `inner < n`. Different (slice, form) pairs can stand for one grouping. A tuple, because searches look steps up
    by the ten thousand.
    """

    outer: int
    inner: int
    masters: bool = False

    @property
    def levels(self) -> range:
        """The levels that vary inside a group."""
        return range(self.outer + 1, self.inner + 1)

    def below(self, levels: int) -> range:
        """The levels below the grouping on which its members have digit 0: all further in for masters, else none."""
        return range(self.inner + 1, levels + 1) if self.masters else range(0)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step: `slice` and `form` say who forms a group, `collective` what each group does."""

    slice: int
    form: Form
    collective: Collective


Program = tuple[Instruction, ...]


def grouping_of(slice_level: int, form: Form, levels: int) -> Grouping | None:
    """The grouping of (slice, form) on a hierarchy with `levels` levels below the root, or None.

    None where every group has one device, or where the ancestor is no ancestor of the slice.

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
    """The canonical (slice, form) of a grouping: InsideGroup if possible, else Parallel or Master.

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
    """The canonical instruction for a grouping and a collective."""
    return Instruction(*slice_and_form(grouping, levels), collective)
