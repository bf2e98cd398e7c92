"""Programs found by the boundaries that they use are those found all at once."""

import pytest

from p2smt.collective import Collective
from p2smt.problem.model import Grammar
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Language, all_groupings, full_language
from p2smt.reduction.rules.by_boundaries import coarsened, level_programs
from p2smt.reduction.rules.choices import ProgramCode
from p2smt.reduction.rules.level_rules import LevelRules
from p2smt.reduction.rules.programs import all_programs
from p2smt.reduction.rules.representatives import all_of_classes
from p2smt.smt.answer import Stop

SOME = tuple(grouping for grouping in all_groupings(3) if grouping not in {Grouping(0, 1), Grouping(1, 3)})
LANGUAGES = [
    (full_language(0), 3),
    (full_language(1), 5),
    (full_language(2, Grammar.PAPER), 5),
    *((full_language(2, goal=goal), 4) for goal in Collective),
    (full_language(3, goal=Collective.ALL_GATHER), 3),
    (Language(3, SOME, Grammar.FULL), 3),
    (Language(3, (Grouping(0, 3), Grouping(2, 3)), Grammar.FULL), 3),
    (Language(2, (), Grammar.FULL), 3),
]


@pytest.mark.parametrize(("language", "limit"), LANGUAGES)
def test_the_parts_are_the_whole(language, limit):
    numbers = []
    found = level_programs(language, limit, on_progress=numbers.append)
    whole = all_programs(LevelRules(language), ProgramCode(language, limit))
    assert found.complete
    assert whole.complete
    assert len(found.items) == len(set(found.items))
    assert set(found.items) == set(whole.items)
    assert numbers == sorted(numbers)


def test_a_part_has_its_groupings_and_no_others():
    coarse = coarsened(full_language(3), (1,))
    assert coarse.language == full_language(2)
    finer = {(0, 1): (0, 1), (0, 2): (0, 3), (1, 2): (1, 3)}
    assert coarse.finer == {Grouping(*one, m): Grouping(*finer[one], m) for one, m in map(split, coarse.finer)}


def split(grouping):
    return (grouping.outer, grouping.inner), grouping.masters


def test_ctrl_c_between_two_queries_keeps_the_programs_of_earlier_sets(monkeypatch):
    """As programs of the second set are rewritten; those of the first, with one boundary less, are there."""
    calls = []

    def interrupted(*given):
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return all_of_classes(*given)

    monkeypatch.setattr("p2smt.reduction.rules.by_boundaries.all_of_classes", interrupted)
    found = level_programs(full_language(2), 5)
    assert (len(found.items), found.stop) == (3, Stop.INTERRUPTED)
