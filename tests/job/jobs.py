"""Random small jobs, and what every placement and choice of programs takes, one by one from concrete groups."""

from dataclasses import replace
from itertools import pairwise, product
from math import inf, prod

from cost.network.random_systems import systems
from hypothesis import strategies as st

from p2smt.collective import Collective, Exchange
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.cost import LocalWork
from p2smt.cost.network.pattern import pattern_of
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.build import build_workload
from p2smt.problem.condition import Alike, FewCommunicators, Inside, LittleMemory, Off, Pinned, Unsplit
from p2smt.problem.model import Axis, Engine, Payload, Search
from p2smt.problem.workload import Reduction
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule
from p2smt.reduction.synth.session import Synthesizer

SYNTHESIZER = Synthesizer()


@st.composite
def jobs(draw, conditions=False, goals=(Collective.ALL_REDUCE,), limit=3):
    """A job of two or three axes on two levels, at most 16 devices, and one to three reductions."""
    sizes, axes = draw(st.sampled_from([
        ((2, 4), (2, 4)), ((2, 4), (2, 2, 2)), ((4, 4), (4, 4)), ((4, 4), (2, 2, 4)), ((2, 6), (6, 2)),
        ((6, 2), (2, 3, 2)), ((2, 2, 2), (4, 2)), ((2, 2, 2), (2, 2, 2)),
    ]))  # fmt: skip
    system = draw(systems(sizes, rates=st.floats(1e6, 1e7), latencies=st.floats(0, 1e-3), plain=draw(st.booleans())))
    names = [f"a{number}" for number in range(len(axes))]
    reductions = [
        Reduction(
            name=f"r{number}",
            axes=tuple(sorted(draw(st.sets(st.integers(0, len(axes) - 1), min_size=1, max_size=2)))),
            payload=Payload(4 * draw(st.integers(1, 10**5)), "float32"),
            times=draw(st.sampled_from([0.5, 1.0, 7.0])),
            goal=draw(st.sampled_from(goals)),
            overlap=draw(st.sampled_from(["", "", "together"])),
        )
        for number in range(draw(st.integers(1, 3)))
    ]
    texts = (
        draw(st.lists(_conditions(names, [level.name for level in system.levels]), max_size=4)) if conditions else []
    )
    sized = [Axis(name, size) for name, size in zip(names, axes, strict=True)]
    return build_workload(system, sized, reductions, texts, Search(limit=limit))


def _conditions(axes, levels):
    axis, level = st.sampled_from(axes), st.sampled_from(levels)
    return st.one_of(
        st.tuples(axis, st.sampled_from(["on", "inside", "not on"]), level).map(" ".join),
        axis.map("{} not split".format),
        st.tuples(axis, axis).map(lambda pair: f"{pair[0]} like {pair[1]}"),
        st.integers(1, 4).map("at most {} communicators".format),
        st.sampled_from([600, 1300, 2000]).map("at most {}MB for communicators".format),
    )


def every_matrix(job):
    """All tables of factors with the right products, by trying all."""
    factors = [
        [row for row in product(*([f for f in range(1, axis.size + 1) if axis.size % f == 0] for _ in job.levels))
         if prod(row) == axis.size]
        for axis in job.axes
    ]  # fmt: skip
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
        case Pinned(axis, level):
            return all(count == 1 for place, count in enumerate(spread(job, matrix, axis)) if place != level)
        case Inside(axis, level):
            return all(len({units(job, level, device) for device in group}) == 1
                       for group in groups_along(job, matrix, (axis,)))  # fmt: skip
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
    lowering = Lowering(job.problem(reduction), matrix)
    if reduction.goal is Exchange.ALL_TO_ALL:
        yield from _exchanges(job, lowering, cost)
        return
    problem = replace(job.problem(reduction), search=Search(limit=job.search.limit, engine=Engine.EXPLICIT))
    for program in SYNTHESIZER.synthesize(problem, only=matrix).placements[0].programs:
        plan = lowering.plan(program)
        groups = {
            tuple(plan.groups(step.groups).members(root))
            for step in plan.steps
            if isinstance(step, CollectiveStep)
            for root in plan.groups(step.groups).roots()
        }
        yield _way(job, [cost.step_cost(plan, step) for step in plan.steps], groups)


def _exchanges(job, lowering, cost):
    """All-to-alls along ranges of levels, in every order."""
    plan, count = lowering.direct, len(lowering.hierarchy.reduction_levels)
    for cuts in product((False, True), repeat=max(count - 1, 0)):
        ends = [place + 1 for place, cut in enumerate(cuts) if cut]
        ranges = [range(a, b) for a, b in pairwise([0, *ends, count])] if count else []
        if len(ranges) <= job.search.limit:
            rules = [
                GroupRule(tuple(sorted(p for level in one for p in plan.reduction_levels[level].digits)))
                for one in ranges
            ]
            held = plan.payload.bytes
            costs = [all_to_all_cost(pattern_of(plan, rule), held, job.system) for rule in rules]
            costs += [cost.work_cost(LocalWork(held))] * (len(ranges) - 1)
            groups = {tuple(plan.groups(rule).members(root)) for rule in rules for root in plan.groups(rule).roots()}
            yield _way(job, costs, groups)  # in any order of the ranges the same


def _way(job, costs, groups):
    busy = {link.name: 0.0 for link in job.system.network.links}
    for step in costs:
        for load in step.loads:
            busy[load.link.name] += load.bandwidth_bytes / load.link.bandwidth
    return sum(step.seconds for step in costs), busy, sum(step.memory_s for step in costs), groups


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


def best_by_force(job, cost):
    """(seconds, matrix) of the fastest placement with any programs that keeps all conditions; inf, None if none."""
    placing = [one for one in job.conditions if not isinstance(one, FewCommunicators | LittleMemory)]
    limits = [one for one in job.conditions if isinstance(one, FewCommunicators | LittleMemory)]
    best, where = inf, None
    for matrix in every_matrix(job):
        if all(keeps_by_devices(job, matrix, one) for one in placing):
            found = _best_on(job, matrix, cost, limits)
            if found < best * (1 - 1e-9):
                best, where = found, matrix
    return best, where


def _best_on(job, matrix, cost, limits):
    every = [list(ways(job, reduction, matrix, cost)) for reduction in job.reductions]
    best = inf
    for chosen in product(*every):
        if limits and not keeps_limits(limits, set().union(*(groups for *_, groups in chosen)), job.devices):
            continue
        phases = {}
        for number, (way, reduction) in enumerate(zip(chosen, job.reductions, strict=True)):
            phases.setdefault(reduction.overlap or number, []).append((way, reduction.times))
        best = min(best, sum(together_seconds(job, parts) for parts in phases.values()))
    return best
