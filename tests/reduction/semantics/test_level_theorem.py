"""The proof of the level algebra (`p2smt/reduction/semantics/README.md`), lemma by lemma, on states of small systems.

`test_level_algebra.py` compares live states and the results of steps. Here: what every run keeps, live or not; the
shape of live states read off the matrices themselves; and that a live state allows the same steps in both semantics.
"""

from functools import cache
from itertools import product
from math import prod

import pytest
from support import level_end, level_start

from p2smt.collective import Collective
from p2smt.placement.digits import split
from p2smt.reduction.language.language import full_language
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.level_algebra import apply_step, state_matrices
from p2smt.reduction.semantics.state import rows

AR, RS, RED, AG, BC = Collective
REDUCTIONS = {AR: "open", RS: "scattered", RED: "empty"}
LARGE = pytest.param((2, 2, 2, 2), marks=[pytest.mark.slow, pytest.mark.thorough])  # 9909 states of 16 matrices
SIZES = [(2,), (3,), (2, 2), (2, 3), (3, 2), (2, 2, 2), (2, 3, 2), LARGE]
FOUR = pytest.param(4, marks=pytest.mark.thorough)  # test_state_graph.py counts states over five levels
LIVE = {1: 4, 2: 21, 3: 141, 4: 1231}
REACHED = {1: 4, 2: 35, 3: 493, 4: 9909}
REACHED_BY_ALGEBRA = {1: 4, 2: 31, 3: 331, 4: 4242}


def explored(start, goal, after):
    """Every state that a run reaches, and the steps allowed in it with their results."""
    edges, todo = {}, [start]
    while todo:
        state = todo.pop()
        if state in edges:
            continue
        edges[state] = after(state) if state[0] != goal else []
        todo += [new for _, new in edges[state]]
    return edges


def later_life(life, step):
    """What the last step along every level was (section 4.2)."""
    grouping, collective = step
    now = REDUCTIONS.get(collective, "open")
    return tuple(now if level in grouping.levels else old for level, old in enumerate(life, start=1))


@cache
def concrete_runs(sizes):
    """States with the life of every level, and the steps allowed."""
    concrete, steps = machine(sizes), list(full_language(len(sizes)).steps())

    @cache
    def allowed(state):
        results = ((step, concrete.apply(state, step)) for step in steps)
        return [(step, new) for step, new in results if not isinstance(new, Violation)]

    def after(node):
        state, life = node
        return [(step, (new, later_life(life, step))) for step, new in allowed(state)]

    return explored((concrete.goal.start, ("fresh",) * len(sizes)), concrete.goal.end, after)


@cache
def algebra_runs(levels):
    steps = list(full_language(levels).steps())

    def after(node):
        results = ((step, apply_step(node[0], step, levels)) for step in steps)
        return [(step, (new,)) for step, new in results if new is not None]

    return explored((level_start(levels),), level_end(levels), after)


def live_nodes(edges, goal):
    before = {node: set() for node in edges}
    for node, steps in edges.items():
        for _, new in steps:
            before[new].add(node)
    live = {node for node in edges if node[0] == goal}
    todo = list(live)
    while todo:
        fresh = before[todo.pop()] - live
        live |= fresh
        todo += fresh
    return live


@cache
def live_concrete(sizes):
    return live_nodes(concrete_runs(sizes), machine(sizes).goal.end)


@cache
def live_by_algebra(levels):
    return {node[0] for node in live_nodes(algebra_runs(levels), level_end(levels))}


def digits_of(sizes):
    return [split(number, sizes) for number in range(prod(sizes))]


def bits(row):
    return [j for j in range(row.bit_length()) if row >> j & 1]


@pytest.mark.parametrize("sizes", SIZES)
def test_numbers_of_states_depend_on_the_number_of_levels_alone(sizes):
    levels = len(sizes)
    assert len({state for state, _ in concrete_runs(sizes)}) == REACHED[levels]
    assert len({state for state, _ in live_concrete(sizes)}) == len(live_by_algebra(levels)) == LIVE[levels]
    assert len(algebra_runs(levels)) == REACHED_BY_ALGEBRA[levels]


@pytest.mark.parametrize("sizes", SIZES)
def test_every_live_matrix_is_a_product_of_sub_cubes_about_its_device(sizes):
    digits = digits_of(sizes)

    def is_cube(numbers, own):
        """Whether these are all numbers that agree with a device on those levels on which all of them do."""
        fixed = [all(digits[number][level] == own[level] for number in numbers) for level in range(len(sizes))]
        cube = {n for n, d in enumerate(digits) if all(a == b for a, b, f in zip(d, own, fixed, strict=True) if f)}
        return cube == set(numbers)

    for state, _ in live_concrete(sizes):
        for own, matrix in zip(digits, state, strict=True):
            assert len(set(matrix) - {0}) <= 1
            if any(matrix):
                assert is_cube(rows(matrix), own)
                assert is_cube(bits(max(matrix)), own)


@pytest.mark.parametrize("sizes", SIZES)
def test_a_live_state_allows_the_same_steps_with_the_same_results_in_both_semantics(sizes):
    """Section 6; a refusal in one is a refusal in the other, also where a step would only lead to dead states."""
    levels, concrete = len(sizes), machine(sizes)
    for state in live_by_algebra(levels) - {level_end(levels)}:
        before = state_matrices(state, sizes)
        for step in full_language(levels).steps():
            by_algebra, by_matrices = apply_step(state, step, levels), concrete.apply(before, step)
            if by_algebra is None:
                assert isinstance(by_matrices, Violation)
            else:
                assert by_matrices == state_matrices(by_algebra, sizes)


