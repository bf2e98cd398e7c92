"""Named terms mean what Python says of the same bits and numbers, for all of their values."""

from itertools import product

import pytest
import z3

from p2smt.smt.answer import Sat, Unsat
from p2smt.smt.bitvectors import at_least, below, bit_at, number, total, widened, word
from p2smt.smt.bitvectors import at_most as no_greater
from p2smt.smt.smtlib import Script, Status
from p2smt.smt.smtlib_functions import functions_text
from p2smt.smt.solver import Logic, Solver
from p2smt.smt.tables import before, following, index, same, table, value
from p2smt.smt.terms import adds_up, at_most, conj, constants, differ, disj, neg, spells

BITS = constants("c", 3)


def meaning(term):
    """The values of the bits under which a term holds, the first bit least significant."""
    solver = Solver("meaning", [term])
    fixed = {code: {0: spells(BITS, code)} for code in range(8)}
    return {code for code, one in fixed.items() if isinstance(solver.ask(None, one), Sat)}


def test_sums_of_weights_and_counts_of_bits_are_those_of_arithmetic():
    for weights in ((1, 1, 1), (1, 2, 3), (2, 2, 4), (0, 5, 5)):
        sums = [sum(weight for n, weight in enumerate(weights) if code >> n & 1) for code in range(8)]
        for least in range(max(sums) + 2):
            found = meaning(adds_up(list(zip(BITS, weights, strict=True)), least))
            assert found == {code for code in range(8) if sums[code] == least}
    assert (adds_up([], 0), adds_up([], 1)) == (True, False)
    for most in range(4):
        assert meaning(at_most(BITS, most)) == {code for code in range(8) if code.bit_count() <= most}
    assert meaning(differ(BITS[0], BITS[2])) == {1, 3, 4, 6}
    assert (conj([]), disj([]), spells([], 0)) == (True, False, True)
    assert (spells([True, False], 1), spells([True, False], 2), spells([True, False], 3)) == (True, False, False)


def test_vectors_are_compared_cut_and_joined_as_numbers_without_signs():
    for left, right in product(range(8), repeat=2):
        one, other = number(left, 3), number(right, 3)
        said = [z3.is_true(z3.simplify(ask(one, other))) for ask in (below, no_greater, at_least)]
        assert said == [left < right, left <= right, left >= right]
        assert z3.simplify(word([one, other])).as_long() == left + 8 * right
        assert z3.simplify(total([one, other, one])).as_long() == (left + right + left) % 8
        assert z3.simplify(bit_at(one, right % 3)).as_long() == left >> right % 3 & 1
        assert z3.simplify(widened(one, 3 + right)).as_long() == left
        assert widened(one, 3 + right).size() == 3 + right


def test_the_next_index_comes_after_and_nothing_lies_between():
    here, other = index("here"), index("other")
    for claim in (
        before(here, following(here)),
        neg(conj([before(here, other), before(other, following(here))])),
        neg(before(here, here)),
        disj([before(here, other), before(other, here), same(here, other)]),
    ):
        assert isinstance(Solver("order", [neg(claim)], Logic.FUNCTIONS).ask(), Unsat)
    assert isinstance(Solver("order", [before(other, here)], Logic.FUNCTIONS).ask(), Sat)


def test_two_functions_of_one_name_are_refused_in_print():
    here = index("here")
    some, other = value("f", [here]), table("f", [here], lambda at: value("g", at)).term
    script = Script("a", "About.", "nowhere", Status.UNSAT, (), (("All.", (same(some, some), same(other, other))),))
    with pytest.raises(AssertionError, match="two things are called f1_I"):
        functions_text(script)
