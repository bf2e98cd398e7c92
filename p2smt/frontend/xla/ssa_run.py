"""Interpretation of a program: values become pieces of buffers, and instructions become steps of a plan.

Method: abstract interpretation (Cousot and Cousot, "Abstract interpretation", 1977) in program order. A value is either
known numbers, or a list of ranges of buffers for each device:
    moves          ranges of the operand in another order   (`layout.py`)
    known numbers  computed
    collectives, sums, scaling    a step of the plan, and the range of its result
Steps are counted from 1 in execution order. Calls are inlined; loops are unrolled by their condition, which must be
known.
Complexity: O(instructions that are executed x ranges).

Example: a transpose of [2, 3] moves no data: the result is six ranges of one element. An all-reduce of it is one step.
"""

from collections import ChainMap
from collections.abc import MutableMapping, Sequence

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.xla.arithmetic import computed, reduced
from p2smt.frontend.xla.borders import Borders
from p2smt.frontend.xla.branches import branch_indices, merged_branches
from p2smt.frontend.xla.known import KnownNumbers, constant, iota, numbered
from p2smt.frontend.xla.operands import (
    count_of,
    element,
    first_of,
    looked_up,
    one_or_several,
    parameter,
    shape_of,
    tensors_of,
    types_of,
)
from p2smt.frontend.xla.operators import (
    READ,
    Arithmetic,
    Binary,
    HloKind,
    HloMove,
    Operator,
    Unary,
)
from p2smt.frontend.xla.processes import partition_ids, replica_ids
from p2smt.frontend.xla.ssa import (
    HloInstruction,
    HloShape,
    Module,
    called,
    sums,
)
from p2smt.frontend.xla.ssa_collectives import PlanCollectives
from p2smt.frontend.xla.ssa_moves import MOVES, known_operand
from p2smt.frontend.xla.ssa_store import PlanBuffers
from p2smt.frontend.xla.ssa_sums import LocalSums
from p2smt.frontend.xla.ssa_values import HloTensor, Value, typed
from p2smt.verify.limits import MAX_STEPS

MANUAL = "sdy.manual_computation"
"""The operation whose region is the work of one device on its shard."""

Held = MutableMapping[str, Value]


