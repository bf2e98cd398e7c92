"""Programs for every goal: three engines, and brute force by the rules of the collectives alone."""

from functools import cache
from itertools import product
from math import prod

import pytest
from looped import looped
from support import programs
from tiers import is_full, sample

from p2smt.collective import Collective
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import full_language
from p2smt.reduction.semantics.collectives import RULES, Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.groups import groups_of, own_chunks

AR, RS, RED, AG, BC = Collective
OTHERS = (RS, AG, RED, BC)
SIZES = sample([(3, 2), (2, 2), (2, 3, 2), (2, 2, 2)], 2)

# Per goal, grammar and number of levels: programs by length, from an independent count with limit 5.
COUNTS = {
    (RS, Grammar.PAPER): {1: [1], 2: [1, 2], 3: [1, 4, 6], 4: [1, 6, 18, 24]},
    (RS, Grammar.FULL): {1: [1], 2: [1, 2], 3: [1, 4, 6], 4: [1, 6, 18, 24]},
    (AG, Grammar.PAPER): {1: [1], 2: [1, 2], 3: [1, 4, 6], 4: [1, 6, 18, 24]},
    (AG, Grammar.FULL): {1: [1], 2: [1, 2, 2], 3: [1, 4, 11, 23, 26]},
}


def by_length(found):
    most = max(map(len, found), default=0)
    return [sum(len(steps) == length for steps in found) for length in range(1, most + 1)]


def counted():
    """Bit vectors over two levels and more in the full tier alone: the engines are compared below."""
    for (goal, grammar), levels, engine in product(COUNTS, (1, 2, 3), Engine):
        if levels == 1 or engine is not Engine.BITVEC or is_full():
            yield goal, grammar, levels, engine


@pytest.mark.slow
@looped(("goal", "grammar", "levels", "engine"), list(counted()))
def test_counts(goal, grammar, levels, engine):
    found = programs(engine, (2,) * levels, 5, grammar, goal)
    assert by_length(found) == COUNTS[goal, grammar][levels]


def matrix(holds):
    """A device's matrix: chunk to set of contributors."""
    return tuple(sum(1 << bit for bit in row) for row in holds)


def bounds(goal, devices):
    """Start, and what each device must hold in the end (None: anything), from the words of the goal."""
    everyone, chunks = range(devices), range(devices)
    own = [matrix([{d}] * devices) for d in everyone]
    full = [matrix([set(everyone)] * devices)] * devices
    shard = [matrix([set(everyone) if chunk == d else set() for chunk in chunks]) for d in everyone]
    nothing = matrix([set()] * devices)
    return {
        AR: (own, full),
        RS: (own, shard),
        AG: (shard, full),
        RED: (own, [full[0], *[None] * (devices - 1)]),
        BC: ([full[0], *[nothing] * (devices - 1)], full),
    }[goal]


def brute_force(goal, sizes, limit, grammar=Grammar.FULL):
    """All sequences of steps of the rules that lead from the start to the goal and pass it nowhere before."""
    start, end = bounds(goal, prod(sizes))
    steps = list(full_language(len(sizes), grammar).steps())
    groups = {
        grouping: [(g, [own_chunks(sizes, d, grouping.levels) for d in g]) for g in groups_of(sizes, grouping)]
        for grouping, _ in steps
    }

    def done(state):
        return all(wanted is None or has == wanted for has, wanted in zip(state, end, strict=True))

    @cache
    def after(state, step):
        new = list(state)
        for members, blocks in groups[step[0]]:
            result = RULES[step[1]](tuple(state[member] for member in members), blocks)
            if isinstance(result, Violation):
                return None
            for member, held in zip(members, result, strict=True):
                new[member] = held
        return tuple(new)

    @cache
    def endings(state, left):
        if done(state):
            return [()]
        found = []
        for step in steps if left else ():
            if (new := after(state, step)) is not None:
                found += [(step, *rest) for rest in endings(new, left - 1)]
        return found

    return frozenset(endings(tuple(start), limit))


@looped("grammar", Grammar)
@looped("sizes", SIZES)
@looped("goal", Collective)
def test_the_solver_finds_what_brute_force_finds(goal, sizes, grammar):
    limit = 5 if len(sizes) == 2 else 3
    found = brute_force(goal, sizes, limit, grammar)
    assert len(found) >= (1 if grammar is Grammar.PAPER else 2)
    assert programs(Engine.LEVELS, sizes, limit, grammar, goal) == found


@pytest.mark.slow
@pytest.mark.parametrize("goal", OTHERS)
def test_the_engines_agree(goal):
    """On three levels in the full tier; otherwise for one goal, as it is the slowest by far for bit vectors."""
    for sizes, limit in (((2, 2), 5), ((3, 2), 3), ((2, 2, 2), 2))[: 3 if is_full() or goal is AG else 1]:
        found = {engine: programs(engine, sizes, limit, Grammar.FULL, goal) for engine in Engine}
        assert found[Engine.BITVEC] == found[Engine.LEVELS] == found[Engine.EXPLICIT]
        assert found[Engine.BITVEC]


@pytest.mark.thorough  # a larger grid
@pytest.mark.slow
@pytest.mark.parametrize("goal", OTHERS if is_full() else [AG])
def test_four_levels_by_two_engines(goal):
    """Three levels and brute force are above, for every goal."""
    limit = 4 if goal is not RED else 3
    walked = programs(Engine.EXPLICIT, (2, 2, 2, 2), limit, Grammar.FULL, goal)
    of_the_paper = {steps for steps in walked if all(c is AR for g, c in steps if g.masters)}
    for grammar, wanted in ((Grammar.FULL, walked), (Grammar.PAPER, of_the_paper)):
        found = programs(Engine.LEVELS, (2, 2, 2, 2), limit, grammar, goal)
        assert found == wanted
        if (goal, grammar) in COUNTS and 4 in COUNTS[goal, grammar]:
            assert by_length(found) == COUNTS[goal, grammar][4]


def over_all(collective, levels):
    return (Grouping(0, levels), collective)


@pytest.mark.parametrize("levels", [1, 2, pytest.param(3, marks=pytest.mark.thorough)])  # as two levels
def test_every_goal_is_an_all_reduce_with_a_step_more(levels):
    """Section 8 of the proof, on what the solver finds."""
    longest = 4 if levels < 3 else 3
    found = {goal: programs(Engine.LEVELS, (2,) * levels, longest, Grammar.FULL, goal) for goal in Collective}
    reduces = programs(Engine.LEVELS, (2,) * levels, longest + 1)
    gather, scatter, reduce, broadcast = (over_all(one, levels) for one in (AG, RS, RED, BC))
    assert found[RS] == {steps[:-1] for steps in reduces if steps[-1] == gather}
    assert found[AG] == {steps[1:] for steps in reduces if steps[0] == scatter}
    assert found[BC] == {steps[1:] for steps in reduces if steps[0] == reduce}
    ended = {steps for steps in reduces if len(steps) <= longest}
    cut = {steps[:-1] for steps in reduces if steps[-1] == broadcast}
    assert found[RED] <= ended | cut
    one = machine((2,) * levels, goal=RED)
    assert found[RED] == {steps for steps in ended | cut if one.is_valid(steps)}
