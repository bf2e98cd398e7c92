"""Interpreter of programs on simulated ranks.

Each rank computes on its own arrays, so the result relies on no layout rule. A single-device program runs as
one rank.

    local operation   array[r] = operation(arrays of rank r)
    conversion        arrays of a group = conversion(arrays of the group), for the groups along its axis
Complexity: ranks times the work of a rank; memory for all ranks' values.
Reference: Darema, "The SPMD model: past, present and future", 2001.

Example: y = AllReduce(x) on 2 ranks with x = (1) and (2): both then hold (3).
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from p2smt.tensor.collectives_meaning import exchanged
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Number, Ranks, Read
from p2smt.tensor.frame import Frame, Interval, Intervals
from p2smt.tensor.meaning import DoesNotRunError, Meaning, Part, Parts
from p2smt.tensor.placing import coordinates, world
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import signature
from p2smt.tensor.signature import Dimension, Signature
from p2smt.tensor.typed_walk import TypedExpression, shapes_of, typed_walk


def run(
    program: Program,
    given: Mapping[str, Parts],
    meaning: Meaning,
    step: int = 0,
    watched: Callable[[str], None] | None = None,
) -> dict[str, Parts]:
    """Return the value of every source and statement on every rank; `given` holds the sources.

    DoesNotRunError if arrays do not fit. `watched` is called with the name of every statement after it has
    run.
    """
    return _Interpreter(program, given, meaning, step).run(watched)


class _Interpreter:
    def __init__(self, program: Program, given: Mapping[str, Parts], meaning: Meaning, step: int) -> None:
        self._program = program
        self._values = dict(given)
        self._meaning = meaning
        self._step = step
        self._walk = typed_walk(program)
        self._found: dict[int, Parts] = {}
        self._count = world(program.mesh)

    def run(self, watched: Callable[[str], None] | None) -> dict[str, Parts]:
        for statement, expressions in groupby(enumerate(self._walk), key=lambda each: each[1].statement):
            try:
                for number, typed in expressions:
                    # Nobody else reads an operand, so that it is kept no longer.
                    self._found[number] = self._made(typed, [self._found.pop(of) for of in typed.operands])
            except (DoesNotRunError, ValueError, IndexError, OverflowError) as cause:
                raise DoesNotRunError(f"{statement}: {cause}") from cause
            self._values[statement] = self._found.pop(number)
            if watched is not None:
                watched(statement)
        return self._values

    def _made(self, typed: TypedExpression, given: list[Parts]) -> Parts:
        match expression := typed.expression:
            case Read(name):
                return self._values[name]
            case Number(value):
                return self._everywhere(value)
            case Ranks(axis):
                return self._everywhere(self._program.mesh[self._program.axis(axis)].size)
            case Convert(conversion, _, axis):
                return self._converted(conversion, given[0], self._program.axis(axis))
            case Call():
                signed = signature(expression, shapes_of(self._walk, typed))
                types = tuple([self._walk[number].whole.dtype for number in typed.operands])
                return tuple([self._called(expression, signed, column, types) for column in zip(*given, strict=True)])

    def _everywhere(self, value: float) -> Parts:
        return (Part(self._meaning.number(value), ()),) * self._count

    def _called(
        self, call: Call, signed: Signature, operands: Sequence[Part | None], types: tuple[DType | None, ...]
    ) -> Part | None:
        parts = [part for part in operands if part is not None]
        if len(parts) < len(operands):
            return None
        intervals = tuple(part.intervals for part in parts)
        frame = Frame(call.attributes, intervals, result_part(signed, intervals), self._step, types)
        array = self._meaning.call(call.operation, [part.array for part in parts], frame)
        if array.shape != frame.shape:
            raise DoesNotRunError(f"{call.operation} gives {list(array.shape)}, not {list(frame.shape)}")
        return Part(array, frame.result)

    def _converted(self, conversion: Conversion, parts: Parts, axis: int) -> Parts:
        mesh = self._program.mesh
        groups: dict[tuple[int, ...], list[int]] = {}
        for rank in range(self._count):
            position = coordinates(mesh, rank)
            # Ranks that agree in all other coordinates exchange; they come in the order of their coordinate on the
            # axis.
            groups.setdefault((*position[:axis], *position[axis + 1 :]), []).append(rank)
        result: list[Part | None] = list(parts)
        for members in groups.values():
            after = exchanged(conversion, tuple(parts[rank] for rank in members), self._meaning)
            for rank, part in zip(members, after, strict=True):
                result[rank] = part
        return tuple(result)


def result_part(signed: Signature, operands: Sequence[Intervals]) -> Intervals:
    """Return the part of the result that follows from the operands' parts: a label has the same indices everywhere.

    DoesNotRunError if operands hold different numbers of a label's indices, or part of a view's block.
    """
    labels: dict[str, Interval] = {}
    for dimensions, intervals in zip(signed.operands, operands, strict=True):
        for dimension, interval in zip(dimensions, intervals, strict=True):
            indices = _indices(dimension, interval)
            known = labels.setdefault(dimension.label, indices)
            if known.length != indices.length:
                raise DoesNotRunError(f"{known.length} indices meet {indices.length}")
    sizes = {label.name: label.size for label in signed.labels}
    return tuple(_elements(each, labels.get(each.label, Interval(0, sizes[each.label]))) for each in signed.result)


def _indices(dimension: Dimension, interval: Interval) -> Interval:
    # A view joins a label with `granule` elements each; only whole groups of them are indices of
    # the label.
    if interval.start % dimension.granule or interval.stop % dimension.granule:
        raise DoesNotRunError(f"{interval.length} elements do not divide into blocks of {dimension.granule}")
    return Interval(interval.start // dimension.granule, interval.stop // dimension.granule)


def _elements(dimension: Dimension, indices: Interval) -> Interval:
    return Interval(indices.start * dimension.granule, indices.stop * dimension.granule)
