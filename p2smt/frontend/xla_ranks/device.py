"""Interpretation of an XLA text for one device: control flow is executed, other operations become statements.

Method: partial evaluation (Jones, Gomard and Sestoft, "Partial Evaluation and Automatic Program Generation", 1993):
numbers that depend on no input, such as loop counters and the device's number, are computed; for everything else a
statement is written:
    value(instruction) = known number                                if all operands are known,
                       = name of a new statement over its operands   otherwise.
Calls are inlined, loops unrolled and branches taken by their known conditions. In a global program, manual regions run
on shards of global values.
Complexity: O(instructions that are executed).

Example: a loop of 3 turns that adds x writes three statements `add`, and none for its counter.
"""

from collections import ChainMap
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import replace

from p2smt.collective import Collective, Exchange
from p2smt.errors import P2Error, ProgramError, VerifyError
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.view import plain_view
from p2smt.frontend.xla.known import constant, numbered
from p2smt.frontend.xla.operators import HloKind
from p2smt.frontend.xla.processes import partition_ids, replica_ids
from p2smt.frontend.xla.ssa import (
    HloInstruction,
    HloShape,
    Module,
    Type,
    called,
)
from p2smt.frontend.xla.ssa_run import MANUAL
from p2smt.frontend.xla_ranks.annotations import SHARDED, TO_PARTS, TO_WHOLES, annotates, is_manual
from p2smt.frontend.xla_ranks.collectives import RankConversions
from p2smt.frontend.xla_ranks.computing import DeviceStatements
from p2smt.frontend.xla_ranks.tilings import UncoveredError, tiling
from p2smt.frontend.xla_ranks.values import DeviceTensor, GlobalValue, Value, dtype_of, tensors_of, types_of
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.expression import Read
from p2smt.verify.limits import MAX_STEPS

Held = MutableMapping[str, Value]
Source = Callable[[int, str, HloShape], Read]
"""A factory of sources; it takes a parameter's number, sharding, and type on a device."""

REPLICATED = "{replicated}"
_SAME = ("sdy.sharding_constraint", "stablehlo.optimization_barrier", "sdy.reshard")


