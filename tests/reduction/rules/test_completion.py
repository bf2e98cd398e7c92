"""Completions against a filter over all programs; cores against all subsets of the conditions."""

from itertools import count
from random import Random
from types import SimpleNamespace

import pytest
from looped import looped
from reduction.rules.sketches import Definition, punched, random_steps, smallest_core, valid_programs
from support import let_searches_give_up
from tiers import examples, is_full, sample

from p2smt.collective import Collective
from p2smt.problem.model import Grammar
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import full_language
from p2smt.reduction.language.outline import CollectiveIs, GroupingIs, OutlineStep, conditions_of
from p2smt.reduction.language.sketch import Gap
from p2smt.reduction.rules import conflict
from p2smt.reduction.rules.completion import completions
from p2smt.reduction.rules.conflict import Minimality, explain_conflict
from p2smt.smt import cores, deadlines
from p2smt.smt.answer import NoAnswer, Stop

HOLE = OutlineStep(None, None)


def by_definition(outline, levels, limit, grammar):
    definition = Definition(outline, levels, limit)
    conditions = conditions_of(outline, grammar)
    return {steps for steps in valid_programs(levels, limit, grammar) if definition.fits(steps, conditions)}


def completed(outline, levels, limit, grammar):
    found = completions(outline, full_language(levels, grammar), limit)
    assert found.stop is Stop.EXHAUSTED
    assert len(set(found.items)) == len(found.items), "every program once"
    assert [len(steps) for steps in found.items] == sorted(len(steps) for steps in found.items)
    return set(found.items)


def between(levels, *inside):
    local = Grouping(levels - 1, levels)
    return (OutlineStep(local, Collective.REDUCE_SCATTER), *inside, OutlineStep(local, Collective.ALL_GATHER))


@looped("grammar", Grammar)
@looped(
    ("inside", "counts"),
    sample([((HOLE,), (0, 1, 1)), ((Gap(2),), (1, 3, 5)), ((Gap(3),), (1, None, None)), ((Gap(),), (1, 3, None))], 2),
)
def test_between_a_local_scatter_and_a_local_gather(inside, counts, grammar):
    for levels, number in zip((1, 2, 3), counts, strict=True):
        outline = between(levels, *inside)
        found = completed(outline, levels, 5, grammar)
        assert found == by_definition(outline, levels, 5, grammar)
        assert found == {
            steps
            for steps in valid_programs(levels, 5, grammar)
            if (steps[0], steps[-1]) == tuple((piece.grouping, piece.collective) for piece in (outline[0], outline[-1]))
            and len(steps) - 2 in {(HOLE,): [1], (Gap(2),): [0, 1, 2]}.get(inside, range(4))
        }
        assert number in (None, len(found))


@looped("grammar", Grammar)
@looped(("levels", "limit", "tries"), [(1, 3, 3), (2, 5, 3), (3, 4, 2)])
def test_programs_with_holes_are_filled_as_by_definition(levels, limit, tries, grammar):
    random = Random(levels)
    everything = sorted(valid_programs(levels, limit, grammar))
    sizes = []
    for _ in range(examples(tries)):
        original = random.choice(everything)
        outline = punched(random, original)
        found = completed(outline, levels, limit, grammar)
        assert found == by_definition(outline, levels, limit, grammar)
        sizes.append(len(found))
    if is_full():
        assert min(sizes) == 1
    assert max(sizes) > 1


def test_a_sketch_that_fits_in_several_ways_gives_every_program_once():
    outline = (Gap(), OutlineStep(None, Collective.ALL_REDUCE), Gap(), Gap(3))
    assert completed(outline, 2, 5, Grammar.FULL) == by_definition(outline, 2, 5, Grammar.FULL)
    assert completed((Gap(), Gap()), 2, 5, Grammar.FULL) == valid_programs(2, 5)


def test_a_sketch_without_pieces_has_the_programs_without_steps():
    assert completed((), 2, 5, Grammar.FULL) == set()
    assert completed((), 0, 5, Grammar.FULL) == completed((Gap(),), 0, 5, Grammar.FULL) == {()}


def bits_of(steps, levels):
    """What a program's code says of its steps, the first bit first: three for the collective, then the grouping's."""
    groupings = full_language(levels).groupings
    numbers = [(list(Collective).index(collective), groupings.index(grouping)) for grouping, collective in steps]
    return [[number >> place & 1 for number in both for place in range(10)] for both in numbers]


def check_core(found, outline, levels, limit, grammar):
    """The conditions clash by definition, and what is said to fit without one of them does."""
    candidates = valid_programs(levels, limit + 2)
    definition = Definition(outline, levels, limit)
    conditions = conditions_of(outline, grammar)
    assert list(found.conditions) == [condition for condition in conditions if condition in found.conditions]
    assert not any(definition.fits(steps, found.conditions) for steps in candidates)
    assert found.most_steps == limit + 2
    for left_out, steps in zip(found.conditions, found.without, strict=True):
        if steps is not None:
            fitting = [each for each in candidates if definition.fits(each, set(found.conditions) - {left_out})]
            assert steps == min(fitting, key=lambda each: (len(each), bits_of(each, levels)))
    if found.minimality is Minimality.SMALLEST:
        assert len(found.conditions) == len(smallest_core(definition, candidates, conditions))
        if None not in found.without:
            assert found.conditions == smallest_core(definition, candidates, conditions), "the first of them"
    if found.minimality is not Minimality.UNREDUCED:
        for left_out in found.conditions:
            assert any(definition.fits(steps, set(found.conditions) - {left_out}) for steps in candidates)


