"""Why a plan takes as long as it does, and what would beat it."""

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.cost.above_wire import placement_wire
from p2smt.cost.any_length import Reach
from p2smt.cost.bursts import chunks_gain
from p2smt.cost.chunk_time_line import ChunkTimeLine, chunk_time_line
from p2smt.cost.crossovers import Crossover, crossovers, program_changes
from p2smt.cost.network.backend import Cost
from p2smt.cost.network.cost import StepCost
from p2smt.cost.network.hop_cost import HopCost
from p2smt.cost.pipelining import ChunkPipeline, Pipelines
from p2smt.cost.ranking import RankedProgram, Ranker
from p2smt.cost.ten_digits import ten_digits
from p2smt.errors import ProblemError
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Problem, Search
from p2smt.problem.system.network import System
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import Synthesis
from p2smt.smt.answer import Stop
from p2smt.wording import option_text

LATENCY, LAUNCH, MEMORY, CORES = "latency", "launch", "memory", "shared cores"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The cost of every step of a plan, its seconds by cause, its rivals on the same placement.

    `plain` is the goal in one collective, `wire_seconds` what the network takes at least. A cause is the name of the
    link that was busiest in a step, latency, launch, memory, or shared cores, for what they take beyond latency and
    launch. `rank` is 1 and the number of programs found that take
    less time than the plan; `listed` says whether the plan is one of them as it stands. `runner_up` is the cheapest
    other one, None when there is none, with its seconds by cause. `stop` and `reason` say how the search for programs
    up to the limit ended, `reach` how far longer ones were looked for. `crossovers` are None where there was no time
    for them. Of a plan of several chunks `steps` are of the whole payload, `pipeline` is what counts, `time_line` says
    when which chunk is at work, and rivals are in one piece; of another one `chunked` is the fastest of all known
    programs in chunks, where that is faster than it.
    """

    plan: Plan
    plain: tuple[StepCost, ...]
    wire_seconds: float
    steps: tuple[StepCost, ...]
    causes: dict[str, float]
    rank: int
    listed: bool
    programs: int
    runner_up: RankedProgram | None
    runner_up_causes: dict[str, float]
    runner_up_seconds: float
    crossovers: tuple[Crossover, ...] | None
    stop: Stop
    reason: str
    reach: Reach
    pipeline: ChunkPipeline | None = None
    time_line: ChunkTimeLine | None = None
    chunked: tuple[Plan, float] | None = None

    @property
    def complete(self) -> bool:
        """True if all programs up to the limit are known, and no deadline ended the search for others."""
        return self.stop is Stop.EXHAUSTED and self.reach is not Reach.LATE and self.crossovers is not None

    @property
    def seconds(self) -> float:
        """Seconds that the plan takes."""
        return self.pipeline.seconds if self.pipeline is not None else sum(step.seconds for step in self.steps)

    @property
    def plain_seconds(self) -> float:
        """Seconds that one collective takes."""
        return sum(step.seconds for step in self.plain)

    @property
    def bottleneck(self) -> str | None:
        """The cause of the largest part of the time; None for a plan without steps."""
        return max(self.causes, key=lambda cause: self.causes[cause], default=None)


def problem_of(plan: Plan, system: System, search: Search) -> Problem:
    """The problem that a plan solves, on a system with the plan's levels; raises ProblemError when it has others."""
    levels = tuple((level.name, level.size) for level in system.levels)
    if levels != plan.levels:
        raise ProblemError(
            f"the plan is for levels {option_text(plan.levels)}, but the system has {option_text(levels)}; "
            "name a system with the plan's levels"
        )
    if system.tree != plan.tree:
        own, wanted = (f"units of {tree}" if tree else "units of one size" for tree in (system.tree, plan.tree))
        raise ProblemError(f"the plan is for {wanted}, but the system has {own}; name a system with the plan's levels")
    axes = [Axis(name, size) for name, size in plan.axes]
    return build_problem(system, axes, plan.reduce, plan.payload, search, plan.goal)


def explain(
    plan: Plan, synthesis: Synthesis, cost: Cost, by_hop: HopCost | None = None, deadline: float | None = None
) -> Explanation:
    """Explain a plan beside the programs of its placement, the only one of `synthesis`.

    With `by_hop` the plan and its runner-up are counted hop by hop; the runner-up is chosen by `cost` all the same.
    After the deadline (a time of `time.monotonic`) neither longer programs nor other payloads are looked at.
    """
    problem, (placed,) = synthesis.problem, synthesis.placements
    counting = by_hop or cost
    ranker = Ranker(cost)
    # Priced by `cost` even with `by_hop`, so that ranks agree with those of other commands.
    placement = ranker.placement(problem, placed, deadline=deadline)
    ranked = placement.programs
    seconds = ten_digits(cost.plan_seconds(plan))
    own = next((one for one in ranked if one.text == plan.program and ten_digits(one.seconds) == seconds), None)
    runner_up = next((one for one in ranked if one is not own), None)
    steps = _step_costs(plan, counting)
    pipelines, late = Pipelines(cost), deadline is not None and time.monotonic() >= deadline
    pipelined = pipelines.pipeline(plan) if plan.chunks > 1 else None
    alone = pipelined is None and by_hop is None and not late
    chunked = pipelines.best((plan, *(one.plan for one in ranked))) if alone else None
    runner_up_steps = () if runner_up is None else _step_costs(runner_up.plan, counting)
    winners = crossovers(ranker, cost, problem, placed, deadline)
    lowering = Lowering(problem, placed.matrix)
    return Explanation(
        plan=plan,
        plain=_step_costs(lowering.direct, counting),
        wire_seconds=placement_wire(lowering).seconds,
        steps=steps,
        causes=causes(steps) if pipelined is None else pipelined.causes,
        rank=1 + sum(ten_digits(one.seconds) < seconds for one in ranked),
        listed=own is not None,
        programs=len(placed.programs),
        runner_up=runner_up,
        runner_up_causes=causes(runner_up_steps),
        runner_up_seconds=sum(step.seconds for step in runner_up_steps),
        crossovers=None if winners is None else program_changes(winners),
        stop=synthesis.stop,
        reason=synthesis.reason,
        reach=placement.reach,
        pipeline=pipelined,
        time_line=None if pipelined is None else chunk_time_line(plan, cost),
        chunked=chunked if chunked and chunked[1] < seconds and chunks_gain(plan, chunked[0], cost) else None,
    )


def _step_costs(plan: Plan, cost: Cost | HopCost) -> tuple[StepCost, ...]:
    return tuple(cost.step_cost(plan, step) for step in plan.steps)


def busiest_link(step: StepCost) -> str | None:
    """The link that a step waits for longest; None when it uses none."""
    loads = step.per_byte.loads
    return max(loads, key=lambda load: load.seconds).link.name if loads else None


def causes(steps: Sequence[StepCost]) -> dict[str, float]:
    """Seconds of all steps together, by cause."""
    found: defaultdict[str, float] = defaultdict(float)
    for step in steps:
        if (link := busiest_link(step)) is not None:
            found[link] += step.links_s
        found[LATENCY] += step.latency_s
        found[LAUNCH] += step.launch_s
        found[MEMORY] += step.memory_s
        if step.cores_s:
            found[CORES] += step.cores_s
    return dict(found)
