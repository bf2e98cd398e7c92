"""The lemmas of conversions hold, not for want of a model, and no assumption is idle."""

import pytest
from paths import ROOT
from tensor.rules.test_catalogue import cvc5_says

from p2smt.schedule.catalogue import all_scripts
from p2smt.schedule.lemmas import LEMMAS
from p2smt.smt.answer import Sat, Unsat
from p2smt.smt.smtlib_functions import functions_text
from p2smt.tensor.rules.schema import RuleObligation


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
        assert isinstance(RuleObligation(name, kept, lemma.claim).ask(), Sat), dropped


def test_the_files_are_what_is_generated_and_cvc5_agrees():
    """scripts/smtlib_files.py --write renews them."""
    scripts = dict(all_scripts())
    texts = {path: functions_text(script) for path, script in scripts.items()}
    there = {f"schedules/{path.name}": path.read_bytes() for path in (ROOT / "encodings" / "schedules").iterdir()}
    assert there
    assert there == {path: texts[path].encode() for path in there}
    for path, script in scripts.items():
        assert cvc5_says(texts[path]) == str(script.status), script.name
