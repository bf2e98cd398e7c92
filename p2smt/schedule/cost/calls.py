"""The operation calls of an emitted program, sized by the rank with the largest share.

All ranks wait for the slowest one, so the size of a call is a maximum over ranks r, with part(l, r) the least length
that any operand or the result has of label l on rank r:
    contraction   max over r of  2 * product over labels l of part(l, r)   (a multiplication and an addition each),
    update        2 * max over r of  the bytes of the result on r,
    others        max over r of  the bytes of all operands and of the result on r.
Complexity: O(ranks x dimensions) for each different shape and layout.
Reference: Golub and Van Loan, "Matrix Computations", section 1.1 (2 m n k operations of a product).

Example: [8, 6] @ [6, 4] with the rows in slices of 5 and 3: max(2 * 5 * 6 * 4, 2 * 3 * 6 * 4) = 240 operations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from p2smt.schedule.graph import reads
from p2smt.tensor.expression import Call
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import InferenceStep, Layouts, Refused
from p2smt.tensor.layout import is_there
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.placing import coordinates, part_of, world
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole, signature
from p2smt.tensor.signature import Shape


@dataclass(frozen=True, slots=True)
class OperationCall:
    """A call of an operation; `size` is arithmetic operations for a contraction, else bytes.

    For a contraction, `tensors` has the bytes of its operands and result, each with the names it reads.
    """

    operation: str
    size: float
    tensors: tuple[tuple[frozenset[str], float], ...] = ()

    def moved(self, chunks: int = 1, whole: frozenset[str] = frozenset()) -> float:
        """Return the bytes of a contraction's tensors for one of `chunks` chunks.

        Operands in `whole` are not divided.
        """
        return sum(held / (1 if read and read <= whole else chunks) for read, held in self.tensors)


def calls(program: Program) -> Mapping[str, tuple[OperationCall, ...]]:
    """Return the operation calls of each statement; scalar computations have none.

    A call counts the bytes of all its tensor operands and of its result; views have no call.
    """
    inferred = infer(program)
    if isinstance(inferred, Refused):
        return {}
    counted = _CallCounter(program)
    found: dict[str, list[OperationCall]] = {statement.name: [] for statement in program.statements}
    for step in inferred.steps:
        if isinstance(step.expression, Call):
            made = counted.made(step.expression, inferred.operands(step), step)
            found[step.statement] += [] if made is None else [made]
    return {name: tuple(made) for name, made in found.items()}


class _CallCounter:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._sizes: dict[tuple[Layouts, Shape], tuple[int, ...]] = {}

    def made(self, call: Call, operands: Sequence[InferenceStep], result: InferenceStep) -> OperationCall | None:
        """Return an operation call; None if it involves no tensors or is a view."""
        whole, made = [step.whole for step in operands], result.whole
        if not any(each.shape for each in (made, *whole)):
            return None
        match OPERATIONS[call.operation].kind:
            case Kind.RELABEL | Kind.VIEW:
                return None
            case Kind.CONTRACT:
                size = self._contracted(call, operands, result)
                names = (*map(reads, call.operands), frozenset[str]())
                given = zip((*whole, made), (*(step.layouts for step in operands), result.layouts), strict=True)
                held = [float(max(self._bytes(each, layouts))) for each, layouts in given]
                return OperationCall(call.operation, size, tuple(zip(map(frozenset, names), held, strict=True)))
            case Kind.UPDATE:
                # Read once and written once.
                return OperationCall(call.operation, 2.0 * max(self._bytes(made, result.layouts)))
            case Kind.MAP | Kind.REDUCE | Kind.ROW | Kind.TAKE | Kind.PUT | Kind.JOIN | Kind.RANDOM:
                given = zip(whole, (step.layouts for step in operands), strict=True)
                every = [*(each for each in given if each[0].dtype is not None), (made, result.layouts)]
                # The rank with the most bytes decides, since the others wait for it.
                by_rank = zip(*(self._bytes(each, layouts) for each, layouts in every), strict=True)
                return OperationCall(call.operation, max(map(sum, by_rank)))

    def _contracted(self, call: Call, operands: Sequence[InferenceStep], result: InferenceStep) -> float:
        """Return the largest operation count of a rank: two per combination of label indices."""
        signed = signature(call, tuple([step.whole.shape for step in operands]))
        dimensions, sides = (*signed.operands, signed.result), (*operands, result)
        most = 0.0
        for rank in range(world(self._program.mesh)):
            counts = {label.name: label.size for label in signed.labels}
            for names, side in zip(dimensions, sides, strict=True):
                if not self._is_there(side.layouts, rank):
                    counts = dict.fromkeys(counts, 0)
                    continue
                part = part_of(side.layouts, self._program.mesh, side.whole.shape, rank)
                for name, interval in zip(names, part, strict=True):
                    # A label that any operand or the result is cut along is worked on in that part alone.
                    counts[name.label] = min(counts[name.label], interval.length)
            most = max(most, 2.0 * prod(counts.values()))
        return most

    def _bytes(self, whole: Whole, layouts: Layouts) -> tuple[int, ...]:
        """Return the bytes of a tensor on every rank."""
        key, dtype = (layouts, whole.shape), whole.dtype
        if key not in self._sizes:
            self._sizes[key] = tuple(
                prod(each.length for each in part_of(layouts, self._program.mesh, whole.shape, rank))
                if self._is_there(layouts, rank)
                else 0
                for rank in range(world(self._program.mesh))
            )
        return tuple(size * (4 if dtype is None else dtype.bytes) for size in self._sizes[key])

    def _is_there(self, layouts: Layouts, rank: int) -> bool:
        position = coordinates(self._program.mesh, rank)
        return all(is_there(each, at) for each, at in zip(layouts, position, strict=True))
