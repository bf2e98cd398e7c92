"""Per-rank footprint of every value of a distributed program: layout, local shape, operations, bytes, memory.

    local shape[r] = lengths of the intervals of rank r,   bytes[r] = product of the local shape x element size,
    resident(s) = sources + sum of bytes of values v with  statement(v) <= s <= last reader(v),   peak = max over s.
Operations are counted on local shapes, so uneven slices show as uneven work.
Complexity: O(statements x ranks).
Reference: Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 9.2 (live variables).

Example: f32 [8, 4] in slices of 5 and 3 rows has 80 and 48 bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from p2smt.errors import ProgramError
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Number, Ranks, Read, SourceKind, parts
from p2smt.tensor.frame import Attributes, Intervals
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import InferenceStep, Inferred, Layouts, Refused
from p2smt.tensor.layout import is_there
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.placing import coordinates, part_of, world
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole, signature, wholes
from p2smt.tensor.signature import Shape, Signature


@dataclass(frozen=True, slots=True)
class SentBytes:
    """A conversion inside a statement: its name, its mesh axis, and the bytes that each rank contributes."""

    conversion: str
    axis: str
    bytes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFootprint:
    """A source or a statement's value; tuples are indexed by rank.

    `local` is None for a rank that holds nothing. `what` lists the operations in order of execution, or the
    source kind. `flops` counts arithmetic operations.
    """

    name: str
    what: tuple[str, ...]
    dtype: DType
    shape: Shape
    layouts: Layouts
    local: tuple[Shape | None, ...]
    flops: tuple[int, ...]
    bytes: tuple[int, ...]
    reads: tuple[str, ...] = ()
    sent: tuple[SentBytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """The footprint of all values in order, with per-rank memory in bytes.

    `stored` counts parameters and states, kept from step to step; `peak` is the most that is resident at one
    time. A value is resident from its statement to its last reader, or to the end if it is an output; sources
    stay resident, and a new version replaces the old one in place. Temporaries inside a statement are not
    counted. `refused` is the reason why no more values follow.
    """

    program: Program
    values: tuple[ValueFootprint, ...]
    stored: tuple[int, ...]
    peak: tuple[int, ...]
    refused: Refused | None = None


MOST = 2_000_000


def footprint(program: Program) -> Footprint:
    """Return the footprint of a program on its mesh.

    ProgramError if shapes do not fit, an axis is unknown, or statements times ranks exceed 2,000,000.
    """
    ranks = world(program.mesh)
    if ranks * len(program.statements) > MOST:
        raise ProgramError(
            f"{len(program.statements)} statements on {ranks} ranks; their product may be at most {MOST}, "
            "so use fewer ranks"
        )
    result = infer(program)
    if isinstance(result, Inferred):
        return _Footprints(program, result).footprint(None)
    before = _before(program, result)
    inferred = infer(before)
    if isinstance(inferred, Refused):
        return Footprint(program=program, values=(), stored=(), peak=(), refused=result)
    return _Footprints(before, inferred).footprint(result)


def _before(program: Program, refused: Refused) -> Program:
    """Return the program cut off before the refused statement."""
    names = [statement.name for statement in program.statements]
    count = names.index(refused.statement) if refused.statement in names else len(names)
    return Program(
        name=program.name,
        sizes=program.sizes,
        mesh=program.mesh,
        sources=program.sources,
        statements=program.statements[:count],
        outputs=(),
    )


_Kind = tuple[str, Attributes, tuple[Shape, ...], tuple[Layouts, ...], Layouts]


class _Footprints:
    def __init__(self, program: Program, inferred: Inferred) -> None:
        self._program = program
        self._inferred = inferred
        self._known: Mapping[str, Whole] = wholes(program)
        self._ranks = world(program.mesh)
        self._parts: dict[tuple[Layouts, Shape], tuple[Intervals | None, ...]] = {}
        self._counted: dict[_Kind, tuple[int, ...]] = {}

    def footprint(self, refused: Refused | None) -> Footprint:
        values = (*self._sources(), *self._statements())
        stored = [value for value in values if value.what[0] in (SourceKind.PARAMETER, SourceKind.STATE)]
        return Footprint(
            program=self._program,
            values=values,
            stored=tuple(sum(value.bytes[rank] for value in stored) for rank in range(self._ranks)),
            peak=tuple(self._peak(values, rank) for rank in range(self._ranks)),
            refused=refused,
        )

    def _sources(self) -> Iterator[ValueFootprint]:
        for source in self._program.sources:
            yield self._value(source.name, (source.kind,), (0,) * self._ranks)

    def _statements(self) -> Iterator[ValueFootprint]:
        steps: dict[str, list[InferenceStep]] = {}
        for step in self._inferred.steps:
            steps.setdefault(step.statement, []).append(step)
        for statement in self._program.statements:
            flops, sent = self._computed(steps[statement.name])
            reads = dict.fromkeys(part.name for part in parts(statement.expression) if isinstance(part, Read))
            what = tuple(_what(step) for step in steps[statement.name] if isinstance(step.expression, Call | Convert))
            yield self._value(statement.name, what or ("copy",), flops, tuple(reads), sent)

    def _value(
        self,
        name: str,
        what: tuple[str, ...],
        flops: tuple[int, ...],
        reads: tuple[str, ...] = (),
        sent: tuple[SentBytes, ...] = (),
    ) -> ValueFootprint:
        whole, layouts = self._known[name], self._inferred.layouts[name]
        held = self._held(layouts, whole.shape)
        dtype = whole.dtype or DType.F32
        local = tuple(None if part is None else tuple(each.length for each in part) for part in held)
        sizes = tuple(0 if shape is None else prod(shape) * dtype.bytes for shape in local)
        return ValueFootprint(
            name=name,
            what=what,
            dtype=dtype,
            shape=whole.shape,
            layouts=layouts,
            local=local,
            flops=flops,
            bytes=sizes,
            reads=reads,
            sent=sent,
        )

    def _held(self, layouts: Layouts, shape: Shape) -> tuple[Intervals | None, ...]:
        """Return each rank's part of a tensor; None for a rank without one."""
        if (layouts, shape) not in self._parts:
            self._parts[layouts, shape] = tuple(
                part_of(layouts, self._program.mesh, shape, rank) if self._is_there(layouts, rank) else None
                for rank in range(self._ranks)
            )
        return self._parts[layouts, shape]

    def _is_there(self, layouts: Layouts, rank: int) -> bool:
        position = coordinates(self._program.mesh, rank)
        return all(is_there(each, at) for each, at in zip(layouts, position, strict=True))

    def _computed(self, steps: list[InferenceStep]) -> tuple[tuple[int, ...], tuple[SentBytes, ...]]:
        """Return a statement's operation count per rank, and its communication."""
        flops = [0] * self._ranks
        sent: list[SentBytes] = []
        for step in steps:
            given = self._inferred.operands(step)
            match step.expression:
                case Call():
                    mine = self._flops(step.expression, given, step)
                    flops = [so_far + more for so_far, more in zip(flops, mine, strict=True)]
                case Convert(conversion, _, axis):
                    name = self._program.mesh[self._program.axis(axis)].name
                    sent.append(SentBytes(type(conversion).__name__, name, self._bytes(given[0].layouts, step.whole)))
                case Read() | Number() | Ranks():
                    pass
        return tuple(flops), tuple(sent)

    def _bytes(self, layouts: Layouts, whole: Whole) -> tuple[int, ...]:
        size = (whole.dtype or DType.F32).bytes
        held = self._held(layouts, whole.shape)
        return tuple(0 if part is None else prod(each.length for each in part) * size for part in held)

    def _flops(self, call: Call, operands: Sequence[InferenceStep], result: InferenceStep) -> tuple[int, ...]:
        """Return the arithmetic operations of a call on each rank.

        Results are cached, because layers repeat calls.
        """
        shapes = tuple([step.whole.shape for step in operands])
        given = tuple([step.layouts for step in operands])
        key = call.operation, call.attributes, shapes, given, result.layouts
        if key not in self._counted:
            signed = signature(call, shapes)
            held = [self._held(*each) for each in zip(given, shapes, strict=True)]
            ranks = zip(*held, self._held(result.layouts, signed.shape), strict=True)
            self._counted[key] = tuple(_flops(call, signed, parts_of) for parts_of in ranks)
        return self._counted[key]

    def _peak(self, values: tuple[ValueFootprint, ...], rank: int) -> int:
        """Return the peak resident bytes of a rank."""
        last = {name: number for number, value in enumerate(values) for name in value.reads}
        kept = {output.name for output in self._program.outputs}
        freed: dict[int, int] = {}
        now = most = 0
        for number, value in enumerate(values):
            if value.what[-1] == "update":
                kept.add(value.name)
            else:
                now += value.bytes[rank]
            most = max(most, now)
            if value.reads and value.name not in kept:
                end = last.get(value.name, number)
                freed[end] = freed.get(end, 0) + value.bytes[rank]
            now -= freed.pop(number, 0)
        return most


def _flops(call: Call, signed: Signature, held: Sequence[Intervals | None]) -> int:
    """Return a rank's operation count: a constant per combination of the label indices that it holds.

    `held` has the rank's parts of the operands, then of the result; None gives 0 operations.
    """
    operation = OPERATIONS[call.operation]
    counts = {label.name: label.size for label in signed.labels}
    for dimensions, part in zip((*signed.operands, signed.result), held, strict=True):
        if part is None:
            return 0
        for dimension, interval in zip(dimensions, part, strict=True):
            counts[dimension.label] = min(counts[dimension.label], interval.length // dimension.granule)
    return operation.flops * prod(count for name, count in counts.items() if name not in operation.uncounted)


def _what(step: InferenceStep) -> str:
    match step.expression:
        case Call(operation):
            return operation
        case Convert(conversion):
            return type(conversion).__name__
        case Read() | Number() | Ranks():
            return ""
