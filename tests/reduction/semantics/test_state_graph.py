"""The graph of live states, against a walk with one state at a time."""

from dataclasses import replace

import numpy as np
import pytest
from looped import looped
from support import programs

from p2smt.collective import Collective
from p2smt.errors import TimeUpError
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import full_language
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import apply_step, class_groups
from p2smt.reduction.semantics.state_graph import _Builder, state_graph
from p2smt.smt.deadlines import Until

CASES = [
    *((levels, grammar, goal) for levels in (1, 2) for grammar in Grammar for goal in Collective),
    *((3, Grammar.FULL, goal) for goal in Collective),
    (3, Grammar.PAPER, Collective.ALL_REDUCE),
]


def walked(language):
    """All states that runs reach, and the steps from each, one at a time."""
    goal = level_goal(language.goal, language.levels)
    edges, waiting = {}, [goal.start]
    while waiting:
        state = waiting.pop()
        if state in edges:
            continue
        steps = () if goal.is_reached(state) else tuple(language.steps())
        found = [(step, apply_step(state, step, language.levels)) for step in steps]
        edges[state] = [(step, after) for step, after in found if after is not None]
        waiting += [after for _, after in edges[state]]
    live = {state for state in edges if goal.is_reached(state)}
    while further := {s for s, out in edges.items() if s not in live and any(after in live for _, after in out)}:
        live |= further
    return edges, live


@looped(("levels", "grammar", "goal"), CASES)
def test_states_and_steps_are_those_of_a_walk_over_one_state_at_a_time(levels, grammar, goal):
    language = full_language(levels, grammar, goal)
    graph = state_graph(language)
    edges, live = walked(language)
    states = [graph.state(number) for number in range(len(graph))]
    assert states[0] == level_goal(goal, levels).start
    assert (len(states), set(states), graph.reached) == (len(live), live, len(edges))
    for number, state in enumerate(states):
        found = [(graph.charges[charge], states[target]) for charge, target in graph.edges(number)]
        expected = [(step, after) for step, after in edges[state] if after in live]
        assert sorted((charge.step, after != state) for charge, after in found) == sorted(
            (step, after != state) for step, after in expected
        )
        assert {(charge.step, after) for charge, after in found} == set(expected)
        for charge, _ in found:
            roots = {state[group[0]].scattered for group in class_groups(charge.step[0], levels)}
            assert set(charge.scattered) == roots
        assert graph.goals[number] == level_goal(goal, levels).is_reached(state)


@pytest.mark.parametrize(
    ("levels", "reached", "live", "longest"), [(1, 4, 4, 2), (2, 31, 21, 5), (3, 331, 141, 9), (4, 4242, 1231, 14)]
)
def test_states_are_counted(levels, reached, live, longest):
    graph = state_graph(full_language(levels))
    assert (graph.reached, len(graph), graph.longest) == (reached, live, longest)


def test_without_a_way_to_the_goal_there_are_no_states():
    language = replace(full_language(2), groupings=(Grouping(0, 1),))
    assert (len(state_graph(language)), state_graph(language).longest) == (0, 0)


@pytest.mark.thorough  # a larger grid: states are those of a walk below
@pytest.mark.slow
def test_states_of_five_levels_are_counted():
    graph = state_graph(full_language(5))
    assert (graph.reached, len(graph), graph.longest) == (66382, 17061, 20)


@pytest.mark.parametrize("goal", Collective)
def test_the_longest_program_and_the_least_prices_are_those_of_all_programs(goal):
    graph = state_graph(full_language(2, goal=goal))
    every = programs(Engine.EXPLICIT, (2, 2), 10, goal=goal)
    assert graph.longest == max(map(len, every))
    ones = np.ones(len(graph.charges), dtype=np.int64)
    assert graph.distances(ones)[0] == min(map(len, every)) == 1
    assert graph.distances(ones)[graph.goals].tolist() == [0] * int(graph.goals.sum())


def test_no_graph_is_made_when_the_time_is_up():
    with pytest.raises(TimeUpError):
        _Builder(full_language(3)).graph(Until(0.0))
