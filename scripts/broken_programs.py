"""Pairs of small tensor programs of which one is the other with a change: an attribute, a constant, a type, an operand.

Every operation has calls here, with the values that each of its attributes is drawn from. A change can leave the
function as it is (`x * 2 / 2`), or change it for some values alone: negative ones, ties, zeros, other training steps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from p2smt.errors import ProgramError
from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import (
    AxisLayout,
    Call,
    Convert,
    Expression,
    Number,
    Output,
    ProgramAxis,
    Read,
    Source,
    SourceKind,
    Statement,
)
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Refused
from p2smt.tensor.layout import Partial, Sliced
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import wholes

Values = tuple[object, ...]
_F, _ROWS = "f32", ((3, 4), (2, 5))


@dataclass(frozen=True)
class Pattern:
    """Calls of an operation: shapes of the operands, types where they are no f32, values of each attribute."""

    operation: str
    shapes: tuple[tuple[int, ...], ...]
    attributes: tuple[Values, ...] = ()
    types: tuple[str, ...] = ()


_DIM, _EPS = (0, 1), (1e-5, 0.1)
_ATTENTION = ((2, 1, 3, 2), (2, 1, 4, 2), (2, 1, 4, 3))
_GROUPED = ((1, 4, 3, 2), (1, 2, 3, 2), (1, 2, 3, 3))
_BIASES: tuple[tuple[tuple[int, ...], ...], ...] = ((), ((1, 1, 3, 1),))
_KINDS: tuple[tuple[str, tuple[Values, ...]], ...] = (("attention", ()), ("dropped_attention", ((0.1, 0.5), (0, 7))))
_SPECIAL = (
    Pattern("where", ((3, 4),) * 3, types=("bool", _F, _F)),
    Pattern("cast", ((4,),), (("f16", "bf16", "f32", "f64", "i32", "i64", "bool"),)),
    Pattern("matmul", ((3, 2), (2, 3))),
    Pattern("linear", ((3, 2), (4, 2))),
    Pattern("einsum", ((3, 3), (3, 3)), (("a b, b c -> a c", "a b, c b -> a c", "a b, a b -> a b"),)),
    Pattern("conv2d", ((1, 2, 5, 5), (2, 2, 2, 2)), ((1, 2), (0, 1), (1, 2))),
    Pattern("conv2d_input_backward", ((1, 2, 2, 2), (2, 2, 2, 2)), ((3, 4), (3, 4), (1, 2), (0, 1), (1,))),
    Pattern("conv2d_weight_backward", ((1, 2, 2, 2), (1, 2, 4, 4)), ((2, 3), (2, 3), (1, 2), (0, 1), (1,))),
    Pattern("grouped_conv2d", ((1, 2, 2, 4, 4), (2, 2, 2, 2, 2)), ((1, 2), (0, 1), (1, 2))),
    Pattern(
        "grouped_conv2d_input_backward", ((1, 2, 2, 2, 2), (2, 2, 2, 2, 2)), ((3, 4), (3, 4), (1, 2), (0, 1), (1,))
    ),
    Pattern(
        "grouped_conv2d_weight_backward", ((1, 2, 2, 2, 2), (1, 2, 2, 4, 4)), ((2, 3), (2, 3), (1, 2), (0, 1), (1,))
    ),
    *(
        Pattern(name, ((3, 4),), (((0,), (1,), (), (0, 1)),))
        for name in ("sum", "max", "min", "sum_kept", "max_kept", "min_kept")
    ),
    *(Pattern(name, ((3, 4),), (_DIM,)) for name in ("softmax", "log_softmax", "cumsum", "sort", "flip")),
    *(Pattern(name, ((3, 4),), (_DIM, _EPS)) for name in ("layernorm", "rms_norm")),
    *(Pattern(name, ((3, 4),) * 2, (_DIM,)) for name in ("softmax_backward", "log_softmax_backward")),
    *(Pattern(name, ((3, 4),) * 2, (_DIM, _EPS)) for name in ("layernorm_backward", "rms_norm_backward")),
    *(
        Pattern(f"weighted_{name}", ((3, 4), *((4,),) * count), (_EPS,))
        for name, count in (("layernorm", 1), ("layernorm", 2), ("rms_norm", 1))
    ),
    *(Pattern(f"weighted_{name}_backward", ((3, 4), (3, 4), (4,)), (_EPS,)) for name in ("layernorm", "rms_norm")),
    *(Pattern(f"{name}_weight_backward", ((3, 4), (3, 4)), (_EPS,)) for name in ("layernorm", "rms_norm")),
    *(Pattern("group_norm", ((2, 2, 2, 3), *((2, 2),) * count), (_EPS,)) for count in (1, 2)),
    *(
        Pattern(f"group_norm{each}_backward", ((2, 2, 2, 3),) * 2 + weight, (_EPS,))
        for each, weight in (("", ((2, 2),)), ("_weight", ()))
    ),
    *(Pattern("batch_norm", ((2, 3, 2), *((3,),) * count)) for count in (2, 4)),
    Pattern("batch_norm_squares", ((2, 3, 2), (3,))),
    Pattern("batch_norm_weight_backward", ((2, 3, 2), (2, 3, 2), (3,), (3,))),
    Pattern("batch_norm_backward", ((2, 3, 2), (2, 3, 2), *((3,),) * 5)),
    *(Pattern(name, (shape,), ((1, 2),)) for name, shape in product(("topk_values", "topk_indices"), ((2,), (3, 4)))),
    *(
        Pattern(kind, (*shapes, *bias), (*drawn, (0, 1)))
        for (kind, drawn), shapes, bias in product(_KINDS, (_ATTENTION, _GROUPED), _BIASES)
    ),
    *(
        Pattern(f"{kind}_{name}_backward", ((*shapes[0][:3], 3), *shapes, (*shapes[0][:3], 3), *bias), (*drawn, (0, 1)))
        for (kind, drawn), name, shapes, bias in product(
            _KINDS, ("query", "key", "value", "bias"), (_ATTENTION, _GROUPED), _BIASES
        )
        if bias or name != "bias"
    ),
    Pattern("max_pool2d", ((1, 2, 4, 4),), ((1, 2), (1, 2))),
    Pattern("max_pool2d_backward", ((1, 2, 3, 3), (1, 2, 4, 4)), ((2,), (1,))),
    Pattern("max_pool2d_backward", ((1, 2, 2, 2), (1, 2, 4, 4)), ((2, 1), (2, 3))),
    Pattern("adaptive_avg_pool2d", ((1, 2, 4, 4),), ((2, 3), (2, 3))),
    Pattern("adaptive_avg_pool2d_backward", ((1, 2, 3, 3),), ((4, 3), (4, 3))),
    Pattern("transpose", ((2, 2, 2),), (((0, 1, 2), (1, 0, 2), (2, 1, 0)),)),
    Pattern("expand", ((3, 1),), (((3, 3), (2, 3, 4)),)),
    Pattern("reshape", ((3, 4),), (((12,), (4, 3), (2, 6)),)),
    Pattern("cat", ((3, 3), (3, 3)), (_DIM,)),
    Pattern("slice", ((4, 4),), (_DIM, (0, 1), (2, 3))),
    Pattern("pad", ((3, 3),), (_DIM, (0, 1), (0, 1))),
    Pattern("embedding", ((5, 2), (4,)), types=(_F, "i64")),
    Pattern("pick", ((4, 5), (4,)), types=(_F, "i64")),
    Pattern("one_hot", ((4,),), ((5, 6),), ("i64",)),
    Pattern("pick_backward", ((4,), (4,)), ((5, 6),), (_F, "i64")),
    Pattern("cross_entropy_backward", ((4,), (4, 5), (4,)), ((5,),), (_F, _F, "i64")),
    Pattern("embedding_backward", ((4, 2), (4,)), ((5, 6),), (_F, "i64")),
    Pattern("dropout", ((6,),), ((0.0, 0.01, 0.1, 0.5), (0, 1, 4, 7))),
    Pattern("dropout", ((1, 2),), ((0.1, 0.5), (0, 1, 4, 7))),
    Pattern("uniform", ((4, 2),), ((0, 1, 4, 7),)),
    Pattern("rotary", ((2, 3, 4),), ((100, 10000.0), (0, 1))),
    Pattern("update", ((4,), (4,))),
)


def patterns() -> dict[str, list[Pattern]]:
    """Calls of every operation; a pointwise one without attributes has them by its number of operands."""
    found: dict[str, list[Pattern]] = {name: [] for name in OPERATIONS}
    for pattern in _SPECIAL:
        found[pattern.operation].append(pattern)
    for name, operation in OPERATIONS.items():
        if not found[name] and operation.kind is Kind.MAP and operation.operands and not operation.parameters:
            count = operation.operands
            found[name] = [Pattern(name, ((3, 4),) * count), Pattern(name, ((4,),) * count)]
            if count == 2:
                found[name] += [Pattern(name, ((2, 4), (1, 4))), Pattern(name, ((2, 1), (1, 3)))]
    return found


@dataclass(frozen=True)
class Pair:
    """A program, on ranks too, and the one for one device that it is compared with; `change` says what differs."""

    program: Program
    single: Program
    operation: str
    change: str


@dataclass(frozen=True)
class _Parts:
    """A call, what is done to its operands first and to its result afterwards; all of it can be changed."""

    pattern: Pattern
    attributes: Values
    before: tuple[str, ...]
    after: str
    constant: float
    dtype: str


_BEFORE: dict[str, Callable[[Expression, float], Expression]] = {
    "nothing": lambda x, c: x,
    "times": lambda x, c: Call("mul", (x, Number(c))),
    "square": lambda x, c: Call("mul", (x, x)),
    "magnitude": lambda x, c: Call("abs", (x,)),
    "positive": lambda x, c: Call("relu", (x,)),
    "at least 0": lambda x, c: Call("maximum", (x, Number(0))),
    "cut off": lambda x, c: Call("cast", (Call("cast", (x,), ("i32",)),), ("f32",)),
    "smaller type": lambda x, c: Call("cast", (Call("cast", (x,), ("f16",)),), ("f32",)),
    "larger type": lambda x, c: Call("cast", (Call("cast", (x,), ("f64",)),), ("f32",)),
    "over itself": lambda x, c: Call("div", (Call("mul", (x, x)), x)),
    "over relu": lambda x, c: Call("div", (Call("mul", (x, Call("relu", (x,)))), Call("relu", (x,)))),
    "over exp": lambda x, c: Call("div", (Call("mul", (x, Call("exp", (x,)))), Call("exp", (x,)))),
    "log less log": lambda x, c: Call("sub", (Call("add", (x, Call("log", (x,)))), Call("log", (x,)))),
    "root times 0": lambda x, c: Call("add", (x, Call("mul", (Call("sqrt", (x,)), Number(0))))),
    "root of square": lambda x, c: Call("sqrt", (Call("mul", (x, x)),)),
    "power": lambda x, c: Call("pow", (x, Number(c))),
    "half twice": lambda x, c: Call("div", (Call("mul", (x, Number(2))), Number(2))),
    "more and less": lambda x, c: Call("sub", (Call("add", (x, Number(3))), Number(3))),
    "choice of the same": lambda x, c: Call("where", (Call("gt", (x, Number(0))), x, x)),
    "choice": lambda x, c: Call("where", (Call("gt", (x, Number(-c * 4))), x, Call("neg", (x,)))),
    "clamped": lambda x, c: Call("minimum", (x, Number(c * 20))),
    "tiny constant": lambda x, c: Call(
        "sub", (Call("add", (x, Call("mul", (x, Number(2.0**61 * 1e-30))))), Call("mul", (x, Number(1e-30))))
    ),
    "dropped": lambda x, c: Call("dropout", (x,), (0.1, int(c * 8))),
}
_AFTER = ("nothing", "times", "divided", "positive", "sum", "cast")
_CONSTANTS = (0.25, 0.5, 2.0, 3.0)
_DTYPES = ("f16", "f64", "i32", "i64", "bool")


def _built(parts: _Parts) -> tuple[tuple[Source, ...], Expression]:
    pattern = parts.pattern
    types = pattern.types or (_F,) * len(pattern.shapes)
    kinds = [
        SourceKind.STATE if pattern.operation == "update" and not at else SourceKind.INPUT for at in range(len(types))
    ]
    sources, operands = [], []
    for at, (shape, dtype) in enumerate(zip(pattern.shapes, types, strict=True)):
        cast = dtype == "i64" and parts.before[at] != "nothing"
        given = DType.F32 if cast else DType(dtype)
        sources.append(Source(kind=kinds[at], name=f"x{at}", dtype=given, shape=shape, names=("",) * len(shape)))
        read: Expression = Read(f"x{at}")
        if dtype != "bool" and kinds[at] is not SourceKind.STATE:
            read = _BEFORE[parts.before[at]](read, parts.constant)
        operands.append(Call("cast", (read,), ("i64",)) if cast else read)
    return tuple(sources), _ended(parts, Call(pattern.operation, tuple(operands), parts.attributes))  # type: ignore[arg-type]


def _ended(parts: _Parts, call: Expression) -> Expression:
    match parts.after:
        case "times":
            return Call("mul", (call, Number(parts.constant)))
        case "divided":
            return Call("div", (call, Number(parts.constant)))
        case "positive":
            return Call("relu", (call,))
        case "sum":
            return Call("sum", (call,), ((),))
        case "cast":
            return Call("cast", (call,), (parts.dtype,))
        case _:
            return call


def _drawn(rng: Random, pattern: Pattern) -> _Parts:
    plain = rng.random() < 0.5
    before = (
        ("nothing",) * len(pattern.shapes)
        if plain
        else tuple(rng.choice(list(_BEFORE)) if rng.random() < 0.5 else "nothing" for _ in pattern.shapes)
    )
    attributes = tuple(rng.choice(values) for values in pattern.attributes)
    after = "nothing" if pattern.operation == "update" else rng.choice(_AFTER)
    return _Parts(pattern, attributes, before, after, rng.choice(_CONSTANTS), rng.choice(_DTYPES))


def _changed(rng: Random, parts: _Parts) -> tuple[_Parts, str]:
    """The same with one change; what is drawn can be what was there."""
    many = [at for at, values in enumerate(parts.pattern.attributes) if len(values) > 1]
    kinds = ["operand", "operand", "constant", "type", "nothing", *(["attribute"] * 4 if many else [])]
    match rng.choice(kinds):
        case "attribute":
            at = rng.choice(many)
            value = rng.choice([each for each in parts.pattern.attributes[at] if each != parts.attributes[at]])
            name = OPERATIONS[parts.pattern.operation].parameters[at].name
            return replace(parts, attributes=(*parts.attributes[:at], value, *parts.attributes[at + 1 :])), name
        case "operand":
            at = rng.randrange(len(parts.before))
            name = rng.choice(list(_BEFORE))
            return replace(parts, before=(*parts.before[:at], name, *parts.before[at + 1 :])), f"operand: {name}"
        case "constant":
            return replace(parts, constant=rng.choice(_CONSTANTS)), "constant"
        case "type":
            return replace(parts, dtype=rng.choice(_DTYPES)), "type"
        case _:
            return parts, "nothing"


def _program(name: str, parts: _Parts) -> Program | None:
    sources, expression = _built(parts)
    made = Program(name=name, sources=sources, statements=(Statement("y", expression),), outputs=(Output("y"),))
    try:
        wholes(made)
    except ProgramError:
        return None
    return made


def _on_ranks(rng: Random, program: Program) -> Program:
    """The program on two ranks with layouts that its rules follow; on one device if none of a few is."""
    for _ in range(3):
        sources = tuple(replace(each, layouts=_layouts(rng, each)) for each in program.sources)
        placed = replace(program, mesh=(ProgramAxis("m", 2),), sources=sources, outputs=())
        inferred = infer(placed)
        if isinstance(inferred, Refused):
            continue
        (layout,) = inferred.layouts["y"]
        if isinstance(layout, Partial):
            (statement,) = placed.statements
            part, summed = Statement("part", statement.expression), Convert(AllReduce(layout.reduction), Read("part"))
            placed = replace(placed, statements=(part, Statement("y", summed)))
        whole = replace(placed, outputs=program.outputs)
        if not isinstance(infer(whole), Refused):
            return whole
    return program


def _layouts(rng: Random, source: Source) -> tuple[AxisLayout, ...]:
    drawn = rng.random()
    if drawn < 0.4 and source.shape:
        return (AxisLayout(Sliced(rng.randrange(len(source.shape)))),)
    return (AxisLayout(Partial()),) if drawn < 0.5 and source.dtype is DType.F32 else ()


def pairs(count: int, seed: int, names: Sequence[str] = ()) -> list[Pair]:
    """So many pairs, of all operations in turn, or of some."""
    rng, every, found = Random(seed), patterns(), []
    turn = list(names or every)
    while len(found) < count:
        operation = turn[len(found) % len(turn)]
        parts = _drawn(rng, rng.choice(every[operation]))
        other, change = _changed(rng, parts)
        first, second = (_program(name, each) for name, each in zip(("d", "s"), (other, parts), strict=True))
        if first is None or second is None or [*map(_shape, first.sources)] != [*map(_shape, second.sources)]:
            continue
        found.append(Pair(_on_ranks(rng, first), second, operation, change))
    return found


def _shape(source: Source) -> tuple[str, DType, tuple[int, ...]]:
    return source.name, source.dtype, source.shape