def impossible(random, levels, limit, grammar):
    """A random outline that no program fits: random steps, or one step of a program changed, with holes."""
    everything = sorted(valid_programs(levels, limit, grammar))
    groupings = full_language(levels).groupings
    while True:
        steps = random_steps(random, groupings, random.randint(1, limit))
        if random.random() < 0.7:
            original = list(random.choice(everything))
            original[random.randrange(len(original))] = random_steps(random, groupings, 1)[0]
            steps = tuple(original)
        outline = punched(random, steps)
        if not by_definition(outline, levels, limit, grammar):
            return outline


@pytest.mark.thorough  # cores are tried in tests/job/test_infeasible.py
@looped("grammar", Grammar)
@looped(("levels", "limit", "tries"), [(1, 3, 1), (2, 2, 2), (2, 4, 1), (3, 3, 1)])
def test_cores_are_smallest_among_all_subsets_of_the_conditions(levels, limit, tries, grammar):
    random = Random(10 * levels + limit)
    sizes = set()
    for _ in range(examples(tries)):
        outline = impossible(random, levels, limit, grammar)
        found = explain_conflict(outline, full_language(levels, grammar), limit)
        assert found is not None
        assert found.minimality is Minimality.SMALLEST
        assert None not in found.without
        check_core(found, outline, levels, limit, grammar)
        sizes.add(len(found.conditions))
    assert len(sizes) > (2 if is_full() else 0), "cores of different sizes"


def test_a_core_without_conditions_where_no_program_is_so_long():
    found = explain_conflict((HOLE,) * 3, full_language(1), 5)
    assert found is not None
    assert (found.conditions, found.without, found.minimality) == ((), (), Minimality.SMALLEST)


def clashing():
    """Both reduce along the inner level, with one step between them."""
    local = Grouping(1, 2)
    step = OutlineStep(local, Collective.ALL_REDUCE)
    return (step, Gap(1), step)


@pytest.mark.thorough  # deadlines: tests/job/test_stopping.py
def test_a_deadline_leaves_the_best_core_so_far(monkeypatch):
    seen = []
    for looks in (0, 10, *range(16, 80, 4 if is_full() else 12)):
        clock = count()
        monkeypatch.setattr(deadlines, "time", SimpleNamespace(monotonic=lambda clock=clock: next(clock)))
        found = explain_conflict(clashing(), full_language(2), 4, looks)
        seen.append(None if found is None else found.minimality)
        if found is not None:
            check_core(found, clashing(), 2, 4, Grammar.FULL)
            if None not in found.without:
                break
    assert seen[0] is None
    assert {*seen} >= {Minimality.UNREDUCED, Minimality.SMALLEST}


def test_after_the_deadline_no_more_of_the_question_is_built(monkeypatch):
    every, built = conflict.unrolled_on, []

    def counted(*given):
        for group in every(*given):
            built.append(group)
            yield group

    monkeypatch.setattr(conflict, "unrolled_on", counted)
    assert explain_conflict(clashing(), full_language(2), 4, deadline=0.0) is None
    late = len(built)
    explain_conflict(clashing(), full_language(2), 4)
    assert late <= 1 < len(built) - late


def test_a_core_not_proved_smallest_is_called_irreducible(monkeypatch):
    monkeypatch.setattr(cores.CorrectionSets, "smallest", lambda corrections: NoAnswer("gave up"))
    found = explain_conflict(clashing(), full_language(2), 4)
    assert found is not None
    assert found.minimality is Minimality.IRREDUCIBLE
    check_core(found, clashing(), 2, 4, Grammar.FULL)


def test_ctrl_c_leaves_the_best_core_so_far(monkeypatch):
    answers = conflict._RelaxedQuery.ask
    for questions in range(4):
        asked = count()

        def ask(relaxed, numbers, asked=asked, questions=questions):
            if next(asked) == questions:
                raise KeyboardInterrupt
            return answers(relaxed, numbers)

        monkeypatch.setattr(conflict._RelaxedQuery, "ask", ask)
        found = explain_conflict(clashing(), full_language(2), 4)
        assert (found is None) == (questions == 0)
        if found is not None:
            check_core(found, clashing(), 2, 4, Grammar.FULL)


def test_the_conditions_of_a_clash():
    """What is added up along the inner level cannot be added up along it again."""
    found = explain_conflict(clashing(), full_language(2), 4)
    assert found is not None
    assert found.conditions == (GroupingIs(0), CollectiveIs(2), GroupingIs(2))


def test_a_deadline_already_past_gives_no_program_and_says_so():
    found = completions((Gap(),), full_language(2), 5, 0.0)
    assert (found.items, found.stop) == ((), Stop.DEADLINE)


@pytest.mark.parametrize("stop", [Stop.UNKNOWN, Stop.INTERRUPTED, Stop.DEADLINE])
def test_unknown_is_never_exhausted(monkeypatch, stop):
    let_searches_give_up(monkeypatch, 2, stop)
    found = completions((Gap(),), full_language(2), 5)
    assert (len(found.items), found.stop) == (2, stop)
    reason = "programs of 2 levels up to length 5 that fit the sketch: canceled"
    assert found.reason == (reason if stop is Stop.UNKNOWN else "")
