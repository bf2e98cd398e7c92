"""What is kept from search to search is given again only where it is the answer."""

import pytest
from support import problem

from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.synth import session
from p2smt.reduction.synth.session import Synthesizer, over_placements
from p2smt.smt.answer import Enumeration, Stop

SEARCHES = [{}, {"limit": 2}, {"limit": 5}, {"grammar": Grammar.PAPER}, {"limit": 1}, {"engine": Engine.EXPLICIT}]


def test_what_is_known_of_one_search_is_not_given_for_another():
    kept = Synthesizer()
    counts = set()
    for search in SEARCHES * 2:
        asked = problem((2, 4), (8,), **search)
        alone = Synthesizer().synthesize(asked)
        assert kept.synthesize(asked).placements == alone.placements
        counts.add(alone.total_programs)
    assert len(counts) == 4


@pytest.mark.parametrize("stop", [Stop.DEADLINE, Stop.INTERRUPTED, Stop.UNKNOWN])
def test_a_search_that_stopped_is_made_anew(monkeypatch, stop):
    asked, kept = problem((2, 4), (8,)), Synthesizer()
    every = session.find_programs

    def some(*given, **more):
        return Enumeration(every(*given, **more).items[:3], stop, "why")

    with monkeypatch.context() as patch:
        patch.setattr(session, "find_programs", some)
        assert kept.synthesize(asked).stop is stop
    whole = kept.synthesize(asked)
    assert whole.complete
    assert whole.placements == Synthesizer().synthesize(asked).placements


def test_a_synthesizer_keeps_what_was_asked_for_last(monkeypatch):
    searched, every = [], session.find_programs
    monkeypatch.setattr(session, "_MOST_KEPT", 2)
    monkeypatch.setattr(session, "find_programs", lambda *given: searched.append(given[3]) or every(*given))
    synthesizer = Synthesizer()
    for limit in (1, 2, 1, 3, 1, 2):  # 3 drops 2, which was asked for before 1
        synthesizer.synthesize(problem([2], [2], limit=limit))
    assert searched == [1, 2, 3, 2]


@pytest.mark.parametrize(("engine", "sizes"), [(Engine.EXPLICIT, 3), (Engine.BITVEC, 3), (Engine.LEVELS, 1)])
def test_an_engine_of_devices_is_asked_for_all_sizes_of_levels(engine, sizes, monkeypatch):
    """What is found for 2x2 says nothing of 2x3 by this engine, though a theorem says that it is the same."""
    searched, every = [], session.find_programs
    monkeypatch.setattr(session, "find_programs", lambda *given: searched.append(given[2]) or every(*given))
    synthesizer = Synthesizer()
    for levels in ((2, 2), (2, 3), (2, 2), (3, 2)):
        synthesizer.synthesize(problem(levels, (levels[0] * levels[1],), engine=engine, limit=2))
    assert len(searched) == sizes


def given_in_turn(answers):
    left = iter(answers)
    return lambda *_: next(left)


@pytest.mark.parametrize("stop", [Stop.DEADLINE, Stop.UNKNOWN])
def test_one_placement_of_which_some_programs_are_known_leaves_the_whole_incomplete(stop):
    """Whichever of them it is, those after it are looked at, and do not make up for it."""
    asked = problem((2, 2, 2), (4, 2))
    count = len(all_placements(asked).items)
    assert count > 2
    for wrong in range(count):
        answers = [Enumeration((), Stop.EXHAUSTED)] * count
        answers[wrong] = Enumeration((), stop, "why")
        synthesis, unfit = over_placements(asked, given_in_turn(answers))
        assert (synthesis.stop, synthesis.reason, synthesis.complete, unfit) == (stop, "why", False, ())
        assert [placed.stop for placed in synthesis.placements] == [one.stop for one in answers]
