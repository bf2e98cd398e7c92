"""Rewrites of programs keep the state on every reachable one, and lead from representatives to all programs."""

from functools import cache

import pytest

from p2smt.collective import Collective
from p2smt.reduction.language.language import full_language
from p2smt.reduction.rules.choices import ProgramCode
from p2smt.reduction.rules.level_rules import LevelRules
from p2smt.reduction.rules.programs import all_programs
from p2smt.reduction.rules.representatives import all_of_classes, can_swap, is_representative
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import apply_step

LEVELS = 3


@cache
def after(state, step):
    return None if state is None else apply_step(state, step, LEVELS)


def reachable(goal):
    """Return all states that runs to a goal reach, dead ones included."""
    states = [level_goal(goal, LEVELS).start]
    for state in states:
        new = {after(state, step): None for step in full_language(LEVELS, goal=goal).steps()}
        states += [one for one in new if one is not None and one not in states]
    return states


def test_swaps_and_joins_lead_to_the_same_state_or_are_not_allowed():
    steps = list(full_language(LEVELS).steps())
    swaps = [(one, other) for one in steps for other in steps if can_swap(one, other)]
    assert any(inner.masters for (inner, _), _ in swaps)
    for state in reachable(Collective.ALL_REDUCE):
        for one, other in swaps:
            assert after(after(state, one), other) == after(after(state, other), one)
        for grouping, _ in steps[:: len(Collective)]:
            whole = after(state, (grouping, Collective.ALL_REDUCE))
            for first, second in (("REDUCE_SCATTER", "ALL_GATHER"), ("REDUCE", "BROADCAST")):
                half = after(state, (grouping, Collective[first]))
                assert after(half, (grouping, Collective[second])) == whole


@pytest.mark.parametrize("goal", [Collective.ALL_REDUCE, Collective.REDUCE])
def test_every_class_has_a_representative_and_no_other_programs(goal):
    language, limit = full_language(2, goal=goal), 4
    code = ProgramCode(language, limit)
    every = set(all_programs(LevelRules(language), code).items)
    few = all_programs(LevelRules(language), code, is_representative(code)).items
    assert set(few) <= every
    assert len(few) < len(every)
    found = all_of_classes(language, limit, few)
    assert len(found) == len(set(found))
    assert set(found) == every
