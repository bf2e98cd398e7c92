"""Statements computed on the ranks' data before a conversion, instead of after it.

s(g(y)) becomes s'(y): operands affected by the slicing are sliced the same way, all others stay. A reduction over a
sliced label gives partial values, which are reduced at once. Random bits depend on global indices, so they stay
equal.

    s(convert(y)) -> convert'(s'(y)),   s' = s with every operand that carries the moved label sliced as y is
Guard: the label is parallel in s, or s distributes over the reduction. Each rewritten statement needs one rule of
`tensor/rule.py` along the axis, which the solver proves for all sizes (`instances`).
Complexity: one pass over the statements that are moved.
Reference: Jangda et al., "Breaking the computation and communication abstraction barrier in distributed machine
learning workloads", ASPLOS 2022, section 3 (reorder).

Example: relu(AllGather(y)) becomes AllGather(relu(y)); sum(AllGather(y)) becomes AllReduce(sum(y)).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from p2smt.schedule.graph import reads
from p2smt.schedule.layouts_of import TypedProgram, along_axis
from p2smt.schedule.outcome import Instance, StepRefusedError
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Conversion,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.conversion_rules import converted
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Statement
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout, OnRank, Partial, Replicated, Sliced, chunk_sizes
from p2smt.tensor.layout import Local as RanksOwn
from p2smt.tensor.placing import cut
from p2smt.tensor.reason import Refusal
from p2smt.tensor.signature import Dimension, ParallelLabel, Shape, Signature


@dataclass(frozen=True, slots=True)
class RankExpression:
    """An expression computed by ranks; `moved` is True if its layouts differ from the original value's."""

    expression: Expression
    layouts: Layouts
    moved: bool


