"""What a report says, against counting by hand: devices, groups, bytes, seconds."""

from dataclasses import replace
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.steps import lengths_after
from report_support import plan_of, report, report_on
from support import problem
from tiers import examples, is_full, sample

from p2smt.cost.crossovers import crossovers
from p2smt.cost.network.backend import BACKENDS, Nccl, cost_of
from p2smt.cost.ranking import rank
from p2smt.problem.model import Payload
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.reduction.synth.session import Synthesizer
from p2smt.report.content.collect import MOST_PLACEMENTS, collect
from p2smt.report.figures.sensitivity_chart import seconds_at
from p2smt.smt.answer import Stop

PROBLEMS = st.sampled_from(
    [
        ((2, 4), (8,), (0,)),
        ((2, 4), (2, 4), (1,)),
        ((4, 4), (4, 2, 2), (0, 2)),
        ((2, 2, 2), (2, 4), (1,)),
        ((3, 4), (6, 2), (0,)),
        ((4,), (2, 2), (1,)),
    ]
)


def coordinates_by_definition(rows):
    """Axis coordinates of device 0, 1, ...: digits level by level, inside a level axis by axis."""
    columns = list(zip(*rows, strict=True))
    digits = [(axis, range(size)) for column in columns for axis, size in enumerate(column)]
    for values in product(*(values for _, values in digits)):
        found = [0] * len(rows)
        for (axis, choices), value in zip(digits, values, strict=True):
            found[axis] = found[axis] * len(choices) + value
        yield tuple(found)


@given(PROBLEMS)
@settings(max_examples=examples(1))
def test_every_placement_is_there_with_all_devices_and_their_coordinates(given_problem):
    sizes, axes, reduce = given_problem
    found = report(sizes, axes, reduce)
    assert len(found.placements) == found.found
    for placement in found.placements:
        assert placement.selection.devices == tuple(range(prod(sizes)))
        assert placement.coordinates == tuple(coordinates_by_definition(placement.matrix.rows))


@given(PROBLEMS)
@settings(max_examples=examples(2))
def test_steps_have_the_groups_and_bytes_of_their_plans(given_problem):
    found = report(*given_problem)
    seen = 0
    for number, result in enumerate(found.results):
        for program in result.programs:
            plan = plan_of(found, number, program.text)
            assert len(program.steps) == len(plan.steps)
            for step, planned, held in zip(program.steps, plan.steps, lengths_after(plan), strict=True):
                seen += 1
                assert step.held == held
                if not isinstance(planned, CollectiveStep):
                    continue
                groups = list(plan.groups(planned.groups))
                roots = {member: min(group) for group in groups for member in group}
                assert step.roots == tuple(roots.get(device, -1) for device in range(plan.devices))
                assert (step.groups, step.among) == (len(groups), len(groups[0]))
                assert step.what == planned.collective
                members = sorted({held[device] for device in roots})
                assert step.after == tuple(members)
            assert {*held} == {plan.payload.bytes}
    assert seen > 0


def all_programs_of(monkeypatch, *problem_parts):
    monkeypatch.setattr("p2smt.report.content.collect.MOST_PROGRAMS", 10_000)
    return report_on(problem(*problem_parts))


def test_every_program_of_two_levels(monkeypatch):
    found = all_programs_of(monkeypatch, (2, 4), (8,))
    programs = found.results[0].programs
    assert len(programs) == 93
    local = 0
    for program in programs:
        for step, held in zip(program.steps, lengths_after(plan_of(found, 0, program.text)), strict=True):
            assert step.held == held
            local += step.what == "local permutation"
            if step.what == "local permutation":
                acting = sum(root >= 0 for root in step.roots)
                assert (step.groups, step.among, step.link) == (acting, 1, "")
    assert local > 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_seconds_are_the_rankers(backend):
    asked = problem((4, 4), (4, 4), (1,)) if is_full() else problem((2, 4), (2, 4), (1,))
    found = report_on(asked, backend)
    ranked = {p.placed.matrix: p for p in rank(Synthesizer().synthesize(asked), cost_of(asked.system, backend))}
    best = []
    for result in found.results:
        expected = ranked[result.matrix]
        assert result.count == len(expected.programs)
        assert result.allreduce_seconds == expected.allreduce_seconds
        assert list(result.ranks) == [one.rank for one in expected.programs[: len(result.ranks)]]
        for program, other in zip(result.programs, expected.programs, strict=False):
            assert (program.text, program.seconds) == (other.text, other.seconds)
            assert sum(step.seconds for step in program.steps) == pytest.approx(program.seconds)
            assert sum(step.share for step in program.steps) == pytest.approx(1.0 if program.steps else 0.0)
        assert set(result.seconds) == {float(f"{one.seconds:.4g}") for one in expected.programs}
        best.append(result.programs[0].seconds)
    assert best == sorted(best)


