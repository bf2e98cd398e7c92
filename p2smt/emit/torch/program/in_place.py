"""Operations in the memory of their first operand, with the same bits and no more memory."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from p2smt.emit.torch.program.storage import IN_PLACE
from p2smt.emit.torch.program.value import Value
from p2smt.tensor.expression import Call, Number, Read, parts
from p2smt.tensor.program import Program


def in_place(operation: str, operands: Sequence[Value], made: Value) -> str:
    """Return the expression `made` as an in-place change of its first operand; "" if that is not possible.

    It is possible if the result has the operand's type, shape and layouts. For operands of two types, torch would
    compute in a third, and round after every operation instead of once.

    >>> from p2smt.tensor.dtype import DType
    >>> p = Value(text="p", layouts=(), dtype=DType.F32, in_place="p.mul_(0.9)")
    >>> in_place("add", [p, Value(text="g", layouts=(), dtype=DType.F32)], p)
    'p.mul_(0.9).add_(g)'
    """
    if operation not in IN_PLACE or not operands[0].in_place:
        return ""
    left, right = operands
    kept = (left.dtype, left.shape, left.layouts, left.chunked) == (made.dtype, made.shape, made.layouts, made.chunked)
    if not kept or right.dtype not in (None, left.dtype):
        return ""
    return f"{left.in_place}.{IN_PLACE[operation]}({right.text})"


def with_counts_inside(program: Program) -> Program:
    """Return the program with sums of an old version and a number inlined into the update that is their only reader.

    So a step count is incremented in place, as `c.add_(1)`.
    """
    counts = {}
    for each in program.statements:
        match each.expression:
            case Call(operation, (Read(old), Number())) if operation in IN_PLACE:
                counts[each.name] = (old, each.expression)
            case _:
                pass
    reads = Counter(
        part.name for each in program.statements for part in parts(each.expression) if isinstance(part, Read)
    )
    reads.update(output.name for output in program.outputs)
    statements, inside = [], set()
    for each in program.statements:
        match each.expression:
            case Call("update", (Read(old), Read(name))) if reads[name] == 1 and counts.get(name, ("",))[0] == old:
                inside.add(name)
                statements.append(replace(each, expression=Call("update", (Read(old), counts[name][1]))))
            case _:
                statements.append(each)
    return replace(program, statements=tuple(each for each in statements if each.name not in inside))
