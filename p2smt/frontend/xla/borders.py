"""Boundaries between global values and per-device shards.

Shardings are compared as text only. A change of sharding at a boundary would move data without an instruction, so
it is refused.
"""

from collections.abc import Sequence

from p2smt.errors import VerifyError
from p2smt.frontend.xla.known import KnownNumbers, everywhere
from p2smt.frontend.xla.ssa import HloInstruction, HloShape, Type
from p2smt.frontend.xla.ssa_store import PlanBuffers
from p2smt.frontend.xla.ssa_values import GivenParameter, HloTensor, Value, leaves


class Borders:
    """A record of the shardings of parameters at boundaries."""

    def __init__(self, store: PlanBuffers) -> None:
        self._store = store
        self._shared: dict[int, tuple[str, HloShape]] = {}

    def inside(self, instruction: HloInstruction, values: Sequence[Value], types: Sequence[Type]) -> list[Value]:
        """Return per-device values for global values; the caller adds the line to a VerifyError."""
        if len(values) != len(types):
            raise VerifyError(f"{len(values)} values for {len(types)} types; there must be one value for each")
        shared = instruction.shared or ("",) * len(values)
        if len(shared) != len(values):
            raise VerifyError(f"{len(shared)} shardings for {len(values)} values; give one for each")
        return [self._inside(*one) for one in zip(values, types, shared, strict=True)]

    def _inside(self, value: Value, type_: Type, shared: str) -> HloTensor:
        if not isinstance(value, HloTensor) or not isinstance(type_, HloShape):
            raise VerifyError("expected a tensor, found a tuple; take one element of it")
        match value.where:
            case GivenParameter(place):
                before = self._shared.setdefault(place, (shared, type_))
                used = self._store.given.get(place)
                if before != (shared, type_) or (used is not None and used[0].size != type_.size):
                    raise VerifyError(
                        f"{value.shape} becomes {type_}; only an unused parameter may have "
                        "different shapes on different devices, and each parameter must have one sharding"
                    )
            case KnownNumbers() as known if value.whole is None and known.uniform:
                return HloTensor(type_, everywhere(known, type_.dims))
            case _:
                if value.shape.dims != type_.dims or value.whole not in (None, shared):
                    raise VerifyError(
                        f"{value.shape} becomes {type_}, with the sharding {shared[:80]} after "
                        f"{(value.whole or 'nothing')[:80]}; only parameters may change their sharding at the "
                        "border, because data would move"
                    )
        return HloTensor(type_, value.where)

    def outside(self, values: Sequence[Value], shared: Sequence[str]) -> list[Value]:
        """Return global values for per-device values. Raises VerifyError without a line."""
        shared = shared or ("",) * len(values)
        if len(shared) != len(values):
            raise VerifyError(f"{len(shared)} shardings for {len(values)} values; give one for each")
        return [self._outside(value, text) for value, text in zip(values, shared, strict=True)]

    def _outside(self, value: Value, shared: str) -> HloTensor:
        if not isinstance(value, HloTensor):
            raise VerifyError("expected a tensor, found a tuple; take one element of it")
        _check_unmoved(value, shared)
        return HloTensor(value.shape, value.where, shared)

    def check_results(self, values: Sequence[Value], shared: Sequence[str]) -> None:
        """Raise VerifyError if results have, or may have, another sharding than declared."""
        tensors = [tensor for value in values for tensor in leaves(value)]
        if any(tensor.whole is not None and isinstance(tensor.where, GivenParameter) for tensor in tensors):
            raise VerifyError(
                "a result is a sharded parameter, whose sharding may change on the way out; the program "
                "is not partitioned yet, so give the text of the compiled program"
            )
        if len(shared) == len(tensors):
            for tensor, text in zip(tensors, shared, strict=True):
                _check_unmoved(tensor, text)


def _check_unmoved(tensor: HloTensor, shared: str) -> None:
    if tensor.whole and shared and tensor.whole != shared:
        raise VerifyError(
            f"a value with the sharding {tensor.whole[:80]} gets {shared[:80]}, which moves data, and the "
            "compiler decides how; give the text of the compiled program"
        )
