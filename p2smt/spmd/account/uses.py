"""Uses of tensors in a distributed program: contractions, gathers, and classes of dimensions that belong together.

Nothing is taken from the search. Layouts are inferred. Two dimensions are in one class if an operation gives them one
label, or if a conversion maps one to the other.

Union-find: a label joins the dimensions that it stands for, a conversion those of its operand and its result.
Invariant: two dimensions are in one class exactly if a chain of such pairs joins them.

    class(d) = class(e)   if an operation gives d and e one label, or a conversion maps d to e.

Complexity: almost linear in the dimensions of all values.
Reference: Tarjan, "Efficiency of a good but not linear set union algorithm", 1975.

Example: y = x @ w; z = y @ v. The columns of w, those of y and the rows of v are one class, the hidden dimension.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from p2smt.tensor.conversion import AllGather, ReduceScatter
from p2smt.tensor.expression import Call, Convert, Number, Ranks, Read, Source, SourceKind
from p2smt.tensor.inference import judge
from p2smt.tensor.judgement import Layouts, Refused
from p2smt.tensor.layout import Sliced
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
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


@dataclass(frozen=True, slots=True)
class _CalledKind:
    """Properties shared by calls of one operation on values of the same shapes.

    `joined` has for each label that may be cut its places: numbers of operands (the result comes last) and dimensions.
    `looked_up` are dimensions of the first operand that an index selects.
    """

    signature: Signature
    flops: int
    joined: tuple[tuple[Place, ...], ...]
    looked_up: tuple[int, ...]
    is_contraction: bool


class _Reading:
    def __init__(self, program: Program) -> None:
        judged = judge(program)
        assert not isinstance(judged, Refused), judged
        self._judged = judged
        self._read = Uses(program)
        self._named: dict[str, UsedValue] = {}
        self._kinds: dict[tuple[object, ...], _CalledKind] = {}
        self._count = 0

    def run(self) -> Uses:
        program, judged = self._read.program, self._judged
        for source in program.sources:
            value = self._new(source.shape, judged.layouts[source.name], source)
            self._named[source.name] = value
            self._read.sources.append(value)
        for statement, judgement, reads in zip(program.statements, judged.statements, judged.reads, strict=True):
            values: list[UsedValue] = []
            names, axes = iter(reads), iter(judgement.axes)
            for step in judgement.steps:
                given = [values[number] for number in step.operands]
                match step.expression:
                    case Read():
                        values.append(self._named[next(names)])
                    case Convert(conversion):
                        values.append(self._converted(conversion, next(axes), step.layouts, given[0]))
                    case Call() as call:
                        values.append(self._called(statement.name, call, step.layouts, given))
                    case Number() | Ranks():
                        values.append(self._new((), step.layouts))
            self._named[statement.name] = values[-1]
        return self._read

    def _new(
        self, shape: Shape, layouts: Layouts, source: Source | None = None, gathered: tuple[tuple[int, int], ...] = ()
    ) -> UsedValue:
        self._count += 1
        return UsedValue(self._count - 1, shape, layouts, source, gathered)

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
        kind = self._kind(call, tuple([operand.shape for operand in given]))
        signed, shape = kind.signature, kind.signature.shape
        same = given[0] if call.operation == "cast" else None  # of another type, a parameter is what it was
        result = self._new(shape, layouts) if same is None else self._new(shape, layouts, same.source, same.gathered)
        numbers = [*[value.number for value in given], result.number]
        for places in kind.joined:
            self._read.join([(numbers[position], dimension) for position, dimension in places])
        self._read.work.append(kind.flops)
        self._read.signatures.append(signed)
        self._read.looked_up.update([(given[0].number, dimension) for dimension in kind.looked_up])
        if kind.is_contraction:
            self._read.contractions.append(Contraction(statement, signed, tuple(given), result, kind.flops))
        return result

    def _kind(self, call: Call, shapes: tuple[Shape, ...]) -> _CalledKind:
        key = (call.operation, call.attributes, shapes)
        if key not in self._kinds:
            signed, operation = signature(call, shapes), OPERATIONS[call.operation]
            places: dict[str, list[Place]] = {}
            for position, dimensions in enumerate((*signed.operands, signed.result)):
                for number, dimension in enumerate(dimensions):
                    places.setdefault(dimension.label, []).append((position, number))
            # only Blocked: a class may hold dimensions that no rule cuts
            joined = [places.get(each.name, []) for each in signed.labels if not isinstance(each.kind, Blocked)]
            looked_up: tuple[int, ...] = ()
            if operation.kind is Kind.TAKE:  # only: others have no index
                kept = {dimension.label for dimension in signed.result}
                looked_up = tuple([at for at, each in enumerate(signed.operands[0]) if each.label not in kept])
            self._kinds[key] = _CalledKind(
                signed,
                flops(call, shapes),
                tuple([tuple(each) for each in joined if len(each) > 1]),
                looked_up,
                operation.kind is Kind.CONTRACT,  # only: contractions name the parallelisms
            )
        return self._kinds[key]
