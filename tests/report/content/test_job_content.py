"""What the report of a job says, against `optimize`, and against programs priced one by one from concrete groups."""

from dataclasses import replace
from math import isclose
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from job.by_force import groups_along, ways
from job.jobs import jobs
from report_support import example_job, example_optimum, job_report_of, optimum
from tiers import examples

from p2smt.collective import Collective, Exchange
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.cost import LocalWork
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Search
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import GOALS
from p2smt.report.content.collect import MOST_PLACEMENTS
from p2smt.report.content.collect_job import slowest

JOBS = jobs(goals=GOALS)


def members_of(step):
    """The groups of a step from the first members that the report gives, all devices being drawn."""
    found = {}
    for device, root in enumerate(step.roots):
        if root >= 0:
            found.setdefault(root, []).append(device)
    return [tuple(group) for group in found.values()]


@given(JOBS)
@settings(max_examples=examples(3))
def test_numbers_are_those_of_optimize(job):
    found = optimum(job)
    said = job_report_of(found)
    assert said.times == found.placements
    assert said.found == found.found == len(said.placements)
    for placement, time, programs in zip(said.placements, said.times, said.programs, strict=True):
        assert placement.matrix == time.matrix
        assert sorted(one.reduction.name for one in time.reductions) == sorted(one.name for one in job.reductions)
        for one, program in zip(time.reductions, programs, strict=True):
            assert (program.text, program.seconds) == (one.candidate.text, one.candidate.seconds)
            assert program.payload == one.reduction.payload.bytes
            assert one.reduction.name in program.label
            assert sum(step.seconds for step in program.steps) == pytest.approx(program.seconds, rel=1e-8)
            assert sum(step.share for step in program.steps) == pytest.approx(1.0 if program.steps else 0.0)


@given(JOBS, st.data())
@settings(max_examples=examples(2))
def test_steps_are_a_way_that_listing_all_programs_has_too(job, data):
    said = job_report_of(optimum(job))
    number = data.draw(st.integers(0, len(said.placements) - 1))
    cost = cost_of(job.system, Nccl())
    matrix = said.placements[number].matrix
    for one, program in zip(said.times[number].reductions, said.programs[number], strict=True):
        seconds = sum(step.seconds for step in program.steps)
        groups = {group for step in program.steps if step.among > 1 for group in members_of(step)}
        every = ways(job, one.reduction, matrix, cost)
        assert any(isclose(seconds, way[0], rel_tol=1e-8) and groups == way[3] for way in every), program.text


def begun(goal, whole, groups, devices):
    """What every device holds before the first step."""
    roots = {group[0] for group in groups}
    if goal is Collective.BROADCAST:
        return [whole if device in roots else 0 for device in range(devices)]
    return [whole / len(groups[0]) if goal is Collective.ALL_GATHER else whole] * devices


def lengths(one, program, groups):
    """What every device holds after every step, from the groups drawn."""
    held = begun(one.reduction.goal, program.payload, groups, len(program.steps[0].roots))
    for step in program.steps:
        for group in members_of(step) if step.among > 1 else ():
            root = held[group[0]]
            for member in group:
                if step.what == "ReduceScatter":
                    held[member] = root / len(group)
                elif step.what == "AllGather":
                    held[member] = root * len(group)
                elif step.what == "Reduce" and member != group[0]:
                    held[member] = 0
                else:
                    held[member] = root
        yield held.copy()


