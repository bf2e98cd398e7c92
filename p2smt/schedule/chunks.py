"""Chunks of one dimension, traced through a chain of statements to the chunked dimension of each result.

Chunks lie inside slices (`loop_chunks.py`), so that a collective may slice or gather the chunked dimension.

Method: a dimension is propagated forwards along the labels of operations. For each statement, with D the chunked
dimensions of the values before it,
    an operand read along label l  requires  l parallel (each result element reads one index of l),
    chunked dimension of the result = position of l in the result.
A conversion keeps the dimension, or slices or gathers it; then chunks must lie inside slices. A label that is summed,
or read whole, refuses the chunk (`chunk_replay.py` shows why).
Complexity: one pass over the statements.
Reference: Xu et al., "GSPMD: general and scalable parallelization for ML computation graphs", 2021, for propagation
along labels.

Example: y = x @ w in chunks of the rows of x: rows are a parallel label, so y has chunks of rows; w is read whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from p2smt.schedule.graph import reads, statements
from p2smt.schedule.kernel import sends
from p2smt.schedule.layouts_of import TypedProgram, typed
from p2smt.schedule.loop_chunks import LoopChunks, Sizes, loop_chunks
from p2smt.schedule.moving import lemma_of_parts
from p2smt.schedule.outcome import Instance, StepRefusedError
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import AllGather, AllToAll, Conversion, Rebalance, ReduceScatter, Slice
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.layout import Sliced
from p2smt.tensor.placing import cutting
from p2smt.tensor.program import Program
from p2smt.tensor.reason import Refusal
from p2smt.tensor.rule import RuleName, rules
from p2smt.tensor.signature import ParallelLabel


@dataclass(slots=True)
class Chunker:
    """Traces chunks through statements; `dimensions` has the chunked dimension of each result.

    `whole` and `cut` have, per statement, the names it reads whole or in chunks. `outside` has the dimensions
    along which values from outside the chain are read in chunks.
    """

    typed: TypedProgram
    names: Sequence[str]
    dimension: int
    dimensions: dict[str, int] = field(default_factory=dict)
    whole: dict[str, set[str]] = field(default_factory=dict)
    cut: dict[str, set[str]] = field(default_factory=dict)
    outside: dict[str, set[int]] = field(default_factory=dict)
    instances: list[Instance] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    slicings: list[tuple[str, Sizes]] = field(default_factory=list)
    _here: str = ""

    def run(self) -> None:
        """Trace all statements; the first is chunked along the requested dimension.

        StepRefusedError if chunks do not align.
        """
        expressions = statements(self.typed.program)
        for name in self.names:
            self._here = name
            self.whole[name], self.cut[name] = set(), set()
            found = self._through(expressions[name]) if reads(expressions[name]) & self.dimensions.keys() else None
            if found is None:
                found = self._begun(expressions[name])
            self.dimensions[name] = found
            self._sliced(Read(name), found)

    def chunks(self) -> LoopChunks:
        """Return the chunk elements, after all statements are traced. StepRefusedError if slices differ."""
        return loop_chunks(self.dimensions, self.slicings)

    def _sliced(self, expression: Expression, dimension: int) -> None:
        """Record the slice sizes along a dimension of an expression."""
        layouts, shape = self.typed.layouts_of(expression), self.typed.shape_of(expression)
        assert not isinstance(layouts, Refusal), "the program has layouts"
        self._length(shape, dimension)
        axes = cutting(layouts, dimension)
        innermost = layouts[axes[-1]] if axes else None
        # only Sliced: the dimension is known to be sliced, or counts whole
        sizes = innermost.sizes if isinstance(innermost, Sliced) else (shape[dimension],)
        assert sizes is not None
        self.slicings.append((self._here, sizes))

    def _begun(self, expression: Expression) -> int:
        """Trace a statement that reads nothing of the chain. Its chunked dimension is the requested one."""
        self._pushed(expression, self.dimension)
        return self.dimension

    def _misaligned(self, detail: str) -> StepRefusedError:
        return StepRefusedError(Why.MISALIGNED, f"{self._here}: {detail}")

    def _through(self, expression: Expression) -> int | None:
        """Return the dimension that an expression's chunked operands impose; None if no operand is chunked."""
        match expression:
            case Read(name):
                if name in self.dimensions:
                    self.cut[self._here].add(name)
                return self.dimensions.get(name)
            case Number() | Ranks():
                return None
            case Convert(_, operand):
                dimension = self._through(operand)
                if dimension is not None:
                    self._converts(expression, dimension)
                return dimension
            case Call(_, operands):
                return self._called(expression, [self._through(operand) for operand in operands])

    def _called(self, call: Call, dimensions: list[int | None]) -> int | None:
        if all(dimension is None for dimension in dimensions):
            return None
        signed = self.typed.signed(call)
        labels = {
            signed.operands[number][dimension].label
            for number, dimension in enumerate(dimensions)
            if dimension is not None
        }
        # One label only: chunks of two different labels would meet as a grid, not in a row.
        label = min(labels)
        if len(labels) > 1:
            raise self._misaligned(f"{call.operation} reads chunks of two dimensions")
        if not isinstance(signed.label(label).kind, ParallelLabel):  # only ParallelLabel: others are refused
            raise self._misaligned(f"{call.operation} needs all chunks of its operand")
        # Operands from outside follow the label: their chunk is read, or all of them if they lack
        # it.
        for number, (dimension, names) in enumerate(zip(dimensions, signed.operands, strict=True)):
            if dimension is None:
                position = next((at for at, each in enumerate(names) if each.label == label), None)
                self._outside(call.operands[number], position)
        self.instances += [
            Instance(call.operation, signed, rule)
            for rule in rules(signed)
            if rule.name is RuleName.PAR and rule.label == label
        ]
        return next(at for at, each in enumerate(signed.result) if each.label == label)

    def _outside(self, expression: Expression, dimension: int | None) -> None:
        """Record whether an operand from outside the chain is read whole or in chunks."""
        if dimension is None:
            self.whole[self._here] |= reads(expression)
        else:
            self._pushed(expression, dimension)

    def _pushed(self, expression: Expression, dimension: int) -> None:
        match expression:
            case Read(name):
                self._length(self.typed.shape_of(expression), dimension)
                self.cut[self._here].add(name)
                self.outside.setdefault(name, set()).add(dimension)
            case Convert(_, operand):
                self._converts(expression, dimension)
                self._pushed(operand, dimension)
            case Call():
                self._pushed_call(expression, dimension)
            case Number() | Ranks():
                raise self._misaligned("a number has no dimension")

    def _pushed_call(self, call: Call, dimension: int) -> None:
        signed = self.typed.signed(call)
        self._length(signed.shape, dimension)
        label = signed.result[dimension].label
        if not isinstance(signed.label(label).kind, ParallelLabel):
            raise self._misaligned(f"{call.operation} computes all chunks together")
        for operand, names in zip(call.operands, signed.operands, strict=True):
            position = next((at for at, each in enumerate(names) if each.label == label), None)
            self._outside(operand, position)
        self.instances += [
            Instance(call.operation, signed, rule)
            for rule in rules(signed)
            if rule.name is RuleName.PAR and rule.label == label
        ]

    def _length(self, shape: tuple[int, ...], dimension: int) -> None:
        if dimension >= len(shape):
            raise StepRefusedError(
                Why.NO_DIMENSION,
                f"{self._here} has {len(shape)} dimensions, numbered from 0; {dimension} is not one of them",
            )

    def _converts(self, convert: Convert, dimension: int) -> None:
        conversion = convert.conversion
        if isinstance(conversion, Rebalance) and conversion.dimension == dimension:
            raise self._misaligned(f"Rebalance moves dimension {dimension} from slice to slice")
        inside = dimension in _cuts(conversion)
        if inside:
            self._sliced(convert, dimension)
            self._sliced(convert.operand, dimension)
            self.lemmas.append(_lemma_of_slices(conversion))
        elif sends(conversion):
            self.lemmas.append(lemma_of_parts(conversion))


@lru_cache(maxsize=256)
def chunked(program: Program, names: tuple[str, ...], dimension: int) -> Chunker:
    """Return the traced chunks of statements, in program order. StepRefusedError if chunks do not align."""
    chunking = Chunker(typed(program), names, dimension)
    chunking.run()
    return chunking


def _lemma_of_slices(conversion: Conversion) -> str:
    """Return the lemma that a conversion acts on chunks of slices as on the slices."""
    return (
        "a scattered sum of chunks"
        if isinstance(conversion, ReduceScatter)
        else "a chunk of slices is moved like the slices"
    )


def _cuts(conversion: Conversion) -> tuple[int, ...]:
    """Return the dimensions that a conversion slices or gathers."""
    match conversion:
        case ReduceScatter(dimension) | AllGather(dimension) | Slice(dimension):
            return (dimension,)
        case AllToAll(source, target):
            return source, target
        case _:
            return ()
