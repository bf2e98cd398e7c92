"""Three engines, one set of programs: the tables of the specification, at many sizes."""

import random
from collections import Counter

import pytest
from looped import looped
from support import programs
from tiers import is_full, sample

from p2smt.collective import Collective
from p2smt.errors import EngineError
from p2smt.problem.model import Engine, Grammar
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Language, all_groupings, full_language, shape_language
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.synth.engines import MAX_BITVEC_DEVICES, MAX_EXPLICIT_DEVICES, check_size, find_programs
from p2smt.reduction.synth.explicit import walk
from p2smt.reduction.synth.replay import invalid_programs, replay_sizes

PAPER, FULL = Grammar.PAPER, Grammar.FULL
BY_LENGTH = {
    (1, PAPER): (1, 2, 0, 0, 0),
    (1, FULL): (1, 2, 0, 0, 0),
    (2, PAPER): (1, 4, 20, 22, 0),
    (2, FULL): (1, 4, 24, 42, 22),
    (3, PAPER): (1, 6, 50, 205, 563),
    (3, FULL): (1, 6, 59, 319, 1250),
}
TWOS = {levels: (2,) * levels for levels in range(1, 5)}


@pytest.mark.thorough  # counts: test_goals.py
@looped(("levels", "grammar"), BY_LENGTH)
def test_counts_by_length_are_those_of_the_specification_and_engines_agree(levels, grammar):
    by_levels = programs(Engine.LEVELS, TWOS[levels], 5, grammar)
    assert by_levels == programs(Engine.EXPLICIT, TWOS[levels], 5, grammar)
    lengths = Counter(map(len, by_levels))
    assert tuple(lengths[length] for length in range(1, 6)) == BY_LENGTH[levels, grammar]
    assert lengths.total() == sum(BY_LENGTH[levels, grammar])


def of_the_paper(full):
    return {steps for steps in full if all(c is Collective.ALL_REDUCE for g, c in steps if g.masters)}


FOUR = pytest.param(4, 4, marks=pytest.mark.thorough)  # the rule is about groupings, whatever the number of levels


@pytest.mark.parametrize(("levels", "limit"), [(1, 5), (2, 5), (3, 5), FOUR])
def test_paper_grammar_keeps_exactly_the_programs_whose_masters_allreduce(levels, limit):
    full = programs(Engine.EXPLICIT, TWOS[levels], limit, FULL)
    assert programs(Engine.EXPLICIT, TWOS[levels], limit, PAPER) == of_the_paper(full)


@pytest.mark.thorough  # below, two engines agree on four levels; above, programs of three are counted
def test_four_levels_have_3967_and_7636_programs():
    full = programs(Engine.EXPLICIT, TWOS[4], 5, FULL)
    assert len(of_the_paper(full)) == 3967
    assert len(full) == 7636


@pytest.mark.thorough  # a larger grid: engines agree on three
@pytest.mark.slow
def test_solver_agrees_with_the_walk_on_four_levels():
    assert programs(Engine.LEVELS, TWOS[4], 4, PAPER) == programs(Engine.EXPLICIT, TWOS[4], 4, PAPER)


@pytest.mark.parametrize("engine", [Engine.LEVELS, Engine.EXPLICIT])
def test_longer_limits_add_nothing_on_two_levels(engine):
    assert programs(engine, (2, 2), 8) == programs(engine, (2, 2), 5)
    assert len(programs(engine, (2, 2), 8)) == 93


@pytest.mark.thorough  # a larger grid
@pytest.mark.parametrize(
    ("sizes", "grammar"),
    sample([((2, 2), PAPER), ((2, 4), FULL), ((2, 2), FULL), ((4, 2), PAPER), ((4, 2), FULL)], 2),
)
def test_bit_vectors_at_real_sizes_agree_on_two_levels(sizes, grammar):
    assert programs(Engine.BITVEC, sizes, 5, grammar) == programs(Engine.LEVELS, sizes, 5, grammar)


@pytest.mark.slow
@pytest.mark.thorough  # a larger grid: every other goal, in test_goals.py
def test_bit_vectors_at_real_sizes_agree_on_three_levels():
    """To a length of 3; to 2 they are compared with the other engines for every goal but this one (test_goals.py)."""
    found = programs(Engine.BITVEC, TWOS[3], 3)
    assert found == programs(Engine.LEVELS, TWOS[3], 3)
    assert found == programs(Engine.EXPLICIT, TWOS[3], 3)


@pytest.mark.parametrize(("sizes", "solved_to"), [((3, 5), 5), ((4, 16), 5), ((2, 3, 5), 4)])
def test_programs_do_not_depend_on_the_sizes(sizes, solved_to):
    walked = programs(Engine.EXPLICIT, TWOS[len(sizes)])
    assert programs(Engine.EXPLICIT, sizes) == walked
    assert programs(Engine.LEVELS, sizes, solved_to) == {steps for steps in walked if len(steps) <= solved_to}


@pytest.mark.parametrize("sizes", [(64, 1024), (4, 8, 16)])
def test_levels_serves_sizes_that_no_walk_reaches(sizes):
    assert programs(Engine.LEVELS, sizes) == programs(Engine.EXPLICIT, TWOS[len(sizes)])


@pytest.mark.parametrize(("sizes", "every", "count"), [((4, 4, 4), 110, 15), ((4, 8, 16), 820, 2)])
def test_programs_of_the_level_algebra_are_valid_on_many_concrete_devices(sizes, every, count):
    concrete = machine(sizes)
    some = sorted(programs(Engine.LEVELS, (4, 8, 16)), key=lambda steps: (len(steps), steps))[::every]
    assert len(some) == count
    assert [steps for steps in some if not concrete.is_valid(steps)] == []


