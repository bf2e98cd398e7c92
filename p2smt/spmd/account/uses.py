"""Uses of tensors in a distributed program: contractions, gathers, and classes of dimensions that belong together.

Nothing is taken from the search. Layouts are inferred. Two dimensions are in one class if an operation gives them one
label, or if a conversion maps one to the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from p2smt.tensor.conversion import AllGather, ReduceScatter
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import InferenceStep, Inferred, Layouts
from p2smt.tensor.layout import Sliced
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Call, Convert, Program, Read, Source, SourceKind
from p2smt.tensor.shapes import flops, signature
from p2smt.tensor.signature import Blocked, Shape, Signature

Place = tuple[int, int]
"""The number of a value and one of its dimensions."""


@dataclass(frozen=True, slots=True)
class UsedValue:
    """A value of the program.

    `source` is the source that it is a converted or cast copy of, if any; `gathered` lists the (axis, dimension) pairs
    along which it was gathered.
    """

    number: int
    shape: Shape
    layouts: Layouts
    source: Source | None
    gathered: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Contraction:
    """A contraction in a statement; `flops` counts the unsharded operation."""

    statement: str
    signature: Signature
    operands: tuple[UsedValue, ...]
    result: UsedValue
    flops: int

    def places(self) -> Iterator[tuple[str, UsedValue, int]]:
        """Yield every dimension of the operands and the result, with its label."""
        sides = zip((*self.signature.operands, self.signature.result), (*self.operands, self.result), strict=True)
        for dimensions, value in sides:
            for number, dimension in enumerate(dimensions):
                yield dimension.label, value, number

    def cut(self, axis: int) -> str | None:
        """Return the label that a mesh axis shards, or None."""
        for label, value, number in self.places():
            layout = value.layouts[axis]
            # only Sliced: the search chooses among replicated, sliced and partial
            if isinstance(layout, Sliced) and layout.dimension == number:
                return label
        return None

    def kept(self) -> frozenset[str]:
        """Return the labels that occur in all operands and in the result (batch dimensions)."""
        sides = (*self.signature.operands, self.signature.result)
        return frozenset.intersection(*(frozenset(each.label for each in dimensions) for dimensions in sides))


@dataclass(slots=True)
class Uses:
    """The tensors of a program and their uses; `parent` joins places into classes (union-find).

    `looked_up` are dimensions that are indexed (embedding rows); `gathers` are (source, axis) pairs of AllGathers;
    `scatters` are the axes of ReduceScatters; `work` has the flops of every call, in program order.
    """

    program: Program
    sources: list[UsedValue] = field(default_factory=list)
    contractions: list[Contraction] = field(default_factory=list)
    gathers: set[tuple[str, int]] = field(default_factory=set)
    scatters: set[int] = field(default_factory=set)
    looked_up: set[Place] = field(default_factory=set)
    work: list[int] = field(default_factory=list)
    signatures: list[Signature] = field(default_factory=list)
    parent: dict[Place, Place] = field(default_factory=dict)

    def root(self, place: Place) -> Place:
        """Return the representative of a place's class."""
        while (above := self.parent.get(place, place)) != place:
            self.parent[place] = self.parent.get(above, above)
            place = above
        return place

    def join(self, places: Sequence[Place]) -> None:
        """Merge the classes of some places."""
        for place in places[1:]:
            self.parent[self.root(place)] = self.root(places[0])

    def classes(self, *kinds: SourceKind, first: bool = False) -> frozenset[Place]:
        """Return the classes of the dimensions (with `first`, the first dimensions) of all sources of these kinds."""
        return frozenset(
            self.root((value.number, dimension))
            for value in self.sources
            if value.source is not None and value.source.kind in kinds
            for dimension in range(min(1, len(value.shape)) if first else len(value.shape))
        )


def uses_of(program: Program) -> Uses:
    """Return the uses of tensors in a distributed program, for which layout inference must succeed."""
    return _Reading(program).run()


class _Reading:
    def __init__(self, program: Program) -> None:
        inferred = infer(program)
        assert isinstance(inferred, Inferred), inferred
        self._steps = inferred.steps
        self._layouts = inferred.layouts
        self._read = Uses(program)
        self._named: dict[str, UsedValue] = {}
        self._count = 0

    def run(self) -> Uses:
        for source in self._read.program.sources:
            value = self._new(source.shape, self._layouts[source.name], source)
            self._named[source.name] = value
            self._read.sources.append(value)
        values: list[UsedValue] = []
        for step in self._steps:
            value = self._value(step, [values[number] for number in step.operands])
            values.append(value)
            self._named[step.statement] = value  # the last expression of a statement is its value
        return self._read

    def _new(
        self, shape: Shape, layouts: Layouts, source: Source | None = None, gathered: tuple[tuple[int, int], ...] = ()
    ) -> UsedValue:
        self._count += 1
        return UsedValue(self._count - 1, shape, layouts, source, gathered)

    def _value(self, step: InferenceStep, given: list[UsedValue]) -> UsedValue:
        match step.expression:
            case Read(name):
                return self._named[name]
            case Convert(conversion, _, axis):
                return self._converted(conversion, self._read.program.axis(axis), step.layouts, given[0])
            case Call():
                return self._called(step.statement, step.expression, step.layouts, given)
            case _:
                return self._new((), step.layouts)

    def _converted(self, conversion: object, axis: int, layouts: Layouts, before: UsedValue) -> UsedValue:
        gathered = before.gathered
        match conversion:
            case AllGather(dimension):
                gathered = (*gathered, (axis, dimension))
                if before.source is not None:
                    self._read.gathers.add((before.source.name, axis))
            case ReduceScatter():
                self._read.scatters.add(axis)
            case _:
                pass
        after = self._new(before.shape, layouts, before.source, gathered)
        for dimension in range(len(before.shape)):
            self._read.join([(before.number, dimension), (after.number, dimension)])
        return after

    def _called(self, statement: str, call: Call, layouts: Layouts, given: list[UsedValue]) -> UsedValue:
        shapes = tuple([operand.shape for operand in given])
        signed = signature(call, shapes)
        same = given[0] if call.operation == "cast" else None  # of another type, a parameter is what it was
        result = (
            self._new(signed.shape, layouts)
            if same is None
            else self._new(signed.shape, layouts, same.source, same.gathered)
        )
        joined: dict[str, list[Place]] = {}
        for dimensions, value in zip((*signed.operands, signed.result), (*given, result), strict=True):
            for number, dimension in enumerate(dimensions):
                joined.setdefault(dimension.label, []).append((value.number, number))
        for label in signed.labels:
            if not isinstance(label.kind, Blocked):  # only Blocked: a class may hold dimensions that no rule cuts
                self._read.join(joined.get(label.name, []))
        self._read.work.append(flops(call, shapes))
        self._read.signatures.append(signed)
        if OPERATIONS[call.operation].kind is Kind.TAKE:  # only: others have no index
            kept = {dimension.label for dimension in signed.result}
            self._read.looked_up |= {
                (given[0].number, number)
                for number, dimension in enumerate(signed.operands[0])
                if dimension.label not in kept
            }
        if OPERATIONS[call.operation].kind is Kind.CONTRACT:  # only: contractions name the parallelisms
            made = Contraction(statement, signed, tuple(given), result, self._read.work[-1])
            self._read.contractions.append(made)
        return result
