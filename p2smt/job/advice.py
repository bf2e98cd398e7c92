"""Where to put the axes of a model's training, against where frameworks put them, and how to split it at all."""

from collections.abc import Callable
from dataclasses import dataclass

from p2smt.collective import NeighbourSend
from p2smt.cost.network.backend import Cost
from p2smt.cost.ranking import competition_ranks
from p2smt.job.infeasible import Infeasible
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.optimize import Optimum, Progress, Unfinished, optimize
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.notation import Notation, own_order, written_order
from p2smt.placement.order import Order, matrix_of_order
from p2smt.problem.build import build_workload
from p2smt.problem.model import Search
from p2smt.problem.system.network import System
from p2smt.problem.transformer.memory import DeviceMemory, device_memory, fits
from p2smt.problem.transformer.model import Parallelism, Transformer, bubble
from p2smt.problem.transformer.splits import SplitChoice, every_split
from p2smt.problem.transformer.traffic import axes_and_reductions
from p2smt.problem.workload import Workload
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop
from p2smt.smt.deadlines import is_over

USUAL = Notation.MEGATRON
"""Whose default order is the usual one: tensor parallelism innermost, pipeline stages outermost, as all have it."""

_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Training:
    """A model on a system under a split: the job that follows, and the memory that a device needs."""

    transformer: Transformer
    parallelism: Parallelism
    workload: Workload
    memory: DeviceMemory

    @property
    def bubble(self) -> float:
        """How long stages wait for each other, as a part of the time that they compute."""
        return bubble(self.transformer, self.parallelism)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The placements of a training job, fastest first; of equally fast ones the usual one first.

    `usual` is the placement of the frameworks' default order; None: that order is no placement on these levels, or it
    was not priced. `order` gives the fastest placement; None: no order of the axes does.
    """

    training: Training
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
        """How much longer communication takes on the usual placement, as a part of the best time; 0 where none is."""
        if self.usual is None or not self.best.seconds:
            return 0.0
        return self.usual.seconds / self.best.seconds - 1


def training(
    system: System, transformer: Transformer, parallelism: Parallelism, search: Search, *, recompute: bool = False
) -> Training:
    """The job of a model under a split.

    Raises ProblemError for sizes that do not divide, and where nothing is reduced.
    """
    axes, reductions = axes_and_reductions(transformer, parallelism)
    workload = build_workload(system, axes, reductions, (), search)
    return Training(transformer, parallelism, workload, device_memory(transformer, parallelism, recompute=recompute))


def advise(
    asked: Training,
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
    ordered = list(optimum.placements)
    default = _usual_matrix(asked.workload)
    usual = next((one for one in ordered if one.matrix == default), None)
    if usual is not None and usual.seconds <= ordered[0].seconds * (1 + _EQUAL):
        ordered.remove(usual)
        ordered.insert(0, usual)
    order = written_order(USUAL, ordered[0].matrix, asked.workload.axes)
    return Advice(training=asked, optimum=optimum, times=tuple(ordered), usual=usual, order=order)


def sends_seconds(time: PlacementTime) -> float:
    """What sends between pipeline stages take of a placement's time per step."""
    return sum(one.seconds for one in time.reductions if isinstance(one.reduction.goal, NeighbourSend))


def _usual_matrix(workload: Workload) -> ParallelismMatrix | None:
    order = own_order(USUAL, workload.axes)
    sizes = [level.size for level in workload.levels]
    laid = None if order is None else matrix_of_order(order, [axis.size for axis in workload.axes], sizes)
    return laid if isinstance(laid, ParallelismMatrix) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitSearch:
    """The splits of a model over a system's devices, those with the least communication first.

    `too_large`: splits that the memory formula refuses, with what they need. `unpriced`: splits that fit and were not
    priced when the search stopped. `stop` is why something was left out first; a priced split may have an optimum that
    is not proved. Holds: every split of the choice is in exactly one of the three.
    """

    advice: tuple[Advice, ...]
    too_large: tuple[tuple[Parallelism, DeviceMemory], ...]
    unpriced: tuple[Parallelism, ...]
    stop: Stop

    @property
    def complete(self) -> bool:
        """Whether every split that fits was priced, on every placement."""
        return not self.unpriced and all(one.optimum.proved for one in self.advice)


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitQuestion:
    """What is split, over which system, what is fixed, and how many bytes a device holds (None: not asked)."""

    system: System
    transformer: Transformer
    choice: SplitChoice
    search: Search
    memory: int | None
    recompute: bool = False


def search_splits(
    asked: SplitQuestion,
    cost: Cost,
    deadline: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> SplitSearch:
    """Advise on every split that fits, one after the other, until time is up or Ctrl-C."""
    fitting, too_large = [], []
    for split in every_split(asked.transformer, asked.choice, asked.system.devices):
        needed = device_memory(asked.transformer, split, recompute=asked.recompute)
        if asked.memory is None or fits(needed, asked.memory):
            fitting.append(split)
        else:
            too_large.append((split, needed))
    priced: list[Advice] = []
    unpriced: list[Parallelism] = []
    stop: Stop = Stop.EXHAUSTED
    synthesizer = Synthesizer()
    for number, split in enumerate(fitting):
        if stop is Stop.INTERRUPTED or is_over(deadline):
            stop = stop if stop is Stop.INTERRUPTED else Stop.DEADLINE
            unpriced.append(split)
            continue
        job = training(asked.system, asked.transformer, split, asked.search, recompute=asked.recompute)
        result = advise(job, cost, deadline, synthesizer=synthesizer)
        if isinstance(result, Advice):
            priced.append(result)
            ended = result.optimum.stop
        else:
            unpriced.append(split)
            ended = result.stop if isinstance(result, Unfinished) else stop
        if stop is Stop.EXHAUSTED or ended is Stop.INTERRUPTED:
            stop = ended  # one split of which all is known makes up for none before it
        if on_progress is not None:
            on_progress(number + 1, len(fitting))
    ranking, _ = competition_ranks([one.best.seconds for one in priced])
    return SplitSearch(
        advice=tuple(priced[place] for place in ranking),
        too_large=tuple(too_large),
        unpriced=tuple(unpriced),
        stop=stop,
    )