@given(JOBS, st.data())
@settings(max_examples=examples(2))
def test_devices_hold_what_the_groups_drawn_leave_them(job, data):
    said = job_report_of(optimum(job))
    number = data.draw(st.integers(0, len(said.placements) - 1))
    for one, program in zip(said.times[number].reductions, said.programs[number], strict=True):
        together = [sorted(group) for group in groups_along(job, said.placements[number].matrix, one.reduction.axes)]
        size = len(together[0])
        assert (size > 1) == bool(program.steps)
        if not program.steps:
            continue
        for step, held in zip(program.steps, lengths(one, program, together), strict=True):
            assert step.held == pytest.approx(held)
        goal = one.reduction.goal
        ends = [group[0] for group in together] if goal is Collective.REDUCE else range(job.devices)
        left = program.payload / (size if goal is Collective.REDUCE_SCATTER else 1)
        assert [held[device] for device in ends] == pytest.approx([left] * len(ends))
        assert joined(program, job.devices) == sorted(map(tuple, together))


def joined(program, devices):
    """The sets of devices that the steps of a program connect."""
    mark = list(range(devices))
    for step in program.steps:
        for group in members_of(step):
            old = {mark[member] for member in group}
            mark = [min(old) if one in old else one for one in mark]
    return sorted(tuple(device for device in range(devices) if mark[device] == one) for one in set(mark))


def test_an_all_to_all_in_two_steps_puts_blocks_in_order_between_them_and_at_the_end():
    system = find_system("node:8,gpu:8")
    job = example_job("moe")
    tokens = next(one for one in job.reductions if one.goal is Exchange.ALL_TO_ALL)
    small = replace(tokens, axes=(0,), payload=replace(tokens.payload, bytes=4096))
    said = job_report_of(optimum(build_workload(system, [Axis("ep", 64)], [small])))
    program = said.programs[0][0]
    assert [step.what for step in program.steps] == ["AllToAll", "local permutation"] * 2
    assert {group for step in program.steps[::2] for group in members_of(step)} == {
        *(tuple(range(first, first + 8)) for first in range(0, 64, 8)),
        *(tuple(range(n, 64, 8)) for n in range(8)),
    }
    assert program.steps[1].roots == tuple(range(64))
    assert {step.before + step.after for step in program.steps} == {(4096.0, 4096.0)}
    price = cost_of(system, Nccl()).work_cost(LocalWork(4096.0))
    assert [step.seconds for step in program.steps[1::2]] == [price.seconds] * 2


@pytest.mark.thorough  # the same content is shown in tests/report/page/test_job_page.py
def test_what_is_compared_and_asked_for_is_shown():
    axes = [Axis("a", 2), Axis("b", 4), Axis("c", 4), Axis("d", 2)]
    reduction = example_job("job").reductions[0]
    every = [replace(reduction, name=f"r{n}", axes=(n % 4,), overlap="") for n in range(24)]
    job = build_workload(find_system("4x4x4"), axes, every, search=Search(limit=1))
    found = optimum(job)
    asked = found.placements[-2].matrix
    said = job_report_of(found, asked)
    assert len(found.placements) == 33 > MOST_PLACEMENTS
    assert len(said.times) == 12 < MOST_PLACEMENTS
    assert said.placements[said.opened].matrix == asked
    shown = [one.matrix for one in said.times]
    assert {column.placement.matrix for column in said.compared} <= set(shown)
    order = [one.matrix for one in found.placements]
    assert shown == sorted(shown, key=order.index)
    assert shown[:6] == order[:6]


def test_the_cluster_has_the_colours_of_the_slowest_reduction():
    said = job_report_of(example_optimum("dense-70b"), parse_matrix("4x1/1x8/2x1/8x1"))
    assert (said.axes[said.coloured].name, str(said.placements[said.opened].matrix)) == ("tp", "4x1/1x8/2x1/8x1")


def test_of_equally_slow_reductions_the_first_is_coloured():
    for seconds, wanted in (((1, 3, 3), 1), ((3, 3, 1), 0), ((1, 2, 3), 2)):
        made = tuple(SimpleNamespace(seconds=one) for one in seconds)
        assert slowest(SimpleNamespace(reductions=made)) == wanted


def test_as_many_placements_were_found_as_optimize_says():
    found = example_optimum("job")
    assert job_report_of(replace(found, found=found.found + 7)).found == found.found + 7
