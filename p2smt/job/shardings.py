"""Optimise a single-device program: several shardings, each with its best schedule and placement; the fastest is best.

A sharding search sums the times of operations, while a schedule hides communication behind computing. So the fastest
sharding as it is need not be the fastest with its schedule. These are scheduled and placed (`joint.py`):

- the fastest program on one axis over all devices, and that of `p2smt shard --mesh auto`, each as searched and as
  written by `p2smt shard` (with collectives in buckets): so the answer is never slower than these commands followed by
  `p2smt optimize`;
- the fastest programs on other meshes of two axes, for programs of at most `MOST_STATEMENTS` statements, and the usual
  strategies (data parallelism, ZeRO, tensor parallelism), if their step as it is takes at most `NEAR` times the least.

Method: branch and bound (Land and Doig, "An automatic method of solving discrete programming problems", 1960). With
t[i] the time of sharding i as it is, in ascending order, and best the fastest step so far,
    best = min(best, fastest schedule of i that the bound does not rule out: bound(schedule) < best),
until best is at most the bound on all programs. The bound of a schedule is that of `schedule/tuner/bound.py`.
Complexity: one search of schedules for each sharding that is left.

Example: shardings of 10, 11 and 14 ms as they are. The first one's schedule takes 8 ms; of the second, schedules with a
bound of 8 ms or more are not followed; the third is left out, if `NEAR` is less than 1.4.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from p2smt.cost.ten_digits import ten_digits
from p2smt.errors import ProblemError
from p2smt.job.arithmetic_bound import least_step_seconds
from p2smt.job.infeasible import Infeasible
from p2smt.job.joint import Joint, joint
from p2smt.job.optimize import Unfinished
from p2smt.job.schedules import machine_of
from p2smt.job.tuning_options import TuningOptions
from p2smt.job.without_collectives import WithoutCollectives
from p2smt.problem.model import Search
from p2smt.problem.system.network import System
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.tuner.canonical import Canonical
from p2smt.spmd.request import ShardingRequest, prepared_step, shard_program
from p2smt.spmd.search.as_emitted import as_emitted
from p2smt.spmd.search.mesh.choice import AUTO
from p2smt.spmd.search.sharded import MeshScope, ShardingResult
from p2smt.tensor.printer import print_program
from p2smt.tensor.program import Program

NEAR = 1.1
"""Other shardings that take longer than this times the least, as they are, are not scheduled."""

MOST_STATEMENTS = 200
"""The longest program for which meshes other than the fastest one are searched as well."""


@dataclass(frozen=True, slots=True)
class SingleDeviceStep:
    """A program for one device, and how to shard it: along one axis, and with `meshes` along two as well."""

    program: Program
    request: ShardingRequest
    meshes: bool = True


@dataclass(frozen=True, slots=True)
class NamedSharding:
    """A sharded program with a name; a `required` one is scheduled however long it takes as it is."""

    name: str
    program: Program
    required: bool


class TrialOutcome(StrEnum):
    """The outcome for a sharding that was compared.

    CUT_OFF: its search ended early, so that it may be faster. BEATEN: what was not searched of it has a lower bound
    above the fastest step.
    """

    COMPLETE = "scheduled and placed"
    CUT_OFF = "scheduled and placed, search ended early"
    BEATEN = "searched as far as it could be the fastest"
    FAR = "as it is, too far from the least"
    UNFINISHED = "as it is, search ended before a placement"
    INFEASIBLE = "as it is, no placement meets the conditions"


@dataclass(frozen=True, slots=True)
class TriedSharding:
    """A sharding and the seconds of its step: with its best schedule and placement, or as it is if not `scheduled`."""

    name: str
    seconds: float
    outcome: TrialOutcome

    @property
    def scheduled(self) -> bool:
        """True if it was scheduled and placed."""
        return self.outcome in (TrialOutcome.COMPLETE, TrialOutcome.CUT_OFF, TrialOutcome.BEATEN)


@dataclass(frozen=True, slots=True)
class BestSharding:
    """The fastest sharding with its schedule and placement; `tried` has all of them.

    In `tried`, those that could not be placed come last, the others fastest first. `bound` is a lower bound in seconds
    on all shardings, schedules and placements (`arithmetic_bound.py`).
    """

    program: Program
    result: Joint | WithoutCollectives
    tried: tuple[TriedSharding, ...]
    bound: float

    @property
    def gap(self) -> float:
        """The part of the step by which another program could be faster at most: 1 - bound / step."""
        seconds = self.tried[0].seconds
        return 1 - self.bound / seconds if seconds else 0.0

    @property
    def complete(self) -> bool:
        """True if no search of any sharding ended early."""
        return not any(one.outcome in (TrialOutcome.CUT_OFF, TrialOutcome.UNFINISHED) for one in self.tried)


def shardings(step: SingleDeviceStep, system: System) -> tuple[NamedSharding, ...]:
    """Return the shardings of a program that are compared; equal programs are listed once, under their first name.

    Raises ProblemError if there is none.
    """
    found: dict[object, NamedSharding] = {}
    canonical = Canonical()
    failed: ProblemError | None = None
    for mesh in (None, AUTO) if step.meshes else (None,):
        try:
            result = _sharded(step, system, mesh)
        except ProblemError as error:
            failed = failed or error
            continue
        for one in (*_of_result(result), *_on_near_meshes(step, system, result)):
            # Strategies often coincide with the answer, but for the names and the order of statements.
            # Those that other commands would give are kept as they are: order decides which statements can be fused.
            form = one.program.mesh, canonical.form(ScheduledProgram(one.program))
            found.setdefault(form, one)
            if one.required:
                found.setdefault(print_program(one.program), one)
    if failed is not None and not found:
        raise failed
    return tuple({id(one): one for one in found.values()}.values())


def best_sharding(
    step: SingleDeviceStep, system: System, conditions: Sequence[str], search: Search, asked: TuningOptions
) -> BestSharding | Infeasible | Unfinished:
    """Shard, schedule and place a single-device program; of equally fast shardings the first is taken.

    If no sharding can be placed, the result is the reason for the first one. Raises ProblemError as `joint` and
    `shardings`.
    """
    every = shardings(step, system)
    machines = [machine_of(system, one.program, asked.backend) for one in every]
    # The least possible time of a schedule is not known; that of the program as it is decides what is near.
    plain = [estimate(ScheduledProgram(o.program), m).seconds for o, m in zip(every, machines, strict=True)]
    bound = least_step_seconds(prepared_step(step.program, step.request).program, machines[0])
    found: dict[int, Joint | WithoutCollectives] = {}
    tried: list[TriedSharding] = []
    unplaced: dict[int, Infeasible | Unfinished] = {}
    rival: float | None = None
    for number in sorted(range(len(every)), key=lambda number: ten_digits(plain[number])):
        one, seconds = every[number], plain[number]
        if not one.required and seconds > NEAR * min(plain):
            tried.append(TriedSharding(one.name, seconds, TrialOutcome.FAR))
            continue
        if rival is not None and ten_digits(rival) <= ten_digits(bound):
            tried.append(TriedSharding(one.name, seconds, TrialOutcome.BEATEN))
            continue
        match joint(one.program, system, conditions, search, replace(asked, rival=rival)):
            case Infeasible() | Unfinished() as failed:
                unplaced[number] = failed
                outcome = TrialOutcome.UNFINISHED if isinstance(failed, Unfinished) else TrialOutcome.INFEASIBLE
                tried.append(TriedSharding(one.name, seconds, outcome))
            case Joint() | WithoutCollectives() as placed:
                found[number] = placed
                taken = seconds_of(placed)
                tried.append(TriedSharding(one.name, taken, _outcome(placed, rival)))
                rival = taken if rival is None else min(rival, taken)
    if not found:
        return unplaced[min(unplaced)]
    # To ten digits, so that rounding errors decide nothing.
    best = min(found, key=lambda number: (ten_digits(seconds_of(found[number])), number))
    return BestSharding(every[best].program, found[best], tuple(sorted(tried, key=_order)), bound)


def seconds_of(placed: Joint | WithoutCollectives) -> float:
    """Return the seconds of a step with its best schedule and placement."""
    return placed.best.estimate.seconds if isinstance(placed, Joint) else placed.estimate.seconds


def _outcome(placed: Joint | WithoutCollectives, rival: float | None) -> TrialOutcome:
    if not placed.complete:
        return TrialOutcome.CUT_OFF
    is_bounded = placed.tuned is not None and placed.tuned.bounded > 0
    slower = rival is not None and ten_digits(seconds_of(placed)) > ten_digits(rival)
    return TrialOutcome.BEATEN if is_bounded and slower else TrialOutcome.COMPLETE


def _order(tried: TriedSharding) -> tuple[bool, float]:
    """Return the sort key in the table: shardings without a placement come last, because they have no time."""
    return tried.outcome in (TrialOutcome.UNFINISHED, TrialOutcome.INFEASIBLE), ten_digits(tried.seconds)


def _sharded(step: SingleDeviceStep, system: System, mesh: str | None, *, baselines: bool = True) -> ShardingResult:
    request = replace(step.request, shares="even", mesh=mesh, buckets=0, baselines=baselines)
    return shard_program(step.program, system, request)


def _of_result(result: ShardingResult) -> Iterator[NamedSharding]:
    """Yield the answer of a search, as searched and as written, and the usual strategies with the same axes.

    Also of a mesh with an axis of one rank: of equally fast programs it may give another one than one axis does.
    """
    sizes = [axis.size for axis in result.program.mesh]
    where = "one axis" if len(sizes) == 1 else f"mesh {'x'.join(map(str, sizes))}"
    yield NamedSharding(where, result.program, required=True)
    yield NamedSharding(f"{where} in buckets", as_emitted(result).program, required=True)
    for name, one in result.baselines:
        yield NamedSharding(f"{where}, {name}", one.program, required=False)


def _on_near_meshes(step: SingleDeviceStep, system: System, result: ShardingResult) -> Iterator[NamedSharding]:
    """Yield the fastest programs on further meshes of several axes whose bound is near the answer's time."""
    if not isinstance(result.scope, MeshScope) or len(step.program.statements) > MOST_STATEMENTS:
        return
    tried = result.scope.tried
    least = min(outcome.time for outcome in tried if outcome.time is not None)
    own = tuple(axis.size for axis in result.program.mesh)
    near = dict.fromkeys(o.sizes for o in tried if 1 not in o.sizes and o.sizes != own and o.bound <= NEAR * least)
    for sizes in near:
        program = _sharded(step, system, ",".join(map(str, sizes)), baselines=False).program
        yield NamedSharding(f"mesh {'x'.join(map(str, sizes))}", program, required=False)
