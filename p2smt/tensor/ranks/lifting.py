"""Lifting of SPMD code to one distributed program: each rank's array is read as a part of an unsharded tensor.

Method: abstract interpretation (Cousot and Cousot, "Abstract interpretation", 1977) with the domain of boxes. An array
is represented by the shape of an unsharded tensor, and for each rank one interval along each dimension:
    sources       the intervals of their layouts,
    operations    interval of a dimension of the result = that of its label in the operands,
    collectives   the intervals after it, group by group (`exchange.py`),
    invariant     the lengths of a rank's intervals are the shape of its array.
Which numbers the arrays hold is checked elsewhere, so a wrong reading cannot prove anything. A dimension of length 1
can be whole, or one index for each rank; both readings are tried.
Complexity: O(statements x ranks x dimensions), twice at most.

Example: x of [4, 2] in slices of two rows on two ranks, relu of each rank's [2, 2], then all_gather. The parts are rows
0:2 and 2:4, then 0:4 on both: y = relu(x), z = AllGather(y, 0).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.errors import ProgramError
from p2smt.tensor.conversion import AllReduce, Broadcast, Conversion, Keep
from p2smt.tensor.expression import Call, Convert, Expression, Number, Output, Read, Statement
from p2smt.tensor.frame import Interval, Intervals
from p2smt.tensor.interpreter import result_part
from p2smt.tensor.meaning import DoesNotRunError
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.tensor.ranks.exchange import along, axes_of, axis_groups, parts_after
from p2smt.tensor.ranks.lifting_failure import LiftingFailure
from p2smt.tensor.ranks.moving import cut_along_axis, moved_parts
from p2smt.tensor.ranks.parts import lengths, part_text, placed_parts
from p2smt.tensor.ranks.programs import (
    ArrayPermutation,
    Delivery,
    GroupExchange,
    LocalCall,
    NamedExchange,
    OneRankCall,
    RankPrograms,
    RankStatement,
    check_given,
    new_version,
)
from p2smt.tensor.ranks.reading import bounds, whole_calls
from p2smt.tensor.reason import Refusal
from p2smt.tensor.shapes import signature
from p2smt.tensor.signature import Reduced, Shape, Signature
from p2smt.tensor.tidying import renamed, without_unused


@dataclass(frozen=True, slots=True)
class _Value:
    """The shape of an unsharded tensor, and each rank's part of it."""

    shape: Shape
    parts: tuple[Intervals, ...]


class _UnliftedError(Exception):
    pass


def lifted(ranks: RankPrograms) -> Program | LiftingFailure:
    """Return the distributed program that all ranks run.

    ProgramError for source layouts that do not fit their shapes.
    """
    found = _Lifter(ranks, stacked=True).program()
    if isinstance(found, Program):
        return found
    other = _Lifter(ranks, stacked=False).program()
    return other if isinstance(other, Program) else found


def _name(statement: RankStatement) -> str:
    return statement.names[0] if isinstance(statement, NamedExchange) else statement.name


