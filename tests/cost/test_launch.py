"""What it takes to begin a call: once for every collective, and no gain is claimed where figures are not known."""

import re
from dataclasses import replace
from functools import cache
from math import inf

import pytest
from command_line import output
from hypothesis import given
from hypothesis import strategies as st
from support import problem

from p2smt.collective import Collective
from p2smt.cost.calibration.fit import fit_system
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.crossovers import crossovers, known_changes, program_changes
from p2smt.cost.explanation import causes
from p2smt.cost.network.backend import BACKENDS, Nccl, cost_of
from p2smt.cost.network.cost import Work
from p2smt.cost.network.hop_cost import HopCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.cost.ranking import Ranker, rank
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.build import LAUNCH
from p2smt.problem.system.file import preset
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.reduction.synth.session import synthesize

ASKED = problem((2, 2, 2), (8,), limit=3)


@cache
def found():
    return synthesize(ASKED)


def with_launch(system, seconds):
    return replace(system, network=replace(system.network, launch=seconds))


@pytest.mark.parametrize("backend", BACKENDS, ids=str)
def test_every_collective_is_begun_once(backend):
    free, dear = (cost_of(with_launch(ASKED.system, seconds), backend) for seconds in (0.0, 1e-3))
    for placement in rank(found(), free):
        for ranked in placement.programs[::9]:
            plan = ranked.plan
            calls = sum(isinstance(step, CollectiveStep) for step in plan.steps)
            assert dear.plan_seconds(plan) - free.plan_seconds(plan) == pytest.approx(calls * 1e-3, rel=1e-9)
            steps = [dear.step_cost(plan, step) for step in plan.steps]
            assert causes(steps)["launch"] == pytest.approx(calls * 1e-3)
            assert sum(causes(steps).values()) == pytest.approx(dear.plan_seconds(plan))


def test_it_is_begun_once_counted_by_hop():
    plan = rank(found(), cost_of(ASKED.system))[0].programs[0].plan
    for step in plan.steps:
        free, dear = (HopCost(with_launch(ASKED.system, one)).step_cost(plan, step).seconds for one in (0.0, 1.0))
        assert dear - free == pytest.approx(float(isinstance(step, CollectiveStep)))


def test_a_system_that_does_not_say_it_takes_nccls_own_figure():
    for text in ("2x4", "dgx-h100"):
        assert find_system(text).network.launch == LAUNCH == 8.4e-6


def test_dear_calls_are_few():
    cost = cost_of(with_launch(ASKED.system, 1.0))
    ranked = rank(found(), cost)[0].programs
    assert len(ranked[0].program) == 1
    lengths = [len(one.program) for one in ranked]
    assert lengths == sorted(lengths)


def rows(system, sizes):
    inside = Pattern((((Role.FREE, 2),), ((Role.VARYING, 8),)))
    whole = Pattern((((Role.VARYING, 2),), ((Role.VARYING, 8),)))
    pairs = Pattern((((Role.VARYING, 2),), ((Role.FREE, 8),)))
    cost = cost_of(system, Nccl(Algorithm.RING))
    works = [Work(Collective.ALL_REDUCE, pattern, held) for pattern in (inside, whole, pairs) for held in sizes]
    return [
        Measurement(
            place=f"row {number}",
            group="one",
            sizes=(2, 8),
            backend=Nccl(Algorithm.RING),
            works=(work,),
            seconds=cost.work_cost(work).seconds,
        )
        for number, work in enumerate(works)
    ]


def launch_of(fit):
    return next(figure for figure in fit.figures if figure.name == "device.launch")


def test_it_is_fitted_where_payloads_tell_it():
    start = replace(preset("p2-a100"), measured_from=None)
    true = with_launch(replace(start, levels=find_system("p2-a100:2x8").levels), 40e-6)
    fit = fit_system(start, rows(true, [1e3, 1e5, 1e7, 1e9]))
    assert launch_of(fit).identified
    assert launch_of(fit).after == pytest.approx(40e-6, rel=0.05)
    assert fit.system.measured_from == 1000


def test_payloads_of_one_size_do_not_tell_it():
    start = preset("p2-a100")
    true = with_launch(replace(start, levels=find_system("p2-a100:2x8").levels), 40e-6)
    fit = fit_system(start, rows(true, [1e9, 2e9]))
    assert not launch_of(fit).identified
    assert launch_of(fit).after == LAUNCH
    assert fit.system.measured_from == 10**9


@cache
def all_changes():
    cost = cost_of(ASKED.system)
    return crossovers(Ranker(cost), cost, ASKED, found().placements[0])


@given(st.floats(1, 2**45))
def test_changes_among_payloads_that_are_known(known_from):
    found = all_changes()
    known = known_changes(found, int(known_from))
    ends = [*(change.least_bytes for change in program_changes(found)[1:]), inf]
    kept = [change for change, end in zip(program_changes(found), ends, strict=True) if end > int(known_from)]
    assert [change.best.text for change in known] == [change.best.text for change in kept]
    assert known[0].least_bytes == max(kept[0].least_bytes, int(known_from))


SMALL = ["--system", "4x4", "--axes", "16", "--reduce", "0", "--limit", "3"]
NOTE = "below 1 MiB the figures are extrapolated ("


@pytest.mark.parametrize(
    ("size", "claimed"),
    [
        pytest.param("1KiB", False, marks=pytest.mark.thorough),  # the size just below the first known one is nearer
        ("1048572B", False),
        ("1MiB", True),
    ],
)
def test_no_gain_is_claimed_for_payloads_smaller_than_known_ones(size, claimed, tmp_path, capsys):
    asked = [*SMALL, "--bytes", size]
    plan = str(tmp_path / "plan.json")
    output(["plan", *asked, "--out", plan], capsys)
    told = [output([*command, *asked], capsys) for command in (["rank", "--top", "3"], ["synth"])]
    told.append(output(["explain", plan], capsys).partition("\n\n")[0])
    for text in told[:2]:
        assert (NOTE in text) != claimed
    assert [bool(re.search(r"\d\.\d\dx", text)) for text in told] == [claimed] * 3
    assert NOTE in output(["explain", plan], capsys)


def test_a_program_whose_payloads_end_where_figures_begin_is_not_named():
    first, second, *_ = program_changes(all_changes())
    changes = (first, replace(second, least_bytes=4096.0))
    assert known_changes(changes, 4096) == changes[1:]
    assert [change.best.text for change in known_changes(changes, 4095)] == [first.best.text, second.best.text]
