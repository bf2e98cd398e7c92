"""The proof obligation of optimality, against the cheapest of all programs found one by one."""

import time
from types import SimpleNamespace

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from support import level_start, programs
from tiers import examples, is_full, sample

from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.catalogue.optimality import obligations, toy_prices
from p2smt.reduction.language.language import full_language
from p2smt.reduction.rules.optimality import CheaperProgram, CostBound, OptimalityProof, build_obligation, decide
from p2smt.reduction.semantics.level_algebra import apply_step, class_groups, scatterable
from p2smt.smt import deadlines
from p2smt.smt.answer import NoAnswer
from p2smt.smt.query import Query
from p2smt.smt.smtlib import Status, script_text

SPACES = [(1, 3), (2, 3), (2, 5), (3, 3)]  # levels, limit


def price_of(steps, prices, levels):
    """The sum of the prices of a program, from the level sets that its roots really have."""
    state, total = level_start(levels), 0
    for step in steps:
        roots = [group[0] for group in class_groups(step[0], levels)]
        total += max(prices[step][state[root].scattered] for root in roots)
        state = apply_step(state, step, levels)
    return total


def all_prices(prices, levels, limit, grammar=Grammar.FULL):
    return {
        steps: price_of(steps, prices, levels) for steps in programs(Engine.EXPLICIT, (2,) * levels, limit, grammar)
    }


@st.composite
def priced(draw):
    """A language, a limit, and random prices."""
    (levels, limit), grammar = draw(st.sampled_from(SPACES)), draw(st.sampled_from(Grammar))
    chance, most = draw(st.randoms(use_true_random=False)), draw(st.sampled_from([3, 50, 10**9, 2**60]))
    language = full_language(levels, grammar)
    prices = {step: {held: chance.randint(0, most) for held in scatterable(step, levels)} for step in language.steps()}
    return language, limit, prices


def always(_steps):
    return True


@settings(max_examples=examples(2))
@given(priced())
def test_nothing_is_below_the_cheapest_program_and_something_is_below_one_more(given_prices):
    language, limit, prices = given_prices
    costs = all_prices(prices, language.levels, limit, language.grammar)
    least = min(costs.values())
    assert decide(build_obligation(language, limit, prices, least), always) == OptimalityProof(())
    beaten = decide(build_obligation(language, limit, prices, least + 1), always)
    assert isinstance(beaten, CheaperProgram)
    assert costs[beaten.steps] == least
    assert decide(build_obligation(language, limit, prices, least), always, time.monotonic() + 1000) == OptimalityProof(
        ()
    )


@settings(max_examples=examples(2))
@given(priced(), st.integers(0, 12))
def test_programs_that_cost_more_than_their_instructions_are_excluded_by_name(given_prices, rank):
    language, limit, prices = given_prices
    costs = all_prices(prices, language.levels, limit, language.grammar)
    bound = sorted(costs.values())[min(rank, len(costs) - 1)]
    below = {steps for steps, cost in costs.items() if cost < bound}
    for deadline in (None, time.monotonic() + 1000):
        obligation = build_obligation(language, limit, prices, bound)
        proved = decide(obligation, lambda _: False, deadline)
        assert isinstance(proved, OptimalityProof)
        assert len(proved.excluded) == len(below)
        assert set(proved.excluded) == below
    for excluded, answer in ((proved.excluded, z3.unsat), (proved.excluded[1:], z3.sat if below else z3.unsat)):
        assert solved(obligation.script("some", "About.", "nowhere", Status.UNSAT, bound, excluded)) == answer
    for planted in sample(sorted(below), 4):
        assert decide(obligation, planted.__eq__) == CheaperProgram(planted)


def test_a_program_that_costs_less_counts_however_many_before_it_do_not():
    obligation = build_obligation(full_language(2), 5, toy_prices(2), 60)
    every = decide(obligation, lambda _: False).excluded
    assert len(every) == 3
    for before in range(len(every)):
        asked = []
        found = decide(obligation, lambda steps, asked=asked, before=before: asked.append(steps) or len(asked) > before)
        assert found == CheaperProgram(asked[-1])
        assert len(set(asked)) == before + 1


