"""The lemmas of conversions hold, not for want of a model, and no assumption is idle."""

import pytest

from p2smt.schedule.lemmas import LEMMAS
from p2smt.smt.answer import Sat, Unsat
from p2smt.tensor.rules.schema import Obligation


@pytest.mark.parametrize("name", LEMMAS)
def test_a_lemma_is_proved_and_not_vacuously(name):
    lemma = LEMMAS[name]()
    assert lemma.name == name
    assert isinstance(lemma.ask(), Unsat)
    assert isinstance(lemma.ask_lemmas(), Sat)


@pytest.mark.parametrize("name", LEMMAS)
def test_without_any_of_its_assumptions_it_is_not_proved(name):
    lemma = LEMMAS[name]()
    for dropped in range(len(lemma.lemmas)):
        kept = (*lemma.lemmas[:dropped], *lemma.lemmas[dropped + 1 :])
        assert isinstance(Obligation(name, kept, lemma.claim).ask(), Sat), dropped
