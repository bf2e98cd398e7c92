"""Times of plans in chunks, with the steps of different chunks running at the same time.

Software pipelining (Lam, "Software pipelining", PLDI 1988) with a barrier after every slot, as in the emitted code: in
slot t chunk c is in stage t - c, and the next slot begins when all are done. With k chunks and n stages
    seconds = sum over slots t = 0 ... k + n - 2 of  max over causes of  cause(stages s with 0 <= t - s < k),
where a slot takes as long as the longest of these causes:

* each of its steps alone, priced with a chunk's bytes;
* every link, for the bytes of all steps (each counted at its busiest place; the places may differ, so the sum is never
  less than the link's traffic); the busiest link hides the others as far as `overlap` says;
* the device memory, for the bytes that all steps read and write;
* all steps of the same groups one after the other, because a communicator runs one call at a time;
* calls in turn: one thread launches all calls; with gloo, this also includes the latency of messages, or the time of
  the core that handles them, if that is known;
* the cores that all devices share, if they do, for the calls and messages of all steps.

A local permutation runs before the step that follows it. A plan of one chunk takes the sum of its steps. If the goal
needs the results in another order than chunks leave them, the reordering is priced as memory traffic.

Complexity: k + n - 1 slots, of which at most 2n - 1 are different; each is priced once.

Example: 3 chunks through stages of 1 s and 3 s on different links take slots of 1, 3, 3 and 3 s: 10 s instead of 12.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from p2smt.collective import Collective
from p2smt.cost.network.cost import Cost, StepCost, step_work
from p2smt.cost.network.load import busiest_seconds
from p2smt.cost.network.pattern import Pattern, pattern_of
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.model import Payload
from p2smt.problem.system.network import Network
from p2smt.reduction.plan.chunking import payload_chunks, slots
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, Plan, PlanStep

MOST_CHUNKS = 256
"""The largest chunk count that is tried; the candidates are 2, 4, 8 ... up to this."""

WORTH = 1.02
"""The smallest speedup for which chunks are proposed."""

_ROUNDED = 1 - 1e-9
"""Relative slack on bounds, because sums in another order differ in the last digits."""


@dataclass(frozen=True, slots=True)
class ChunkStage:
    """The work of one chunk in a slot: local permutations, then a collective among the groups of `rule`, if any."""

    rule: GroupRule | None
    seconds: float
    busy: tuple[tuple[str, float], ...]
    memory_s: float
    in_turn_s: float
    processors_s: float

    def seconds_with(self, saved: Mapping[str, float], network: Network) -> float:
        """Return the time of the stage alone on links with burst credits, in seconds (see `bursts.py`)."""
        if not saved:
            return self.seconds
        links = added_up(self.busy)
        left = {link: max(0.0, seconds - saved.get(link, 0.0)) for link, seconds in links.items()}
        return self.seconds - busiest_seconds(links.values(), network) + busiest_seconds(left.values(), network)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkPipeline:
    """The time of a plan in several chunks: the slots, and the assembly of the results.

    `full_s` is the time of a slot in which all steps are at work. `bottleneck` names its cause: a link, memory, the
    calls that one thread launches, shared cores, or a step's number.
    """

    chunks: int
    slots_s: tuple[float, ...]
    full_s: float
    bottleneck: str
    joining_s: float

    @property
    def seconds(self) -> float:
        """The time of all slots, and of assembling the results."""
        return sum(self.slots_s) + self.joining_s

    @property
    def first_s(self) -> float:
        """The time until the first chunk has passed all stages."""
        return sum(self.slots_s[: len(self.slots_s) - self.chunks + 1])

    @property
    def full_slots(self) -> int:
        """The number of slots in which all steps are at work; 0 if there are fewer chunks than steps."""
        return max(0, 2 * self.chunks - len(self.slots_s))

    @property
    def causes(self) -> dict[str, float]:
        """Seconds by cause: the bottleneck of full slots, filling and emptying, and assembling the results."""
        full = self.full_s * self.full_slots
        found = {self.bottleneck: full, "filling and emptying": sum(self.slots_s) - full, "joining": self.joining_s}
        return {cause: seconds for cause, seconds in found.items() if seconds > 0}


class Pipelines:
    """Prices plans of one placement in chunks; costs of steps that plans share are cached."""

    def __init__(self, cost: Cost) -> None:
        self._cost = cost
        self._patterns: dict[GroupRule, Pattern] = {}
        self._costs: dict[tuple[Payload, PlanStep], StepCost] = {}
        self._busy: dict[tuple[Payload, PlanStep, tuple[int, ...]], Sequence[tuple[str, float]]] = {}

    def pipeline(self, plan: Plan) -> ChunkPipeline:
        """Return the time of a plan in chunks. A short payload has fewer chunks; all are priced as the longest one."""
        chunks = len(payload_chunks(plan))
        return _pipeline(self.stages(plan), chunks, plan, self._cost.system.network)

    def best(self, plans: Iterable[Plan], chunks: int | None = None) -> tuple[Plan, float] | None:
        """Return the fastest of several plans of a placement in `chunks` chunks (None: 2, 4 ... 256), and its time.

        Ties go to the first plan, and then to the fewest chunks. None if no plan has two collectives to overlap.
        """
        options = [plan for plan in plans if sum(isinstance(step, CollectiveStep) for step in plan.steps) > 1]
        # Plans by ascending lower bound, so that the first bound above the best known time ends the search.
        bounds = [self._least(plan, tuple(_counts(plan, chunks))) for plan in options]
        best: tuple[float, int, Plan] | None = None
        for place in sorted(range(len(options)), key=bounds.__getitem__):
            if best is not None and bounds[place] > best[0]:
                break
            for count in _counts(options[place], chunks):
                option = replace(options[place], chunks=count)
                seconds = self.pipeline(option).seconds
                if best is None or (seconds, place) < best[:2]:
                    best = seconds, place, option
        return None if best is None else (best[2], best[0])

    def _least(self, plan: Plan, counts: tuple[int, ...]) -> float:
        """Return a lower bound on a plan over some chunk counts: the time of its busiest link."""
        links: defaultdict[str, float] = defaultdict(float)
        for step in plan.steps:
            for link, seconds in self._least_busy(plan, step, counts):
                links[link] += seconds
        return max(links.values(), default=0.0) * _ROUNDED

    def _least_busy(self, plan: Plan, step: PlanStep, counts: tuple[int, ...]) -> Sequence[tuple[str, float]]:
        """Return lower bounds on the busy time of every link for a step, over all chunks."""
        key = (plan.payload, step, counts)
        if key not in self._busy:
            least: dict[str, float] = {}
            for place, count in enumerate(counts):
                now: defaultdict[str, float] = defaultdict(float)
                option = replace(plan, chunks=count)
                for load in self._step_cost(plan, _part(option), step).loads:
                    now[load.link.name] += len(payload_chunks(option)) * load.seconds
                least = dict(now) if place == 0 else {link: min(seconds, now[link]) for link, seconds in least.items()}
            self._busy[key] = tuple(least.items())
        return self._busy[key]

    def stages(self, plan: Plan) -> list[ChunkStage]:
        """Return the stages for the longest chunk of a plan's payload, one per entry of `stage_numbers`."""
        payload = _part(plan)
        stages: list[ChunkStage] = []
        waiting: list[StepCost] = []
        for step in plan.steps:
            waiting.append(self._step_cost(plan, payload, step))
            if isinstance(step, CollectiveStep):
                stages.append(self._stage(step.groups, waiting))
                waiting = []
        return [*stages, self._stage(None, waiting)] if waiting else stages

    def _stage(self, rule: GroupRule | None, costs: Sequence[StepCost]) -> ChunkStage:
        busy = tuple((load.link.name, load.seconds) for cost in costs for load in cost.loads)
        return ChunkStage(
            rule,
            seconds=sum(cost.seconds for cost in costs),
            busy=busy,
            memory_s=sum(cost.memory_s for cost in costs),
            in_turn_s=sum(self._cost.in_turn(cost) for cost in costs),
            processors_s=sum(cost.processors_s for cost in costs),
        )

    def _step_cost(self, plan: Plan, payload: Payload, step: PlanStep) -> StepCost:
        if (payload, step) not in self._costs:
            work = step_work(payload, step, lambda rule: self._pattern(plan, rule))
            self._costs[payload, step] = self._cost.work_cost(work)
        return self._costs[payload, step]

    def _pattern(self, plan: Plan, rule: GroupRule) -> Pattern:
        if rule not in self._patterns:
            self._patterns[rule] = pattern_of(plan, rule)
        return self._patterns[rule]