@pytest.mark.parametrize("size", sample([4, 2**10, 2**15, 2**20, 2**26, 2**33], 2))
def test_sensitivity_is_what_ranking_says_at_another_payload(size):
    asked = problem((2, 4), (2, 4), (1,))
    reduction = report_on(asked)
    other = replace(asked, payload=Payload(size, "float32"))
    ranked = {p.placed.matrix: p for p in rank(Synthesizer().synthesize(other), cost_of(other.system, Nccl()))}
    for result in reduction.results:
        predicted = seconds_at(result.crossovers, size)
        assert predicted == pytest.approx(ranked[result.matrix].programs[0].seconds, rel=1e-6)
    best = min(placement.programs[0].seconds for placement in ranked.values())
    assert seconds_at(reduction.crossovers, size) == pytest.approx(best, rel=1e-6)


@pytest.fixture(scope="module")
def many():
    """What is found of a problem with more placements than are shown, and its ranking."""
    asked = problem((16, 8, 8), (8, 2, 32, 2), (1,), limit=2)
    found = Synthesizer().synthesize(asked)
    return found, rank(found, cost_of(asked.system, Nccl()))


def test_large_problems_show_the_fastest_placements_and_say_what_the_others_take(many):
    synthesis, ranked = many
    found = collect(synthesis, Nccl())
    assert (found.found, len(found.placements)) == (75, MOST_PLACEMENTS)
    seconds = sorted(placement.programs[0].seconds for placement in ranked)
    shown = [result.programs[0].seconds for result in found.results]
    assert shown == pytest.approx(seconds[:MOST_PLACEMENTS])
    assert found.others == (seconds[MOST_PLACEMENTS], seconds[-1])
    assert found.opened == 0


@pytest.mark.thorough  # placements are chosen in test_browser.py
def test_a_placement_asked_for_is_shown_and_opened(many):
    synthesis, ranked = many
    matrix = max(ranked, key=lambda placement: placement.programs[0].seconds).placed.matrix
    found = collect(synthesis, Nccl(), also=matrix)
    assert len(found.placements) == MOST_PLACEMENTS
    assert found.placements[found.opened].matrix == matrix
    second = found.placements[1].matrix
    again = collect(synthesis, Nccl(), also=second)
    assert (again.opened, again.placements[1].matrix) == (1, second)


def test_stopping_early_is_said():
    found = collect(Synthesizer().synthesize(problem((4, 16), (4, 16)), deadline=0.0), Nccl())
    assert found.placements == ()
    assert found.why


def test_what_there_was_no_time_for_is_left_out_and_said():
    whole = Synthesizer().synthesize(problem((2, 2, 2), (8,), limit=1))
    found, late = collect(whole, Nccl()), collect(whole, Nccl(), deadline=0.0)
    assert (found.complete, found.late) == (True, 0)
    assert (late.complete, late.late, late.crossovers) == (False, 1, None)
    assert all(result.crossovers is None and result.programs for result in late.results)
    assert late.total == found.total


def test_who_wins_is_not_said_where_one_placement_was_not_looked_at_in_time(monkeypatch):
    """As if the time were over behind the first placement."""
    found = Synthesizer().synthesize(problem((2, 2), (2, 2), limit=2))
    times = iter([None, 0.0, 0.0])
    monkeypatch.setattr(
        "p2smt.report.content.collect.crossovers", lambda *asked: crossovers(*asked[:4], deadline=next(times))
    )
    made = collect(found, Nccl())
    assert [result.crossovers is None for result in made.results].count(False) == 1
    assert made.crossovers is None


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize(("stop", "reason"), [(Stop.DEADLINE, ""), (Stop.INTERRUPTED, ""), (Stop.UNKNOWN, "gave up")])
def test_what_was_found_before_the_search_stopped_is_not_said_to_be_all(stop, reason):
    whole = Synthesizer().synthesize(problem((2, 2), (4,), limit=2))
    assert collect(whole, Nccl()).why == ""
    found = collect(replace(whole, stop=stop, reason=reason), Nccl())
    assert found.placements
    assert found.why == (f"{stop}: {reason}" if reason else stop)
