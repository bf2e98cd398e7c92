"""The placement of the axes of a model's training, beside the one that frameworks use."""

from dataclasses import dataclass

from p2smt.collective import NeighbourSend
from p2smt.cost.network.backend import Cost
from p2smt.job.infeasible import Infeasible
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.optimize import Optimum, Progress, Unfinished, optimize
from p2smt.job.step.constants import CONSTANTS
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.notation import Notation, own_order, written_order
from p2smt.placement.order import Order, matrix_of_order
from p2smt.problem.build import build_workload
from p2smt.problem.model import Search
from p2smt.problem.system.network import System
from p2smt.problem.transformer.model import Parallelism, Transformer, Zero
from p2smt.problem.transformer.traffic import axes_and_reductions
from p2smt.problem.workload import Workload
from p2smt.reduction.synth.session import Synthesizer

USUAL = Notation.MEGATRON
"""The framework whose default order is the usual one: tensor parallelism innermost, pipeline stages outermost."""

_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class TrainingJobPrices:
    """A model on a system under a split: the job that follows; `computing` is what a step computes, in seconds."""

    transformer: Transformer
    parallelism: Parallelism
    workload: Workload
    computing: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The placements of a training job, fastest first; of equally fast ones the usual one first.

    `usual` is the placement of the frameworks' default order; None if that order is no placement on
    these levels, or was not priced. `order` gives the fastest placement, if an order does.
    """

    training: TrainingJobPrices
    optimum: Optimum
    times: tuple[PlacementTime, ...]
    usual: PlacementTime | None
    order: Order | None

    @property
    def best(self) -> PlacementTime:
        """The fastest."""
        return self.times[0]

    @property
    def loss(self) -> float:
        """The overhead of communication on the usual placement, relative to the best; 0 without a usual one."""
        if self.usual is None or not self.exposed(self.best):
            return 0.0
        return self.exposed(self.usual) / self.exposed(self.best) - 1

    def exposed(self, time: PlacementTime) -> float:
        """Seconds of communication that a step waits for on a placement."""
        return exposed_seconds(self.training, time)


def exposed_seconds(job: TrainingJobPrices, time: PlacementTime) -> float:
    """All communication but what ZeRO 3 gathers and scatters while a step computes.

    Only ZeRO 3 communicates all the time; what other stages reduce after the last backward pass counts in full.
    """
    if job.parallelism.zero is not Zero.PARAMETERS:
        return time.seconds
    beside = sum(one.seconds for one in time.reductions if one.reduction.overlap)
    room = CONSTANTS.gather_hidden * job.computing
    hidden = min(beside, room)
    return max(0.0, time.seconds - hidden) + CONSTANTS.gather_slowdown * hidden


def training(
    system: System, transformer: Transformer, parallelism: Parallelism, search: Search, *, computing: float = 0.0
) -> TrainingJobPrices:
    """The job of a model under a split. Raises ProblemError for sizes that do not divide, or without a reduction."""
    axes, reductions = axes_and_reductions(transformer, parallelism)
    workload = build_workload(system, axes, reductions, (), search)
    return TrainingJobPrices(transformer, parallelism, workload, computing)


def advise(
    asked: TrainingJobPrices,
    cost: Cost,
    deadline: float | None = None,
    on_progress: Progress | None = None,
    *,
    synthesizer: Synthesizer | None = None,
) -> Advice | Infeasible | Unfinished:
    """Price every placement; `deadline` is a time of `time.monotonic`."""
    optimum = optimize(asked.workload, cost, deadline, on_progress, synthesizer=synthesizer)
    if not isinstance(optimum, Optimum):
        return optimum
    ordered = sorted(optimum.placements, key=lambda one: exposed_seconds(asked, one))
    default = _usual_matrix(asked.workload)
    usual = next((one for one in ordered if one.matrix == default), None)
    if usual is not None and exposed_seconds(asked, usual) <= exposed_seconds(asked, ordered[0]) * (1 + _EQUAL):
        ordered.remove(usual)
        ordered.insert(0, usual)
    order = written_order(USUAL, ordered[0].matrix, asked.workload.axes)
    return Advice(training=asked, optimum=optimum, times=tuple(ordered), usual=usual, order=order)


def sends_seconds(time: PlacementTime) -> float:
    """The time of sends between pipeline stages in a placement's time per step."""
    return sum(one.seconds for one in time.reductions if isinstance(one.reduction.goal, NeighbourSend))


def _usual_matrix(workload: Workload) -> ParallelismMatrix | None:
    order = own_order(USUAL, workload.axes)
    sizes = [level.size for level in workload.levels]
    laid = None if order is None else matrix_of_order(order, [axis.size for axis in workload.axes], sizes)
    return laid if isinstance(laid, ParallelismMatrix) else None
