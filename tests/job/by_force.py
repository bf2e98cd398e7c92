"""What every placement of a job and every choice of programs takes, one by one from concrete groups of devices."""

from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from math import inf, prod

import pytest

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.any_length import cheapest_program, graph_of
from p2smt.cost.by_communicators import programs_by_communicators
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import cost_of
from p2smt.cost.network.cost import LocalWork
from p2smt.cost.network.neighbour_send import neighbour_send_cost
from p2smt.cost.network.pattern import pattern_of
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import Alike, FewCommunicators, InnerAxis, LittleMemory, Off, PinnedAxis, Unsplit
from p2smt.problem.model import Engine, Search
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule
from p2smt.reduction.synth.session import Synthesizer

SYNTHESIZER = Synthesizer()
"""Random jobs ask for the same programs again and again; each engine finds them once."""


def every_matrix(job):
    """All tables of factors with the right products, by trying all."""
    factors = [
        [
            row
            for row in product(*([f for f in range(1, axis.size + 1) if axis.size % f == 0] for _ in job.levels))
            if prod(row) == axis.size
        ]
        for axis in job.axes
    ]
    for rows in product(*factors):
        if all(prod(row[j] for row in rows) == level.size for j, level in enumerate(job.levels)):
            yield ParallelismMatrix(rows)


def groups_along(job, matrix, axes):
    """The sets of devices that differ on these axes alone."""
    found = {}
    for device, coordinates in enumerate(DeviceMap(matrix)):
        rest = tuple(c for axis, c in enumerate(coordinates) if axis not in axes)
        found.setdefault(rest, []).append(device)
    return list(found.values())


def units(job, level, device):
    """The number of the unit of a level that a device is in."""
    return device // prod(one.size for one in job.levels[level + 1 :])