class ModuleRun:
    """Interprets a module's computations; messages name the line of their instruction."""

    def __init__(self, module: Module, path: str, store: PlanBuffers) -> None:
        self._module, self._path, self._store = module, path, store
        self.labels: list[tuple[int, str]] = []
        self._done = 0
        self._borders = Borders(store)
        self.collectives = PlanCollectives(module, store)
        self.sums = LocalSums(store)

    def results(self) -> list[Value]:
        """Results of the entry computation."""
        entry = self._module.computations[self._module.entry]
        whole = "" if self._module.whole else None
        given: list[Value] = []
        for _, type_ in entry.parameters:
            value, _ = parameter(type_, sum(count_of(one) for one in given), whole)
            given.append(value)
        results = self._run(entry.name, given, 0, {})
        try:
            self._borders.check_results(results, entry.shared)
        except VerifyError as cause:
            line = entry.instructions[-1].line if entry.instructions else 1
            raise VerifyError(f"{self._path}, line {line}: {cause}") from cause
        return results

    def _run(self, name: str, arguments: Sequence[Value], depth: int, outside: Held) -> list[Value]:
        """Results of a computation; regions see the enclosing values."""
        computation = called(self._module, name, len(arguments), depth)
        held: Held = ChainMap({}, outside) if computation.inside else {}
        for (own, type_), value in zip(computation.parameters, arguments, strict=True):
            held[own] = typed(value, type_)
        for instruction in computation.instructions:
            self._done += 1
            if self._done > MAX_STEPS:
                raise VerifyError(f"more than {MAX_STEPS} instructions are executed, the limit")
            try:
                held[instruction.name] = self._value(instruction, held, depth)
            except VerifyError as cause:
                text = str(cause)
                where = f"{self._path}, line "
                raise VerifyError(
                    text if text.startswith(where) else f"{where}{instruction.line}: {instruction}: {text}"
                ) from cause
        return [looked_up(one, held) for one in computation.results]

    def _value(self, instruction: HloInstruction, held: Held, depth: int) -> Value:
        operands = [looked_up(name, held) for name in instruction.operands]
        if instruction.kind is HloMove.RESHAPE and any(isinstance(one, HloTensor) and one.whole for one in operands):
            return ()  # what XLA leaves behind a result's sharding; whoever uses it gets no tensor
        match instruction.kind:
            case Collective() | Exchange() as communication:
                number = self._step(instruction)
                self._check_sum(instruction, communication)
                value = self.collectives.value(instruction, communication, tensors_of(operands), number)
            case HloMove() as move:
                value = MOVES[move](self._store, instruction, tensors_of(operands), shape_of(instruction.type))
            case Unary() | Binary() as operation:
                value = self._of_numbers(instruction, operation, tensors_of(operands))
            case HloKind() as kind:
                value = self._of_kind(instruction, kind, operands, held, depth)
        return typed(value, instruction.type)

    def _of_kind(
        self, instruction: HloInstruction, kind: HloKind, operands: Sequence[Value], held: Held, depth: int
    ) -> Value:
        match kind:
            case HloKind.CALL | HloKind.WHILE | HloKind.CONDITIONAL:
                return self._called(instruction, kind, operands, held, depth)
            case HloKind.ELEMENT | HloKind.PASS | HloKind.TUPLE | HloKind.LOCAL | HloKind.GLOBAL:
                return self._named(instruction, kind, operands)
            case HloKind.CONSTANT | HloKind.IOTA | HloKind.PARTITION_ID | HloKind.REPLICA_ID:
                return self._known(instruction, kind, shape_of(instruction.type))
            case HloKind.ADD | HloKind.MULTIPLY | HloKind.DIVIDE | HloKind.REDUCE | HloKind.PERMUTE | HloKind.SELECT:
                return self._computed(instruction, kind, tensors_of(operands))
            case HloKind.COMPARE | HloKind.CLAMP:
                return self._arithmetic(instruction, kind, tensors_of(operands))
            case HloKind.OTHER:
                raise VerifyError(f"this operation is not supported; supported are {READ}")

    def _named(self, instruction: HloInstruction, kind: HloKind, operands: Sequence[Value]) -> Value:
        """Return an existing value under a new name (tuple elements, boundaries, copies)."""
        match kind:
            case HloKind.ELEMENT:
                return element(first_of(operands), instruction.index)
            case HloKind.LOCAL:
                return one_or_several(self._borders.inside(instruction, operands, types_of(instruction.type)))
            case HloKind.GLOBAL:
                return one_or_several(self._borders.outside(operands, instruction.shared_after))
            case _:
                alone = kind is HloKind.PASS and len(operands) == 1
                return operands[0] if alone else tuple(operands)

    def _known(self, instruction: HloInstruction, kind: HloKind, shape: HloShape) -> HloTensor:
        devices = self._store.devices
        match kind:
            case HloKind.IOTA:
                return HloTensor(shape, iota(shape, instruction.dims[0] if instruction.dims else 0))
            case HloKind.PARTITION_ID:
                return HloTensor(shape, numbered(partition_ids(self._module, devices), shape))
            case HloKind.REPLICA_ID:
                return HloTensor(shape, numbered(replica_ids(self._module, devices), shape))
            case _:
                return HloTensor(shape, constant(instruction.values, shape))

    def _of_numbers(
        self, instruction: HloInstruction, operation: Unary | Binary, tensors: list[HloTensor]
    ) -> HloTensor:
        """Return a difference or negation of data, or any arithmetic on known numbers."""
        of_data = not all(isinstance(tensor.where, KnownNumbers) for tensor in tensors)
        match operation, tensors:
            case Unary.NEGATE, [one] if of_data:
                return self.sums.negated(instruction, one, self._step(instruction))
            case Binary.SUBTRACT, [_, _] if of_data:
                return self.sums.subtracted(instruction, tensors, self._step(instruction))
            case _:
                return self._arithmetic(instruction, operation, tensors)

    def _arithmetic(
        self, instruction: HloInstruction, operation: Arithmetic | HloKind, tensors: list[HloTensor]
    ) -> HloTensor:
        known = [known_operand(tensor, "an operand") for tensor in tensors]
        shape = shape_of(instruction.type)
        return HloTensor(shape, computed(operation, known, shape, instruction.direction))

    def _computed(self, instruction: HloInstruction, kind: HloKind, tensors: list[HloTensor]) -> Value:
        known = [tensor.where for tensor in tensors if isinstance(tensor.where, KnownNumbers)]
        if len(known) == len(tensors) and kind is not HloKind.PERMUTE:
            return self._computed_of_known(instruction, kind, known)
        match kind:
            case HloKind.SELECT:
                if len(tensors) != 3:
                    raise VerifyError(f"{len(tensors)} operands; a select takes a condition and two tensors")
                return self.sums.selected(tensors[1:], known_operand(tensors[0], "its condition"))
            case HloKind.ADD:
                return self.sums.added(instruction, tensors, self._step(instruction))
            case HloKind.MULTIPLY | HloKind.DIVIDE:
                return self.sums.scaled(instruction, tensors, kind is HloKind.DIVIDE, self._step(instruction))
            case HloKind.PERMUTE:
                return self.collectives.permuted(instruction, tensors, self._step(instruction))
            case _:
                self._check_sum(instruction, kind)
                return self.sums.summed(instruction, tensors, self._step(instruction))

    def _computed_of_known(self, instruction: HloInstruction, kind: HloKind, known: list[KnownNumbers]) -> HloTensor:
        shape = shape_of(instruction.type)
        if kind is not HloKind.REDUCE:
            return HloTensor(shape, computed(kind, known, shape))
        if len(known) != 2:
            raise VerifyError(f"a reduction of {len(known)} constants; only one at a time is supported")
        return HloTensor(shape, reduced(self._reducer(instruction.callee), known[0], known[1], instruction.dims))

    def _reducer(self, name: str) -> HloKind | Arithmetic:
        """The binary operation of a reducer computation."""
        if not sums(self._module, name):
            return HloKind.ADD
        found = self._module.computations.get(name)
        last = found.instructions[-1].kind if found is not None and len(found.instructions) == 1 else HloKind.OTHER
        return last if isinstance(last, Unary | Binary) else HloKind.OTHER

    def _called(
        self, instruction: HloInstruction, kind: HloKind, operands: Sequence[Value], held: Held, depth: int
    ) -> Value:
        match kind:
            case HloKind.WHILE:
                return self._looped(instruction, operands, held, depth + 1)
            case HloKind.CONDITIONAL:
                return self._branched(instruction, operands, held, depth + 1)
            case _ if instruction.spelled == MANUAL:
                inner = self._module.computations.get(instruction.callee)
                types = [type_ for _, type_ in inner.parameters] if inner else []
                given = self._borders.inside(instruction, operands, types)
                results = self._run(instruction.callee, given, depth + 1, held)
                return one_or_several(self._borders.outside(results, instruction.shared_after))
            case _:
                return one_or_several(self._run(instruction.callee, operands, depth + 1, held))

    def _looped(self, instruction: HloInstruction, operands: Sequence[Value], held: Held, depth: int) -> Value:
        if len(instruction.callees) != 2:
            raise VerifyError(f"{len(instruction.callees)} computations; a loop has a condition and a body")
        condition, body = instruction.callees
        values = list(operands)
        while True:
            asked = known_operand(
                tensors_of(self._run(condition, values, depth, held))[0], "how often it is carried out"
            )
            goes_on = {bool(asked.single(device)) for device in range(self._store.devices)}
            if len(goes_on) > 1:
                raise VerifyError("devices run this loop a different number of times, which is not supported")
            if not goes_on.pop():
                return one_or_several(values)
            values = self._run(body, values, depth, held)

    def _branched(self, instruction: HloInstruction, operands: Sequence[Value], held: Held, depth: int) -> Value:
        condition = known_operand(tensors_of(operands[:1])[0], "which branch is taken")
        indices = branch_indices(instruction, condition, self._store.devices)
        given, before = operands[1:], self.collectives.count
        values: dict[int, Value] = {}
        for index in sorted(set(indices)):
            arguments = given[index : index + 1] if given else []
            values[index] = one_or_several(self._run(instruction.callees[index], arguments, depth, held))
        if len(values) > 1 and self.collectives.count > before:
            raise VerifyError("devices take different branches, and a branch communicates, which is not supported")
        return merged_branches(self._store, values, indices)

    def _step(self, instruction: HloInstruction) -> int:
        """Start a new step for an instruction, and return its number."""
        self.labels.append((len(self.labels) + 1, f"{instruction}, line {instruction.line}"))
        return len(self.labels)

    def _check_sum(self, instruction: HloInstruction, operator: Operator) -> None:
        """Raise VerifyError if a reducing operation does not add."""
        if operator is HloKind.REDUCE or (isinstance(operator, Collective) and operator.adds):
            what = sums(self._module, instruction.callee)
            if what:
                raise VerifyError(
                    f"{instruction.callee[:60] or 'its region'} is {what}, not an addition; only sums are supported"
                )
