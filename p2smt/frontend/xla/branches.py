"""Conditionals in which devices take different branches, chosen by numbers known before the program runs."""

from collections.abc import Mapping, Sequence

import numpy as np

from p2smt.errors import VerifyError
from p2smt.frontend.xla.known import KnownNumbers
from p2smt.frontend.xla.ssa import HloInstruction
from p2smt.frontend.xla.ssa_store import PlanBuffers
from p2smt.frontend.xla.ssa_values import HloTensor, Value, per_device


def branch_indices(instruction: HloInstruction, condition: KnownNumbers, devices: int) -> list[int]:
    """Return every device's branch: the first for true, the last for indices out of range, as in XLA."""
    count = len(instruction.callees)
    if not count:
        raise VerifyError("the conditional has no branches")
    numbers = [condition.single(device) for device in range(devices)]
    if condition.values.dtype == np.bool_:
        return [0 if number else 1 for number in numbers]
    return [int(number) if 0 <= number < count else count - 1 for number in numbers]


def merged_branches(store: PlanBuffers, values: Mapping[int, Value], indices: Sequence[int]) -> Value:
    """Return every device's value from the branch that it took."""
    one = next(iter(values.values()))
    if len(values) == 1:
        return one
    if isinstance(one, tuple):
        inside = {index: value for index, value in values.items() if isinstance(value, tuple)}
        if len(inside) != len(values) or any(len(value) != len(one) for value in inside.values()):
            raise VerifyError("branches return different numbers of values; they must be equal")
        return tuple(
            merged_branches(store, {index: value[place] for index, value in inside.items()}, indices)
            for place in range(len(one))
        )
    tensors = {index: value for index, value in values.items() if isinstance(value, HloTensor)}
    if len(tensors) != len(values) or len({tensor.shape.dims for tensor in tensors.values()}) != 1:
        raise VerifyError("branches return tensors of different shapes; they must be equal")
    known = {index: tensor.where for index, tensor in tensors.items() if isinstance(tensor.where, KnownNumbers)}
    if len(known) == len(tensors):
        return HloTensor(
            one.shape, KnownNumbers(np.stack([known[index].of(device) for device, index in enumerate(indices)]))
        )
    pieces = {index: store.pieces(tensor) for index, tensor in tensors.items()}
    return HloTensor(one.shape, per_device([pieces[index].of(device) for device, index in enumerate(indices)]))
