"""Costs of the statements of a distributed program: computation, collectives and bytes, by judgement.

Statements with one judgement (`StatementJudgement`) take the same, so each is priced once for all programs on a mesh.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from p2smt.spmd.account.kernels import KernelTimes, kernel_picoseconds
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.effort import counted
from p2smt.spmd.devices.network import PICO, CollectivePrice, NetworkModel
from p2smt.spmd.devices.parts import ConvertedTensor, MeshRanks, Numbers
from p2smt.tensor.conversion import COMMUNICATION, Conversion
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.judgement import InferenceStep, Layouts, StatementJudgement
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.placing import cutting
from p2smt.tensor.shapes import Whole, signature, whole_of_call
from p2smt.tensor.signature import Dimension, Shape, Signature


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedStep:
    """A call: its operation, the slowest device's time, and the flops and the work of each device.

    `devices` is that work as an array. See `AccountedStep` for `launch` and `kernel`.
    """

    text: str
    time: int
    launch: int
    kernel: int
    flops: tuple[int, ...]
    work: tuple[int, ...]
    devices: Numbers
    takes_time: bool


@dataclass(frozen=True, slots=True)
class SentStep:
    """A collective along an axis, its price as one call, and the bytes of the unsharded tensor."""

    text: str
    axis: int
    price: CollectivePrice
    bytes: int
    tensor: ConvertedTensor
    kinds: tuple[int, int]


@dataclass(frozen=True, slots=True)
class UpdateStep:
    """An update of the value that the statement reads at this position, and the most bytes of it on a device."""

    position: int
    held: int


_Step = ComputedStep | SentStep | UpdateStep


@dataclass(frozen=True, slots=True)
class StatementCost:
    """The steps of a statement that take time, and its bytes on each device.

    `peak` has the intermediate values at their largest, None without any; `left` is the value that stays, None if it
    is another value's memory.
    """

    steps: tuple[_Step, ...]
    peak: Numbers | None
    left: Numbers | None


@dataclass(frozen=True, slots=True)
class _Value:
    """A value of a statement; `bytes` are the resident bytes on each device, `kind` is that of its step."""

    layouts: Layouts
    whole: Whole
    named: bool
    bytes: Numbers
    kind: int


_Side = tuple[tuple[Dimension, ...], Layouts, Shape]
"""The dimension labels of an operand or result, its layouts, and its global shape."""


def is_update(expression: Expression) -> bool:
    """True if a statement's value replaces an older version of a parameter or state."""
    return isinstance(expression, Call) and expression.operation == "update"


