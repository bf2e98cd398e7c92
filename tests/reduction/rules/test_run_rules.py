"""Rules for runs from the start against `semantics/`: same verdict, same state after, in every state of a run."""

import pytest
from tiers import sample

from p2smt.collective import Collective
from p2smt.reduction.language.language import full_language
from p2smt.reduction.rules.choices import InstructionChoice
from p2smt.reduction.rules.run_rules import RunRules, RunState
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import apply_step
from p2smt.smt.terms import conj


def reached(goal, levels):
    """All states of runs of the algebra, dead ones too."""
    wanted = level_goal(goal, levels)
    states, steps = {wanted.start: None}, list(full_language(levels).steps())
    for state in (queue := [wanted.start]):
        for step in steps if not wanted.is_reached(state) else ():
            after = apply_step(state, step, levels)
            if after is not None and after not in states:
                states[after] = None
                queue.append(after)
    return list(states)


def assert_stands_for(encoded, state, levels):
    assert encoded.empty == tuple(holding is None for holding in state)
    for number, holding in enumerate(state):
        for level in range(levels if holding is not None else 0):
            below = number >> (level + 1)
            assert encoded.scattered[level][below] is bool(holding.scattered >> level & 1)
            assert encoded.merged[level][below] is bool(holding.merged >> level & 1)


def encoded(state, levels):
    """A state with one pair of bits for each level and class below it; empty devices have no say."""
    scattered = [[False] * (1 << (levels - level - 1)) for level in range(levels)]
    merged = [row.copy() for row in scattered]
    for number, holding in enumerate(state):
        for level in range(levels if holding is not None else 0):
            scattered[level][number >> (level + 1)] = bool(holding.scattered >> level & 1)
            merged[level][number >> (level + 1)] = bool(holding.merged >> level & 1)
    empty = tuple(holding is None for holding in state)
    return RunState(empty, tuple(map(tuple, scattered)), tuple(map(tuple, merged)))


@pytest.mark.parametrize(("levels", "goal"), [(1, Collective.ALL_REDUCE), *((2, goal) for goal in Collective)])
def test_every_step_from_every_state_of_a_run(levels, goal):
    assert compared(goal, levels, reached(goal, levels)) == {True, False}


def test_steps_from_states_over_three_levels():
    states = reached(Collective.ALL_REDUCE, 3)
    assert len(states) == 331
    assert compared(Collective.ALL_REDUCE, 3, sample(states, 12)) == {True, False}


def compared(goal, levels, states):
    language, wanted = full_language(levels, goal=goal), level_goal(goal, levels)
    rules, verdicts = RunRules(language), set()
    assert_stands_for(rules.start(), wanted.start, levels)
    for state in states:
        before = encoded(state, levels)
        assert_stands_for(before, state, levels)  # lemma 5.2
        assert rules.at_goal(before) is wanted.is_reached(state)
        for grouping, collective in language.steps() if not wanted.is_reached(state) else ():
            chosen = InstructionChoice(
                False, {c: c is collective for c in Collective}, {g: g == grouping for g in language.groupings}
            )
            after, needs = rules.apply(before, chosen)
            expected = apply_step(state, (grouping, collective), levels)
            assert conj(needs) is (expected is not None)
            verdicts.add(expected is not None)
            if expected is not None:
                assert_stands_for(after, expected, levels)
    return verdicts


def test_the_end_changes_nothing():
    language = full_language(2)
    state = encoded(reached(Collective.ALL_REDUCE, 2)[3], 2)
    ended = InstructionChoice(True, dict.fromkeys(Collective, False), dict.fromkeys(language.groupings, False))
    assert RunRules(language).apply(state, ended)[0] == state
