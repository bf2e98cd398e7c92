"""Loops that one operation of symmetric memory carries out: a contraction with the collective before or behind it.

torch.ops.symm_mem.fused_matmul_reduce_scatter computes the block of one peer after the other and copies each into that
peer's memory, on a second stream, while the next one is computed; every rank then adds what it received.
fused_all_gather_matmul is its mirror: blocks are copied from peers, and multiplied as they arrive. Neither starts a
ring for each chunk, as a loop of calls does. What else is in the loop, such as the rest of a fused AllReduce, runs
behind the operation (torch.distributed._symmetric_memory; Wang et al., "Overlap communication with dependent
computation via decomposition", ASPLOS 2023).
"""

from dataclasses import dataclass

from p2smt.schedule.graph import observed, readers, statements
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.scheduled import Loop, ScheduledProgram
from p2smt.tensor.conversion import AllGather, ReduceScatter
from p2smt.tensor.expression import Call, Convert, Expression, Read
from p2smt.tensor.layout import ReductionOp, Sliced


@dataclass(frozen=True, slots=True)
class PipelinedPair:
    """A contraction and a collective of a loop; `rest` has the loop's other statements, which run behind them."""

    contraction: str
    collective: str
    rest: tuple[str, ...]

    @property
    def members(self) -> tuple[str, str]:
        """Return the two statements."""
        return self.contraction, self.collective


def pipelined_pair(scheduled: ScheduledProgram, loop: Loop) -> PipelinedPair | None:
    """Return the pair of a loop that one operation can carry out; None if there is none.

    The loop has two stages. Either the first is a product of a tensor and a matrix, all of whose parts have equal
    length, and the second begins with the ReduceScatter of its sum; or the first is an AllGather along a dimension
    that the product in the second does not contract.
    """
    if len(loop.stages) != 2:
        return None
    expressions, order = statements(scheduled.program), [each.name for each in scheduled.program.statements]
    first, second = (sorted(scheduled.members(stage), key=order.index) for stage in loop.stages)
    if len(first) != 1:
        return None
    (name,), rest = first, tuple(second[1:])
    before, behind = expressions[name], expressions[second[0]]
    alone = readers(scheduled.program)[name] == (second[0],) and name not in observed(scheduled.program)
    match before, behind:
        case Call("matmul"), Convert(ReduceScatter(dimension, _, ReductionOp.SUM), Read(read)):
            fits = alone and read == name and _is_even(scheduled, second[0], dimension)
            return PipelinedPair(name, second[0], rest) if fits and _is_by_matrix(scheduled, before) else None
        case Convert(AllGather(dimension), Read(part)), Call("matmul", (Read(read), _)):
            rank = len(typed(scheduled.program).shapes[name])
            fits = alone and read == name and dimension < rank - 1 and _is_even(scheduled, part, dimension)
            return PipelinedPair(second[0], name, rest) if fits and _is_by_matrix(scheduled, behind) else None
        case _:
            return None


def _is_by_matrix(scheduled: ScheduledProgram, product: Expression) -> bool:
    """True for a product of two named values whose second one is a matrix."""
    match product:
        case Call("matmul", (Read(), Read(matrix))):
            return len(typed(scheduled.program).shapes[matrix]) == 2
        case _:
            return False


def _is_even(scheduled: ScheduledProgram, name: str, dimension: int) -> bool:
    """True if a value is sliced along the dimension, into parts of equal length."""
    # only Sliced: a value that is a partial one or whole on its axis has no parts
    found = [each for each in typed(scheduled.program).layouts[name] if isinstance(each, Sliced)]
    return [each.dimension for each in found] == [dimension] and all(
        each.sizes is not None and len(set(each.sizes)) == 1 for each in found
    )
