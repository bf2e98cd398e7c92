"""What calls, messages and ports take of cores, found again in made-up times; or refused where they do not tell."""

from dataclasses import replace

import pytest
from support import refused
from tiers import is_full

from p2smt.cost.calibration.processors import ChunkedTime, fit_processors
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.errors import CalibrationError
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.file import preset, resized
from p2smt.problem.system.processors import Processors
from p2smt.reduction.plan.program_plan import program_plan

TRUE = Processors(2, 5e-5, 4.5e-5, 7e-6)
PROGRAMS = (
    "(host, InsideGroup, ReduceScatter); (host, Parallel(root), AllReduce); (host, InsideGroup, AllGather)",
    "(host, InsideGroup, AllReduce); (host, Master(root), AllReduce); (host, InsideGroup, Broadcast)",
    "(root, InsideGroup, Reduce); (root, InsideGroup, Broadcast)",
)


def made_up(sizes=((2, 4), (4, 2)), programs=PROGRAMS, chunks=(16,), true=TRUE):
    found = []
    for each in sizes:
        system = resized(preset("lab"), each)
        crowded = replace(system, network=replace(system.network, processors=true))
        asked = build_problem(system, [Axis("data", 8)], [0], Payload(4000, "float32"))
        for text in programs:
            for count in chunks:
                plan = replace(program_plan(asked, text), chunks=count)
                found.append(ChunkedTime(system, plan, cost_of(crowded, Gloo()).plan_seconds(plan)))
    return found


def figures(processors):
    return processors.call_s, processors.message_s, processors.port_s


def test_the_figures_that_times_were_made_of_are_found_again():
    if is_full():
        assert figures(fit_processors(made_up(), 2)) == pytest.approx(figures(TRUE), rel=1e-3)
    twice = fit_processors(made_up(), 4)  # the same work on twice the cores takes twice as much of each
    assert (twice.cores, *figures(twice)) == pytest.approx((4, *(2 * figure for figure in figures(TRUE))), rel=1e-3)


@pytest.mark.thorough  # figures are found again beside it
def test_a_time_that_is_far_off_counts_little():
    times = made_up(chunks=(8, 16))
    times[3] = replace(times[3], seconds=2 * times[3].seconds)
    found = fit_processors(times, 2)
    assert figures(found) == pytest.approx(figures(TRUE), rel=0.25)


@pytest.mark.thorough  # figures are found again beside it
def test_what_takes_nothing_is_found_to_take_nothing():
    free = replace(TRUE, port_s=0.0)
    assert fit_processors(made_up(true=free), 2).port_s < 1e-7


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (list, "0 times of chunked plans do not determine"),
        (lambda: made_up()[:2], "2 times of chunked plans do not determine"),
        (lambda: made_up(programs=PROGRAMS[:1]) * 3, "6 times of chunked plans do not determine"),  # two equations
        (lambda: [replace(made_up()[0], seconds=0.0), *made_up()], "in 16 chunks: time 0.0 s is not between"),
    ],
)
def test_times_that_do_not_tell_are_refused(times, said):
    assert said in refused(lambda: fit_processors(times(), 2), CalibrationError)


def test_plans_that_wait_for_no_core_are_refused():
    """Of one piece that takes seconds every figure says the same, up to where cores take as long."""
    slow = [replace(one, plan=replace(one.plan, payload=Payload(4 << 20, "float32"), chunks=1)) for one in made_up()]
    slow = [replace(one, seconds=cost_of(one.system, Gloo()).plan_seconds(one.plan)) for one in slow]
    assert "do not determine" in refused(lambda: fit_processors(slow, 2), CalibrationError)