class _Lifter:
    def __init__(self, ranks: RankPrograms, *, stacked: bool) -> None:
        self._ranks, self._stacked = ranks, stacked
        self._count = world(ranks.mesh)
        self._values: dict[str, _Value] = {}
        self._statements: list[Statement] = []
        self._given = {source.name for source in ranks.sources}

    def program(self) -> Program | LiftingFailure:
        for source in self._ranks.sources:
            parts = placed_parts(source.layouts, self._ranks, source.shape)
            if isinstance(parts, Refusal):
                raise ProgramError(f"{source.name}: {parts}")
            check_given(source)
            self._values[source.name] = _Value(source.shape, parts)
        for statement in self._ranks.statements:
            try:
                match statement:
                    case LocalCall():
                        self._computed(statement)
                    case GroupExchange():
                        self._exchanged(statement)
                    case ArrayPermutation():
                        self._permuted(statement)
                    case OneRankCall() | NamedExchange() | Delivery():
                        raise _UnliftedError("ranks run other operations, or send to each other")
            except _UnliftedError as refused:
                return LiftingFailure(_name(statement), str(refused))
        return self._observed()

    def _observed(self) -> Program | LiftingFailure:
        """Return the program with the names of observed values."""
        for name, value in (*self._ranks.outputs, *self._ranks.updates):
            if (refused := self._misplaced(name, self._values.get(value))) is not None:
                return LiftingFailure(name, refused)
        for source, value in self._ranks.updates:
            self._statements.append(Statement(new_version(source), Call("update", (Read(source), Read(value)))))
        names: dict[str, str] = {}
        outputs = []
        for output, value in self._ranks.outputs:
            if output in self._given and value != output:
                return LiftingFailure(output, "it is a source, but another value is returned under its name")
            observed = value
            if value in names or (value in self._given and value != output):
                observed = f"{output}.out"
                self._statements.append(Statement(observed, Call("add", (Read(value), Number(0)))))
            if observed not in self._given:
                names[observed] = output
            outputs.append(Output(observed))
        program = Program(
            name=self._ranks.name,
            mesh=self._ranks.mesh,
            sources=self._ranks.sources,
            statements=tuple(self._statements),
            outputs=tuple(outputs),
        )
        return without_unused(renamed(program, names))

    def _misplaced(self, name: str, value: _Value | None) -> str | None:
        """Return the reason why a value is not in the layouts declared for it; None if it is, or none are declared."""
        if value is None or name not in self._ranks.placed:
            return None
        parts = placed_parts(self._ranks.placed[name], self._ranks, value.shape)
        if isinstance(parts, Refusal):
            return str(parts)
        for rank, (own, said) in enumerate(zip(value.parts, parts, strict=True)):
            if own != said:
                return f"rank {rank} has {part_text(own)} of it, and is said to have {part_text(said)}"
        return None

    def _add(self, name: str, expression: Expression, value: _Value) -> None:
        for rank, part in enumerate(value.parts):
            local = self._ranks.shapes[rank][name]
            if any(interval.stop > length for interval, length in zip(part, value.shape, strict=True)):
                raise _UnliftedError("the gathered tensor is not sliced along that dimension on the groups' axis")
            if lengths(part) != local:
                raise _UnliftedError(
                    f"rank {rank} has an array of shape {list(local)}, where {list(lengths(part))} "
                    f"would be its part of a tensor of shape {list(value.shape)}"
                )
        self._statements.append(Statement(name, expression))
        self._values[name] = value

    def _computed(self, statement: LocalCall) -> None:
        calls = statement.calls
        if calls[0].operation == "slice" and len(set(calls)) > 1:
            self._own_slices(statement)
            return
        refused = "the ranks compute with different numbers or bounds"
        for call in self._whole_calls(statement):
            try:
                self._add(statement.name, call, self._called(call))
            except (_UnliftedError, ProgramError, DoesNotRunError) as cause:
                refused = str(cause)
            else:
                return
        raise _UnliftedError(refused)

    def _whole_calls(self, statement: LocalCall) -> Iterator[Call]:
        first = statement.calls[0].operands[0]
        if isinstance(first, Read):
            before = [self._shape(rank, first.name) for rank in range(self._count)]
            whole_shape = self._values[first.name].shape
        else:
            before, whole_shape = [()] * self._count, ()
        after = [shapes[statement.name] for shapes in self._ranks.shapes]
        pairs = list(zip(before, after, strict=True))
        yield from whole_calls(statement.calls, whole_shape, pairs, stacked=self._stacked)

    def _shape(self, rank: int, name: str) -> Shape:
        return lengths(self._values[name].parts[rank])

    def _called(self, call: Call) -> _Value:
        operands = [self._values[each.name] if isinstance(each, Read) else None for each in call.operands]
        shapes = tuple(() if each is None else each.shape for each in operands)
        signed = signature(call, shapes)
        parts = []
        for rank in range(self._count):
            mine = [() if each is None else each.parts[rank] for each in operands]
            self._needs_whole(call, signed, mine)
            parts.append(result_part(signed, mine))
        return _Value(signed.shape, tuple(parts))

    def _needs_whole(self, call: Call, signed: Signature, parts: list[Intervals]) -> None:
        """Refuse operations that depend on global indices of a label that is sliced over ranks."""
        operation = OPERATIONS[call.operation]
        counted = set(operation.counted(call.attributes))
        match operation.kind:
            case Kind.RANDOM:
                raise _UnliftedError("ranks draw random numbers of their own, which a program cannot express")
            case Kind.TAKE:
                # only Reduced: others are not counted
                counted |= {label.name for label in signed.labels if isinstance(label.kind, Reduced)}
            case (
                Kind.CONTRACT
                | Kind.MAP
                | Kind.REDUCE
                | Kind.ROW
                | Kind.RELABEL
                | Kind.VIEW
                | Kind.PUT
                | Kind.JOIN
                | Kind.UPDATE
            ):
                pass
        sizes = {label.name: label.size for label in signed.labels}
        for dimensions, intervals in zip(signed.operands, parts, strict=True):
            for dimension, interval in zip(dimensions, intervals, strict=True):
                if dimension.label in counted and interval.length != sizes[dimension.label] * dimension.granule:
                    raise _UnliftedError(f"{call.operation} counts along a dimension that is sliced over ranks")

    def _own_slices(self, statement: LocalCall) -> None:
        """Lift a slice with different bounds per rank: the blocks of an axis, of a value that all ranks hold whole."""
        operand = statement.calls[0].operands[0]
        assert isinstance(operand, Read)
        value = self._values[operand.name]
        each = [bounds(call) for call in statement.calls]
        dim = each[0][0]
        if any(other[0] != dim for other in each):
            raise _UnliftedError("ranks take slices along different dimensions")
        ends = [[part[dim].start + end for end in bound[1:]] for part, bound in zip(value.parts, each, strict=True)]
        start, stop = min(first for first, _ in ends), max(last for _, last in ends)
        before: Expression = operand
        if (start, stop) != (0, value.shape[dim]):
            if any(part[dim].length != value.shape[dim] for part in value.parts):
                raise _UnliftedError("each rank takes its own slice of a tensor already sliced along that dimension")
            name = f"{statement.name}.all"
            call = Call("slice", (operand,), (dim, start, stop))
            self._statements.append(Statement(name, call))
            value = self._values[name] = self._called(call)
            before = Read(name)
        after = tuple(
            (*part[:dim], Interval(first - start, last - start), *part[dim + 1 :])
            for part, (first, last) in zip(value.parts, ends, strict=True)
        )
        made = cut_along_axis(before, value.parts, after, dim, self._ranks.mesh)
        made = made or moved_parts(before, value.parts, after, value.shape, self._ranks.mesh, gathers=False)
        if made is None:
            raise _UnliftedError("the slices that ranks take are not consecutive blocks in the order of a mesh axis")
        self._add(statement.name, made, _Value(value.shape, after))

    def _after(self, conversion: Conversion, axis: int, parts: tuple[Intervals, ...]) -> tuple[Intervals, ...]:
        after = list(parts)
        for group in axis_groups(self._ranks.mesh, (axis,)):
            made = parts_after(conversion, [parts[rank] for rank in group])
            if made is None:
                raise _UnliftedError(f"{type(conversion).__name__} of a tensor that does not have such blocks")
            for rank, part in zip(group, made, strict=True):
                after[rank] = part
        return tuple(after)

    def _exchanged(self, statement: GroupExchange) -> None:
        axes = axes_of(statement.groups, self._ranks.mesh)
        if axes is None:
            groups = " ".join("[" + ", ".join(map(str, group)) + "]" for group in statement.groups)
            raise _UnliftedError(f"it is among the ranks {groups[:200]}, which are not the groups of a mesh axis")
        steps = along(statement.conversion, axes)
        if isinstance(statement.conversion, Broadcast):
            steps = [(Keep(statement.conversion.root), axes[0]), (AllReduce(), axes[0])] if len(axes) == 1 else None
        if steps is None:
            raise _UnliftedError("it runs along several axes at once")
        value, expression = self._values[statement.operand], Read(statement.operand)
        made: Expression = expression
        parts = value.parts
        for conversion, axis in steps:
            parts = self._after(conversion, axis, parts)
            made = Convert(conversion, made, self._ranks.mesh[axis].name)
        self._add(statement.name, made, _Value(value.shape, parts))

    def _permuted(self, statement: ArrayPermutation) -> None:
        """Lift an exchange in which every rank receives a part of the same tensor: gather it, then slice it again."""
        value = self._values[statement.operand]
        sender = {target: source for source, target in statement.pairs}
        if len(sender) < self._count:
            raise _UnliftedError("ranks that receive nothing hold zeros, which no conversion gives")
        after = tuple(value.parts[sender[rank]] for rank in range(self._count))
        made = moved_parts(Read(statement.operand), value.parts, after, value.shape, self._ranks.mesh, gathers=True)
        if made is None:
            raise _UnliftedError("after ranks exchange their parts, the tensor is not sliced along mesh axes")
        self._add(statement.name, made, _Value(value.shape, after))
