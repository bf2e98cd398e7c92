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
