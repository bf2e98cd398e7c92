"""Check a layout derivation independently of inference, using the intervals that every rank holds.

The checker shares no code with the rules used for inference. An operation is correct on a rank if all
operands hold the same indices of each label, and all indices of a blocked label. Along an axis that cuts a
reduced label, or along which operands are Partial, the result must be Partial with the reduction that the
signature declares.

Proof checking in the style of de Bruijn: inference is untrusted and leaves a derivation, one step for each
subexpression in postfix order, and this small program checks each step against the definition. A step takes its
operands from a stack and leaves its result; a statement's derivation is complete if one entry is left, and it is the
statement's expression.

    operands agree on label l, rank r:   all hold the same indices;    a blocked label:   all indices of it.

Complexity: O(steps x ranks x dimensions).
Reference: Barendregt and Geuvers, "Proof-assistants using dependent type systems", 2001 (de Bruijn's criterion).

Example: y = matmul(x, w) with x sliced by columns and w by rows. Both cut the contracted label into the same intervals
on every rank, so y must be Partial(sum); a derivation that says Replicated is refused.
"""

from dataclasses import dataclass

from p2smt.tensor.conversion import Conversion
from p2smt.tensor.derived_conversions import conversion_fault
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Source, SourceKind
from p2smt.tensor.holdings import RankIntervals, holding, roles_of
from p2smt.tensor.judgement import InferenceStep, Inferred, Layouts
from p2smt.tensor.layout import Layout, Local, OnRank, Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole, signature, whole_of, wholes
from p2smt.tensor.signature import Blocked, ParallelLabel, Reduced, Shape, Signature


@dataclass(frozen=True, slots=True)
class Fault:
    """The first step that does not hold, and why."""

    statement: str
    detail: str

    def __str__(self) -> str:
        return f"{self.statement}: {self.detail}"


def check(program: Program, inferred: Inferred) -> Fault | None:
    """Return the first incorrect step, source or output; None if the derivation holds."""
    return _Checker(program, inferred).run()


@dataclass(frozen=True, slots=True)
class _ExpressionType:
    layouts: Layouts
    shape: Shape


class _Checker:
    def __init__(self, program: Program, inferred: Inferred) -> None:
        self._program = program
        self._mesh = tuple(axis.size for axis in program.mesh)
        self._known: dict[str, Whole] = wholes(program)
        self._judged = {
            source.name: _ExpressionType(inferred.layouts[source.name], source.shape)
            for source in program.sources
            if source.name in inferred.layouts
        }
        self._holdings: dict[_ExpressionType, RankIntervals | None] = {}
        self._steps: dict[str, list[InferenceStep]] = {}
        for step in inferred.steps:
            self._steps.setdefault(step.statement, []).append(step)

    def run(self) -> Fault | None:
        for source in self._program.sources:
            if source.name not in self._judged or not self._is_declared(source):
                return Fault(source.name, "its layout differs from the declared one")
        for statement in self._program.statements:
            mine = self._steps.get(statement.name, [])
            stack: list[tuple[Expression, _ExpressionType]] = []
            for step in mine:
                if (detail := self._step(step, stack)) is not None:
                    return Fault(statement.name, detail)
            if len(stack) != 1 or stack[0][0] != statement.expression:
                return Fault(statement.name, "the derivation is of another statement")
            self._judged[statement.name] = stack[0][1]
        return self._outputs()

    def _is_declared(self, source: Source) -> bool:
        """True if a source's resolved layouts match its declaration.

        Kinds, dimensions and explicit sizes must be equal, blocks must tile the shape, and ranks must exist.
        A constant must not be Partial, and at most one reduction may occur, since the order of two would
        matter.
        """
        layouts = self._judged[source.name].layouts
        declared = {self._program.axis(placed.axis): placed.layout for placed in source.layouts}
        for axis, layout in enumerate(layouts):
            match declared.get(axis, Replicated()), layout:
                case Sliced(wanted, sizes), Sliced(dimension, made):
                    if wanted != dimension or sizes not in (None, made):
                        return False
                case wanted, given:
                    # only OnRank, Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
                    if wanted != given or (isinstance(given, OnRank) and given.rank >= self._mesh[axis]):
                        return False
        if source.kind is SourceKind.CONSTANT and any(isinstance(each, Partial) for each in layouts):
            return False
        return len(_reductions(layouts)) < 2 and self._held(self._judged[source.name]) is not None

    def _step(self, step: InferenceStep, stack: list[tuple[Expression, _ExpressionType]]) -> str | None:
        """Check one step, and replace its operands on the stack by its result."""
        parts = _operands(step.expression)
        given = stack[len(stack) - len(parts) :] if len(parts) <= len(stack) else []
        if tuple(expression for expression, _ in given) != parts:
            return "an operand is not judged"
        operands = [judged for _, judged in given]
        del stack[len(stack) - len(parts) :]
        after = _ExpressionType(step.layouts, whole_of(step.expression, self._known).shape)
        stack.append((step.expression, after))
        match step.expression:
            case Read(name):
                unlike = name not in self._judged or step.layouts != self._judged[name].layouts
                return f"{name} has another layout" if unlike else None
            case Number() | Ranks():
                same = all(isinstance(layout, Replicated) for layout in step.layouts)
                return None if same else "a number is the same everywhere"
            case Convert(conversion, _, axis):
                return self._conversion(conversion, operands[0], after, self._program.axis(axis))
            case Call():
                return self._call(step.expression, operands, after)

    def _conversion(
        self, conversion: Conversion, before: _ExpressionType, after: _ExpressionType, axis: int
    ) -> str | None:
        old, new = self._held(before), self._held(after)
        if old is None or new is None:
            return "blocks do not tile what is cut"
        return conversion_fault(conversion, old, new, axis, self._mesh)

    def _held(self, judged: _ExpressionType) -> RankIntervals | None:
        """Return the ranks' intervals of a tensor; None if blocks do not tile it.

        Results are cached, because the layers of a model repeat their tensors.
        """
        if judged not in self._holdings:
            self._holdings[judged] = holding(judged.layouts, self._mesh, judged.shape)
        return self._holdings[judged]

    def _call(self, call: Call, operands: list[_ExpressionType], after: _ExpressionType) -> str | None:
        if call.operation == "update" and operands[0].layouts != operands[1].layouts:
            return "a state changes its layout"
        signed = signature(call, tuple(operand.shape for operand in operands))
        held = [self._held(operand) for operand in operands]
        result = self._held(after)
        if result is None or any(each is None for each in held):
            return "blocks do not tile what is cut"
        known = [each for each in held if each is not None]
        for rank in range(len(result.intervals)):
            if (detail := _labels_fault(signed, known, result, rank)) is not None:
                return detail
        for axis in range(len(self._mesh)):
            along = [each.layouts[axis] for each in operands]
            if (detail := _axis_fault(signed, along, after.layouts[axis])) is not None:
                return detail
        return "summands of two reductions" if len(_reductions(after.layouts)) > 1 else None

    def _outputs(self) -> Fault | None:
        for output in self._program.outputs:
            declared = {self._program.axis(placed.axis): placed.layout for placed in output.layouts}
            for axis, layout in enumerate(self._judged[output.name].layouts):
                match layout:
                    case Partial() | Local():
                        if declared.get(axis) != layout:
                            return Fault(
                                output.name, "a partial or local value is an output, but is not declared as one"
                            )
                    case Replicated() | Sliced() | OnRank():
                        pass
                wanted = declared.get(axis, layout)
                if roles_of(wanted) != roles_of(layout):
                    return Fault(output.name, "the output has another layout than declared")
        return None


