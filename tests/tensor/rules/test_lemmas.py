"""The lemmas hold by induction, and no assumption of a step is idle."""

from looped import looped

from p2smt.smt.answer import Sat, Unsat
from p2smt.tensor.rules.lemmas import lemmas
from p2smt.tensor.rules.schema import RuleObligation

LEMMAS = {lemma.name: lemma for lemma in lemmas()}


@looped("name", LEMMAS)
def test_a_lemma_is_proved_and_not_vacuously(name):
    assert isinstance(LEMMAS[name].ask(), Unsat)
    assert isinstance(LEMMAS[name].ask_lemmas(), Sat)


@looped("name", LEMMAS)
def test_without_any_of_its_assumptions_it_is_not_proved(name):
    lemma = LEMMAS[name]
    for dropped in range(len(lemma.lemmas)):
        kept = (*lemma.lemmas[:dropped], *lemma.lemmas[dropped + 1 :])
        assert isinstance(RuleObligation(name, kept, lemma.claim).ask(), Sat), dropped