class StatementPricing:
    """Costs of statements on a cluster and a mesh of these sizes, each computed once per judgement."""

    def __init__(self, cluster: Cluster, networks: tuple[NetworkModel, ...], sizes: tuple[int, ...]) -> None:
        self._cluster = cluster
        self._networks = networks
        self._ranks = MeshRanks(sizes)
        self._count = len(cluster.devices)
        self._costs: dict[int, StatementCost] = {}
        self._works: dict[tuple[object, ...], ComputedStep] = {}
        self._sizes: dict[tuple[Layouts, Whole], Numbers] = {}
        self._prices: dict[tuple[int, int, int], CollectivePrice] = {}
        self._together: dict[tuple[int, tuple[tuple[int, int], ...]], CollectivePrice] = {}

    def cost(self, judgement: StatementJudgement) -> StatementCost:
        """Return the cost of a statement with this judgement."""
        if judgement.number not in self._costs:
            self._costs[judgement.number] = self._priced(judgement)
        return self._costs[judgement.number]

    def together(self, waiting: Sequence[SentStep]) -> CollectivePrice:
        """Return the price of collectives of one kind as one call."""
        axis = waiting[0].axis
        key = axis, tuple([each.kinds for each in waiting])
        if key not in self._together:
            tensors = [each.tensor for each in waiting]
            self._together[key] = self._ranks.price_together(self._networks[axis], tensors, axis)
        return self._together[key]

    def bytes(self, layouts: Layouts, whole: Whole) -> Numbers:
        """Return the bytes of a value on each device. The array is cached; do not modify it."""
        key = (layouts, whole)
        if key not in self._sizes:
            self._sizes[key] = self._ranks.elements(layouts, whole.shape) * whole.element_bytes
        return self._sizes[key]

    def slowest(self, work: Numbers) -> int:
        """Return the picoseconds until the last device has finished its work, rounded up."""
        counts: list[int] = work.tolist()
        pairs = set(zip(counts, self._cluster.rates, strict=True))
        return max(-(-count * PICO // rate) for count, rate in pairs)

    def _priced(self, judgement: StatementJudgement) -> StatementCost:
        steps, axes = judgement.steps, iter(judgement.axes)
        values: list[_Value] = []
        found: list[_Step] = []
        unread: list[int] = []
        peak: Numbers | None = None
        for step in steps:
            given = [values[number] for number in step.operands]
            match step.expression:
                case Call() as call:
                    found += self._called(step, call, given, steps)
                case Convert(conversion):
                    found += self._converted(step, conversion, next(axes), given[0])
                case Read() | Number() | Ranks():
                    pass
            size = self.bytes(step.layouts, step.whole)
            values.append(_Value(step.layouts, step.whole, isinstance(step.expression, Read), size, step.kind))
            unread = [*(number for number in unread if number not in step.operands), len(values) - 1]
            there = [values[number] for number in unread] + given
            apart = [each.bytes for each in there if not each.named]
            # a statement leaves no more than its peak: without such values nothing has become more
            if apart:
                held: Numbers = sum(apart, np.zeros(self._count, dtype=np.int64))
                peak = held if peak is None else np.maximum(peak, held)
        stays = is_update(steps[-1].expression) or values[-1].named
        return StatementCost(tuple(found), peak, None if stays else values[-1].bytes)

    def _called(
        self, step: InferenceStep, call: Call, given: list[_Value], steps: Sequence[InferenceStep]
    ) -> list[_Step]:
        computed = self._computed(step, call, given)
        if not is_update(call) or not isinstance(call.operands[0], Read):
            return [computed]
        position = sum(isinstance(each.expression, Read) for each in steps[: step.operands[0]])
        return [computed, UpdateStep(position, int(given[0].bytes.max()))]

    def _computed(self, step: InferenceStep, call: Call, given: list[_Value]) -> ComputedStep:
        key = (call.operation, call.attributes, step.kind, *[operand.kind for operand in given])
        if key not in self._works:
            layouts, efforts = step.layouts, self._cluster.efforts
            signed = signature(call, tuple([operand.whole.shape for operand in given]))
            units = self._counted(call.operation, signed, layouts, given)
            if self._cluster.models:
                times = self._kernels(call, units, layouts, given)
            else:
                work = _weighed(units, efforts.unit(call.operation, signed)) + efforts.begin(call.operation)
                times = KernelTimes(work, 0, self.slowest(work))
            flops = units if OPERATIONS[call.operation].flops else 0 * units
            self._works[key] = ComputedStep(
                text=call.operation,
                time=self.slowest(times.devices),
                launch=times.launch,
                kernel=times.kernel,
                flops=tuple(flops.tolist()),
                work=tuple(times.devices.tolist()),
                devices=times.devices,
                takes_time=bool(times.devices.any()),
            )
        return self._works[key]

    def _kernels(self, call: Call, units: Numbers, layouts: Layouts, given: list[_Value]) -> KernelTimes:
        made = whole_of_call(call, tuple([operand.whole for operand in given]))
        sides = [(operand.whole.bytes, operand.bytes) for operand in given]
        return kernel_picoseconds(
            call,
            [operand.whole for operand in given],
            units,
            (*sides, (made.bytes, self.bytes(layouts, made))),
            self._cluster,
        )

    def _counted(self, operation: str, signed: Signature, layouts: Layouts, given: list[_Value]) -> Numbers:
        sides = [
            (dimensions, value.layouts, value.whole.shape)
            for dimensions, value in zip(signed.operands, given, strict=True)
        ]
        sides.append((signed.result, layouts, signed.shape))
        each, labels = counted(operation, signed)
        flops = np.full(self._count, each, dtype=np.int64)
        for label in labels:
            flops = flops * self._indices(label.name, label.size, sides)
        return flops

    def _indices(self, label: str, size: int, sides: Sequence[_Side]) -> Numbers | int:
        """Return the number of indices of a label on each device, given the sharding of operands and result."""
        cut: dict[tuple[int, ...], Numbers] = {}
        for dimensions, layouts, shape in sides:
            for number, dimension in enumerate(dimensions):
                axes = cutting(layouts, number)
                if axes and dimension.label == label:
                    cut.setdefault(axes, self._ranks.lengths(layouts, shape, number) // dimension.granule)
        found: Numbers | int = size
        seen: set[int] = set()
        # Deeper cuts first; axes that several operands share divide the label once.
        for axes in sorted(cut, key=len, reverse=True):
            if not seen & set(axes):
                found = found * cut[axes] // size
                seen |= set(axes)
        return found

    def _converted(self, step: InferenceStep, conversion: Conversion, axis: int, before: _Value) -> list[_Step]:
        """Return the collective of a conversion; none if it sends nothing."""
        if COMMUNICATION[type(conversion)] is None:
            return []
        kinds, whole = (before.kind, step.kind), before.whole
        tensor = ConvertedTensor(before.layouts, step.layouts, whole.shape, whole.element_bytes)
        if (axis, *kinds) not in self._prices:
            self._prices[axis, *kinds] = self._ranks.price_together(self._networks[axis], (tensor,), axis)
        price = self._prices[axis, *kinds]
        return [SentStep(type(conversion).__name__, axis, price, whole.bytes, tensor, kinds)]


def _weighed(units: Numbers, weight: Fraction) -> Numbers:
    """Return `units * weight`, rounded up; whole multiples are split off first, so that products do not overflow."""
    whole, rest = units // weight.denominator, units % weight.denominator
    return whole * weight.numerator - (-(rest * weight.numerator) // weight.denominator)
