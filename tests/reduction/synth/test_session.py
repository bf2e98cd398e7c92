"""What is kept from search to search is given again only where it is the answer."""

import pytest
from support import problem

from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.synth import session
from p2smt.reduction.synth.session import Synthesizer
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
