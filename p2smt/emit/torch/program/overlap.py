"""Overlap of AllReduces with computation: each begins when its operands exist, and is awaited before its first reader.

Other statements compute in between: gradients are reduced during the backward pass, and sums that only depend on the
batch, such as the number of labels, during the forward pass. All ranks use the same order, so their calls match. The
computations of a rank, and the contents of calls, do not change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from p2smt.tensor.buckets import BucketedProgram
from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Call, Convert, Program, Read, Statement, parts


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
    """Return the runs of a program in order, with AllReduces split into begin and await if other work fits in between.

    Invariant: each one begins after its operands are computed, and is awaited before its first reader or at the end;
    all others keep their order. An AllReduce outside of buckets is included if no contraction follows its first reader
    (as for gradients) or precedes its begin; those of activations are not moved.
    """
    return _Order(made.runs).events()


def begun_first(program: Program, order: Sequence[Event]) -> tuple[Statement, ...]:
    """Return the statements of a program in the order in which they begin."""
    found = tuple(each for event in order if event.moment is not Moment.AWAIT for each in event.run)
    assert len(found) == len(program.statements)
    return found


class _Order:
    """The order of runs; slot n is the position before run n, and the last slot is the end."""

    def __init__(self, runs: Sequence[tuple[Statement, ...]]) -> None:
        self._runs = runs
        self._reads = [_reads(run) for run in runs]
        self._of = {each.name: number for number, run in enumerate(runs) for each in run}
        self._begins: dict[int, int] = {}
        self._awaits: dict[int, int] = {}
        for number, run in enumerate(runs):
            if _is_all_reduce(run[0]):
                makers = [self._of[name] for name in self._reads[number] if name in self._of]
                # As early as the last operand allows.
                self._begins[number] = max((maker + 1 for maker in makers), default=0)
        contracting = [number for number, run in enumerate(runs) if _contracts(run)]
        first, last = min(contracting, default=-1), max(contracting, default=-1)
        # From the end, because a later sum's beginning may be the first reader of an earlier one.
        for number in sorted(self._begins, reverse=True):
            names = {each.name for each in runs[number]}
            slots = [
                self._begins.get(reader, reader)
                for reader in range(number + 1, len(runs))
                if not names.isdisjoint(self._reads[reader])
            ]
            self._awaits[number] = min(slots, default=len(runs))
            before = self._begins[number] <= first and not _contracts(runs[number])
            apart = len(runs[number]) > 1 or self._awaits[number] > last or before
            # Without computation in between there is nothing to overlap, and a blocking call is
            # cheaper.
            if not apart or not self._computes(number):
                del self._begins[number], self._awaits[number]

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


def _contracts(run: Sequence[Statement]) -> bool:
    return any(  # only: after the last contraction all gradients exist
        isinstance(part, Call) and OPERATIONS[part.operation].kind is Kind.CONTRACT
        for each in run
        for part in parts(each.expression)
    )


def _is_all_reduce(statement: Statement) -> bool:
    return isinstance(statement.expression, Convert) and isinstance(statement.expression.conversion, AllReduce)


def _reads(run: Sequence[Statement]) -> frozenset[str]:
    return frozenset(part.name for each in run for part in parts(each.expression) if isinstance(part, Read))
