"""Overlap of collectives with computation: each begins early, and is awaited before its first reader.

Reductions (AllReduce, ReduceScatter) begin once their operands exist. So gradients are reduced during the backward
pass, and sums that only depend on the batch, such as the number of labels, during the forward pass. AllGathers of
parameters are prefetched: each begins when the one before it is awaited, so at most one gather is ahead of the layers
that read it (as in FSDP2; Zhao et al., "PyTorch FSDP", VLDB 2023).

A ReduceScatter or AllGather may send its operands from where they lie. So it is awaited before an update that may write
to their memory:
    begin(c) <= await(c) <= min(first reader of c, first update u with memory(u) and memory(operands of c) not disjoint)
All ranks use the same order, so their calls match. The computations of a rank, and the contents of calls, do not
change.

Example: with AllGathers a of w and b of v, and u = update(w, ...) at the end, the order a, f(a), b, g(b), u becomes
a, begin b, f(a), await b, g(b), u.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from p2smt.emit.torch.program.storage import shared_memory
from p2smt.tensor.buckets import BucketedProgram
from p2smt.tensor.conversion import AllGather, AllReduce, Conversion, ReduceScatter
from p2smt.tensor.expression import Call, Convert, Read, SourceKind, Statement, parts
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program


class Moment(StrEnum):
    """The action on a run of statements: begin it, await it, or run it as a whole."""

    BEGIN = "begin"
    AWAIT = "await"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Event:
    """An action on one run of statements."""

    moment: Moment
    run: tuple[Statement, ...]


def events(made: BucketedProgram) -> tuple[Event, ...]:
    """Return the runs of a program in order, with collectives split into begin and await if other work fits in between.

    Invariant: each one begins after its operands are computed, and is awaited before its first reader, before a write
    to the memory of its operands, and at the latest at the end; all others keep their order. A reduction outside of
    buckets is included if no contraction follows its first reader (as for gradients) or precedes its begin; those of
    activations are not moved. Of gathers, those of parameters and states are included.
    """
    return _Order(made).events()


def begun_first(program: Program, order: Sequence[Event]) -> tuple[Statement, ...]:
    """Return the statements of a program in the order in which they begin."""
    found = tuple(each for event in order if event.moment is not Moment.AWAIT for each in event.run)
    assert len(found) == len(program.statements)
    return found


def is_gather(run: Sequence[Statement]) -> bool:
    """True if a run consists of AllGathers."""
    return isinstance(_conversion(run), AllGather)


def is_all_reduce(run: Sequence[Statement]) -> bool:
    """True if a run consists of AllReduces."""
    return isinstance(_conversion(run), AllReduce)


class _Order:
    """The order of runs; slot n is the position before run n, and the last slot is the end."""

    def __init__(self, made: BucketedProgram) -> None:
        self._runs = made.runs
        self._reads = [_reads(run) for run in self._runs]
        self._of = {each.name: number for number, run in enumerate(self._runs) for each in run}
        self._memory = _memory(made.program)
        self._begins: dict[int, int] = {}
        self._awaits: dict[int, int] = {}
        self._reductions()
        self._gathers({source.name for source in made.program.sources if source.kind in _KEPT})

    def _reductions(self) -> None:
        for number, run in enumerate(self._runs):
            if isinstance(_conversion(run), AllReduce | ReduceScatter):
                makers = [self._of[name] for name in self._reads[number] if name in self._of]
                # As early as the last operand allows.
                self._begins[number] = max((maker + 1 for maker in makers), default=0)
        contracting = [number for number, run in enumerate(self._runs) if _contracts(run)]
        first, last = min(contracting, default=-1), max(contracting, default=-1)
        # From the end, because a later sum's beginning may be the first reader of an earlier one.
        for number in sorted(self._begins, reverse=True):
            self._awaits[number] = self._await(number)
            before = self._begins[number] <= first and not _contracts(self._runs[number])
            apart = len(self._runs[number]) > 1 or self._awaits[number] > last or before
            # Without computation in between there is nothing to overlap, and a blocking call is
            # cheaper.
            if not apart or not self._computes(number):
                del self._begins[number], self._awaits[number]

    def _gathers(self, kept: set[str]) -> None:
        """Begin each gather of parameters where the gather before it, in the order of readers, is awaited."""
        numbers = [number for number, run in enumerate(self._runs) if is_gather(run) and self._reads[number] <= kept]
        readers = {number: self._first_reader(number) for number in numbers}
        free = len(self._runs)
        for place, number in enumerate(sorted(numbers, key=lambda number: (readers[number], number))):
            self._begins[number] = number if place == 0 else min(number, free)
            self._awaits[number] = self._await(number)
            if self._awaits[number] <= number or not self._computes(number):
                del self._begins[number], self._awaits[number]
            # Behind a blocking gather, and before the await of one that was begun.
            free = self._awaits.get(number, number + 1)

    def _first_reader(self, number: int) -> int:
        """Return the slot at which the values of a run are first read; the last one if they are not."""
        names = {each.name for each in self._runs[number]}
        slots = [
            self._begins.get(reader, reader)
            for reader in range(number + 1, len(self._runs))
            if not names.isdisjoint(self._reads[reader])
        ]
        return min(slots, default=len(self._runs))

    def _await(self, number: int) -> int:
        """Return the slot of the await: before the first reader, and before a write to memory that the call reads."""
        if is_all_reduce(self._runs[number]):  # sends a copy
            return self._first_reader(number)
        read = frozenset[str]().union(*(self._memory[name] for name in self._reads[number]))
        writes = [
            other
            for other in range(self._begins[number], len(self._runs))
            if not read.isdisjoint(_written(self._runs[other], self._memory))
        ]
        return min([self._first_reader(number), *writes])

    def events(self) -> tuple[Event, ...]:
        found: list[Event] = []
        for slot in range(len(self._runs) + 1):
            waits = [each for each in sorted(self._awaits) if self._awaits[each] == slot]
            begins = [each for each in sorted(self._begins) if self._begins[each] == slot]
            awaited = {each.name for number in waits for each in self._runs[number]}
            behind = [each for each in begins if not awaited.isdisjoint(self._reads[each])]
            found += [Event(Moment.BEGIN, self._runs[each]) for each in begins if each not in behind]
            found += [Event(Moment.AWAIT, self._runs[each]) for each in waits]
            found += [Event(Moment.BEGIN, self._runs[each]) for each in behind]
            if slot < len(self._runs) and slot not in self._begins:
                found.append(Event(Moment.WHOLE, self._runs[slot]))
        return tuple(found)

    def _computes(self, number: int) -> bool:
        """True if other computation is between its begin and its await."""
        between = [self._runs[each] for each in range(self._begins[number], self._awaits[number]) if each != number]
        return any(isinstance(part, Call) for run in between for each in run for part in parts(each.expression))


_KEPT = (SourceKind.PARAMETER, SourceKind.STATE)


def _contracts(run: Sequence[Statement]) -> bool:
    return any(  # only: after the last contraction all gradients exist
        isinstance(part, Call) and OPERATIONS[part.operation].kind is Kind.CONTRACT
        for each in run
        for part in parts(each.expression)
    )


def _conversion(run: Sequence[Statement]) -> Conversion | None:
    """Return the conversion that the first statement of a run is; None if it computes."""
    first = run[0].expression
    return first.conversion if isinstance(first, Convert) else None


def _reads(run: Sequence[Statement]) -> frozenset[str]:
    return frozenset(part.name for each in run for part in parts(each.expression) if isinstance(part, Read))


def _memory(program: Program) -> dict[str, frozenset[str]]:
    """Return, for each name, the parameters and states whose memory its value may share.

    Every update is taken to write over its old version; whether it does depends on the order that is looked for here.
    """
    memory = {source.name: frozenset({source.name} if source.kind in _KEPT else ()) for source in program.sources}
    for each in program.statements:
        match each.expression:
            case Call("update", (Read(old), _)):
                memory[each.name] = memory[old]
            case expression:
                memory[each.name] = shared_memory(expression, memory)
    return memory


def _written(run: Sequence[Statement], memory: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the parameters and states to whose memory a run may write."""
    found = [
        memory[each.name] for each in run if isinstance(each.expression, Call) and each.expression.operation == "update"
    ]
    return frozenset[str]().union(*found)
