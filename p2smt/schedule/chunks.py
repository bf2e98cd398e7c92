"""Chunks of one dimension, followed through a chain of statements: which dimension of each result they are."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2smt.schedule.graph import reads, statements
from p2smt.schedule.kernel import sends
from p2smt.schedule.layouts_of import Typed
from p2smt.schedule.moving import lemma_of_parts
from p2smt.schedule.outcome import Instance, StepRefusedError
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import AllGather, AllToAll, Conversion, Rebalance, ReduceScatter, Slice
from p2smt.tensor.program import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.rule import RuleName, rules
from p2smt.tensor.signature import Parallel


@dataclass(slots=True)
class Chunking:
    """Walks statements; `dimensions` has the dimension of each result that is cut into chunks.

    `whole` has what statements read without cutting it, `cut` what they read in chunks, by statement.
    """

    typed: Typed
    names: Sequence[str]
    dimension: int
    dimensions: dict[str, int] = field(default_factory=dict)
    whole: dict[str, set[str]] = field(default_factory=dict)
    cut: dict[str, set[str]] = field(default_factory=dict)
    instances: list[Instance] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    _here: str = ""

    def run(self) -> None:
        """All statements, the first cut as it is asked for. StepRefusedError where chunks do not line up."""
        expressions = statements(self.typed.program)
        for name in self.names:
            self._here = name
            self.whole[name], self.cut[name] = set(), set()
            found = self._through(expressions[name]) if reads(expressions[name]) & self.dimensions.keys() else None
            if found is None:
                found = self._begun(expressions[name])
            self.dimensions[name] = found

    def _begun(self, expression: Expression) -> int:
        """A statement that reads none of the chain is cut as it is asked for."""
        self._pushed(expression, self.dimension)
        return self.dimension

    def _misaligned(self, detail: str) -> StepRefusedError:
        return StepRefusedError(Why.MISALIGNED, f"{self._here}: {detail}")

    def _through(self, expression: Expression) -> int | None:
        """The dimension of an expression that is chunked because of what it reads; None where it reads nothing so."""
        match expression:
            case Read(name):
                if name in self.dimensions:
                    self.cut[self._here].add(name)
                return self.dimensions.get(name)
            case Number() | Ranks():
                return None
            case Convert(conversion, operand):
                dimension = self._through(operand)
                if dimension is not None:
                    self._converts(conversion, dimension)
                return dimension
            case Call(_, operands):
                return self._called(expression, [self._through(operand) for operand in operands])

    def _called(self, call: Call, dimensions: list[int | None]) -> int | None:
        if all(dimension is None for dimension in dimensions):
            return None
        signed = self.typed.signed(call)
        labels = {signed.operands[number][dimension].label
                  for number, dimension in enumerate(dimensions) if dimension is not None}  # fmt: skip
        label = min(labels)
        if len(labels) > 1:
            raise self._misaligned(f"{call.operation} reads chunks of two dimensions")
        if not isinstance(signed.label(label).kind, Parallel):
            raise self._misaligned(f"{call.operation} needs all chunks of its operand")
        for number, (dimension, names) in enumerate(zip(dimensions, signed.operands, strict=True)):
            if dimension is None:
                position = next((at for at, each in enumerate(names) if each.label == label), None)
                self._outside(call.operands[number], position)
        self.instances += [Instance(call.operation, signed, rule) for rule in rules(signed)
                           if rule.name is RuleName.PAR and rule.label == label]  # fmt: skip
        return next(at for at, each in enumerate(signed.result) if each.label == label)

    def _outside(self, expression: Expression, dimension: int | None) -> None:
        """An operand from outside of the chain is read whole, or its chunk alone."""
        if dimension is None:
            self.whole[self._here] |= reads(expression)
        else:
            self._pushed(expression, dimension)

    def _pushed(self, expression: Expression, dimension: int) -> None:
        match expression:
            case Read(name):
                self._length(self.typed.shape_of(expression), dimension)
                self.cut[self._here].add(name)
            case Convert(conversion, operand):
                self._converts(conversion, dimension)
                self._pushed(operand, dimension)
            case Call():
                self._pushed_call(expression, dimension)
            case Number() | Ranks():
                raise self._misaligned("a number has no dimension")

    def _pushed_call(self, call: Call, dimension: int) -> None:
        signed = self.typed.signed(call)
        self._length(signed.shape, dimension)
        label = signed.result[dimension].label
        if not isinstance(signed.label(label).kind, Parallel):
            raise self._misaligned(f"{call.operation} computes all chunks together")
        for operand, names in zip(call.operands, signed.operands, strict=True):
            position = next((at for at, each in enumerate(names) if each.label == label), None)
            self._outside(operand, position)
        self.instances += [Instance(call.operation, signed, rule) for rule in rules(signed)
                           if rule.name is RuleName.PAR and rule.label == label]  # fmt: skip

    def _length(self, shape: tuple[int, ...], dimension: int) -> None:
        if dimension >= len(shape):
            raise StepRefusedError(Why.NO_DIMENSION, f"dimension {dimension} of {self._here}, which has {len(shape)}")

    def _converts(self, conversion: Conversion, dimension: int) -> None:
        if dimension in _cuts(conversion):
            raise self._misaligned(f"{type(conversion).__name__} cuts or gathers dimension {dimension} among ranks")
        if sends(conversion):
            self.lemmas.append(lemma_of_parts(conversion))


def _cuts(conversion: Conversion) -> tuple[int, ...]:
    """The dimensions that a conversion cuts or gathers."""
    match conversion:
        case ReduceScatter(dimension) | AllGather(dimension) | Rebalance(dimension) | Slice(dimension):
            return (dimension,)
        case AllToAll(source, target):
            return source, target
        case _:
            return ()