class DeviceRun:
    """An interpreter of a module for one device; VerifyError and UncoveredError have the instruction's line."""

    def __init__(self, module: Module, path: str, device: int, devices: int, builder: ProgramBuilder) -> None:
        self._module, self._path, self._device, self._devices = module, path, device, devices
        self._emission = Emission(builder)
        self._computing = DeviceStatements(module, self._emission)
        self.collectives = RankConversions(module, self._emission, builder, device, devices)
        self._builder = builder
        self._done = 0
        self._manual_text = is_manual(module)
        self.shardings: dict[int, str] = {}

    def results(self, source: Source) -> list[Value]:
        """Return the results of the entry: per-device tensors, or global values if the entry is a global program."""
        entry = self._module.computations[self._module.entry]
        self._source = source
        given: list[Value] = []
        for position, (_, type_) in enumerate(entry.parameters):
            if not isinstance(type_, HloShape):
                raise UncoveredError(
                    f"{self._path}: parameter {position} is a tuple, which is not supported; pass its elements"
                )
            given.append(GlobalValue(position) if self._manual_text else self._given(position, "", type_))
        return self._run(entry.name, given, 0, {})

    def read(self, tensor: DeviceTensor, name: str) -> Read:
        """A result as a statement or source."""
        return self.collectives.read(tensor, name)

    def _given(self, position: int, sharding: str, shape: HloShape) -> DeviceTensor:
        read = self._source(position, sharding, shape)
        return DeviceTensor(shape, plain_view(read, shape.dims, dtype_of(shape)))

    def _run(self, name: str, arguments: Sequence[Value], depth: int, outside: Held) -> list[Value]:
        computation = called(self._module, name, len(arguments), depth)
        held: Held = ChainMap({}, outside) if computation.inside else {}
        for (own, type_), value in zip(computation.parameters, arguments, strict=True):
            held[own] = _typed(value, type_)
        for one in computation.instructions:
            self._done += 1
            if self._done > MAX_STEPS:
                raise VerifyError(f"more than {MAX_STEPS} instructions are executed, the limit")
            held[one.name] = self._placed(one, held, depth)
        return [_looked_up(each, held) for each in computation.results]

    def _placed(self, one: HloInstruction, held: Held, depth: int) -> Value:
        """The instruction's value; errors name its line."""
        where = f"{self._path}, line "
        self._emission.name = f"{one.plain.replace('-', '_')}.line{one.line}"
        try:
            return _typed(self._value(one, [_looked_up(name, held) for name in one.operands], held, depth), one.type)
        except UncoveredError as cause:
            text = str(cause)
            raise UncoveredError(text if text.startswith(where) else f"{where}{one.line}: {one}: {text}") from cause
        except ProgramError as cause:
            raise UncoveredError(f"{where}{one.line}: {one}: {cause}") from cause
        except VerifyError as cause:
            text = str(cause)
            raise VerifyError(text if text.startswith(where) else f"{where}{one.line}: {one}: {text}") from cause
        except P2Error as cause:
            raise UncoveredError(f"{where}{one.line}: {one}: {cause}") from cause

    def _value(self, one: HloInstruction, operands: list[Value], held: Held, depth: int) -> Value:
        match one.kind:
            case Collective() | Exchange() | HloKind.PERMUTE:
                return self.collectives.value(one, tensors_of(operands))
            case HloKind.CALL | HloKind.WHILE | HloKind.CONDITIONAL:
                return self._called(one, operands, held, depth + 1)
            case HloKind.ELEMENT | HloKind.PASS | HloKind.TUPLE:
                return _named(one, operands)
            case HloKind.CONSTANT | HloKind.PARTITION_ID | HloKind.REPLICA_ID | HloKind.IOTA:
                return self._known(one, _one_type(one))
            case _ if len(operands) == 1 and (one.spelled in _SAME or annotates(one)):
                return self._annotated(one, operands[0])
            case _:
                return self._computing.value(one, tensors_of(list(map(self._whole, operands))), _one_type(one))

    def _known(self, one: HloInstruction, shape: HloShape) -> DeviceTensor:
        match one.kind:
            case HloKind.IOTA:
                return self._computing.counted(one, shape)
            case HloKind.PARTITION_ID:
                return DeviceTensor(
                    shape, None, numbered([partition_ids(self._module, self._devices)[self._device]], shape)
                )
            case HloKind.REPLICA_ID:
                return DeviceTensor(
                    shape, None, numbered([replica_ids(self._module, self._devices)[self._device]], shape)
                )
            case _:
                return DeviceTensor(shape, None, constant(one.values, shape))

    def _called(self, one: HloInstruction, operands: list[Value], held: Held, depth: int) -> Value:
        match one.kind:
            case HloKind.WHILE:
                return self._looped(one, operands, held, depth)
            case HloKind.CONDITIONAL:
                return self._branched(one, operands, held, depth)
            case _ if one.spelled == MANUAL:
                return self._manual(one, operands, held, depth)
            case _:
                return _one_or_several(self._run(one.callee, operands, depth, held))

    def _manual(self, one: HloInstruction, operands: list[Value], held: Held, depth: int) -> Value:
        """Run the per-device code of a manual region on shards of global values."""
        inner = self._module.computations.get(one.callee)
        types = [] if inner is None else types_of(tuple(type_ for _, type_ in inner.parameters))
        if not len(types) == len(operands) == len(one.shared):
            raise VerifyError(
                f"{len(operands)} operands, {len(one.shared)} shardings, {len(types)} parameters; give one for each"
            )
        inside = [self._entered(*each) for each in zip(operands, one.shared, types, strict=True)]
        results = tensors_of(self._run(one.callee, inside, depth, held))
        if len(results) != len(one.shared_after):
            raise VerifyError(f"{len(results)} results and {len(one.shared_after)} shardings; give one for each")
        pairs = zip(results, one.shared_after, strict=True)
        return _one_or_several([GlobalValue(inside=each, sharding=text) for each, text in pairs])

    def _annotated(self, one: HloInstruction, operand: Value) -> Value:
        """Return a value with its sharding, converted to a shard or a global value if the call requests it."""
        sharding = "".join(one.shared_after)
        match one.callee, operand:
            case (str(callee), _) if callee == TO_PARTS:
                said = operand.sharding if isinstance(operand, GlobalValue) else REPLICATED
                return self._entered(operand, said, _one_type(one))
            case (str(callee), DeviceTensor() as inside) if callee == TO_WHOLES:
                return GlobalValue(inside=inside, sharding=sharding)
            case (str(callee), GlobalValue(int())) if callee == SHARDED:
                return replace(operand, sharding=sharding)
            case (str(callee), GlobalValue(_, DeviceTensor(), said)) if callee and not self._alike(said, sharding):
                raise UncoveredError("a result is resharded before it is used, which is not supported")
            case _:
                return operand

    def _alike(self, one: str, other: str) -> bool:
        return one == other or (self._is_whole(one) and self._is_whole(other))

    def _is_whole(self, sharding: str) -> bool:
        return bool(sharding) and tiling(sharding, self._devices, self._module.meshes).is_whole

    def _whole(self, value: Value) -> Value:
        """Return a replicated global value as each device's tensor, because all devices compute the same."""
        match value:
            case GlobalValue(int() as position):
                _, shape = self._module.computations[self._module.entry].parameters[position]
                sharding = self.shardings.setdefault(position, REPLICATED)
                if isinstance(shape, HloShape) and self._is_whole(sharding):
                    return self._given(position, sharding, shape)
            case GlobalValue(_, DeviceTensor() as inside) if self._is_whole(value.sharding):
                return inside
            case _:
                pass
        return value

    def _entered(self, operand: Value, sharding: str, shape: HloShape) -> Value:
        match operand:
            case GlobalValue(int() as position):
                if not self._alike(self.shardings.setdefault(position, sharding), sharding):
                    raise UncoveredError(f"parameter {position} has two shardings, which is not supported")
                return self._given(position, sharding, shape)
            case GlobalValue(_, DeviceTensor() as inside) if self._alike(operand.sharding, sharding):
                return inside
            case GlobalValue():
                raise UncoveredError("a result is resharded before it is used, which is not supported")
            case DeviceTensor() if operand.known is not None and operand.known.uniform:
                return DeviceTensor(shape, None, constant([repr(operand.known.single(0))], shape))
            case DeviceTensor() if operand.shape.dims == shape.dims:
                return operand
            case _:
                raise UncoveredError("no device computes this value; give the text of the compiled program")

    def _looped(self, one: HloInstruction, operands: list[Value], held: Held, depth: int) -> Value:
        if len(one.callees) != 2:
            raise VerifyError(f"{len(one.callees)} computations; a loop has a condition and a body")
        condition, body = one.callees
        values = list(operands)
        while self._holds(self._run(condition, values, depth, held)):
            values = self._run(body, values, depth, held)
        return _one_or_several(values)

    def _holds(self, values: list[Value]) -> bool:
        (asked,) = tensors_of(values[:1])
        if asked.known is None:
            raise UncoveredError("the number of its iterations depends on data, which is not supported")
        return bool(asked.known.single(0))

    def _branched(self, one: HloInstruction, operands: list[Value], held: Held, depth: int) -> Value:
        (asked,) = tensors_of(operands[:1])
        if asked.known is None or not one.callees:
            raise UncoveredError("the branch depends on data, which is not supported")
        number, last = int(asked.known.single(0)), len(one.callees) - 1
        if asked.shape.kind in ("i1", "pred"):
            index = 0 if number else last
        else:
            index = number if 0 <= number <= last else last
        given = operands[1:]
        return _one_or_several(self._run(one.callees[index], given[index : index + 1], depth, held))


