"""Explanation of a plan's time: its costs by cause, its rank, and its competitors."""

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.cost.above_wire import placement_wire
from p2smt.cost.any_length import Reach
from p2smt.cost.bursts import chunks_gain
from p2smt.cost.chunk_time_line import ChunkTimeLine, chunk_time_line
from p2smt.cost.crossovers import Crossover, crossovers, program_changes
from p2smt.cost.network.cost import Cost, StepCost
from p2smt.cost.network.hop_cost import HopCost
from p2smt.cost.network.pipelining import ChunkPipeline, Pipelines
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
    """The cost of each step of a plan, its seconds by cause, and its competitors on the same placement.

    `plain` is the cost of the goal as one collective, `wire_seconds` the link lower bound. A cause is the name of a
    step's busiest link, "latency", "launch", "memory", or "shared cores" (for the time beyond latency and launch).
    `rank` is 1 plus the number of programs that take less time than the plan; `listed` is True if the plan itself is
    one of the programs found. `runner_up` is the cheapest other program, with its seconds by cause; None if there is
    none. `stop` and `reason` tell how the search up to the limit ended, `reach` the extent of the search for longer
    programs. `crossovers` is None if the time was up. For a plan in several chunks, `steps` are priced with the whole
    payload, `pipeline` has the time that counts, `time_line` the schedule of the chunks, and competitors are in one
    piece. For a plan in one piece, `chunked` is the fastest known program in chunks, if that is faster.
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
        """True if all programs up to the limit are known, and no deadline ended the search for longer ones."""
        return self.stop is Stop.EXHAUSTED and self.reach is not Reach.LATE and self.crossovers is not None

    @property
    def seconds(self) -> float:
        """The predicted seconds of the plan."""
        return self.pipeline.seconds if self.pipeline is not None else sum(step.seconds for step in self.steps)

    @property
    def plain_seconds(self) -> float:
        """The predicted seconds of the goal as one collective."""
        return sum(step.seconds for step in self.plain)

    @property
    def bottleneck(self) -> str | None:
        """The cause with the largest part of the time; None for a plan without steps."""
        return max(self.causes, key=lambda cause: self.causes[cause], default=None)


def problem_of(plan: Plan, system: System, search: Search) -> Problem:
    """Return the problem that a plan solves on a system. Raises ProblemError if the system's levels differ."""
    levels = tuple((level.name, level.size) for level in system.levels)
    if levels != plan.levels:
        raise ProblemError(
            f"the plan is for levels {option_text(plan.levels)}, but the system has "
            f"{option_text(levels)}; give a system with the levels of the plan"
        )
    if system.tree != plan.tree:
        own, wanted = (f"units of {tree}" if tree else "units of one size" for tree in (system.tree, plan.tree))
        raise ProblemError(
            f"the plan is for {wanted}, but the system has {own}; give a system with the levels of the plan"
        )
    axes = [Axis(name, size) for name, size in plan.axes]
    return build_problem(system, axes, plan.reduce, plan.payload, search, plan.goal)


def explain(
    plan: Plan, synthesis: Synthesis, cost: Cost, by_hop: HopCost | None = None, deadline: float | None = None
) -> Explanation:
    """Compare a plan with the programs of its placement, which must be the only one of `synthesis`.

    With `by_hop`, the plan and its runner-up are priced hop by hop, but `cost` chooses the runner-up. After the
    deadline (a time of `time.monotonic`), longer programs and other payloads are not considered.
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
    """Return the name of the link that a step waits for longest; None if it uses no link."""
    loads = step.per_byte.loads
    return max(loads, key=lambda load: load.seconds).link.name if loads else None


def causes(steps: Sequence[StepCost]) -> dict[str, float]:
    """Return the total seconds of some steps by cause."""
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
