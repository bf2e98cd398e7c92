"""The level algebra against concrete state matrices: the same live states, the same steps."""

from functools import cache

import pytest
from support import level_end, level_start, programs

from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.language import full_language
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.level_algebra import apply_step, state_matrices

SIZES = [(2, 2), (2, 3), (3, 2), (2, 2, 2), (2, 3, 2)]
LIVE = {1: 4, 2: 21, 3: 141, 4: 1231}


def live_states(start, goal, steps, after):
    """The states on some way from the start to the goal: reached forwards, then kept backwards."""
    before, todo = {start: set()}, [start]
    while todo:
        state = todo.pop()
        for new in (after(state, step) for step in steps) if state != goal else ():
            if new is None:
                continue
            if new not in before:
                before[new] = set()
                todo.append(new)
            before[new].add(state)
    live, todo = {goal}, [goal]
    while todo:
        fresh = before[todo.pop()] - live
        live |= fresh
        todo += fresh
    return live


@cache
def live_level_states(levels):
    steps = list(full_language(levels).steps())
    return live_states(level_start(levels), level_end(levels), steps, lambda s, step: apply_step(s, step, levels))


@cache
def live_concrete_states(sizes):
    concrete = machine(sizes)

    def after(state, step):
        new = concrete.apply(state, step)
        return None if isinstance(new, Violation) else new

    return live_states(concrete.goal.start, concrete.goal.end, list(full_language(len(sizes)).steps()), after)


FOUR = pytest.param(4, marks=pytest.mark.thorough)  # those of five levels are counted in test_state_graph.py


@pytest.mark.parametrize("levels", [2, 3, FOUR])
def test_number_of_live_states(levels):
    assert len(live_level_states(levels)) == LIVE[levels]


@pytest.mark.parametrize("sizes", SIZES)
def test_live_level_states_stand_for_the_live_concrete_states_one_to_one(sizes):
    matrices = {state_matrices(state, sizes) for state in live_level_states(len(sizes))}
    assert len(matrices) == LIVE[len(sizes)]
    assert matrices == live_concrete_states(sizes)


@pytest.mark.parametrize("sizes", SIZES)
def test_a_step_is_allowed_by_the_algebra_or_leads_nowhere_in_the_concrete_semantics(sizes):
    levels, concrete, live = len(sizes), machine(sizes), live_concrete_states(sizes)
    allowed = refused = 0
    for state in live_level_states(levels) - {level_end(levels)}:
        before = state_matrices(state, sizes)
        for step in full_language(levels).steps():
            by_algebra, by_matrices = apply_step(state, step, levels), concrete.apply(before, step)
            if by_algebra is None:
                refused += 1
                assert isinstance(by_matrices, Violation) or by_matrices not in live
            else:
                allowed += 1
                assert by_matrices == state_matrices(by_algebra, sizes)
    assert min(allowed, refused) > LIVE[levels]


@pytest.mark.parametrize("sizes", [(2, 2), (2, 3), (2, 2, 2)])
def test_along_every_valid_program_both_semantics_hold_the_same(sizes):
    levels, concrete = len(sizes), machine(sizes)
    for steps in programs(Engine.EXPLICIT, sizes, 5, Grammar.FULL):
        by_algebra, by_matrices = level_start(levels), concrete.goal.start
        for step in steps:
            by_algebra, by_matrices = apply_step(by_algebra, step, levels), concrete.apply(by_matrices, step)
            assert state_matrices(by_algebra, sizes) == by_matrices
        assert (by_algebra, by_matrices) == (level_end(levels), concrete.goal.end)