def _typed(value: Value, type_: "Type | None") -> Value:
    """The value with the declared type, whose layout may differ."""
    match value, type_:
        case DeviceTensor(), HloShape():
            if (value.shape.dims, value.shape.kind) != (type_.dims, type_.kind):
                raise VerifyError(f"the value is {value.shape}, but its type is {type_}")
            return replace(value, shape=type_)
        case tuple(), tuple():
            if len(value) != len(type_):
                raise VerifyError(f"there are {len(value)} values, but the type has {len(type_)}")
            return tuple(_typed(each, own) for each, own in zip(value, type_, strict=True))
        case _:
            return value


def _named(one: HloInstruction, operands: list[Value]) -> Value:
    """An existing value under a new name."""
    if one.kind is HloKind.ELEMENT:
        return _element(operands, one.index)
    return operands[0] if one.kind is HloKind.PASS and len(operands) == 1 else tuple(operands)


def _one_type(one: HloInstruction) -> HloShape:
    if not isinstance(one.type, HloShape):
        raise UncoveredError("an operation with several results, or with none that has a type, is not supported")
    return one.type


def _looked_up(name: str, held: Held) -> Value:
    whole, _, place = name.partition("#")
    if whole not in held:
        raise VerifyError(f"{name[:60]} is used before it is defined")
    return _element([held[whole]], int(place[:6])) if place else held[whole]


def _element(values: Sequence[Value], index: int) -> Value:
    value = values[0] if values else ()
    if not isinstance(value, tuple) or index >= len(value):
        raise VerifyError(f"the tuple has no element {index}; elements are counted from 0")
    return value[index]


def _one_or_several(values: Sequence[Value]) -> Value:
    return values[0] if len(values) == 1 else tuple(values)
