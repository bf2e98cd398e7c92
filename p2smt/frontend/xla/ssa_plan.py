"""From a program whose values have one name each to a plan: every value that is computed gets a buffer.

Instructions that communicate or add are the steps, counted from 1 as they are carried out; what is called is carried
out in place. The parameters that are used, one after the other, are the payload, and the results take its place at the
end. Values that only look different (reshaped, in a tuple, converted between floating-point types) share a buffer.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.builder import DATA, WIRE, WIRE_OUT, PlanBuilder
from p2smt.frontend.xla.processes import device_count
from p2smt.frontend.xla.ssa import MOST_ELEMENTS, READ, Instruction, Kind, Module, Operator, Shape, Type, sums
from p2smt.frontend.xla.ssa_collectives import Collectives
from p2smt.frontend.xla.ssa_values import Given, Tensor, Value, Zero, check_type, leaves, reshaped
from p2smt.verify.limits import MAX_STEPS
from p2smt.verify.operation import has_blocks
from p2smt.verify.plan import Part, VerificationPlan
from p2smt.wording import counted

MOST_CALLS = 32
"""How deep computations call each other."""

RESULT, ZEROS = "result", "zeros"


def plan_of(module: Module, path: str, asked: AskedGoal) -> VerificationPlan:
    """The plan that a module stands for; if nothing else is asked for, it is to reduce among all devices.

    Raises VerifyError with the line of what cannot be read; `path` names the text.
    """
    try:
        return _Lowering(module, path).plan(asked)
    except VerifyError as cause:
        raise (cause if str(cause).startswith(path) else VerifyError(f"{path}: {cause}")) from cause


class _Lowering:
    def __init__(self, module: Module, path: str) -> None:
        self._module, self._path = module, path
        self._devices = device_count(module)
        self._builder = PlanBuilder(self._devices)
        self._builder.buffer(DATA, 0)
        self._given: dict[int, Part] = {}
        self._names = {DATA, RESULT, ZEROS, WIRE, WIRE_OUT}
        self._labels: list[tuple[int, str]] = []
        self._done = self._payload = 0
        self._collectives = Collectives(module, self._devices, self._builder, self._part, self._buffer)

    def plan(self, asked: AskedGoal) -> VerificationPlan:
        entry = self._module.computations[self._module.entry]
        given = [Tensor(_shape(type_), Given(place)) for place, (_, type_) in enumerate(entry.parameters)]
        results = [tensor for value in self._run(entry.name, given, 0) for tensor in leaves(value)]
        parts = [self._part(tensor) for tensor in results]
        goal = asked.between(self._devices, Part(DATA, 0, self._payload), Part(DATA, 0, self._payload))
        if not has_blocks(goal.collective):
            self._put_back(parts)
        else:
            goal = replace(goal, target=self._put_apart(parts))
        return self._builder.plan(goal, labels=tuple(self._labels))

    def _put_back(self, results: Sequence[Part]) -> None:
        """Results take the place of the parameters."""
        targets = [self._given[place] for place in sorted(self._given)]
        found, wanted = ([part.length for part in parts] for parts in (results, targets))
        if not targets or found != wanted:
            raise VerifyError(
                f"the results have {found[:8]} elements, the parameters that are used {wanted[:8]}; a plan ends with "
                "the sum of every parameter, in the same order"
            )
        sources = [self._aside(part, target) for part, target in zip(results, targets, strict=True)]
        for source, target in zip(sources, targets, strict=True):
            self._copy(source, target)

    def _put_apart(self, results: Sequence[Part]) -> Part:
        """The result of the one parameter, whose shards or whose whole it is."""
        if len(results) != 1 or len(self._given) != 1:
            raise VerifyError(
                f"{len(self._given)} parameters that are used and {len(results)} results; "
                "shards are checked of one parameter and one result"
            )
        target = Part(RESULT, 0, results[0].length)
        self._builder.buffer(RESULT, target.length)
        self._copy(results[0], target)
        return target

    def _copy(self, source: Part, target: Part) -> None:
        """On every device, after the last step."""
        self._collectives.charge(self._devices)
        self._builder.copy(range(self._devices), source, target, max(len(self._labels), 1))

    def _aside(self, part: Part, target: Part) -> Part:
        """A result that is another parameter, copied to where no other result overwrites it."""
        if part.buffer != DATA or part == target:
            return part
        aside = self._buffer("aside", part.length)
        self._copy(part, aside)
        return aside

    def _run(self, name: str, arguments: Sequence[Value], depth: int) -> list[Value]:
        computation = self._module.computations.get(name)
        if computation is None or depth > MOST_CALLS:
            raise VerifyError(f"computation {name[:60]!r} is unknown, or calls go deeper than {MOST_CALLS}")
        if len(arguments) != len(computation.parameters):
            raise VerifyError(f"{name[:60]} has {len(computation.parameters)} parameters and gets {len(arguments)}")
        held: dict[str, Value] = {}
        for (parameter, type_), value in zip(computation.parameters, arguments, strict=True):
            held[parameter] = self._entered(value, type_, depth)
        for instruction in computation.instructions:
            self._done += 1
            if self._done > MAX_STEPS:
                raise VerifyError(f"more than {MAX_STEPS} instructions are carried out, the most that is read")
            try:
                held[instruction.name] = self._value(instruction, held, depth)
            except VerifyError as cause:
                text = str(cause)
                where = f"{self._path}, line "
                raise VerifyError(
                    text if text.startswith(where) else f"{where}{instruction.line}: {instruction}: {text}"
                ) from cause
        return [_looked_up(name, held) for name in computation.results]

    def _entered(self, value: Value, type_: Type, depth: int) -> Value:
        if depth and isinstance(value, Tensor) and isinstance(type_, Shape):
            return self._local(value, type_)
        return value

    def _value(self, instruction: Instruction, held: Mapping[str, Value], depth: int) -> Value:
        operands = [_looked_up(name, held) for name in instruction.operands]
        match instruction.kind:
            case Collective() | Exchange() as communication:
                number = self._step(instruction)
                self._check_sum(instruction, communication)
                value = self._collectives.value(instruction, communication, _tensors(operands), number)
                check_type(value, instruction.type)
                return value
            case Kind() as kind:
                return self._named(instruction, kind, operands, depth)

    def _named(self, instruction: Instruction, kind: Kind, operands: Sequence[Value], depth: int) -> Value:
        """A value that is there already, under a new name; or one that is computed."""
        value: Value
        match kind:
            case Kind.OTHER:
                raise VerifyError(f"this operation is not read; read are {READ}")
            case Kind.CALL:
                return _one_or_several(self._run(instruction.callee, operands, depth + 1))
            case Kind.ELEMENT:
                return _element(_first(operands), instruction.index)
            case Kind.ZERO:
                value = Tensor(_shape(instruction.type), Zero())
            case Kind.LOCAL:
                return self._locals(_tensors(operands), instruction.type)
            case Kind.GLOBAL:
                return _one_or_several(_tensors(operands))
            case Kind.RESHAPE | Kind.BITCAST | Kind.CONVERT | Kind.BROADCAST:
                value = reshaped(instruction, _tensors(operands)[0], _shape(instruction.type))
            case Kind.PASS | Kind.TUPLE:
                alone = kind is Kind.PASS and len(operands) == 1
                value = operands[0] if alone else tuple(operands)
            case Kind.ADD | Kind.REDUCE | Kind.PERMUTE:
                value = self._computed(instruction, kind, _tensors(operands), self._step(instruction))
        check_type(value, instruction.type)
        return value

    def _computed(self, instruction: Instruction, kind: Kind, tensors: list[Tensor], number: int) -> Value:
        if kind is Kind.ADD:
            return self._added(instruction, tensors, number)
        if kind is Kind.PERMUTE:
            return self._collectives.permuted(instruction, tensors, number)
        self._check_sum(instruction, kind)
        return self._summed(instruction, tensors, number)

    def _locals(self, tensors: list[Tensor], type_: Type) -> Value:
        if not isinstance(type_, tuple):
            return self._local(tensors[0], type_)
        if len(type_) != len(tensors):
            raise VerifyError(f"{len(tensors)} tensors and {len(type_)} types")
        return tuple(self._local(tensor, _shape(one)) for tensor, one in zip(tensors, type_, strict=True))

    def _step(self, instruction: Instruction) -> int:
        """The number of a new step."""
        self._labels.append((len(self._labels) + 1, f"{instruction}, line {instruction.line}"))
        return len(self._labels)

    def _check_sum(self, instruction: Instruction, operator: Operator) -> None:
        """Raise VerifyError where an operation that reduces does not add."""
        if operator is Kind.REDUCE or (isinstance(operator, Collective) and operator.adds):
            what = sums(self._module, instruction.callee)
            if what:
                raise VerifyError(
                    f"{instruction.callee[:60] or 'its region'} is {what}, no addition; only sums are read"
                )

    def _added(self, instruction: Instruction, tensors: list[Tensor], number: int) -> Tensor:
        one, other = tensors if len(tensors) == 2 else (tensors[0], tensors[0])
        if len(tensors) != 2 or one.shape.dims != other.shape.dims or one.shape.kind in ("pred", "i1"):
            raise VerifyError(f"{', '.join(str(t.shape) for t in tensors[:8])} are added; two numbers of one shape are")
        out = self._buffer(instruction.name, one.shape.size)
        self._collectives.charge(2 * self._devices)
        self._builder.copy(range(self._devices), self._part(one), out, number)
        self._builder.add(range(self._devices), self._part(other), out, number)
        return Tensor(one.shape, out)

    def _summed(self, instruction: Instruction, tensors: list[Tensor], number: int) -> Tensor:
        """The sum over the outermost dimension: its blocks are added one by one."""
        zero = len(tensors) == 2 and isinstance(tensors[1].where, Zero)
        if not zero or instruction.dims != (0,) or not tensors[0].shape.dims:
            raise VerifyError("only a sum over dimension 0 that begins with 0 is read")
        first, *rest = tensors[0].shape.dims
        shape = Shape(tensors[0].shape.kind, tuple(rest))
        source, out = self._part(tensors[0]), self._buffer(instruction.name, shape.size)
        self._collectives.charge(first * self._devices)
        for block in range(first):
            part = Part(source.buffer, source.start + block * shape.size, shape.size)
            (self._builder.add if block else self._builder.copy)(range(self._devices), part, out, number)
        return Tensor(shape, out)

    def _local(self, tensor: Tensor, shape: Shape) -> Tensor:
        """What one device has of a parameter that is written as all devices have it together."""
        fresh = isinstance(tensor.where, Given) and tensor.where.place not in self._given
        if not fresh and tensor.shape.size != shape.size:
            raise VerifyError(f"{tensor.shape} becomes {shape}; only an unused parameter may be another on each device")
        return Tensor(shape, tensor.where)

    def _part(self, tensor: Tensor) -> Part:
        """Where a tensor's elements are; a parameter takes its place in the payload when it is first asked for."""
        size = tensor.shape.size
        match tensor.where:
            case Part():
                return tensor.where
            case Zero():
                return self._builder.zero(ZEROS, size)
            case Given(place):
                return self._parameter(place, size)

    def _parameter(self, place: int, size: int) -> Part:
        known = self._given.get(place)
        if known is None:
            known = self._given[place] = Part(DATA, self._payload, size)
            self._payload += size
            self._builder.buffer(DATA, self._payload)
        if known.length != size:
            raise VerifyError(f"parameter {place} has {known.length} elements here, {size} there")
        return known

    def _buffer(self, name: str, size: int) -> Part:
        """A new buffer, called as the value is, as far as plans can."""
        if not 1 <= size <= MOST_ELEMENTS:
            raise VerifyError(f"a value of {size} elements; 1 to 2^48 are read")
        base = "v" + re.sub(r"[^A-Za-z0-9_]", "_", name.lstrip("%"))[:40]
        unique = base if base not in self._names else f"{base}_{len(self._names)}_"
        self._names.add(unique)
        self._builder.buffer(unique, size)
        return Part(unique, 0, size)


