"""Programs in static single assignment form, to which the importers of HLO and StableHLO translate."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

from p2smt.errors import VerifyError
from p2smt.frontend.xla.mesh import DeviceList, Groups
from p2smt.frontend.xla.operators import HloKind, Operator

MOST_ELEMENTS = 2**48

ADDITION = "addition"
"""The callee of an operation that adds without naming a computation; no computation has this name."""


@dataclass(frozen=True, slots=True)
class HloShape:
    """Element type, dimensions, and layout of a tensor (fastest dimension first; empty: row-major)."""

    kind: str
    dims: tuple[int, ...]
    layout: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.dims)

    @property
    def row_major(self) -> bool:
        """True if the elements lie in memory in the order of their indices."""
        order = [axis for axis in self.layout if axis < len(self.dims) and self.dims[axis] > 1]
        return order == sorted(order, reverse=True)

    def __str__(self) -> str:
        """The shape in HLO's notation.

        >>> str(HloShape("f32", (4, 2)))
        'f32[4,2]'
        """
        return f"{self.kind}[{','.join(map(str, self.dims))}]"


Type: TypeAlias = "HloShape | tuple[Type, ...]"


@dataclass(frozen=True, slots=True)
class Product:
    """Dimensions of a dot product, per operand: batch dimensions are kept, contracting ones are summed."""

    batch: tuple[tuple[int, ...], tuple[int, ...]]
    summed: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class HloInstruction:
    """An instruction with its operands, attributes, and place in the text.

    `type` is None if the text omits it. `dims` are the dimensions that the operation acts on (scattered,
    gathered, broadcast, permuted, concatenated, summed, ...); `ranges` hold per dimension the (start, limit,
    stride) of a slice or the (low, high, interior) of padding. `callees` are the called computations: a reducer,
    a loop's condition and body, or branches. `values` are the words of a constant. `shared` and `shared_after`
    are the shardings of operands and results where global values become per-device values, or the reverse.
    `spelled` is the operation's name in the text.
    """

    line: int
    name: str
    kind: Operator
    spelled: str
    operands: tuple[str, ...]
    type: "Type | None"
    groups: Groups = ()
    pairs: Groups = ()
    dims: tuple[int, ...] = ()
    ranges: tuple[tuple[int, int, int], ...] = ()
    index: int = 0
    callees: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    direction: str = ""
    shared: tuple[str, ...] = ()
    shared_after: tuple[str, ...] = ()
    channel: bool = False
    global_ids: bool = False
    product: Product | None = None

    @property
    def plain(self) -> str:
        """The operation's HLO name, whatever the notation of the text."""
        return self.spelled.rpartition(".")[2].replace("_", "-")

    @property
    def callee(self) -> str:
        """Return the first called computation; empty if there is none."""
        return self.callees[0] if self.callees else ""

    def __str__(self) -> str:
        """The instruction's name in messages."""
        return f"{self.spelled[:60]} {self.name[:60]}"


@dataclass(frozen=True, slots=True)
class HloComputation:
    """Parameters, instructions in an executable order, and the names of the results.

    A region `inside` another computation can refer to its values. `shared` are the declared shardings of the
    results, if any. `shared_before` and `shared_after` are the sharding texts of each parameter and each result,
    empty if absent. `called` are the user's names of the parameters.
    """

    name: str
    parameters: tuple[tuple[str, Type], ...]
    instructions: tuple[HloInstruction, ...]
    results: tuple[str, ...]
    inside: bool = False
    shared: tuple[str, ...] = ()
    shared_before: tuple[str, ...] = ()
    shared_after: tuple[str, ...] = ()
    called: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """Computations by name; `entry` is the program of every device.

    Device `r * partitions + p` is partition `p` of replica `r`; both counts are None if the text states neither.
    In that case `asked` is the requested number of devices, if any. `whole`: parameters and results of the entry
    are global values; `sharded`: they may be global, because the text gives shardings. `meshes` are the meshes
    that shardings name.
    """

    computations: dict[str, HloComputation]
    entry: str
    replicas: int | None
    partitions: int | None
    asked: int | None = None
    whole: bool = False
    sharded: bool = False
    meshes: Mapping[str, DeviceList] = field(default_factory=dict)


MOST_CALLS = 32
"""The maximal depth of nested calls."""


def called(module: Module, name: str, arguments: int, depth: int) -> HloComputation:
    """Return the computation of a call; VerifyError if it is unknown, has other parameters, or is nested too deep."""
    computation = module.computations.get(name)
    if computation is None or depth > MOST_CALLS:
        raise VerifyError(f"computation {name[:60]!r} does not exist, or calls are nested more than {MOST_CALLS} deep")
    if arguments != len(computation.parameters):
        raise VerifyError(
            f"{name[:60]} has {len(computation.parameters)} parameters, but is called with {arguments} arguments"
        )
    return computation


def sums(module: Module, name: str) -> str:
    """Return an empty string if the computation adds two numbers, else a description of what it does."""
    found = module.computations.get(name)
    if name == ADDITION:
        return ""
    if found is None:
        return "unknown"
    last = found.instructions[-1] if found.instructions else None
    if last is None or len(found.results) != 1 or found.results != (last.name,):
        return "something else"
    if last.kind is not HloKind.ADD:
        return last.spelled
    names = [parameter for parameter, _ in found.parameters]
    # On booleans, add is a logical or, and not a sum.
    logical = isinstance(last.type, HloShape) and last.type.kind in ("pred", "i1")
    if len(names) != 2 or sorted(last.operands) != sorted(names) or len(found.instructions) != 1 or logical:
        return "something else"
    return ""
