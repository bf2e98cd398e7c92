"""Price a training step's communication on a placement, with the best program for every reduction.

    seconds(placement) = sum over phases of  min over programs for its reductions of  time of the phase,
with phases the sets of reductions that may overlap (`best_assignment`). Without any search it is bounded by
    least(placement) = sum over phases of  the same for a program that is best in every component (time, busy links).
Method: memoisation under a canonical key: a reduction costs the same on two placements if its own axes have the same
factors, and so do the products of the factors between them.
Complexity: one synthesis and pricing for each different key, O(phases) for each further placement.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, for one reduction; the sum over a job is ours.

Example: axes a = 4, b = 2 and c = 2 on 2 nodes of 8 GPUs, a inside the nodes. Whether b or c is across the nodes, the
other axes have the product 2 on either level, so a reduction along a is priced once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.any_length import Reach
from p2smt.cost.by_communicators import programs_by_communicators
from p2smt.cost.network.cost import Cost
from p2smt.cost.program_table import ProgramTables
from p2smt.job.alike_candidates import AlikeCandidates
from p2smt.job.candidate import (
    Candidates,
    Communicators,
    ReductionCandidate,
    all_to_all_candidates,
    priced_candidates,
    program_candidates,
    send_candidates,
)
from p2smt.job.combination import (
    Assignment,
    WeightedProgram,
    best_assignment,
    frugal_candidates,
    smallest_communicators,
)
from p2smt.job.communicator_limits import digit_sizes, keeps_limit
from p2smt.job.floors import Floors
from p2smt.job.phases import ReductionKey, phases_of, reduction_key, together_seconds
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import ProgramCondition
from p2smt.problem.workload import Reduction, Workload
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.plan.exchange import ExchangePlan, all_to_all_plan, send_plan
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.all_to_all import AllToAllProgram, all_to_all_programs
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Enumeration, Stop


@dataclass(frozen=True, slots=True)
class ReductionTime:
    """A reduction, its chosen program, and its seconds per step without concurrent reductions."""

    reduction: Reduction
    candidate: ReductionCandidate
    seconds: float


@dataclass(frozen=True, slots=True)
class Phase:
    """Reductions that may run at the same time, and the seconds per step until all are done."""

    reductions: tuple[ReductionTime, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class PlacementTime:
    """A placement and its communication time per step; `communicators` is their number per device.

    `wire_seconds` is the lower bound from link capacities, whatever programs run.
    """

    matrix: ParallelismMatrix
    seconds: float
    phases: tuple[Phase, ...]
    communicators: int
    wire_seconds: float

    @property
    def reductions(self) -> tuple[ReductionTime, ...]:
        """All reductions, phase by phase."""
        return tuple(one for phase in self.phases for one in phase.reductions)


class JobPricer:
    """Prices placements of one job, caching what they have in common.

    A reduction has the same candidates on two placements if its own axes have the same factors, and so do the products
    of other axes' factors between them; such placements share a `reduction_key`. Its programs cost the same on all
    placements that share a `price_key`, and so do those of another reduction with the same goal and payload.
    """

    def __init__(
        self,
        workload: Workload,
        cost: Cost,
        deadline: float | None = None,
        synthesizer: Synthesizer | None = None,
        tables: ProgramTables | None = None,
    ) -> None:
        """Start with caches of found programs (`synthesizer`) and of their steps (`tables`); by default empty ones.

        `deadline` is a time of `time.monotonic` after which the search for programs gives up.
        """
        self.workload = workload
        self._cost = cost
        self._deadline = deadline
        self._synthesizer = synthesizer or Synthesizer()
        self._tables = tables or ProgramTables()
        self._known: dict[ReductionKey, Candidates] = {}
        self._alike = AlikeCandidates()
        self._floors = Floors(workload)
        self._by_communicators: dict[ReductionKey, Enumeration[ReductionCandidate]] = {}
        self._chosen: dict[tuple[ReductionKey, bool], list[ReductionCandidate]] = {}
        self._phases = phases_of(workload.reductions)

    def placement(
        self, matrix: ParallelismMatrix, limits: Sequence[ProgramCondition] | None = None
    ) -> PlacementTime | None:
        """Return the time of a placement; None if no choice of programs satisfies the limits (by default the job's)."""
        kept = self._limits if limits is None else limits
        digits = digit_sizes(matrix)
        allowed = (lambda some: all(keeps_limit(some, digits, one) for one in kept)) if kept else None
        phases = [[self._ways(number, matrix, bool(kept)) for number in phase] for phase in self._phases]
        choice = best_assignment(phases, self._cost.system.network.overlap, allowed)
        return None if choice is None else self._timed(matrix, choice)

    def ending(self, matrix: ParallelismMatrix) -> tuple[Stop, str]:
        """Return the reason why the search for programs on a placement ended, and the solver's reason if it gave up.

        EXHAUSTED means that all programs up to the length limit were found for every reduction and, if
        communicators are limited, the cheapest program of any length for every set of communicators.
        """
        for number in range(len(self.workload.reductions)):
            found = self.candidates(number, matrix)
            if found.stop is not Stop.EXHAUSTED:
                return found.stop, found.reason
            if self._limits and not (few := self._with_few_communicators(number, matrix)).complete:
                return few.stop, few.reason
        return Stop.EXHAUSTED, ""

    def sets_ending(self, matrix: ParallelismMatrix) -> tuple[Stop, str]:
        """Return why those searches ended on which `smallest_communicators` depends; EXHAUSTED if all are complete."""
        for number in range(len(self.workload.reductions)):
            found = self.candidates(number, matrix)
            if found.stop is not Stop.EXHAUSTED:
                return found.stop, found.reason
            if not self._sets_are_listed(number, matrix):
                few = self._with_few_communicators(number, matrix)
                if not few.complete:
                    return few.stop, few.reason
        return Stop.EXHAUSTED, ""

    def reach(self, number: int, matrix: ParallelismMatrix) -> Reach:
        """Return the extent of the search for longer programs for reduction `number` on a placement."""
        return self.candidates(number, matrix).reach

    def overlaps(self, number: int) -> bool:
        """True if reduction `number` may run at the same time as another one."""
        return (number,) not in self._phases

    def least(self, matrix: ParallelismMatrix) -> float:
        """Return a lower bound on the seconds of a placement, without any search."""
        return sum(self._least_of_phase(phase, matrix) for phase in self._phases)

    def _least_of_phase(self, phase: Sequence[int], matrix: ParallelismMatrix) -> float:
        """Return a lower bound on a phase, assuming each reduction has a program that is best in every component."""
        longest, busy = 0.0, np.zeros(len(self._cost.system.network.links) + 1)
        for number in phase:
            found, times = (
                self._known.get(reduction_key(self.workload, number, matrix)),
                self.workload.reductions[number].times,
            )
            if found is not None and found.stop is Stop.EXHAUSTED and len(found):
                seconds, alone = found.least()
            else:
                seconds, alone = self._floors.alone(number, matrix)
            longest = max(longest, times * seconds)
            busy += times * alone
        return together_seconds(phase, longest, busy, self._cost.system.network.overlap)

    def smallest_communicators(self, matrix: ParallelismMatrix) -> tuple[Communicators, ...]:
        """Return the minimal sets of communicators that suffice for all reductions on a placement."""
        numbers = range(len(self.workload.reductions))
        return smallest_communicators([self._ways_for_sets(number, matrix) for number in numbers])

    def _ways_for_sets(self, number: int, matrix: ParallelismMatrix) -> list[ReductionCandidate]:
        """Return programs such that any sufficient set of communicators suffices for one of them."""
        if self._sets_are_listed(number, matrix):
            found = self.candidates(number, matrix)
            return [found.made(place) for place in range(len(found))]
        return self._limited_ways(number, matrix)

    def _sets_are_listed(self, number: int, matrix: ParallelismMatrix) -> bool:
        """True if programs beyond the length limit cannot need other sets of communicators.

        This holds if the limit is at least the number of levels: whatever a program does with some
        communicators can be done one range of levels at a time.
        """
        levels = len(self._lowering(self.workload.reductions[number], matrix).hierarchy.reduction_levels)
        return self.workload.search.limit >= levels

    def plan(self, matrix: ParallelismMatrix, chosen: ReductionTime) -> Plan | ExchangePlan:
        """Return the plan of a chosen program."""
        lowering = self._lowering(chosen.reduction, matrix)
        match chosen.candidate.program:
            case AllToAllProgram(groupings):
                return all_to_all_plan(lowering, groupings, chosen.candidate.text)
            case NeighbourSend() as send:
                return send_plan(lowering, send, chosen.candidate.text)
            case program:
                return lowering.plan(program)

    def candidates(self, number: int, matrix: ParallelismMatrix) -> Candidates:
        """Return all programs of reduction `number` on a placement."""
        key = reduction_key(self.workload, number, matrix)
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
            case Exchange.ALL_TO_ALL | Exchange.SEND:
                language = language_of(lowering.hierarchy, problem.search.grammar)
                return all_to_all_candidates(all_to_all_programs(language, problem.search.limit), lowering, self._cost)
            case NeighbourSend() as send:
                return send_candidates(send, lowering, self._cost)
            case Collective():
                programs = self._synthesizer.programs(problem, lowering.hierarchy, self._deadline)
                table = self._tables.of(programs.items, lowering)
                priced = partial(program_candidates, table, lowering, self._cost, programs, self._deadline)
                return self._alike.of(programs.items, lowering, priced)

    def _ways(self, number: int, matrix: ParallelismMatrix, limited: bool) -> list[WeightedProgram]:
        """Return the candidates that can be part of a best assignment."""
        key = reduction_key(self.workload, number, matrix), limited
        if key not in self._chosen:
            self._chosen[key] = self._useful(number, matrix, limited)
        return [WeightedProgram(candidate, self.workload.reductions[number].times) for candidate in self._chosen[key]]

    def _useful(self, number: int, matrix: ParallelismMatrix, limited: bool) -> list[ReductionCandidate]:
        """Return the Pareto-optimal candidates for reduction `number`; communicators count if `limited`."""
        found, alone = self.candidates(number, matrix), not self.overlaps(number)
        if limited:
            return frugal_candidates(self._limited_ways(number, matrix), alone)
        return found.cheapest() if alone else found.undominated()

    def _limited_ways(self, number: int, matrix: ParallelismMatrix) -> list[ReductionCandidate]:
        """Return the programs up to the length limit, and the cheapest of any length per set of communicators."""
        found = self.candidates(number, matrix)
        longer = self._with_few_communicators(number, matrix).items
        return [*map(found.made, range(len(found))), *longer]

    def _with_few_communicators(self, number: int, matrix: ParallelismMatrix) -> Enumeration[ReductionCandidate]:
        """Return the cheapest program of any length per set of communicators; empty if all are known."""
        reduction, key = self.workload.reductions[number], reduction_key(self.workload, number, matrix)
        if not isinstance(reduction.goal, Collective) or self.reach(number, matrix) is Reach.ALL:
            return Enumeration((), Stop.EXHAUSTED)
        if key not in self._by_communicators:
            lowering = self._lowering(reduction, matrix)
            programs = programs_by_communicators(lowering, self._cost, self._deadline)
            priced = priced_candidates(programs.items, lowering, self._cost)
            self._by_communicators[key] = Enumeration(tuple(priced), programs.stop, programs.reason)
        return self._by_communicators[key]

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
        wire_seconds = self._floors.wire_seconds(matrix)
        return PlacementTime(matrix, choice.seconds, tuple(phases), len(choice.communicators), wire_seconds)