def _reductions(layouts: Layouts) -> set[ReductionOp]:
    return {layout.reduction for layout in layouts if isinstance(layout, Partial)}


def _operands(expression: Expression) -> tuple[Expression, ...]:
    match expression:
        case Read() | Number() | Ranks():
            return ()
        case Convert(_, operand, _):
            return (operand,)
        case Call(_, operands, _):
            return operands


def _labels_fault(signed: Signature, operands: list[RankIntervals], result: RankIntervals, rank: int) -> str | None:
    """Return a fault if operands and result hold different indices of a label, or only part of a blocked label."""
    indices: dict[str, tuple[int, int]] = {}
    sides = [*zip(signed.operands, operands, strict=True), (signed.result, result)]
    for dimensions, held in sides:
        for dimension, (start, stop) in zip(dimensions, held.intervals[rank], strict=True):
            if start % dimension.granule or stop % dimension.granule:
                return f"a cut inside a block of {dimension.granule}"
            mine = (start // dimension.granule, stop // dimension.granule)
            if indices.setdefault(dimension.label, mine) != mine:
                return f"indices {mine} of {dimension.label} meet {indices[dimension.label]} on rank {rank}"
    for label in signed.labels:
        match label.kind:
            case Blocked():
                if indices.get(label.name, (0, label.size)) != (0, label.size):  # one in no dimension counts work
                    return f"{label.name} is looked across and cut"
            case ParallelLabel() | Reduced():
                pass
    return None


def _axis_fault(signed: Signature, operands: list[Layout], result: Layout) -> str | None:
    kinds = {type(operand) for operand in operands} - {Replicated}
    if len(kinds) > 1:
        return "operands of different kinds"
    if kinds <= {Sliced}:
        return _cut_fault(signed, operands, result)
    if kinds == {Partial}:
        return _summand_fault(signed, operands, result)
    if kinds not in ({Local}, {OnRank}):
        return "no rule speaks of such operands"
    unlike = {operand for operand in operands if not isinstance(operand, Replicated)} != {result}
    return "a value of a rank's own, or of one rank, does not stay so" if unlike else None


def _cut_fault(signed: Signature, operands: list[Layout], result: Layout) -> str | None:
    """Return a fault unless the result's layout is the one that the kind of the cut label requires along this axis."""
    labels = {
        signed.operands[number][operand.dimension].label
        for number, operand in enumerate(operands)
        if isinstance(operand, Sliced)
    }
    if len(labels) > 1:
        return "one axis cuts two labels"
    for name in labels:
        match signed.label(name).kind:
            case Reduced(reduction):
                return None if result == Partial(reduction) else "the sum over a cut label is a summand"
            case ParallelLabel():
                kept = isinstance(result, Sliced) and signed.result[result.dimension].label == name
                return None if kept else "a cut label stays cut"
            case Blocked():
                return "a label that is looked across is cut"
    return None if isinstance(result, Replicated) else "what is the same everywhere stays so"


def _summand_fault(signed: Signature, operands: list[Layout], result: Layout) -> str | None:
    summed = {number for number, operand in enumerate(operands) if isinstance(operand, Partial)}
    reductions = {operand.reduction for operand in operands if isinstance(operand, Partial)}
    for each in signed.distributes:
        enough = summed == each.operands or (summed < each.operands and each.before.is_idempotent)
        if enough and reductions == {each.before} and result == Partial(each.after):
            return None
    return "the reduction does not pass through the operation"