def _looked_up(name: str, held: Mapping[str, Value]) -> Value:
    """A value by name; `%0#1` is the second of several."""
    whole, _, place = name.partition("#")
    if whole not in held:
        raise VerifyError(f"{name[:60]} is used before it is defined")
    return _element(held[whole], int(place[:6])) if place else held[whole]


def _element(value: Value, index: int) -> Value:
    if not isinstance(value, tuple) or index >= len(value):
        count = len(value) if isinstance(value, tuple) else 1
        raise VerifyError(f"element {index} of {counted(count, 'value')}; elements are counted from 0")
    return value[index]


def _one_or_several(values: Sequence[Value]) -> Value:
    return values[0] if len(values) == 1 else tuple(_tensors(values))


def _first(values: Sequence[Value]) -> Value:
    if not values:
        raise VerifyError("no operand, or a tuple where a tensor is expected; take an element of it")
    return values[0]


def _tensors(values: Sequence[Value]) -> list[Tensor]:
    if not values or any(isinstance(value, tuple) for value in values):
        raise VerifyError("no operand, or a tuple where a tensor is expected; take an element of it")
    return [value for value in values if isinstance(value, Tensor)]


def _shape(type_: Type) -> Shape:
    if isinstance(type_, tuple):
        raise VerifyError("a tuple where a tensor is expected")
    return type_