def spread(job, matrix, axis):
    """Per level, how many different units of one parent the first group along an axis has."""
    (group, *_) = groups_along(job, matrix, (axis,))
    counts = [len({units(job, level, device) for device in group}) for level in range(len(job.levels))]
    return [after // before for before, after in zip([1, *counts], counts, strict=False)]


def keeps_by_devices(job, matrix, condition):
    """The condition by its meaning, from the devices of groups."""
    match condition:
        case PinnedAxis(axis, level):
            return all(count == 1 for place, count in enumerate(spread(job, matrix, axis)) if place != level)
        case InnerAxis(axis, level):
            return all(
                len({units(job, level, device) for device in group}) == 1
                for group in groups_along(job, matrix, (axis,))
            )
        case Off(axis, level):
            return spread(job, matrix, axis)[level] == 1
        case Unsplit(axis, levels):
            counts = spread(job, matrix, axis)
            return sum(counts[level] > 1 for level in levels or range(len(counts))) <= 1
        case Alike(axis, other):
            return spread(job, matrix, axis) == spread(job, matrix, other)
    raise AssertionError(condition)


def ways(job, reduction, matrix, cost):
    """Every program: seconds once, busy seconds per link and of memory, the rank sets of its groups."""
    if isinstance(reduction.goal, NeighbourSend):
        yield _sent(job, reduction, matrix)
        return
    listed = [(groups, costs(cost)) for groups, costs in _programs(job, reduction, matrix)]
    if isinstance(reduction.goal, Collective):
        listed += (
            _for_sets_of_communicators(job, reduction, matrix, cost)
            if _parted(job.conditions)[1]
            else _beyond_the_limit(job, reduction, matrix, cost, min(map(_seconds, listed), default=inf))
        )
    for groups, steps in listed:
        busy = {link.name: 0.0 for link in job.system.network.links}
        for step in steps:
            for load in step.loads:
                busy[load.link.name] += load.bandwidth_bytes / load.link.bandwidth
        yield sum(step.seconds for step in steps), busy, sum(step.memory_s for step in steps), groups


def _sent(job, reduction, matrix):
    """A send as it is priced; tests/cost/network/test_neighbour_send.py holds that against cards and hops."""
    groups, lowering = groups_along(job, matrix, reduction.axes), Lowering(job.problem(reduction), matrix)
    busy = {link.name: 0.0 for link in job.system.network.links}
    if len(groups[0]) == 1:
        return 0.0, busy, 0.0, frozenset()
    pattern = pattern_of(lowering.direct, lowering.all_groups)
    step = neighbour_send_cost(reduction.goal, pattern, reduction.payload.bytes, job.system)
    for load in step.loads:
        busy[load.link.name] += load.bandwidth_bytes / load.link.bandwidth
    return step.seconds, busy, step.memory_s, frozenset(map(tuple, groups))


def _programs(job, reduction, matrix):
    """Of every program the rank sets of its groups, and a function that says what its steps cost."""
    lowering = Lowering(job.problem(reduction), matrix)
    if reduction.goal is Exchange.ALL_TO_ALL:
        yield from _exchanges(job, lowering)
        return
    problem = replace(job.problem(reduction), search=Search(limit=job.search.limit, engine=Engine.EXPLICIT))
    for program in SYNTHESIZER.synthesize(problem, only=matrix).placements[0].programs:
        plan = lowering.plan(program)
        rules = [step.groups for step in plan.steps if isinstance(step, CollectiveStep)]
        yield _rank_sets(plan, rules), lambda cost, plan=plan: [cost.step_cost(plan, step) for step in plan.steps]


def _beyond_the_limit(job, reduction, matrix, cost, best):
    """The cheapest program of any length, if it is cheaper than those up to the limit; over two levels all say so."""
    lowering = Lowering(job.problem(reduction), matrix)
    if not lowering.hierarchy.reduction_levels:
        return []
    plan = lowering.plan(cheapest_program(graph_of(lowering, found_all=False), lowering, cost))
    if len(lowering.hierarchy.reduction_levels) < 3:
        longest = replace(job, search=Search(limit=6))
        least = min(_seconds((groups, costs(cost))) for groups, costs in _programs(longest, reduction, matrix))
        assert cost.plan_seconds(plan) == pytest.approx(least, rel=1e-9)
    if cost.plan_seconds(plan) >= best * (1 - 1e-9):
        return []
    rules = [step.groups for step in plan.steps if isinstance(step, CollectiveStep)]
    return [(_rank_sets(plan, rules), [cost.step_cost(plan, step) for step in plan.steps])]


def _for_sets_of_communicators(job, reduction, matrix, cost):
    """The cheapest of any length for every set; tests/cost/test_by_communicators.py holds them against all programs."""
    lowering = Lowering(job.problem(reduction), matrix)
    for program in programs_by_communicators(lowering, cost).items:
        plan = lowering.plan(program)
        rules = [step.groups for step in plan.steps if isinstance(step, CollectiveStep)]
        yield _rank_sets(plan, rules), [cost.step_cost(plan, step) for step in plan.steps]


def _seconds(way):
    return sum(step.seconds for step in way[1])


def _exchanges(job, lowering):
    """All-to-alls along ranges of levels, in every order."""
    plan, count = lowering.direct, len(lowering.hierarchy.reduction_levels)
    held = plan.payload.bytes
    for cuts in product((False, True), repeat=max(count - 1, 0)):
        ends = [place + 1 for place, cut in enumerate(cuts) if cut]
        ranges = [range(a, b) for a, b in pairwise([0, *ends, count])] if count else []
        if len(ranges) <= job.search.limit:
            rules = [
                GroupRule(tuple(sorted(p for level in one for p in plan.reduction_levels[level].digits)))
                for one in ranges
            ]

            def costs(cost, rules=rules):
                sent = [all_to_all_cost(pattern_of(plan, rule), held, job.system) for rule in rules]
                return [*sent, *[cost.work_cost(LocalWork(held))] * (len(rules) if len(rules) > 1 else 0)]

            yield _rank_sets(plan, rules), costs  # in any order of the ranges the same


def _rank_sets(plan, rules):
    return frozenset(tuple(plan.groups(rule).members(root)) for rule in rules for root in plan.groups(rule).roots())


def together_seconds(job, parts):
    """What reductions that run at the same time take; `parts` are pairs of a way and its times per step."""
    longest = max(times * seconds for (seconds, *_), times in parts)
    if len(parts) == 1:
        return longest
    links = [sum(times * busy[name] for (_, busy, *_), times in parts) for name in parts[0][0][1]]
    shared = max(links) + (1 - job.system.network.overlap) * (sum(links) - max(links))
    return max(longest, shared, sum(times * memory for (_, _, memory, _), times in parts))


def keeps_limits(limits, groups, devices):
    """Every device counted: communicators that it is in, and their memory."""
    for device in range(devices):
        own = [group for group in groups if device in group]
        for limit in limits:
            match limit:
                case FewCommunicators(most):
                    if len(own) > most:
                        return False
                case LittleMemory(most):
                    if sum(544_000_000 if len(group) == 2 else 688_000_000 for group in own) > most:
                        return False
    return True


def possible(job):
    """Whether some placement with some programs keeps all conditions of a job."""
    placing, limits = _parted(job.conditions)
    return any(
        _keeps_limits_somehow(job, matrix, limits)
        for matrix in every_matrix(job)
        if all(keeps_by_devices(job, matrix, one) for one in placing)
    )


def _keeps_limits_somehow(job, matrix, limits):
    if not limits:
        return True
    # Of the conditions it matters alone that some are limits: with one for all, what is found serves every subset.
    alone = [replace(job, reductions=(reduction,), conditions=(FewCommunicators(1),)) for reduction in job.reductions]
    every = [_communicators(one, matrix) for one in alone]
    return any(keeps_limits(limits, frozenset().union(*chosen), job.devices) for chosen in product(*every))


@cache
def _communicators(job, matrix):
    """What the only reduction of a job can need."""
    return {groups for *_, groups in ways(job, job.reductions[0], matrix, cost_of(job.system))}


def best_by_force(job, cost):
    """(seconds, matrix) of the fastest placement with any programs that keeps all conditions; inf, None if none."""
    placing, limits = _parted(job.conditions)
    best, where = inf, None
    for matrix in every_matrix(job):
        if all(keeps_by_devices(job, matrix, one) for one in placing):
            found = _best_on(job, matrix, cost, limits)
            if found < best * (1 - 1e-9):
                best, where = found, matrix
    return best, where


def _parted(conditions):
    """Those on placements, and those on programs."""
    limits = [one for one in conditions if isinstance(one, FewCommunicators | LittleMemory)]
    return [one for one in conditions if one not in limits], limits


def _best_on(job, matrix, cost, limits):
    """The least seconds of all choices of a program per reduction, by the groups that the choice needs."""
    phases = {}
    for number, reduction in enumerate(job.reductions):
        phases.setdefault(reduction.overlap or number, []).append(reduction)
    least = {frozenset(): 0.0}
    for reductions in phases.values():
        phase = {}
        for chosen in product(*(list(ways(job, reduction, matrix, cost)) for reduction in reductions)):
            groups = frozenset().union(*(groups for *_, groups in chosen if limits))
            parts = [(way, reduction.times) for way, reduction in zip(chosen, reductions, strict=True)]
            phase[groups] = min(phase.get(groups, inf), together_seconds(job, parts))
        both = [(one | other, a + b) for (one, a), (other, b) in product(least.items(), phase.items())]
        least = {groups: min(seconds for other, seconds in both if other == groups) for groups, _ in both}
    return min((s for groups, s in least.items() if keeps_limits(limits, groups, job.devices)), default=inf)