def _counts(plan: Plan, chunks: int | None) -> Iterator[int]:
    """Yield the chunk counts to try: powers of two for which each chunk has an element for each device's part."""
    if chunks is not None:
        yield chunks
        return
    count = 2
    # A chunk needs at least one element of each device's part.
    while count <= min(MOST_CHUNKS, plan.payload.elements // plan.multiple):
        yield count
        count *= 2


def _part(plan: Plan) -> Payload:
    """Return the longest chunk of a plan's payload."""
    payload = plan.payload
    if plan.chunks == 1:
        return payload
    return replace(payload, bytes=payload_chunks(plan)[0] * DTYPE_BYTES[payload.dtype])


def stage_numbers(plan: Plan) -> tuple[tuple[int, ...], ...]:
    """Return the numbers (from 1) of each stage's steps: a collective with the permutations before it."""
    found: list[tuple[int, ...]] = []
    waiting: tuple[int, ...] = ()
    for number, step in enumerate(plan.steps, start=1):
        waiting = (*waiting, number)
        if isinstance(step, CollectiveStep):
            found.append(waiting)
            waiting = ()
    return (*found, waiting) if waiting else tuple(found)


def _pipeline(stages: Sequence[ChunkStage], chunks: int, plan: Plan, network: Network) -> ChunkPipeline:
    names = [str(numbers[-1]) for numbers in stage_numbers(plan)]
    known: dict[tuple[int, int], float] = {}
    taken = []
    for slot in slots(chunks, len(stages)):
        first, last = slot[-1][1], slot[0][1]
        # Slots with the same range of stages take equally long; in the middle of a long pipeline all do.
        if (first, last) not in known:
            known[first, last] = max(slot_causes(stages[first : last + 1], names[first : last + 1], network).values())
        taken.append(known[first, last])
    full = slot_causes(stages, names, network)
    bottleneck = max(full, key=lambda cause: full[cause], default="")
    return ChunkPipeline(
        chunks=chunks,
        slots_s=tuple(taken),
        full_s=full.get(bottleneck, 0.0),
        bottleneck=bottleneck,
        joining_s=joining_seconds(plan, network),
    )


def slot_causes(
    stages: Sequence[ChunkStage],
    names: Sequence[str],
    network: Network,
    saved: Mapping[str, float] = MappingProxyType({}),
) -> dict[str, float]:
    """Return the causes of a slot's time, in seconds; `saved` holds the burst credits of links."""
    alone = [stage.seconds_with(saved, network) for stage in stages]
    # Calls of one communicator cannot overlap, whatever links they use.
    groups: defaultdict[GroupRule | None, float] = defaultdict(float)
    for stage, seconds in zip(stages, alone, strict=True):
        groups[stage.rule] += seconds
    used = added_up(use for stage in stages for use in stage.busy)
    links = {link: max(0.0, seconds - saved.get(link, 0.0)) for link, seconds in used.items()}
    found = {f"step {name}": seconds for name, seconds in zip(names, alone, strict=True)}
    found["steps of the same groups"] = max(groups.values(), default=0.0)
    if links:
        found[max(links, key=links.__getitem__)] = busiest_seconds(links.values(), network)
    found["memory"] = sum(stage.memory_s for stage in stages)
    found["calls in turn"] = sum(stage.in_turn_s for stage in stages)
    found["shared cores"] = sum(stage.processors_s for stage in stages)
    return found


def added_up(uses: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return the total seconds per link."""
    found: defaultdict[str, float] = defaultdict(float)
    for link, seconds in uses:
        found[link] += seconds
    return found


def joining_seconds(plan: Plan, network: Network) -> float:
    """Return the time to assemble the results of chunks; those of an AllReduce are already in place."""
    match plan.goal:
        case Collective.ALL_REDUCE:
            return 0.0
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER | Collective.REDUCE | Collective.BROADCAST:
            return 2 * plan.payload.bytes / network.memory_bandwidth
