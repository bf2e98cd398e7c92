"""The rules for the solver against those of `semantics/`, on constants: same verdict, same state after."""

from itertools import product

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st
from tiers import sample

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import full_language
from p2smt.reduction.rules import level_rules, matrix_rules
from p2smt.reduction.rules.choices import InstructionChoice
from p2smt.reduction.semantics.collectives import RULES, Violation
from p2smt.reduction.semantics.level_algebra import HeldLevels, apply_step
from p2smt.smt.terms import conj

LEVELS = 2
STEPS = list(full_language(LEVELS).steps())
HOLDINGS = st.none() | st.builds(HeldLevels, st.integers(0, 3), st.integers(0, 3))
UNIFORM = HOLDINGS.map(lambda holding: (holding,) * 2**LEVELS)
STATES = UNIFORM | st.tuples(*[HOLDINGS] * 2**LEVELS)


def chosen(step):
    grouping, collective = step
    groupings = full_language(LEVELS).groupings
    return InstructionChoice(False, {c: c is collective for c in Collective}, {g: g == grouping for g in groupings})


def encoded(holding):
    sets = holding or HeldLevels()
    bits = [tuple(bool(levels >> place & 1) for place in range(LEVELS)) for levels in (sets.scattered, sets.merged)]
    return level_rules.HoldingTerms(holding is None, *bits)


def decoded(holding):
    sets = [sum(1 << place for place, bit in enumerate(bits) if bit) for bits in (holding.scattered, holding.merged)]
    return None if holding.empty else HeldLevels(*sets)


@given(STATES, st.sampled_from(STEPS))
def test_level_rules(state, step):
    after, needs = level_rules.LevelRules(full_language(LEVELS)).apply(tuple(map(encoded, state)), chosen(step))
    expected = apply_step(state, step, LEVELS)
    assert conj(needs) is (expected is not None)
    if expected is not None:
        assert tuple(map(decoded, after)) == expected


@pytest.mark.parametrize("collective", Collective)
def test_level_rules_on_every_pair_of_holdings(collective):
    rules, step = level_rules.LevelRules(full_language(LEVELS)), (Grouping(0, 1), collective)
    verdicts = set()
    for pair in product([None, *(HeldLevels(f, m) for f in range(4) for m in range(4))], repeat=2):
        after, needs = rules.apply(tuple(map(encoded, pair * 2)), chosen(step))
        expected = apply_step(pair * 2, step, LEVELS)
        assert conj(needs) is (expected is not None)
        verdicts.add(conj(needs))
        if expected is not None:
            assert tuple(map(decoded, after)) == expected
    assert verdicts == {True, False}


@pytest.mark.parametrize("collective", Collective)
def test_what_empty_classes_held_before_counts_for_nothing(collective):
    """A Reduce leaves the sets of those that give away their chunks."""
    rules, step = level_rules.LevelRules(full_language(LEVELS)), (Grouping(0, 1), collective)
    for scattered, merged in product(range(4), repeat=2):
        left = level_rules.HoldingTerms(
            True, encoded(HeldLevels(scattered, 0)).scattered, encoded(HeldLevels(0, merged)).merged
        )
        for root in (None, HeldLevels(0, 3), HeldLevels(3, 3)):
            first = left if root is None else encoded(root)
            _, needs = rules.apply((first, first, left, left), chosen(step))
            assert conj(needs) is (apply_step((root, root, None, None), step, LEVELS) is not None)


@st.composite
def groups(draw):
    """Members' states of k rows, often from one pattern of rows so that the rules apply, and their blocks."""
    size, per_member = draw(st.sampled_from([(2, 1), (2, 2), (3, 1)]))
    chunks = size * per_member
    rows = st.lists(st.sampled_from([0, 1, 2, 3, 2**chunks - 1]), min_size=chunks, max_size=chunks).map(tuple)
    held = draw(st.lists(st.booleans(), min_size=chunks, max_size=chunks))
    alike = tuple(tuple(1 << member if has else 0 for has in held) for member in range(size))
    spread = tuple(tuple(3 if c // per_member == member else 0 for c in range(chunks)) for member in range(size))
    one = draw(rows)
    rooted = (one, *(tuple(row & draw(st.sampled_from([0, 1, 3])) for row in one) for _ in range(size - 1)))
    states = draw(st.one_of(st.tuples(*[rows] * size), st.just(alike), st.just(spread), st.just(rooted)))
    blocks = [frozenset(range(m * per_member, (m + 1) * per_member)) for m in range(size)]
    return states, blocks


def value(term):
    return term if isinstance(term, bool) else z3.is_true(z3.simplify(term))


def agree(states, blocks, collective):
    """Whether both rules give one verdict and one state after; and that verdict."""
    rows = [tuple(z3.BitVecVal(row, len(state)) for row in state) for state in states]
    held = [tuple(row != 0 for row in state) for state in rows]
    effect = matrix_rules.RULES[collective](matrix_rules.group_of(rows, tuple(blocks), held))
    expected = RULES[collective](states, blocks)
    allowed = not isinstance(expected, Violation)
    assert value(effect.needs) is allowed
    if allowed:
        assert tuple(tuple(z3.simplify(row).as_long() for row in state) for state in effect.after) == expected
    return allowed


@given(groups(), st.sampled_from(Collective))
def test_matrix_rules(group, collective):
    agree(*group, collective)


@pytest.mark.parametrize("collective", Collective)
def test_matrix_rules_on_every_pair_of_states_with_two_chunks(collective):
    blocks = [frozenset({0}), frozenset({1})]
    flat = sample(product(range(4), repeat=4), 86)
    assert {agree((rows[:2], rows[2:]), blocks, collective) for rows in flat} == {True, False}


@pytest.mark.parametrize("collective", [Collective.REDUCE_SCATTER, Collective.ALL_GATHER])
def test_matrix_rules_count_chunks_alike(collective):
    blocks = [frozenset({0, 1}), frozenset({2, 3})]
    flat = sample(((*bits[:4], *(2 * bit for bit in bits[4:])) for bits in product(range(2), repeat=8)), 86)
    assert {agree((rows[:4], rows[4:]), blocks, collective) for rows in flat} == {True, False}


def test_rules_have_one_function_per_collective_with_one_name():
    names = [rule.__name__ for rule in RULES.values()]
    assert list(RULES) == list(level_rules.RULES) == list(matrix_rules.RULES) == list(Collective)
    assert names == [rule.__name__ for rule in level_rules.RULES.values()]
    assert names == [rule.__name__ for rule in matrix_rules.RULES.values()]
