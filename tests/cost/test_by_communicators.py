"""The cheapest programs for sets of communicators, against all programs of any length."""

from dataclasses import replace
from functools import cache
from itertools import chain, combinations
from math import prod

import numpy as np
import pytest
from cost.network.random_systems import systems
from cost.unlike import Unlike
from hypothesis import given, settings
from hypothesis import strategies as st
from looped import looped
from support import problem, programs
from tiers import examples, is_full

from p2smt.collective import Collective
from p2smt.cost.by_communicators import _Sets, programs_by_communicators
from p2smt.cost.network.backend import Gloo, Nccl, cost_of
from p2smt.errors import TimeUpError
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Engine, Grammar, Payload
from p2smt.problem.system.algorithm import Algorithm
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.language.language import full_language
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.reduction.semantics.state_graph import state_graph
from p2smt.smt.answer import Stop

LONGEST = 10


@cache
def every_program(levels, goal):
    return programs(Engine.EXPLICIT, (2,) * levels, LONGEST, goal=goal)


def weighed(lowering, cost, some):
    """Of every program the communicators and the seconds."""
    for program in some:
        plan = lowering.plan(program)
        groups = frozenset(step.groups.varying for step in plan.steps if isinstance(step, CollectiveStep))
        yield groups, cost.plan_seconds(plan)


def checked(lowering, cost):
    """Compare for every set of communicators; how many least times there are."""
    asked = lowering.problem
    language = language_of(lowering.hierarchy, asked.search.grammar, asked.goal)
    every = [language.program(steps) for steps in every_program(language.levels, asked.goal)]
    found = programs_by_communicators(lowering, cost)
    assert found.stop is Stop.EXHAUSTED
    assert len(set(found.items)) == len(found.items)
    wanted, got = list(weighed(lowering, cost, every)), list(weighed(lowering, cost, found.items))
    groups = sorted(frozenset().union(*(some for some, _ in wanted)))
    times = set()
    for allowed in map(frozenset, chain.from_iterable(combinations(groups, n) for n in range(len(groups) + 1))):
        best = min((seconds for some, seconds in wanted if some <= allowed), default=None)
        own = min((seconds for some, seconds in got if some <= allowed), default=None)
        assert own == (None if best is None else pytest.approx(best, rel=1e-10))
        times.add(best)
    return len(times)


def lowering_of(system, sizes, payload, goal):
    asked = build_problem(system, [Axis("a", prod(sizes))], [0], Payload(payload, "uint8"), goal=goal)
    return Lowering(asked, all_placements(asked).items[0])


@settings(max_examples=examples(4))
@given(st.data())
def test_within_every_set_of_communicators_the_best_over_two_levels_is_known(data):
    sizes = data.draw(st.sampled_from([(2, 3), (4, 2), (2, 8)]))
    system, backend = data.draw(systems(sizes)), data.draw(st.sampled_from([*map(Nccl, Algorithm), Gloo()]))
    lowering = lowering_of(
        system, sizes, data.draw(st.sampled_from([1, 1000, 10**7])), data.draw(st.sampled_from(Collective))
    )
    checked(lowering, cost_of(system, backend))


@pytest.mark.thorough  # a larger grid
@pytest.mark.parametrize(("goal", "least"), [(Collective.REDUCE_SCATTER, 3), (Collective.ALL_GATHER, 4)])
def test_over_three_levels_with_odd_prices(goal, least):
    times = []
    for seed in range(4 if is_full() else 2):
        asked = problem((2, 4, 3), (24,), goal=goal)
        lowering = Lowering(asked, all_placements(asked).items[0])
        times.append(checked(lowering, Unlike(cost_of(asked.system), seed, (0.01, 30.0)[seed % 2])))
    assert max(times) >= least


@looped("goal", Collective)
@looped("grammar", Grammar)
def test_within_a_set_of_communicators_as_many_instructions_as_levels_do(goal, grammar):
    """Where a program of any length needs no other communicators, so does one of at most that many instructions."""
    for levels in (1, 2, 3):
        graph = state_graph(replace(full_language(levels, goal=goal), grammar=grammar))
        if not len(graph):
            continue
        needed = [(charge.step[0].outer, charge.step[0].inner) for charge in graph.charges]
        every = sorted(set(needed))
        for some in chain.from_iterable(combinations(every, n) for n in range(len(every) + 1)):
            prices = np.array([1 if one in some else 100 for one in needed], dtype=np.int64)
            fewest = graph.distances(prices)[0]
            assert fewest <= levels or fewest >= 100


def test_prices_that_are_ages_apart_leave_every_set_its_program():
    """One link takes a million times as long as the other, and communicators that need it are in most sets."""
    asked = problem((2, 2), (4,))
    lowering = Lowering(asked, all_placements(asked).items[0])
    for seed in range(6 if is_full() else 3):
        checked(lowering, Unlike(cost_of(asked.system), seed, 1e9))


def test_after_the_deadline_what_was_found_is_not_all():
    asked = problem((2, 3, 2), (12,))
    lowering = Lowering(asked, all_placements(asked).items[0])
    found = programs_by_communicators(lowering, cost_of(asked.system), deadline=0.0)
    assert (found.items, found.stop) == ((), Stop.DEADLINE)


def test_sets_that_were_left_when_the_time_was_over_are_not_all(monkeypatch):
    """As if it were over behind the first set that is looked at."""
    asked = problem((2, 3, 2), (12,))
    lowering = Lowering(asked, all_placements(asked).items[0])
    cost = cost_of(asked.system)
    every = programs_by_communicators(lowering, cost)
    walks = _Sets.walks

    def first_alone(self, until):
        yield next(walks(self, until))
        raise TimeUpError

    monkeypatch.setattr(_Sets, "walks", first_alone)
    found = programs_by_communicators(lowering, cost)
    assert found.stop is Stop.DEADLINE
    assert set(found.items) < set(every.items)
    assert every.complete