def of_roots(steps, levels):
    """For every step the level sets that are scattered on the roots of its groups, the first group's first."""
    state = level_start(levels)
    for step in steps:
        yield [state[group[0]].scattered for group in class_groups(step[0], levels)]
        state = apply_step(state, step, levels)


def test_a_step_costs_what_its_dearest_group_costs():
    """On three levels 27 programs have a step whose groups have different portions of the payload."""
    language = full_language(3)
    every = programs(Engine.EXPLICIT, (2, 2, 2), 5)
    uneven = [steps for steps in every if any(len(set(sets)) > 1 for sets in of_roots(steps, 3))]
    assert len(uneven) == 27
    dearer, most = 0, 3 if is_full() else 1
    for planted in uneven:
        prices = {step: dict.fromkeys(scatterable(step, 3), 9) for step in language.steps()}
        for step, sets in zip(planted, of_roots(planted, 3), strict=True):
            prices[step] |= {held: 0 if held == sets[0] else 7 for held in sets}
        least = min(price_of(steps, prices, 3) for steps in every)
        if least == price_of(planted, prices, 3) == 7:
            dearer += 1
            assert decide(build_obligation(language, 5, prices, least), always) == OptimalityProof(())
            assert isinstance(decide(build_obligation(language, 5, prices, least + 1), always), CheaperProgram)
        if dearer == most:
            break
    assert dearer == most


def test_after_a_deadline_a_lower_bound_is_known_that_is_one(monkeypatch):
    """Time is counted in looks at the clock; every program found takes one, and none costs less."""
    prices, bound, end = toy_prices(2), 81, time.monotonic() + 1000
    costs = all_prices(prices, 2, 5)
    obligation = build_obligation(full_language(2), 5, prices, bound)
    found = []
    for looks in range(12 if is_full() else 5):
        left = iter(range(looks))
        clock = SimpleNamespace(monotonic=lambda left=left: end if next(left, None) is None else end - 500)
        monkeypatch.setattr(deadlines, "time", clock)
        found.append(decide(obligation, lambda _: False, end))
    for bounded in found:
        assert isinstance(bounded, CostBound)
        assert bounded.reason == "deadline"
        assert all(cost >= bounded.lower_bound for steps, cost in costs.items() if steps not in bounded.excluded)
        assert all(costs[steps] < bound for steps in bounded.excluded)
    lower = [bounded.lower_bound for bounded in found]
    assert lower == sorted(lower)
    assert lower[:3] == [0, 20, 40]


def test_no_obligation_is_built_after_the_deadline():
    assert build_obligation(full_language(2), 5, toy_prices(2), 48, time.monotonic() - 1) is None


def test_an_interrupted_search_is_a_lower_bound():
    obligation = build_obligation(full_language(2), 5, toy_prices(2), 60)

    def interrupted(_steps):
        raise KeyboardInterrupt

    assert decide(obligation, interrupted) == CostBound(0, "interrupted")
    assert decide(obligation, interrupted, time.monotonic() + 1000) == CostBound(60 * 6 // 8, "interrupted")


def test_an_unknown_of_the_solver_is_never_a_proof(monkeypatch):
    obligation = build_obligation(full_language(3), 5, toy_prices(3), 496)
    monkeypatch.setattr(Query, "ask", lambda self, deadline=None: NoAnswer("no idea"))
    assert decide(obligation, always) == CostBound(0, "no idea")


def test_without_levels_nothing_costs_less_than_nothing():
    obligation = build_obligation(full_language(0), 5, {}, 0)
    assert decide(obligation, always) == OptimalityProof(())
    assert solved(obligation.script("none", "About.", "nowhere", Status.UNSAT, 0)) == z3.unsat
    assert decide(build_obligation(full_language(0), 5, {}, 1), always) == CheaperProgram(())


def solved(script):
    solver = z3.Solver()
    solver.from_string(script_text(script))
    return solver.check()


@pytest.fixture(scope="module")
def catalogue():
    return {script.name: script for script in obligations()}


@pytest.mark.parametrize("levels", [2, 3])
def test_catalogue_bounds_are_the_optimum_and_one_more(levels, catalogue):
    least = min(all_prices(toy_prices(levels), levels, 5).values())
    assert catalogue[f"levels-{levels}-below-{least}"].status is Status.UNSAT
    assert catalogue[f"levels-{levels}-below-{least + 1}"].status is Status.SAT
