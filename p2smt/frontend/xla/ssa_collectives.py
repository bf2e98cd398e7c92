"""XLA's collectives as calls of a plan.

If blocks are taken along an inner dimension, a block is not contiguous; then one call per index of the outer
dimensions moves a contiguous part.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from p2smt.collective import Communication, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.builder import CallMember, GroupCall
from p2smt.frontend.xla.layout import joined, sliced
from p2smt.frontend.xla.mesh import Groups
from p2smt.frontend.xla.operators import HloKind, Operator
from p2smt.frontend.xla.processes import process_groups, process_pairs
from p2smt.frontend.xla.ssa import HloInstruction, HloShape, Module
from p2smt.frontend.xla.ssa_store import PlanBuffers
from p2smt.frontend.xla.ssa_values import ZEROS, HloTensor, Value, one_part
from p2smt.verify.limits import MAX_STEPS
from p2smt.verify.operation import blocks_of, has_blocks, written
from p2smt.verify.plan import BufferRange


@dataclass(slots=True)
class PlanCollectives:
    """A builder that adds collective calls to a plan.

    `used` maps the communications that occurred to their groups, `count` is their number, and `exchanged` holds
    the (split, concatenated) dimensions of all-to-alls.
    """

    module: Module
    store: PlanBuffers
    used: dict[Operator, set[Groups]] = field(default_factory=dict)
    exchanged: set[tuple[int, int]] = field(default_factory=set)
    count: int = 0

    def value(
        self, instruction: HloInstruction, communication: Communication, tensors: Sequence[HloTensor], number: int
    ) -> Value:
        """Emit a communication among groups, and return its result. Raises VerifyError without a line."""
        groups = process_groups(self.module, instruction, self.store.devices)
        self.used.setdefault(communication, set()).add(groups)
        self.count += 1
        if all(blocks_of(communication)) and instruction.dims:
            self.exchanged.add((instruction.dims[0], instruction.dims[-1]))
        if all(blocks_of(communication)) and not instruction.dims:
            return self._exchanged(instruction, tensors, groups, number)
        one = self._blocks if has_blocks(communication) else self._whole
        results = tuple(one(communication, instruction, tensor, groups, number) for tensor in tensors)
        return results if len(results) > 1 else results[0]

    def permuted(self, instruction: HloInstruction, tensors: Sequence[HloTensor], number: int) -> Value:
        """Emit a collective-permute, and return its result. Raises VerifyError without a line."""
        pairs = process_pairs(self.module, instruction, self.store.devices)
        self.used.setdefault(HloKind.PERMUTE, set())
        self.count += 1
        values = tuple(self._permuted(instruction, tensor, pairs, number) for tensor in tensors)
        return values if len(values) > 1 else values[0]

    def _blocks(
        self, communication: Communication, instruction: HloInstruction, tensor: HloTensor, groups: Groups, number: int
    ) -> HloTensor:
        """A reduce-scatter or all-gather along one dimension."""
        if all(blocks_of(communication)) and len(set(instruction.dims)) == 2:
            return self._turned(instruction, tensor, groups, number)
        if len(set(instruction.dims)) != 1:
            raise VerifyError(f"dimensions {list(instruction.dims[:8])}; the collective works along exactly one")
        axis, dims, size = instruction.dims[0], list(tensor.shape.dims), _size(groups)
        length = written(communication, dims[axis], size) if axis < len(dims) else None
        if length is None:
            raise VerifyError(
                f"dimension {axis} of {tensor.shape} does not exist, or does not divide into {size} equal blocks"
            )
        dims[axis] = length
        return self._along(communication, instruction, tensor, groups, HloShape(tensor.shape.kind, tuple(dims)), number)

    def _turned(self, instruction: HloInstruction, tensor: HloTensor, groups: Groups, number: int) -> HloTensor:
        """An all-to-all that splits one dimension and concatenates along another."""
        split, concat = instruction.dims
        dims, size = list(tensor.shape.dims), _size(groups)
        if max(split, concat) >= len(dims) or dims[split] % size:
            raise VerifyError(
                f"dimension {split} or {concat} of {tensor.shape} does not exist, or does not divide into "
                f"{size} equal blocks"
            )
        dims[split] //= size
        block = HloShape(tensor.shape.kind, tuple(dims))
        each = [[(0, n, 1) for n in tensor.shape.dims] for _ in range(size)]
        for place, ranges in enumerate(each):
            ranges[split] = (place * dims[split], (place + 1) * dims[split], 1)
        order = tuple(piece for ranges in each for piece in sliced(tensor.shape, ranges))
        sent = HloTensor(tensor.shape, self.store.of_each(self.store.pieces(tensor), order))
        source, out = self.store.part(sent, number), self.store.buffer(instruction.name, tensor.shape.size)
        self._together(Exchange.ALL_TO_ALL, groups, source, out, number)
        dims[concat] *= size
        pieces = self.store.of_each(one_part(out), joined([block] * size, concat))
        return HloTensor(HloShape(tensor.shape.kind, tuple(dims)), pieces)

    def _whole(
        self, operation: Communication, instruction: HloInstruction, tensor: HloTensor, groups: Groups, number: int
    ) -> HloTensor:
        source, out = self.store.part(tensor, number), self.store.buffer(instruction.name, tensor.shape.size)
        self._together(operation, groups, source, out, number)
        return HloTensor(tensor.shape, one_part(out))

    def _along(
        self,
        operation: Communication,
        instruction: HloInstruction,
        tensor: HloTensor,
        groups: Groups,
        shape: HloShape,
        number: int,
    ) -> HloTensor:
        source, out = self.store.part(tensor, number), self.store.buffer(instruction.name, shape.size)
        outer = prod(tensor.shape.dims[: instruction.dims[0]])
        if outer > MAX_STEPS:
            raise VerifyError(
                f"blocks along dimension {instruction.dims[0]} lie in {outer} pieces each; at most "
                f"{MAX_STEPS} are supported"
            )
        for read, target in zip(_pieces(source, outer), _pieces(out, outer), strict=True):
            self._together(operation, groups, read, target, number)
        return HloTensor(shape, one_part(out))

    def _exchanged(
        self, instruction: HloInstruction, tensors: Sequence[HloTensor], groups: Groups, number: int
    ) -> tuple[HloTensor, ...]:
        """An all-to-all of tuples: operand `j` of member `i` becomes element `i` of member `j`'s result."""
        size, shape = _size(groups), tensors[0].shape
        if len(tensors) != size or any(tensor.shape.dims != shape.dims for tensor in tensors):
            raise VerifyError(
                f"{len(tensors)} operands in groups of {size}; there must be one for each member, all of one shape"
            )
        out = self.store.buffer(instruction.name, shape.size * size)
        whole = HloShape(shape.kind, (size, *shape.dims))
        sent = self.store.part(HloTensor(whole, self.store.joined(tuple(tensors))), number)
        self._together(Exchange.ALL_TO_ALL, groups, sent, out, number)
        return tuple(HloTensor(shape, one_part(piece)) for piece in _pieces(out, size))

    def _permuted(self, instruction: HloInstruction, tensor: HloTensor, pairs: Groups, number: int) -> HloTensor:
        """Emit a permute: every target gets its source's value, all other devices get zeros."""
        source, out = self.store.part(tensor, number), self.store.buffer(instruction.name, tensor.shape.size)
        store = self.store
        store.charge(2 * store.devices)
        zeros = store.builder.zero(ZEROS, tensor.shape.size)
        store.builder.copy(set(range(store.devices)) - {target for _, target in pairs}, zeros, out, number)
        store.builder.copy([target for one, target in pairs if one == target], source, out, number)
        # A device is one source and one target at most: the graph of pairs has degree two, and a
        # greedy edge coloring needs at most 2 * 2 - 1 rounds.
        for apart in _rounds(pairs):
            self._together(Exchange.SEND, apart, source, out, number)
        return HloTensor(tensor.shape, one_part(out))

    def _together(
        self, operation: Communication, groups: Groups, source: BufferRange, target: BufferRange, number: int
    ) -> None:
        self.store.charge(sum(map(len, groups)))
        calls = [
            GroupCall(operation, tuple(CallMember(device, source, target) for device in group)) for group in groups
        ]
        self.store.builder.together(calls, number)


def _size(groups: Groups) -> int:
    """Return the common size of the groups; raises VerifyError if sizes differ."""
    sizes = {len(group) for group in groups}
    if len(sizes) > 1:
        raise VerifyError(
            f"groups of {min(sizes)} and of {max(sizes)} devices; this operation needs groups of one size"
        )
    return sizes.pop()


def _pieces(part: BufferRange, count: int) -> Iterator[BufferRange]:
    length = part.length // count
    return (BufferRange(part.buffer, part.start + place * length, length) for place in range(count))


def _rounds(pairs: Groups) -> list[Groups]:
    """Return the pairs in rounds of disjoint pairs, by greedy edge coloring; a permutation needs at most three."""
    rounds: list[list[tuple[int, ...]]] = []
    taken: list[set[int]] = []
    for one, other in ((one, other) for one, other in pairs if one != other):
        place = next((place for place, names in enumerate(taken) if one not in names and other not in names), None)
        if place is None:
            place = len(rounds)
            rounds.append([])
            taken.append(set())
        rounds[place].append((one, other))
        taken[place] |= {one, other}
    return [tuple(apart) for apart in rounds]