@dataclass(slots=True)
class Mover:
    """Rewrites statements one after the other along one axis.

    `values` has the moved values by their old names, `statements` the new statements, `instances` the rules
    used. With `naive`, layout rules are not enforced; the result may be wrong and is used to find
    counterexamples.
    """

    typed: TypedProgram
    axis: str
    prefix: str
    reduce_at_once: bool = True
    naive: bool = False
    values: dict[str, RankExpression] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    inserted: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    sliced: bool = False
    broken: Refusal | None = None

    @property
    def number(self) -> int:
        """The number of the axis."""
        return self.typed.program.axis(self.axis)

    def move(self, old: str, new: str, expression: Expression) -> RankExpression:
        """Compute a statement's expression under a new name."""
        # `_expression` may have added the statement itself (a sum reduced at once); it gets the
        # asked name then.
        before = len(self.statements)
        local = self._expression(expression)
        last = self.statements[-1] if len(self.statements) > before else None
        if last is not None and local.expression == Read(last.name):
            self.statements[-1] = Statement(new, last.expression)
            self.inserted = [new if name == last.name else name for name in self.inserted]
        else:
            self.statements.append(Statement(new, local.expression))
        moved = local.layouts != self.typed.layouts[old]
        self.values[old] = RankExpression(Read(new), local.layouts, moved)
        return self.values[old]

    def _expression(self, expression: Expression) -> RankExpression:
        match expression:
            case Read(name):
                return self.values.get(name) or RankExpression(expression, self.typed.layouts[name], False)
            case Number() | Ranks():
                return self._unmoved(expression)
            case Convert():
                return self._converted(expression)
            case Call(_, operands):
                return self._called(expression, [self._expression(operand) for operand in operands])

    def _unmoved(self, expression: Expression) -> RankExpression:
        layouts = self.typed.layouts_of(expression)
        assert not isinstance(layouts, Refusal)
        return RankExpression(expression, layouts, False)

    def _converted(self, convert: Convert) -> RankExpression:
        inner = self._expression(convert.operand)
        same = Convert(convert.conversion, inner.expression, convert.axis)
        if not inner.moved:
            return RankExpression(same, self._unmoved(convert).layouts, False)
        if self.typed.program.axis(convert.axis) == self.number:
            wanted = self._unmoved(convert).layouts
            # Slicing what is already that slice is nothing.
            if isinstance(convert.conversion, Slice) and wanted == inner.layouts:
                return RankExpression(inner.expression, inner.layouts, False)
            raise StepRefusedError(Why.SAME_AXIS, f"{type(convert.conversion).__name__} of the moved value")
        self.lemmas.append(lemma_of_parts(convert.conversion))
        layouts = self._with(same, convert, inner)
        return RankExpression(same, layouts, True)

    def _with(self, same: Convert, convert: Convert, inner: RankExpression) -> Layouts:
        """Return the layouts after a conversion along another axis."""
        mesh, number = self.typed.program.mesh, self.typed.program.axis(convert.axis)
        after = converted(same.conversion, inner.layouts, mesh, number, self.typed.shape_of(convert.operand))
        if isinstance(after, Refusal):
            raise StepRefusedError(after.reason, after.detail)
        return (*inner.layouts[:number], after, *inner.layouts[number + 1 :])

    def _called(self, call: Call, operands: list[RankExpression]) -> RankExpression:
        same = replace(call, operands=tuple(operand.expression for operand in operands))
        if not any(operand.moved for operand in operands):
            return RankExpression(same, self._unmoved(call).layouts, False)
        signed = self.typed.signed(call)
        theirs = self._cut_alike(call, signed, operands)
        same = replace(call, operands=tuple(operand.expression for operand in theirs))
        layouts = self._result(call.operation, signed, theirs)
        return self._reduced(same, layouts) if self.reduce_at_once else RankExpression(same, layouts, True)

    def _cut_alike(self, call: Call, signed: Signature, operands: list[RankExpression]) -> list[RankExpression]:
        """Return the operands, with replicated ones that have the sliced label sliced in the same way."""
        # The first operand that is cut decides the cut; the others follow.
        points = next(_cuts(signed, operands, self.number), None)
        if points is None:
            return operands
        found = []
        for operand, written, dimensions in zip(operands, call.operands, signed.operands, strict=True):
            position = next((at for at, each in enumerate(dimensions) if each.label == points.label), None)
            # only Partial, Replicated, Sliced: others are not rewritten; the result is proved or refused afterwards
            if position is None or not isinstance(operand.layouts[self.number], Replicated):
                found.append(operand)
                continue
            blocks = tuple(size * dimensions[position].granule for size in points.sizes)
            if self.values.keys() & reads(written):
                found.append(self._slice(operand, position, blocks, self.typed.shape_of(written)))
            else:
                found.append(self._pushed(written, position, blocks))
        return found

    def _pushed(self, expression: Expression, dimension: int, blocks: tuple[int, ...]) -> RankExpression:
        """Return the slice of an unmoved expression, computed from slices of its operands."""
        if isinstance(expression, Call):
            signed = self.typed.signed(expression)
            cut_at = signed.result[dimension]
            # only ParallelLabel: others are refused
            if isinstance(signed.label(cut_at.label).kind, ParallelLabel) and not any(
                at % cut_at.granule for at in blocks
            ):
                theirs = []
                for operand, dimensions in zip(expression.operands, signed.operands, strict=True):
                    position = next((at for at, each in enumerate(dimensions) if each.label == cut_at.label), None)
                    if position is None:
                        theirs.append(self._unmoved(operand))
                        continue
                    sizes = tuple(at // cut_at.granule * dimensions[position].granule for at in blocks)
                    theirs.append(self._pushed(operand, position, sizes))
                same = replace(expression, operands=tuple(each.expression for each in theirs))
                return RankExpression(same, self._result(expression.operation, signed, theirs), True)
        return self._slice(self._unmoved(expression), dimension, blocks, self.typed.shape_of(expression))

    def _slice(self, operand: RankExpression, dimension: int, blocks: tuple[int, ...], shape: Shape) -> RankExpression:
        ranks = self.typed.program.mesh[self.number].size
        sizes = None if blocks == chunk_sizes(shape[dimension], ranks) else blocks
        made = cut(operand.layouts, self.typed.program.mesh, self.number, shape, dimension, sizes)
        if isinstance(made, Refusal):
            raise StepRefusedError(made.reason, made.detail)
        layouts = (*operand.layouts[: self.number], made, *operand.layouts[self.number + 1 :])
        self.sliced = True
        return RankExpression(Convert(Slice(dimension, sizes), operand.expression, self.axis), layouts, True)

    def _result(self, operation: str, signed: Signature, operands: list[RankExpression]) -> Layouts:
        results: list[Layout] = []
        for axis in range(len(self.typed.program.mesh)):
            layouts = tuple(operand.layouts[axis] for operand in operands)
            result = along_axis(signed, layouts)
            if isinstance(result, Refusal):
                # The first broken rule is reported; without guards (`naive`) a guess lets the run
                # show numbers.
                self.broken = self.broken or result
                if not self.naive:
                    raise StepRefusedError(result.reason, f"{operation}: {result.detail}")
                results.append(_guessed(signed, layouts))
                continue
            rule, layout = result
            if axis == self.number:
                self.instances.append(Instance(operation, signed, rule))
            results.append(layout)
        return tuple(results)

    def _reduced(self, call: Call, layouts: Layouts) -> RankExpression:
        """Reduce a partial result at once; other results are returned unchanged."""
        layout = layouts[self.number]
        if not isinstance(layout, Partial):
            return RankExpression(call, layouts, not isinstance(layout, Replicated))
        part = f"{self.prefix}.part{len(self.inserted)}"
        name = f"{self.prefix}.all{len(self.inserted)}"
        self.statements.append(Statement(part, call))
        self.statements.append(Statement(name, Convert(AllReduce(layout.reduction), Read(part), self.axis)))
        self.inserted.append(name)
        whole = (*layouts[: self.number], Replicated(), *layouts[self.number + 1 :])
        return RankExpression(Read(name), whole, False)


def lemma_of_parts(conversion: Conversion) -> str:
    """Return the lemma that a conversion acts on parts, or chunks, as on the whole."""
    match conversion:
        case Send():
            return "what is sent is what is received"
        case AllReduce() | ReduceScatter() | Reduce():
            return "a sum of chunks"
        case AllGather() | AllToAll() | Rebalance() | Broadcast() | Slice() | Keep():
            return "a chunk is moved like the whole"


@dataclass(frozen=True, slots=True)
class _Cut:
    label: str
    sizes: tuple[int, ...]


def _cuts(signed: Signature, operands: list[RankExpression], axis: int) -> Iterator[_Cut]:
    for operand, dimensions in zip(operands, signed.operands, strict=True):
        layout = operand.layouts[axis]
        if isinstance(layout, Sliced) and layout.sizes is not None:
            dimension: Dimension = dimensions[layout.dimension]
            if all(size % dimension.granule == 0 for size in layout.sizes):
                yield _Cut(dimension.label, tuple(size // dimension.granule for size in layout.sizes))


def _guessed(signed: Signature, layouts: tuple[Layout, ...]) -> Layout:
    """Return a guess of the result's layout for an operation without a rule, used by naive rewrites."""
    for layout, dimensions in zip(layouts, signed.operands, strict=True):
        match layout:
            case Sliced(dimension, sizes, under):
                label = dimensions[dimension].label
                kept = (at for at, each in enumerate(signed.result) if each.label == label)
                at = next(kept, dimension if dimension < len(signed.result) else None)
                return Replicated() if at is None else Sliced(at, sizes, under)
            case Replicated():
                pass
            case Partial() | RanksOwn() | OnRank():
                return layout
    return Replicated()
