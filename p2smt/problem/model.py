"""The user's question: a system, parallelism axes, the axes to reduce over, and a payload (paper, section 2)."""

from dataclasses import dataclass
from enum import StrEnum

from p2smt.collective import Collective
from p2smt.problem.system.network import Level, System

DTYPE_BYTES = {
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "int8": 1,
    "uint8": 1,
    "int32": 4,
    "int64": 8,
    "complex64": 8,
}
DTYPE_SPELLINGS = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "fp64": "float64",
}
"""Other names of data types, as frameworks' options and papers have them."""


def dtype_name(text: str) -> str:
    """The name in `DTYPE_BYTES` of a data type in any spelling; a text that is none comes back as it is.

    >>> dtype_name("fp16"), dtype_name("BF16"), dtype_name("int8")
    ('float16', 'bfloat16', 'int8')
    """
    name = text.lower()
    return DTYPE_SPELLINGS.get(name, name if name in DTYPE_BYTES else text)


class Grammar(StrEnum):
    """Collectives that a Master form may carry: every one, or AllReduce only (as the paper counts)."""

    FULL = "full"
    PAPER = "paper"


class Engine(StrEnum):
    """Engines that find programs; all three find the same set."""

    LEVELS = "levels"
    BITVEC = "bitvec"
    EXPLICIT = "explicit"


class HierarchyKind(StrEnum):
    """The four synthesis hierarchies (paper, section 3.4), named by their letter there."""

    SYSTEM = "a"
    COLUMNS = "b"
    ROWS = "c"
    REDUCTION = "d"


@dataclass(frozen=True, slots=True)
class Axis:
    """One form of parallelism and the number of shards it has."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Payload:
    """The contribution of every device to the reduction: a number of bytes of one data type."""

    bytes: int
    dtype: str

    @property
    def elements(self) -> int:
        """Number of elements: bytes / size of one element."""
        return self.bytes // DTYPE_BYTES[self.dtype]


@dataclass(frozen=True, slots=True)
class Search:
    """Options of the search; `limit` is the largest number of instructions."""

    limit: int = 5
    grammar: Grammar = Grammar.FULL
    engine: Engine = Engine.LEVELS
    hierarchy: HierarchyKind = HierarchyKind.REDUCTION
    collapse: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A system, axes, the axes to reduce over, a payload, how to search, and what programs have to bring about.

    `goal` is named by the collective that does it in one step among the devices that differ on the axes to reduce over.
    `payload` is the whole tensor of one device: what goes in, for an all-gather what comes out.
    Holds: product of level sizes == product of axis sizes == `devices`; `reduce` is sorted and not empty.
    """

    system: System
    axes: tuple[Axis, ...]
    reduce: tuple[int, ...]
    payload: Payload
    search: Search
    goal: Collective = Collective.ALL_REDUCE

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of the system, outermost first."""
        return self.system.levels

    @property
    def devices(self) -> int:
        """Number of devices of the system."""
        return self.system.devices