@pytest.mark.parametrize(("sizes", "number"), [((2, 2), 4), ((2, 2, 2), 83)])
def test_a_dead_state_may_allow_a_step_that_the_algebra_refuses(sizes, number):
    levels, concrete, steps = len(sizes), machine(sizes), list(full_language(len(sizes)).steps())
    dead = {state for (state,) in algebra_runs(levels)} - live_by_algebra(levels)
    refused = [(state, step) for state in dead for step in steps if apply_step(state, step, levels) is None]
    allowed = [not isinstance(concrete.apply(state_matrices(state, sizes), step), Violation) for state, step in refused]
    assert sum(allowed) == number


@pytest.mark.parametrize("sizes", SIZES)
def test_life_of_a_level(sizes):
    """Section 4.2: reductions need fresh levels, AllGather scattered ones, Broadcast none that is fresh."""
    allowed = {
        **{reduction: {"fresh"} for reduction in REDUCTIONS},
        AG: {"scattered"},
        BC: {"open", "scattered", "empty"},
    }
    for (_, life), steps in concrete_runs(sizes).items():
        for (grouping, collective), _ in steps:
            assert {life[level - 1] for level in grouping.levels} <= allowed[collective]


@pytest.mark.parametrize("sizes", SIZES)
def test_what_the_life_of_a_level_says_of_device_0_and_its_neighbours(sizes):
    """Sections 4.1 and 4.2, claim by claim."""
    digits = digits_of(sizes)
    for state, life in concrete_runs(sizes):
        first = state[0][0]
        assert first & 1
        for level, now in enumerate(life):
            ends_here = [d[level] != 0 and not any(d[level + 1 :]) for d in digits]
            for own, matrix in zip(digits, state, strict=True):
                if own[level] and sum(map(bool, own)) == 1:
                    assert {"fresh": matrix[0], "open": matrix[0] & first, "scattered": True}.get(now, not any(matrix))
            if now == "scattered":
                chunks = [chunk for chunk, d in enumerate(digits) if not any(d[level:])]
                holders = [matrix for matrix, ends in zip(state, ends_here, strict=True) if ends]
                assert not any(matrix[chunk] for matrix in holders for chunk in chunks)


@pytest.mark.parametrize("sizes", SIZES)
def test_contributors_agree_with_their_holder_on_fresh_levels(sizes):
    """Section 4.3."""
    digits = digits_of(sizes)
    for state, life in concrete_runs(sizes):
        fresh = [level for level, now in enumerate(life) if now == "fresh"]
        for own, matrix in zip(digits, state, strict=True):
            held = {j for row in set(matrix) for j in bits(row)}
            assert all(digits[j][level] == own[level] for j in held for level in fresh)


@pytest.mark.parametrize("sizes", SIZES)
def test_a_live_state_has_a_complete_row_of_every_chunk_for_all_fresh_digits(sizes):
    """Section 4.4; and some dead states do not."""
    digits = digits_of(sizes)

    def is_complete(node):
        state, life = node
        fresh = [level for level, now in enumerate(life) if now == "fresh"]
        places = [tuple(own[level] for level in fresh) for own in digits]
        whole = {place: sum(1 << j for j, other in enumerate(places) if other == place) for place in places}
        complete = {(p, c) for p, s in zip(places, state, strict=True) for c, row in enumerate(s) if row == whole[p]}
        return complete == set(product(whole, range(len(state))))

    dead = set(concrete_runs(sizes)) - live_concrete(sizes)
    assert all(map(is_complete, live_concrete(sizes)))
    assert len(sizes) == 1 or not all(map(is_complete, dead))


@pytest.mark.parametrize("levels", [1, 2, 3, FOUR])
def test_what_every_run_of_the_algebra_keeps(levels):
    """Sections 5.1, 5.2 and 5.3, whose steps the solver proves (`reduction/catalogue/step_lemmas.py`)."""
    for (state,) in algebra_runs(levels):
        held = [(part, holding) for part, holding in enumerate(state) if holding]
        assert not any(holding.scattered & ~holding.merged for _, holding in held)
        for level in range(levels):
            seen = {}
            for part, holding in held:
                status = (holding.scattered >> level & 1, holding.merged >> level & 1)
                assert seen.setdefault(part >> level + 1, status) == status
                beside = part >> level & 1 == 0 and state[part | 1 << level] is None
                assert not beside or (part and not part >> level + 1) or status == (0, 1)


@pytest.mark.parametrize("levels", [2, 3, FOUR])
def test_masters_reduce_in_live_runs_only_when_all_levels_below_are_open_or_empty(levels):
    """Section 5.4: device 0 has merged them, and has scattered none."""
    live, seen = live_by_algebra(levels), 0
    for state in live:
        for (grouping, collective), (new,) in algebra_runs(levels)[state,]:
            if grouping.masters and collective in REDUCTIONS and new in live:
                below = sum(1 << level for level in range(grouping.inner, levels))
                assert below & state[0].merged & ~state[0].scattered == below
                seen += 1
    assert seen > 0


@pytest.mark.parametrize("levels", [2, 3, FOUR])
def test_slices_along_untouched_levels_differ_in_what_masters_did_alone(levels):
    """Section 5.5: along fresh or scattered levels, digit 0 has the same merged levels and no more scattered ones."""
    full = (1 << levels) - 1
    for state in live_by_algebra(levels):
        untouched = full & ~state[0].merged | state[0].scattered
        for along in (g.levels for g in full_language(levels).groupings if not g.masters):
            mask = sum(1 << level - 1 for level in along)
            if mask & ~untouched:
                continue
            for part, holding in ((p, h) for p, h in enumerate(state) if p & mask and h):
                first = state[part & ~mask]
                assert first is not None
                assert first.merged == holding.merged
                assert not first.scattered & ~holding.scattered
                assert state[part & ~mask | mask] == holding
