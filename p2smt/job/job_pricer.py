"""What a training step's communication takes on a placement, every reduction with its best program."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from p2smt.collective import Collective, Exchange
from p2smt.cost.network.backend import Cost
from p2smt.cost.program_table import ProgramTables
from p2smt.job.candidate import (
    Candidate,
    Candidates,
    Communicators,
    all_to_all_candidates,
    program_candidates,
)
from p2smt.job.combination import (
    Assignment,
    WeightedProgram,
    best_assignment,
    frugal_candidates,
    shared_seconds,
    smallest_communicators,
)
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import FewCommunicators, LittleMemory, ProgramCondition
from p2smt.problem.workload import Reduction, Workload
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.all_to_all import AllToAllProgram, all_to_all_programs
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop

PAIR_BYTES, GROUP_BYTES = 544 * 10**6, 688 * 10**6
"""Device memory of a communicator of two ranks, and of more (measured on A100s by a user: NCCL issue 964, 2023)."""

_Key = tuple[int, tuple[tuple[int, int, int], ...]]


@dataclass(frozen=True, slots=True)
class ReductionTime:
    """A reduction, the program chosen for it, and the program's seconds per step when it is alone on the network."""

    reduction: Reduction
    candidate: Candidate
    seconds: float


@dataclass(frozen=True, slots=True)
class Phase:
    """Reductions that may run at the same time, and the seconds per step until all are done."""

    reductions: tuple[ReductionTime, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class PlacementTime:
    """A placement and what communication takes on it per step; `communicators` is how many a device is in."""

    matrix: ParallelismMatrix
    seconds: float
    phases: tuple[Phase, ...]
    communicators: int

    @property
    def reductions(self) -> tuple[ReductionTime, ...]:
        """All reductions, phase after phase."""
        return tuple(one for phase in self.phases for one in phase.reductions)


class JobPricer:
    """Prices placements of one job; what placements have in common is worked out once.

    A reduction costs the same on placements where its own factors are the same and the other axes' factors between
    them are: `_key` says which those are.
    """

    def __init__(
        self,
        workload: Workload,
        cost: Cost,
        deadline: float | None = None,
        synthesizer: Synthesizer | None = None,
    ) -> None:
        """`deadline`: a time of `time.monotonic` after which the search for programs gives up.

        `synthesizer`: one that may have found programs already.
        """
        self.workload = workload
        self._cost = cost
        self._deadline = deadline
        self._synthesizer = synthesizer or Synthesizer()
        self._tables = ProgramTables()
        self._known: dict[_Key, Candidates] = {}
        self._chosen: dict[tuple[_Key, bool], list[Candidate]] = {}
        self._phases = _phases(workload.reductions)

    def placement(
        self, matrix: ParallelismMatrix, limits: Sequence[ProgramCondition] | None = None
    ) -> PlacementTime | None:
        """The time of a placement; None when no choice of programs keeps the limits (the job's, if none are given)."""
        kept = self._limits if limits is None else limits
        digits = digit_sizes(matrix)
        allowed = (lambda some: all(keeps_limit(some, digits, one) for one in kept)) if kept else None
        phases = [[self._ways(number, matrix, bool(kept)) for number in phase] for phase in self._phases]
        choice = best_assignment(phases, self._cost.system.network.overlap, allowed)
        return None if choice is None else self._timed(matrix, choice)

    def ending(self, matrix: ParallelismMatrix) -> tuple[Stop, str]:
        """How the search for programs on a placement ended, and the solver's reason where it gave up.

        EXHAUSTED: for every reduction all programs up to the limit are found.
        """
        for number in range(len(self.workload.reductions)):
            found = self.candidates(number, matrix)
            if found.stop is not Stop.EXHAUSTED:
                return found.stop, found.reason
        return Stop.EXHAUSTED, ""

    def least(self, matrix: ParallelismMatrix) -> float:
        """Seconds that a placement takes at least, from what is known without searching; 0 where nothing is."""
        return sum(self._least_of_phase(phase, matrix) for phase in self._phases)

    def _least_of_phase(self, phase: Sequence[int], matrix: ParallelismMatrix) -> float:
        """As if every reduction had one program that is the best of all in everything."""
        longest, busy = 0.0, np.zeros(len(self._cost.system.network.links) + 1)
        for number in phase:
            found, times = self._known.get(self._key(number, matrix)), self.workload.reductions[number].times
            if found is not None and found.stop is Stop.EXHAUSTED and len(found):
                seconds, alone = found.least()
                longest = max(longest, times * seconds)
                busy += times * alone
        together = len(phase) > 1
        return shared_seconds(longest, busy.tolist(), self._cost.system.network.overlap) if together else longest

    def smallest_communicators(self, matrix: ParallelismMatrix) -> tuple[Communicators, ...]:
        """The smallest sets of communicators with which all reductions can be done on a placement."""
        numbers = range(len(self.workload.reductions))
        every = [self.candidates(number, matrix) for number in numbers]
        return smallest_communicators([[found.made(place) for place in range(len(found))] for found in every])

    def plan(self, matrix: ParallelismMatrix, chosen: ReductionTime) -> Plan | None:
        """The plan of a chosen program; None for an all-to-all, which plans do not hold."""
        match chosen.candidate.program:
            case AllToAllProgram():
                return None
            case program:
                return self._lowering(chosen.reduction, matrix).plan(program)

    def candidates(self, number: int, matrix: ParallelismMatrix) -> Candidates:
        """All programs of reduction `number` on a placement."""
        key = self._key(number, matrix)
        if key not in self._known:
            self._known[key] = self._found(self.workload.reductions[number], matrix)
        return self._known[key]

    @property
    def _limits(self) -> tuple[ProgramCondition, ...]:
        return tuple(one for one in self.workload.conditions if isinstance(one, ProgramCondition))

    def _lowering(self, reduction: Reduction, matrix: ParallelismMatrix) -> Lowering:
        return Lowering(self.workload.problem(reduction), matrix)

    def _found(self, reduction: Reduction, matrix: ParallelismMatrix) -> Candidates:
        lowering = self._lowering(reduction, matrix)
        problem = lowering.problem
        match reduction.goal:
            case Exchange():
                language = language_of(lowering.hierarchy, problem.search.grammar)
                return all_to_all_candidates(all_to_all_programs(language, problem.search.limit), lowering, self._cost)
            case Collective():
                programs = self._synthesizer.programs(problem, lowering.hierarchy, self._deadline)
                table = self._tables.of(programs.items, lowering)
                return program_candidates(table, lowering, self._cost, programs.stop, programs.reason)

    def _ways(self, number: int, matrix: ParallelismMatrix, limited: bool) -> list[WeightedProgram]:
        """The candidates that can be part of a best choice."""
        found, key = self.candidates(number, matrix), (self._key(number, matrix), limited)
        if key not in self._chosen:
            self._chosen[key] = self._useful(found, alone=(number,) in self._phases, limited=limited)
        return [WeightedProgram(candidate, self.workload.reductions[number].times) for candidate in self._chosen[key]]

    def _useful(self, found: Candidates, alone: bool, limited: bool) -> list[Candidate]:
        """Of equally good candidates the first; where communicators are limited those with fewer count too.

        There only programs up to the limit are candidates, for what is possible must not depend on prices.
        """
        if limited:
            return frugal_candidates(map(found.made, range(len(found))), alone)
        return found.cheapest() if alone else found.undominated()

    def _timed(self, matrix: ParallelismMatrix, choice: Assignment) -> PlacementTime:
        overlap = self._cost.system.network.overlap
        phases = []
        for numbers, together in zip(self._phases, choice.phases, strict=True):
            pairs = zip(numbers, together.chosen, strict=True)
            times = [
                ReductionTime(self.workload.reductions[n], way.candidate, way.times * way.candidate.seconds)
                for n, way in pairs
            ]
            phases.append(Phase(tuple(times), together.seconds(overlap)))
        return PlacementTime(matrix, choice.seconds, tuple(phases), len(choice.communicators))

    def _key(self, number: int, matrix: ParallelismMatrix) -> _Key:
        """The digits of a reduction's own axes, and between them the product of the others, level by level."""
        over = self.workload.reductions[number].axes
        merged: list[tuple[int, int, int]] = []
        for digit in DeviceMap(matrix).digits:
            axis = digit.axis if digit.axis in over else -1
            if digit.size == 1:
                continue
            if axis < 0 and merged and merged[-1][:2] == (digit.level, -1):
                merged[-1] = (digit.level, -1, merged[-1][2] * digit.size)
            else:
                merged.append((digit.level, axis, digit.size))
        return number, tuple(merged)


def keeps_limit(communicators: Communicators, sizes: Sequence[int], limit: ProgramCondition) -> bool:
    """Whether a device may be in these communicators; `sizes` are those of the placement's digits."""
    match limit:
        case FewCommunicators(most):
            return len(communicators) <= most
        case LittleMemory(most_bytes):
            return communicator_bytes(communicators, sizes) <= most_bytes


def communicator_bytes(communicators: Communicators, sizes: Sequence[int]) -> int:
    """Device memory that communicators take."""
    members = ([sizes[place] for place in places if sizes[place] > 1] for places in communicators)
    return sum(PAIR_BYTES if factors == [2] else GROUP_BYTES for factors in members)


def digit_sizes(matrix: ParallelismMatrix) -> tuple[int, ...]:
    """The sizes of the digits of the device number, most significant first."""
    return tuple(digit.size for digit in DeviceMap(matrix).digits)


def _phases(reductions: Sequence[Reduction]) -> list[tuple[int, ...]]:
    """The numbers of the reductions that may run at the same time; the others alone."""
    phases: dict[object, list[int]] = {}
    for number, reduction in enumerate(reductions):
        phases.setdefault(reduction.overlap or number, []).append(number)
    return [tuple(numbers) for numbers in phases.values()]