@looped("engine", Engine)
@looped("dropped", sample(range(4), 2))
def test_engines_agree_on_languages_with_fewer_groupings(engine, dropped):
    groupings = all_groupings(2)[:dropped] + all_groupings(2)[dropped + 1 :]
    wanted = {steps for steps in programs(Engine.EXPLICIT, (2, 2)) if {g for g, _ in steps} <= set(groupings)}
    found = find_programs(engine, Language(2, groupings, FULL), (2, 2), 5)
    assert found.complete
    assert set(found.items) == wanted != set()


@pytest.mark.parametrize("engine", Engine)
def test_a_language_without_steps_has_no_programs(engine):
    found = find_programs(engine, Language(2, (), FULL), (2, 2), 5)
    assert (found.items, found.complete) == ((), True)


@pytest.mark.parametrize("engine", Engine)
def test_no_level_to_reduce_over_needs_no_instruction(engine):
    found = find_programs(engine, full_language(0), (), 5)
    assert (found.items, found.complete) == (((),), True)


@pytest.mark.parametrize("engine", Engine)
def test_programs_come_shortest_first(engine):
    items = find_programs(engine, full_language(2), (2, 2), 5).items
    assert list(items) == sorted(items, key=lambda steps: (len(steps), steps))


@pytest.mark.parametrize(
    ("engine", "sizes", "message"),
    [
        (Engine.BITVEC, (4, 5), "engine bitvec keeps a state matrix of 20 x 20 bits per device; it supports reduction"),
        (
            Engine.EXPLICIT,
            (10, 13),
            "engine explicit keeps a state matrix of 130 x 130 bits per device; it supports reduction",
        ),
        (Engine.LEVELS, (2,) * 9, "9 levels to reduce over are too many; the engines support at most 8"),
    ],
)
def test_too_large_a_hierarchy_is_refused(engine, sizes, message):
    with pytest.raises(EngineError) as error:
        find_programs(engine, full_language(len(sizes)), sizes, 1)
    assert str(error.value).startswith(message)


def test_the_largest_hierarchies_that_engines_are_built_for_are_taken():
    """Those of 16 and 128 devices, and eight levels; one device or one level more is refused for that alone."""
    for engine, most in ((Engine.BITVEC, MAX_BITVEC_DEVICES), (Engine.EXPLICIT, MAX_EXPLICIT_DEVICES)):
        for shape in ((most,), (2, most // 2), Tree(((2,), (most - 3, 3)))):
            check_size(engine, shape, most)
        for shape in ((most + 1,), Tree(((2,), (most - 2, 3)))):
            with pytest.raises(EngineError, match=f"{most + 1} x {most + 1} bits .* groups of at most {most} devices"):
                check_size(engine, shape, most)
    with pytest.raises(EngineError, match="256 x 256 bits"):
        find_programs(Engine.EXPLICIT, full_language(8), (2,) * 8, 1)
    with pytest.raises(EngineError, match="9 levels to reduce over are too many"):
        find_programs(Engine.EXPLICIT, full_language(9), (2,) * 9, 1)


def test_replay_names_the_programs_that_miss_the_goal():
    valid = sorted(programs(Engine.EXPLICIT, (2, 3)))[:20]
    too_short, too_long = valid[7][:-1], (*valid[7], valid[0][0])
    assert invalid_programs([*valid, too_short, too_long], (2, 3)) == [too_short, too_long]


def test_replay_names_the_programs_that_go_on_behind_the_goal():
    """A Broadcast of what the root has leaves a Reduce's goal reached, but was not needed for it."""
    everybody = Grouping(0, 1)
    there = ((everybody, Collective.REDUCE),)
    beyond = (*there, (everybody, Collective.BROADCAST))
    assert invalid_programs([there, beyond], (4,), Collective.REDUCE) == [beyond]
    assert invalid_programs([there, beyond], (4,), Collective.ALL_REDUCE) == [there]


@looped("shape", [(2, 3), (2, 2, 2), Tree(((2,), (3, 2)))])
@looped("goal", Collective)
def test_replay_judges_all_programs_together_as_each_alone(shape, goal):
    """Programs, the same with a step changed or left out, and any steps at all, of many lengths, some of them twice."""
    language = shape_language(shape, FULL, goal)
    steps, dice = list(language.steps()), random.Random(20)
    found = sorted(find_programs(Engine.EXPLICIT, language, shape, 4).items)
    valid = dice.sample(found, min(len(found), 60 if is_full() else 25))
    changed = [(*one[:-1], dice.choice(steps)) for one in valid]
    shorter = [one[1:] for one in valid]
    anything = [tuple(dice.choices(steps, k=dice.randrange(7))) for _ in range(100 if is_full() else 40)]
    every = [*valid, *changed, *shorter, *anything, *anything]
    dice.shuffle(every)
    alone = [one for one in every if not machine(shape, goal=goal).is_valid(one)]
    assert invalid_programs(every, shape, goal) == alone
    assert 0 < len(alone) < len(every)
    assert invalid_programs([], shape, goal) == []


def test_replay_keeps_small_sizes_and_shrinks_large_ones():
    assert [replay_sizes(s) for s in [(16,), (17,), (2, 2, 4), (2, 5, 7)]] == [(16,), (3,), (2, 2, 4), (2, 2, 2)]


def test_progress_is_told_the_number_of_programs():
    for run in (
        lambda told: find_programs(Engine.LEVELS, full_language(2), (2, 2), 5, None, told),
        lambda told: walk(full_language(2), (2, 2), 5, None, told),
    ):
        told = []
        run(told.append)
        assert told == sorted(told)
        assert told[-1] == 93
