"""Schedules as values: steps in order, each with names for what it makes.

Statements, fused groups and loops are named by their results.
"""

from dataclasses import dataclass
from enum import StrEnum

from p2smt.tensor.program import DType


class SplitForm(StrEnum):
    """Into what a statement is split."""

    RS_AG = "rs-ag"
    REDUCE_BROADCAST = "reduce-broadcast"
    SLICE_AG = "slice-ag"

    @property
    def is_rooted(self) -> bool:
        """True if its number is a root, not a dimension."""
        match self:
            case SplitForm.REDUCE_BROADCAST:
                return True
            case SplitForm.RS_AG | SplitForm.SLICE_AG:
                return False


@dataclass(frozen=True, slots=True)
class AllReduceSplit:
    """x = AllReduce(y) -> two collectives; of SLICE_AG: x, the same on all ranks -> its slice and a gather.

    `dimension` is what is cut; of REDUCE_BROADCAST it is the root.
    """

    value: str
    form: SplitForm
    dimension: int = 0


@dataclass(frozen=True, slots=True)
class UseProgram:
    """x = AllReduce(y) -> the same by a reduction program over these levels (`reduction/language/text.py`).

    So for ReduceScatter and AllGather.
    """

    value: str
    program: str
    levels: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """Two conversions, one behind the other -> one."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Reorder:
    """s(AllGather(y)) -> AllGather(s'(y)); the same for Broadcast and Send. `past` names statements and groups."""

    value: str
    past: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Through:
    """s(AllReduce(y)) -> AllReduce(s(y)) for an s that the reduction passes through.

    So for an AllGather along what a contraction adds up.
    """

    value: str
    past: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fuse:
    """Statements and groups -> one kernel."""

    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Statements and groups in a chain -> a loop over chunks of dimension `dimension`."""

    stages: tuple[str, ...]
    chunks: int
    dimension: int


@dataclass(frozen=True, slots=True)
class SliceStates:
    """States that are the same everywhere, and read in slices -> states that are stored in slices."""

    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dead:
    """Statements that nobody reads -> nothing."""

    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LossyCast:
    """x = collective(y) -> cast(collective(cast(y, dtype)), as before): values change by rounding."""

    value: str
    dtype: DType


Step = AllReduceSplit | UseProgram | Merge | Reorder | Through | Fuse | Overlap | SliceStates | Dead | LossyCast


@dataclass(frozen=True, slots=True)
class Line:
    """A step, the names of what it makes, and the line of the text where it stands (0: in none)."""

    step: Step
    results: tuple[str, ...] = ()
    line: int = 0


Schedule = tuple[Line, ...]
