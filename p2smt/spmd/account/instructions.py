"""Cost accounting of a distributed program, statement by statement, from the program and the cluster alone.

Layouts are inferred; work is counted from each device's local shapes. A stage begins with communication and ends
when its slowest device has computed all operations of the stage (HAP, section 3.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import prod
from operator import attrgetter

import numpy as np

from p2smt.spmd.account.holding import DeviceBytes
from p2smt.spmd.account.instruction import INSIDE, Account, AccountedStep
from p2smt.spmd.account.kernels import KernelTimes, kernel_picoseconds
from p2smt.spmd.account.last_reads import last_reads
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.effort import counted
from p2smt.spmd.devices.network import PICO, CollectivePrice, NetworkModel
from p2smt.spmd.devices.parts import ConvertedTensor, MeshRanks, Numbers
from p2smt.tensor.conversion import COMMUNICATION, Conversion
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import InferenceStep, Layouts, Refused
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.placing import cutting
from p2smt.tensor.program import Call, Convert, Expression, Program, Read, Source, SourceKind
from p2smt.tensor.shapes import Whole, signature, whole_of_call
from p2smt.tensor.signature import Dimension, Shape, Signature
from p2smt.tensor.way import Way


def account(
    program: Program, cluster: Cluster, networks: Sequence[NetworkModel] = (), buckets: Sequence[tuple[str, ...]] = ()
) -> Account:
    """Return the account of a distributed program on a cluster.

    `networks` prices the collectives of each mesh axis; without it there is one axis over all devices. The cluster's
    devices are in rank order. Each collective is one call, except that the adjacent statements of a bucket in `buckets`
    (see `bucketed`) are fused into one.
    """
    return _Accountant(program, cluster, tuple(networks) or (cluster.network,), buckets).run()


@dataclass(frozen=True, slots=True)
class _Value:
    """A value with its layouts; `bytes` are the resident bytes on each device, `kind` is that of its step."""

    layouts: Layouts
    whole: Whole
    named: bool
    bytes: Numbers
    kind: int


def is_update(expression: Expression) -> bool:
    """True if a statement's value replaces an older version of a parameter or state."""
    return isinstance(expression, Call) and expression.operation == "update"


_Side = tuple[tuple[Dimension, ...], Layouts, Shape]
"""The dimension labels of an operand or result, its layouts, and its global shape."""


