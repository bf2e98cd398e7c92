"""Choose the placement of a model's axes, and compare it with the frameworks' default."""

from dataclasses import dataclass

from p2smt.collective import NeighbourSend
from p2smt.cost.network.cost import Cost
from p2smt.job.infeasible import Infeasible
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.optimize import Optimum, Progress, Unfinished, optimize
from p2smt.job.placed_step import gathers_waited, placed_seconds
from p2smt.job.step.step_time import StepTime
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
"""The framework whose default order counts as usual: tensor parallelism innermost, pipeline stages outermost."""

_EQUAL = 1e-9
_EQUAL_STEPS = 1e-3
"""Steps closer than this count as equal: the usual order needs no rankfile, and a prediction is not that exact."""


@dataclass(frozen=True, slots=True)
class TrainingJobPrices:
    """A model on a system under a split, with the resulting job; `step` is its predicted step in the usual order."""

    transformer: Transformer
    parallelism: Parallelism
    workload: Workload
    step: StepTime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The placements of a training job, fastest first; on a tie the usual placement comes first.

    Where the job's step is predicted, and the usual order is a placement, they are ordered by the estimated time of
    the step; otherwise by the communication that a step waits for.

    `usual` is the placement of the frameworks' default order; None if that order is not a placement on these
    levels, or was not priced. `order` is an axis order that yields the fastest placement; None if there is
    none.
    """

    training: TrainingJobPrices
    optimum: Optimum
    times: tuple[PlacementTime, ...]
    usual: PlacementTime | None
    order: Order | None

    @property
    def best(self) -> PlacementTime:
        """The fastest placement."""
        return self.times[0]

    @property
    def loss(self) -> float:
        """The relative overhead of communication on the usual placement over the best; 0 without a usual one.

        Negative where the step hides more of the best placement's communication than of the usual one's.
        """
        if self.usual is None or not self.best.seconds:
            return 0.0
        return self.usual.seconds / self.best.seconds - 1

    @property
    def step_loss(self) -> float | None:
        """The relative overhead of the step on the usual placement over the best one; None if it is not predicted."""
        best, usual = self.step_seconds(self.best), None if self.usual is None else self.step_seconds(self.usual)
        return None if best is None or usual is None else usual / best - 1

    def step_seconds(self, time: PlacementTime) -> float | None:
        """Return the estimated seconds of the step on a placement; None if that of the usual order is not known."""
        return _step_seconds(self.training, self.usual, time)

    def cost(self, time: PlacementTime) -> float:
        """Return the seconds that placements are ordered by: of the step, or else of the communication it waits for."""
        return _cost(self.training, self.usual, time)


def _step_seconds(job: TrainingJobPrices, usual: PlacementTime | None, time: PlacementTime) -> float | None:
    if job.step is None or usual is None:
        return None
    return placed_seconds(job.step, job.workload, job.parallelism, usual, time)


def _cost(job: TrainingJobPrices, usual: PlacementTime | None, time: PlacementTime) -> float:
    step = _step_seconds(job, usual, time)
    return _exposed_seconds(job, time) if step is None else step


def _exposed_seconds(job: TrainingJobPrices, time: PlacementTime) -> float:
    """Return the seconds of communication per step that computing does not hide.

    Only the gathers and scatters of ZeRO 3 overlap with computing. Communication in other ZeRO stages, which
    follows the last backward pass, counts in full.
    """
    if job.parallelism.zero is not Zero.PARAMETERS or job.step is None:
        return time.seconds
    beside = sum(one.seconds for one in time.reductions if one.reduction.overlap)
    return max(0.0, time.seconds - beside) + gathers_waited(beside, job.step.computing)


def training(
    system: System, transformer: Transformer, parallelism: Parallelism, search: Search, *, step: StepTime | None = None
) -> TrainingJobPrices:
    """Return the job of a model under a split; `step` is its step in the usual order, if predicted.

    Raises ProblemError if sizes do not divide, or if there is nothing to reduce.
    """
    axes, reductions = axes_and_reductions(transformer, parallelism)
    workload = build_workload(system, axes, reductions, (), search)
    return TrainingJobPrices(transformer, parallelism, workload, step)


def advise(
    asked: TrainingJobPrices,
    cost: Cost,
    deadline: float | None = None,
    on_progress: Progress | None = None,
    *,
    synthesizer: Synthesizer | None = None,
) -> Advice | Infeasible | Unfinished:
    """Price every placement of a training job; `deadline` is a time of `time.monotonic`."""
    optimum = optimize(asked.workload, cost, deadline, on_progress, synthesizer=synthesizer)
    if not isinstance(optimum, Optimum):
        return optimum
    default = _usual_matrix(asked.workload)
    usual = next((one for one in optimum.placements if one.matrix == default), None)
    ordered = sorted(optimum.placements, key=lambda one: _cost(asked, usual, one))
    equal = _EQUAL if asked.step is None else _EQUAL_STEPS
    if usual is not None and _cost(asked, usual, usual) <= _cost(asked, usual, ordered[0]) * (1 + equal):
        ordered.remove(usual)
        ordered.insert(0, usual)
    order = written_order(USUAL, ordered[0].matrix, asked.workload.axes)
    return Advice(training=asked, optimum=optimum, times=tuple(ordered), usual=usual, order=order)


def sends_seconds(time: PlacementTime) -> float:
    """Return the seconds per step of sends between pipeline stages."""
    return sum(one.seconds for one in time.reductions if isinstance(one.reduction.goal, NeighbourSend))


def _usual_matrix(workload: Workload) -> ParallelismMatrix | None:
    order = own_order(USUAL, workload.axes)
    sizes = [level.size for level in workload.levels]
    laid = None if order is None else matrix_of_order(order, [axis.size for axis in workload.axes], sizes)
    return laid if isinstance(laid, ParallelismMatrix) else None
