"""Scripts of layouts: files are generated ones, statuses are those of z3 and cvc5, and a wrong claim would show."""

import re

import pytest
import z3
from paths import ROOT
from tensor.rules.test_conversions import EVERY, SHAPE, allowed, difference, has_no_meaning, is_true_for_nothing
from tiers import is_full

from p2smt.smt.smtlib import Script, Status
from p2smt.smt.smtlib_functions import functions_text
from p2smt.smt.terms import neg
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.rule import RuleName, rules
from p2smt.tensor.rules.cases import calls, schemas
from p2smt.tensor.rules.catalogue import CONVERSIONS, all_scripts
from p2smt.tensor.rules.conversions import conversion_obligation
from p2smt.tensor.rules.schema import obligation
from p2smt.tensor.text.conversions import CONVERSIONS as NAMES

FOLDER = ROOT / "encodings" / "tensor"


@pytest.fixture(scope="module")
def scripts():
    listed = list(all_scripts())
    assert len(dict(listed)) == len(listed)
    return dict(listed)


@pytest.fixture(scope="module")
def texts(scripts):
    return {path: functions_text(script) for path, script in scripts.items()}


def z3_says(text):
    solver = z3.SolverFor("QF_UFLIA")
    solver.from_string(text)
    return str(solver.check())


def cvc5_says(text):
    cvc5 = pytest.importorskip("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    symbols = cvc5.SymbolManager(solver.getTermManager())
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "text")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, symbols)
    return said.split()[0]


@pytest.mark.thorough  # all rules are proved in test_schema.py; a sample of their texts is judged below
def test_the_files_are_what_is_generated(texts):
    """scripts/smtlib_files.py --write renews them, as after a new operation."""
    there = {f"tensor/{path.name}": path.read_bytes() for path in FOLDER.iterdir()}
    assert there
    assert there == {path: texts[path].encode() for path in there}
    assert sum(map(len, texts.values())) < 1_500_000


@pytest.mark.thorough  # all rules are proved in test_schema.py; a sample of their texts below
def test_every_status_holds_in_the_text(texts):
    for path, text in texts.items():
        stated = re.search(r"^; Status: (\w+)$", text, re.MULTILINE).group(1)
        assert stated == z3_says(text) == cvc5_says(text), path


def test_every_operation_kind_of_rule_and_conversion_is_there():
    assert {operation.name for operation, _ in calls()} == set(OPERATIONS)
    assert {rule.name for _, rule in schemas()} == set(RuleName)
    assert {type(conversion).__name__ for conversion, _, _ in CONVERSIONS} == set(NAMES)


@pytest.mark.thorough  # all rules are proved in test_schema.py
def test_every_rule_and_conversion_has_a_script(scripts):
    unsat = [script for script in scripts.values() if script.status is Status.UNSAT]
    assert sum(len(script.groups) - 1 for script in unsat) >= len(schemas()) + len(CONVERSIONS)


def test_rules_that_differ_in_sizes_alone_are_one():
    every = sum(len(rules(signed)) for _, signed in calls())
    assert len(schemas()) < every


def script(question, status):
    groups = (("The lemmas' instances.", question.lemmas), ("The claim does not hold.", (neg(question.claim),)))
    return Script("a", "About.", "nowhere", status, (), groups)


def test_a_rule_means_the_same_in_the_text():
    for signed, rule in list(schemas())[:: 9 if is_full() else 27]:
        assert z3_says(functions_text(script(obligation(signed, rule), Status.UNSAT))) == "unsat"


def test_thirty_broken_claims_are_refuted_by_both_solvers_and_in_numpy():
    refuted = 0
    for conversion, before, after in EVERY:
        if allowed(conversion, before) or has_no_meaning(conversion, before) or refuted == 30:
            continue
        wrong = difference(conversion, before, after)
        if wrong is None:
            assert is_true_for_nothing(conversion, before) or not allowed(conversion, before)
            continue
        text = functions_text(script(conversion_obligation(conversion, before, after, len(SHAPE)), Status.SAT))
        assert z3_says(text) == cvc5_says(text) == "sat"
        refuted += 1
    assert refuted == 30


def test_what_is_no_operator_of_the_printer_is_noticed():
    odd = z3.Int("n") * z3.Int("m") == 3
    with pytest.raises(AssertionError, match="operator \\* of 'n\\*m' is not in the printer's table"):
        functions_text(Script("a", "About.", "nowhere", Status.SAT, (), (("Odd.", (odd,)),)))
