"""Find the fastest reduction program for each collective of a schedule, on one placement."""

from dataclasses import dataclass, field

from p2smt.collective import Collective
from p2smt.cost.network.cost import Cost
from p2smt.cost.program_table import ProgramTables
from p2smt.job.job_pricer import JobPricer, ReductionTime
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.build import build_workload
from p2smt.problem.model import Payload
from p2smt.problem.workload import Reduction, Workload
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import Synthesizer
from p2smt.schedule.cost.price import Price, in_turn
from p2smt.smt.answer import Stop


@dataclass(frozen=True, slots=True)
class JobContext:
    """Data shared by all placements: the job, its cost model, and caches of programs.

    `deadline` is a time of `time.monotonic` after which the search for programs gives up.
    """

    workload: Workload
    cost: Cost
    deadline: float | None = None
    synthesizer: Synthesizer = field(default_factory=Synthesizer)
    tables: ProgramTables = field(default_factory=ProgramTables)


class ProgramCarrier:
    """Implements collectives by the fastest program up to the job's length limit or beyond (a `Carrier`)."""

    def __init__(self, found: JobContext, matrix: ParallelismMatrix) -> None:
        self._found = found
        self._matrix = matrix
        self._known: dict[tuple[Collective, int, int], Price | None] = {}
        self.ended = Stop.EXHAUSTED
        """The reason why the searches ended; EXHAUSTED if all programs were found for every request."""

    def price(self, collective: Collective, axis: int, held: float) -> Price | None:
        """Return the price of the fastest program of a collective that holds `held` bytes.

        Return None along an axis of one rank, for zero bytes, and if no program was found in time.
        """
        size = self._found.workload.axes[axis].size
        whole = round(held) * (size if collective.gathers else 1)
        if size == 1 or not whole:
            return None
        key = collective, axis, whole
        if key not in self._known:
            self._known[key] = self._price(collective, axis, whole)
        return self._known[key]

    def _price(self, collective: Collective, axis: int, whole: int) -> Price | None:
        job = self._found.workload
        reduction = Reduction(name=str(collective), axes=(axis,), payload=Payload(whole, "int8"), goal=collective)
        alone = build_workload(job.system, job.axes, [reduction], (), job.search)
        pricer = JobPricer(alone, self._found.cost, self._found.deadline, self._found.synthesizer, self._found.tables)
        candidates = pricer.candidates(0, self._matrix)
        if candidates.stop is not Stop.EXHAUSTED:
            self.ended = candidates.stop
        for candidate in candidates.cheapest():
            plan = pricer.plan(self._matrix, ReductionTime(reduction, candidate, candidate.seconds))
            assert isinstance(plan, Plan), "it is a collective"
            return in_turn(candidate.text, [self._found.cost.step_cost(plan, step) for step in plan.steps])
        return None
