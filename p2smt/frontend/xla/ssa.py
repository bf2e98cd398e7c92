"""Programs in static single assignment form, to which the importers of HLO and StableHLO translate."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import prod
from typing import TypeAlias

from p2smt.collective import Collective, Communication, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.xla.mesh import DeviceList, Groups

MOST_ELEMENTS = 2**48

ADDITION = "addition"
"""The callee of what adds without a computation of its own; computations have other names."""


class HloKind(StrEnum):
    """Kinds of supported instructions, by HLO's names.

    PASS gives its operands on, LOCAL takes a parameter as one device sees it, GLOBAL gives a result on in spite of its
    type.
    """

    PASS = "copy"
    SELECT = "select"
    CONSTANT = "constant"
    IOTA = "iota"
    PARTITION_ID = "partition-id"
    REPLICA_ID = "replica-id"
    TUPLE = "tuple"
    ELEMENT = "get-tuple-element"
    CALL = "call"
    WHILE = "while"
    CONDITIONAL = "conditional"
    LOCAL = "local"
    GLOBAL = "global"
    ADD = "add"
    MULTIPLY = "multiply"
    DIVIDE = "divide"
    REDUCE = "reduce"
    COMPARE = "compare"
    CLAMP = "clamp"
    PERMUTE = "collective-permute"
    OTHER = "other"


class HloMove(StrEnum):
    """Operations that only move or reinterpret elements, by HLO's names."""

    RESHAPE = "reshape"
    BITCAST = "bitcast"
    CONVERT = "convert"
    BROADCAST = "broadcast"
    TRANSPOSE = "transpose"
    REVERSE = "reverse"
    SLICE = "slice"
    PAD = "pad"
    CONCATENATE = "concatenate"
    DYNAMIC_SLICE = "dynamic-slice"
    DYNAMIC_UPDATE_SLICE = "dynamic-update-slice"


class Unary(StrEnum):
    """Unary operations on numbers that are known before the program runs, by HLO's names."""

    NEGATE = "negate"
    ABS = "abs"
    SIGN = "sign"
    NOT = "not"


class Binary(StrEnum):
    """Binary operations on numbers that are known before the program runs, by HLO's names."""

    SUBTRACT = "subtract"
    REMAINDER = "remainder"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    AND = "and"
    OR = "or"
    XOR = "xor"
    SHIFT_LEFT = "shift-left"
    SHIFT_RIGHT = "shift-right-logical"


Arithmetic = Unary | Binary
Operator = HloKind | HloMove | Arithmetic | Communication


def xla_name(communication: Communication) -> str:
    """HLO's name of a communication; empty if it has none. StableHLO writes `_` for `-`.

    >>> xla_name(Collective.ALL_REDUCE), xla_name(Collective.BROADCAST), xla_name(Collective.REDUCE)
    ('all-reduce', 'collective-broadcast', '')
    """
    match communication:
        case Collective():
            match communication:
                case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER | Collective.ALL_GATHER:
                    return communication.hyphenated
                case Collective.BROADCAST:
                    return "collective-broadcast"
                case Collective.REDUCE:
                    return ""
        case Exchange():
            match communication:
                case Exchange.ALL_TO_ALL:
                    return communication.hyphenated
                case Exchange.SEND:
                    return ""


COMMUNICATIONS: dict[str, Communication] = {name: one for one in (*Collective, *Exchange) if (name := xla_name(one))}
READ = ", ".join(
    (
        *HloMove,
        *(kind for kind in HloKind if kind not in (HloKind.LOCAL, HloKind.GLOBAL, HloKind.OTHER)),
        *COMMUNICATIONS,
    )
)
"""Operations supported on data; numbers known before the program runs allow more."""


@dataclass(frozen=True, slots=True)
class HloShape:
    """Element type, dimensions, and layout of a tensor (fastest dimension first; none: row-major)."""

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


COMPUTED = frozenset({
    "dot", "exponential", "exponential-minus-one", "log", "log-plus-one", "tanh", "logistic", "sqrt", "rsqrt", "power",
    "sine", "cosine", "erf",
})  # fmt: skip
"""Nonlinear operations by HLO's names, which tensor programs have and plans lack."""


@dataclass(frozen=True, slots=True)
class Product:
    """Dimensions of a dot product, in pairs: batch dimensions are kept, contracting ones are summed."""

    batch: tuple[tuple[int, ...], tuple[int, ...]]
    summed: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class HloInstruction:
    """An instruction with its operands, attributes, and place in the text.

    `type` is None where the text leaves it out. `dims` are the dimensions that are scattered, gathered, split and
    joined, broadcast along, put in order, reversed, joined or summed; `ranges` the (start, limit, stride) of a slice
    or the (low, high, interior) of padding, per dimension; `callees` the computations that are called: one, or that
    which adds two numbers, or a loop's condition and body, or branches; `values` the words of a constant; `shared`
    and `shared_after` how operands and results are shared out among devices where what all have becomes what one has
    and the other way round; `spelled` is the operation in the text's own words.
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
        """The first computation that is called; empty if there is none."""
        return self.callees[0] if self.callees else ""

    def __str__(self) -> str:
        """The instruction's name in messages."""
        return f"{self.spelled[:60]} {self.name[:60]}"


@dataclass(frozen=True, slots=True)
class HloComputation:
    """Parameters, instructions in an executable order, and the names of the results.

    A region that stands `inside` another computation sees its values. `shared` is how results are to be shared out
    among devices, where it is written; `shared_before` and `shared_after` are what is said of each parameter and of
    each result, in the text's own words, empty where nothing is. `called` is what the user calls each parameter.
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

    Device `r * partitions + p` is partition `p` of replica `r`; both counts are None when the text names neither.
    `asked` is how many devices there are then, if that was said beside the text. `whole`: parameters and results of
    the entry are what all devices have together; `sharded`: it may be so, for the text says how they are shared out.
    `meshes` are those that shardings name.
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
    """The computation of a call; VerifyError for one that is not there, gets other arguments, or is called too deep."""
    computation = module.computations.get(name)
    if computation is None or depth > MOST_CALLS:
        raise VerifyError(f"computation {name[:60]!r} is unknown, or calls go deeper than {MOST_CALLS}")
    if arguments != len(computation.parameters):
        raise VerifyError(f"{name[:60]} has {len(computation.parameters)} parameters and gets {arguments}")
    return computation


def sums(module: Module, name: str) -> str:
    """Empty if the computation adds two numbers, else a description of its operation."""
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