class _Accountant:
    def __init__(
        self, program: Program, cluster: Cluster, networks: tuple[NetworkModel, ...], buckets: Sequence[tuple[str, ...]]
    ) -> None:
        inferred = infer(program)
        if isinstance(inferred, Refused):
            raise AssertionError(f"a program that is no result: {inferred}")
        self._program = program
        self._networks = networks
        self._ranks = MeshRanks(tuple(axis.size for axis in program.mesh))
        self._layouts = inferred.layouts
        self._steps = inferred.steps
        self._cluster = cluster
        self._rates = cluster.rates
        self._rooflines = bool(cluster.models)
        self._efforts = cluster.efforts
        self._inside = cluster.inside
        self._parameters = {each.name for each in program.sources if each.kind is SourceKind.PARAMETER}
        self._count = len(cluster.devices)
        self._works: dict[tuple[object, ...], tuple[KernelTimes, int, tuple[int, ...], tuple[int, ...]]] = {}
        self._sizes: dict[tuple[Layouts, Whole], Numbers] = {}
        self._values: dict[tuple[int, bool], _Value] = {}
        self._prices: dict[tuple[int, int, int], CollectivePrice] = {}
        self._buckets = {name: bucket for bucket in buckets for name in bucket}
        self._waiting: list[ConvertedTensor] = []
        self._instructions: list[AccountedStep] = []
        self._sending = [0]
        self._computing = [np.zeros(self._count, dtype=np.int64)]
        self._holding = DeviceBytes(self._count, last_reads(program, buckets))

    def run(self) -> Account:
        for source in self._program.sources:
            self._holding.keep(self._stored(source))
        if self._steps:
            self._holding.hold(())
        values: list[_Value] = []
        for statement, steps in groupby(self._steps, key=attrgetter("statement")):
            unread: list[int] = []
            for step in steps:
                given = [values[number] for number in step.operands]
                values.append(self._value(step, given))
                unread = [*(number for number in unread if number not in step.operands), len(values) - 1]
                there = [values[number] for number in unread] + given
                apart = [each.bytes for each in there if not each.named]
                # a statement leaves no more than its peak: without such values nothing has become more
                if apart:
                    self._holding.hold(apart)
            stays = is_update(step.expression) or values[-1].named
            self._holding.end(statement, None if stays else values[-1].bytes)
        pairs = zip(self._sending, self._computing, strict=True)
        stages = tuple(sending + self._slowest(computing) for sending, computing in pairs)
        return Account(tuple(self._instructions), stages, self._memory())

    def _memory(self) -> tuple[int, ...]:
        """Return the peak bytes of each device; if devices are machines, those of one device inside each machine."""
        peak: list[int] = self._holding.peak.tolist()
        if self._inside is None:
            return tuple(peak)
        kept = self._all_stored(SourceKind.PARAMETER, SourceKind.STATE)
        return self._inside.held(kept=kept, gradients=self._all_stored(SourceKind.PARAMETER), peak=peak)

    def _stored(self, source: Source) -> Numbers:
        """Return the bytes of a source on each device."""
        return self._bytes(self._layouts[source.name], Whole(source.shape, source.dtype))

    def _all_stored(self, *kinds: SourceKind) -> list[int]:
        """Return the bytes of all sources of these kinds on each device."""
        sizes = [self._stored(each) for each in self._program.sources if each.kind in kinds]
        total: list[int] = sum(sizes, np.zeros(self._count, dtype=np.int64)).tolist()
        return total

    def _slowest(self, work: Numbers) -> int:
        """Return the picoseconds until the last device has finished its work, rounded up."""
        counts: list[int] = work.tolist()
        pairs = set(zip(counts, self._rates, strict=True))
        return max(-(-count * PICO // rate) for count, rate in pairs)

    def _bytes(self, layouts: Layouts, whole: Whole) -> Numbers:
        """Return the bytes of a value on each device. The array is cached; do not modify it."""
        key = (layouts, whole)
        if key not in self._sizes:
            self._sizes[key] = self._ranks.elements(layouts, whole.shape) * whole.element_bytes
        return self._sizes[key]

    def _value(self, step: InferenceStep, given: list[_Value]) -> _Value:
        match step.expression:
            case Call() as call:
                self._computed(step, call, given)
                self._summed_inside(step.statement, call, given)
            case Convert(conversion, _, axis):
                self._converted(step, conversion, self._program.axis(axis), given[0])
            case Read():
                return self._valued(step, named=True)
            case _:
                pass
        return self._valued(step, named=False)

    def _valued(self, step: InferenceStep, *, named: bool) -> _Value:
        key = step.kind, named
        if key not in self._values:
            size = self._bytes(step.layouts, step.whole)
            self._values[key] = _Value(step.layouts, step.whole, named, size, step.kind)
        return self._values[key]

    def _computed(self, step: InferenceStep, call: Call, given: list[_Value]) -> None:
        key = (call.operation, call.attributes, step.kind, *[operand.kind for operand in given])
        if key not in self._works:
            layouts = step.layouts
            signed = signature(call, tuple(operand.whole.shape for operand in given))
            units = self._counted(call.operation, signed, layouts, given)
            if self._rooflines:
                times = self._kernels(call, units, layouts, given)
            else:
                work = _weighed(units, self._efforts.unit(call.operation, signed)) + self._efforts.begin(call.operation)
                times = KernelTimes(work, 0, self._slowest(work))
            flops = units if OPERATIONS[call.operation].flops else 0 * units
            self._works[key] = times, self._slowest(times.devices), tuple(flops.tolist()), tuple(times.devices.tolist())
        times, slowest, flops_of, work_of = self._works[key]
        self._computing[-1] = self._computing[-1] + times.devices
        self._instructions.append(
            AccountedStep(
                statement=step.statement,
                text=call.operation,
                stage=len(self._sending) - 1,
                time=slowest,
                launch=times.launch,
                kernel=times.kernel,
                flops=flops_of,
                work=work_of,
            )
        )

    def _kernels(self, call: Call, units: Numbers, layouts: Layouts, given: list[_Value]) -> KernelTimes:
        made = whole_of_call(call, tuple([operand.whole for operand in given]))
        sides = [(operand.whole.bytes, operand.bytes) for operand in given]
        return kernel_picoseconds(
            call,
            [operand.whole for operand in given],
            units,
            (*sides, (made.bytes, self._bytes(layouts, made))),
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

    def _converted(self, step: InferenceStep, conversion: Conversion, axis: int, before: _Value) -> None:
        if COMMUNICATION[type(conversion)] is None:
            return
        statement, size = step.statement, before.whole
        name, bucket = type(conversion).__name__, self._buckets.get(statement)
        if bucket is None:
            self._send(statement, name, self._price(before, step, axis), size.bytes, axis)
            return
        self._waiting.append(ConvertedTensor(before.layouts, step.layouts, size.shape, size.element_bytes))
        if statement == bucket[-1]:
            price = self._ranks.price_together(self._networks[axis], self._waiting, axis)
            sent = sum(each.size * prod(each.shape) for each in self._waiting)
            self._send(statement, name, price, sent, axis, bucket)
            self._waiting = []

    def _summed_inside(self, statement: str, call: Call, given: list[_Value]) -> None:
        """Add the AllReduce inside each machine for a parameter's gradient, at the parameter's first update only."""
        old = call.operands[0] if call.operands else None
        if self._inside is None or not is_update(call) or not isinstance(old, Read):
            return
        if old.name in self._parameters:
            held = int(given[0].bytes.max())
            self._send(statement, INSIDE, CollectivePrice(self._inside.all_reduce(held), Way.PLAIN), held)

    def _send(
        self, name: str, text: str, price: CollectivePrice, size: int, axis: int = 0, bucket: tuple[str, ...] = ()
    ) -> None:
        if self._computing[-1].any():
            self._sending.append(0)
            self._computing.append(np.zeros(self._count, dtype=np.int64))
        self._sending[-1] += price.time
        self._instructions.append(
            AccountedStep(
                statement=name,
                text=text,
                stage=len(self._sending) - 1,
                time=price.time,
                flops=(0,) * self._count,
                work=(0,) * self._count,
                bytes=size,
                way=price.way,
                bucket=bucket,
                plan=price.plan,
                axis=self._program.mesh[axis].name if len(self._program.mesh) > 1 else "",
            )
        )

    def _price(self, before: _Value, after: InferenceStep, axis: int) -> CollectivePrice:
        key = (before.kind, after.kind, axis)
        if key not in self._prices:
            shape, size, network = before.whole.shape, before.whole.element_bytes, self._networks[axis]
            self._prices[key] = self._ranks.price(network, before.layouts, after.layouts, axis, shape, size)
        return self._prices[key]


def _weighed(units: Numbers, weight: Fraction) -> Numbers:
    """Return `units * weight`, rounded up; whole multiples are split off first, so that products do not overflow."""
    whole, rest = units // weight.denominator, units % weight.denominator
    return whole * weight.numerator - (-(rest * weight.numerator) // weight.denominator)
