"""Steps of schedules as values, each with names for its results.

Statements, fused groups and loops are referred to by name.
"""

from dataclasses import dataclass
from enum import StrEnum

from p2smt.tensor.dtype import DType


class SplitForm(StrEnum):
    """Ways to split a statement."""

    RS_AG = "rs-ag"
    REDUCE_BROADCAST = "reduce-broadcast"
    SLICE_AG = "slice-ag"

    @property
    def is_rooted(self) -> bool:
        """True if the split takes a root rank instead of a dimension."""
        match self:
            case SplitForm.REDUCE_BROADCAST:
                return True
            case SplitForm.RS_AG | SplitForm.SLICE_AG:
                return False


@dataclass(frozen=True, slots=True)
class AllReduceSplit:
    """x = AllReduce(y) -> two collectives; for SLICE_AG, a replicated x -> its slice and a gather.

    `dimension` is the sliced dimension; for REDUCE_BROADCAST it is the root.
    """

    value: str
    form: SplitForm
    dimension: int = 0


@dataclass(frozen=True, slots=True)
class UseProgram:
    """x = AllReduce(y) -> a reduction program over these levels (`reduction/language/text.py`).

    ReduceScatter and AllGather are supported as well.
    """

    value: str
    program: str
    levels: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """Two consecutive conversions -> one."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Reorder:
    """s(AllGather(y)) -> AllGather(s'(y)), and the same for Broadcast and Send.

    `past` names the statements and groups s.
    """

    value: str
    past: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Through:
    """s(AllReduce(y)) -> AllReduce(s(y)), if the reduction passes through s.

    Also applies to an AllGather along a label that s contracts.
    """

    value: str
    past: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fuse:
    """Statements and groups -> one kernel."""

    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """A chain of statements and groups -> a loop over chunks of dimension `dimension`."""

    stages: tuple[str, ...]
    chunks: int
    dimension: int


@dataclass(frozen=True, slots=True)
class SliceStates:
    """Replicated states that are read in slices -> states stored in slices."""

    states: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dead:
    """Unread statements -> removed."""

    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LossyCast:
    """x = collective(y) -> cast(collective(cast(y, dtype)), original type); values change by rounding."""

    value: str
    dtype: DType


Step = AllReduceSplit | UseProgram | Merge | Reorder | Through | Fuse | Overlap | SliceStates | Dead | LossyCast


@dataclass(frozen=True, slots=True)
class Line:
    """A step, the names of its results, and its line in the text (0: not from a text)."""

    step: Step
    results: tuple[str, ...] = ()
    line: int = 0


Schedule = tuple[Line, ...]
