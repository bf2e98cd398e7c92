"""Search the splits with the shortest steps: exact over a grid, pruned by a lower bound.

Problem: find the `keep` splits (degrees of parallelism, micro-batch, schedule) with the least step time that
fit into memory.

Method: branch and bound over a list (Land and Doig, 1960). With m micro-batches, p stages, v chunks of layers
per stage, L layers, and time t of one layer for one micro-batch,

    step >= (m + (p - 1) / v) * t * L / p,

because the pipeline has m + (p - 1) / v slots, and some stage has at least the average number of layers. A
zero-bubble schedule, whose stages may wait for less, has at least m slots. As t depends on neither stages nor
replicas, it is cached for all splits that share it. Splits are priced by ascending bound, and the search ends
when the bound exceeds the time of the last split kept, so that the result is final. Memory is computed only for
splits that would be kept.

Complexity: one bound per split of the grid, and one step price per split whose bound is below the answer.

Example: bounds of 4, 5 and 9 s. The first split takes 6 s, the second 5.5 s; the third, which takes at least 9
s, is not priced if one or two splits are requested.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic

from p2smt.display import MOST_ROWS, html_table, one_line
from p2smt.emit.frameworks.typed import dispatcher_of
from p2smt.job.step.cluster import StepCluster
from p2smt.job.step.computing import layer_operations
from p2smt.job.step.correction import known_factor
from p2smt.job.step.grid import FREE, LEAST_TOKENS, USUAL_TOKENS, FixedDegrees, grid
from p2smt.job.step.setting import Setting
from p2smt.job.step.split_words import split_words
from p2smt.job.step.step_time import LayerTime, StepTime, layer_key, layer_time, step_time
from p2smt.job.step.traits import TRAITS
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.transformer.memory import DeviceMemory, fits, split_memory
from p2smt.problem.transformer.model import Transformer
from p2smt.problem.transformer.split import Dispatcher, Framework, Pipeline, Precision, Recompute, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class StepQuestion:
    """The input of a split search: model, cluster, fixed parts of the split, and how a step is priced.

    `utilisation` is an assumed fraction of peak for computing; None uses the step-time model. A `dispatcher` of None is
    the fastest one that supports the device.
    """

    transformer: Transformer
    cluster: StepCluster
    framework: Framework = Framework.MEGATRON
    precision: Precision = Precision.BF16
    fixed: FixedDegrees = FREE
    utilisation: float | None = None
    dispatcher: Dispatcher | None = None

    @property
    def wanted(self) -> Dispatcher:
        """The dispatcher of tokens to experts where the framework can use it."""
        return self.cluster.dispatcher if self.dispatcher is None else self.dispatcher

    @property
    def factor(self) -> float:
        """The correction factor of the device, precision and framework; 1 if `utilisation` is given."""
        if self.utilisation is not None:
            return 1.0
        experts = self.transformer.experts is not None
        return known_factor(self.cluster.name, self.precision, self.framework, experts=experts)

    def setting(self, split: Split) -> Setting:
        """Return the step of a split, ready to be priced."""
        return Setting(
            transformer=self.transformer,
            split=split,
            cluster=self.cluster,
            traits=TRAITS[self.framework],
            precision=self.precision,
            dispatcher=dispatcher_of(self.framework, self.wanted, split),
            factor=self.factor,
            utilisation=self.utilisation,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitCandidate:
    """A split with the time of its step and the memory of its fullest device."""

    split: Split
    time: StepTime
    memory: DeviceMemory

    @property
    def seconds(self) -> float:
        """The time of the step in seconds."""
        return self.time.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSearch:
    """The best splits, fastest first.

    `points` is the size of the grid, and `priced` the number of splits priced. `too_large` counts splits that
    would have been among the best but did not fit into memory. If none fits, `least` is the split that needs
    the least memory. `complete` is false if the time ran out.
    """

    question: StepQuestion
    best: tuple[SplitCandidate, ...]
    points: int
    priced: int
    too_large: int
    least: SplitCandidate | None
    complete: bool

    def __repr__(self) -> str:
        if not self.best:
            return one_line(self, f"no split of {self.points} fits")
        best = self.best[0]
        return one_line(
            self, f"{split_words(best.split)}: {format_seconds(best.seconds)} a step, of {self.points} splits"
        )

    def _repr_html_(self) -> str:
        """Return a table of the fastest splits."""
        rows = [
            (split_words(one.split), format_seconds(one.seconds), format_bytes(one.memory.total))
            for one in self.best[:MOST_ROWS]
        ]
        return html_table(repr(self)[1:-1], ("split", "step", "memory"), rows)


def search_steps(question: StepQuestion, keep: int = 10, deadline: float | None = None) -> StepSearch:
    """Return the `keep` fastest splits that fit into memory; `deadline` is a time of `time.monotonic`.

    Context parallelism on short pieces of a sequence (`USUAL_TOKENS`) is searched only if nothing fits without it.
    """
    found = _search(question, keep, deadline, USUAL_TOKENS)
    if found.best or not found.complete or question.fixed.cp is not None:
        return found
    return _search(question, keep, deadline, LEAST_TOKENS)


def _search(question: StepQuestion, keep: int, deadline: float | None, least_tokens: int) -> StepSearch:
    transformer, cluster = question.transformer, question.cluster
    framework, fixed = question.framework, question.fixed
    points = list(grid(transformer, cluster.devices, cluster.domain, framework, fixed, least_tokens))
    layers, footprint = _LayerTimes(question), question.setting(Split()).footprint
    order = sorted((layers.bound(split), number) for number, split in enumerate(points))
    best: list[SplitCandidate] = []
    priced = too_large = 0
    complete = True
    for bound, number in order:
        if len(best) == keep and bound >= best[-1].seconds:
            break
        if deadline is not None and monotonic() > deadline:
            complete = False
            break
        time = step_time(question.setting(points[number]), layers.of(points[number]))
        priced += 1
        if len(best) == keep and time.seconds >= best[-1].seconds:
            continue
        memory = split_memory(transformer, points[number], footprint)
        if not fits(memory, cluster.memory):
            too_large += 1
            continue
        best.append(SplitCandidate(split=points[number], time=time, memory=memory))
        best.sort(key=lambda one: (one.seconds, one.memory.total))
        del best[keep:]
    return StepSearch(
        question=question,
        best=tuple(best),
        points=len(points),
        priced=priced,
        too_large=too_large,
        least=None if best or not complete else _least(question, points),
        complete=complete,
    )


class _LayerTimes:
    """Cached layer times, and the lower bounds that follow from them."""

    def __init__(self, question: StepQuestion) -> None:
        self._question = question
        self._known: dict[tuple[object, ...], LayerTime] = {}
        self._factor = question.factor

    def of(self, split: Split) -> LayerTime:
        """Return the time of a layer under a split."""
        key = layer_key(split)
        if key not in self._known:
            self._known[key] = layer_time(self._question.setting(split))
        return self._known[key]

    def bound(self, split: Split) -> float:
        """Return a lower bound on the step, which counts only layers: some stage has at least the average number."""
        transformer = self._question.transformer
        waits = 0.0 if split.pipeline is Pipeline.ZERO_BUBBLE else (split.pp - 1) / split.chunks
        slots = split.micro_batches(transformer.batch) + waits
        return self._factor * slots * self.of(split).seconds * transformer.layers / split.pp


def priced(question: StepQuestion, split: Split) -> SplitCandidate:
    """Price one split, whether it fits into memory or not."""
    setting = question.setting(split)
    memory = split_memory(question.transformer, split, setting.footprint)
    return SplitCandidate(split=split, time=step_time(setting), memory=memory)


def _least(question: StepQuestion, points: Sequence[Split]) -> SplitCandidate | None:
    """Return the split that needs the least memory, among splits with full recomputation and small micro-batches."""
    small = [one for one in points if one.recompute is Recompute.FULL] or list(points)
    if not small:
        return None
    size = min(one.micro_batch for one in small)
    few = [one for one in small if one.micro_batch == size and one.chunks == 1] or small
    return min((priced(question, one) for one in few), key=lambda one: one.memory.total)


def model_flops(transformer: Transformer) -> float:
    """Return the model's operations per step: 6 per parameter and token, plus attention, without recomputation."""
    layers = transformer.sequence * transformer.layers * layer_operations(transformer)
    head = transformer.outputs * 6 * transformer.vocabulary * transformer.hidden
    return transformer.batch * (layers + head)


def faster_network(question: StepQuestion, times: float) -> StepQuestion:
    """Return the same search with links and cards `times` as fast."""
    cluster = replace(question.cluster, link=question.cluster.link * times, card=question.cluster.card * times)
    return replace(question, cluster=cluster)


def larger_memory(question: StepQuestion, times: float) -> StepQuestion:
    """Return the same search with `times` the memory."""
    return replace(question, cluster=replace(question.cluster, memory=question.cluster.memory * times))
