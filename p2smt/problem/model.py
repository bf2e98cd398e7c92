"""The input of a synthesis: a system, parallelism axes, the axes to reduce over, and a payload (paper, section 2)."""

from dataclasses import dataclass
from enum import StrEnum

from p2smt.argument_types import require
from p2smt.collective import Collective
from p2smt.display import html_table, one_line
from p2smt.problem.dtype import DTYPE_BYTES, dtype_name
from p2smt.problem.quantity import format_bytes, parse_bytes
from p2smt.problem.system.network import Level, System
from p2smt.wording import sizes_text


class Grammar(StrEnum):
    """The collectives allowed with the Master form: any, or only AllReduce (as in the paper's counts)."""

    FULL = "full"
    PAPER = "paper"


class Engine(StrEnum):
    """Engines that enumerate programs; all three find the same set."""

    LEVELS = "levels"
    BITVEC = "bitvec"
    EXPLICIT = "explicit"


class HierarchyKind(StrEnum):
    """The four synthesis hierarchies, with their letters in the paper (section 3.4)."""

    SYSTEM = "a"
    COLUMNS = "b"
    ROWS = "c"
    REDUCTION = "d"


@dataclass(frozen=True, slots=True)
class Axis:
    """One form of parallelism, and its number of shards."""

    name: str
    size: int


@dataclass(frozen=True, slots=True, init=False)
class Payload:
    """Every device's contribution to the reduction: a number of bytes of one data type.

    Both arguments accept text. Raises ProblemError for a malformed size, and ArgumentTypeError for other types.

    >>> Payload("1GiB", "bf16")
    Payload(bytes=1073741824, dtype='bfloat16')
    """

    bytes: int
    dtype: str

    def __init__(self, bytes: int | str, dtype: str = "float32") -> None:
        require(bytes, (int, str), "bytes of a payload", "write a size such as 1GiB or 2500000000")
        require(dtype, str, "dtype of a payload", "write a name such as bfloat16")
        object.__setattr__(self, "bytes", parse_bytes(bytes) if isinstance(bytes, str) else bytes)
        object.__setattr__(self, "dtype", dtype_name(dtype))

    @property
    def elements(self) -> int:
        """The number of elements."""
        return self.bytes // DTYPE_BYTES[self.dtype]


@dataclass(frozen=True, slots=True)
class Search:
    """Options of the search; `limit` is the maximum number of instructions in a program."""

    limit: int = 5
    grammar: Grammar = Grammar.FULL
    engine: Engine = Engine.LEVELS
    hierarchy: HierarchyKind = HierarchyKind.REDUCTION
    collapse: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A system, axes, the axes to reduce over, a payload, search options, and the goal of the programs.

    `goal` is the collective, among devices that differ on the axes to reduce over, to which a program must be
    equivalent. `payload` is the whole tensor of one device: the input, or for an all-gather the output.

    Invariant: the products of level sizes and of axis sizes equal `devices`; `reduce` is sorted and not empty.
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
        """The number of devices of the system."""
        return self.system.devices

    def __repr__(self) -> str:
        over = ", ".join(self.axes[axis].name for axis in self.reduce)
        what = f"{self.goal} of {format_bytes(self.payload.bytes)} {self.payload.dtype} over {over}"
        return one_line(self, f"{what}: axes {sizes_text(self.axes)} on {sizes_text(self.levels)}")

    def _repr_html_(self) -> str:
        """Return an HTML table of the axes."""
        rows = [
            (axis.name, str(axis.size), "yes" if number in self.reduce else "") for number, axis in enumerate(self.axes)
        ]
        return html_table(repr(self)[1:-1], ("axis", "size", "reduced"), rows)
