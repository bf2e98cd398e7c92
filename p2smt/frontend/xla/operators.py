"""Operators of HLO and StableHLO, by HLO's names."""

from enum import StrEnum

from p2smt.collective import Collective, Communication, Exchange


class HloKind(StrEnum):
    """Kinds of supported instructions, by HLO's names.

    PASS returns its operands, LOCAL converts a global parameter to a device's shard, GLOBAL returns a shard as a
    global result.
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
    """Return HLO's name of a communication; empty if it has none. StableHLO writes `_` for `-`.

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
"""Operations supported on data; numbers known before the program runs support more."""

COMPUTED = frozenset(
    {
        "dot",
        "exponential",
        "exponential-minus-one",
        "log",
        "log-plus-one",
        "tanh",
        "logistic",
        "sqrt",
        "rsqrt",
        "power",
        "sine",
        "cosine",
        "erf",
    }
)
"""Nonlinear operations by HLO's names, which tensor programs have, but plans lack."""
