"""Queries: sat, unsat or unknown; every answer once."""

from itertools import product

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from p2smt.placement.exponents import ExponentTables
from p2smt.smt.answer import NoAnswer, Sat, Stop, Unsat
from p2smt.smt.query import Query, all_codes
from p2smt.smt.terms import conj, constants, disj, either, iff, implies, joined, neg, select, spells


def test_a_query_answers_sat_with_its_code_and_unsat():
    bits = constants("b", 3)
    assert Query("five", bits, [spells(bits, 5)]).ask() == Sat(5)
    assert Query("none", bits, [bits[0], neg(bits[0])]).ask() == Unsat()
    assert Query("false", bits, [False]).ask() == Unsat()


def test_every_answer_comes_once():
    bits = constants("b", 4)
    found = all_codes(Query("not both", bits, [neg(conj(bits[:2]))]), lambda _: 4)
    assert found.stop is Stop.EXHAUSTED
    assert sorted(found.items) == [code for code in range(16) if code & 3 != 3]


def test_an_answer_is_blocked_with_all_that_agree_on_its_first_bits():
    bits = constants("b", 4)
    found = all_codes(Query("anything", bits, []), lambda _: 2)
    assert sorted(code & 3 for code in found.items) == [0, 1, 2, 3]


class Tired(Query):
    """Gives its first answer, and then none."""

    unknown = NoAnswer("gave up", Stop.UNKNOWN)
    asked = 0

    def ask(self, *given):
        self.asked += 1
        return super().ask(*given) if self.asked == 1 else self.unknown


@pytest.mark.parametrize(("stop", "reason"), [(Stop.UNKNOWN, "gave up"), (Stop.DEADLINE, "")])
def test_a_search_that_an_unknown_ends_says_so(stop, reason):
    query = Tired("anything", constants("b", 2), [])
    query.unknown = NoAnswer("gave up", stop)
    found = all_codes(query, lambda _: 2)
    assert (len(found.items), found.stop, found.reason, found.complete) == (1, stop, reason, False)


def test_a_query_without_bits_has_one_answer():
    assert all_codes(Query("empty", [], []), lambda _: 0).items == (0,)


SUMS = st.lists(st.integers(0, 4), min_size=1, max_size=3)


@given(SUMS, SUMS)
def test_exponent_tables_are_those_of_brute_force(rows, columns):
    tables = ExponentTables(2, rows, columns)
    found = all_codes(Query("tables", tables.terms, tables.sums), lambda _: tables.bits)
    entries = product(*(range(min(row, column) + 1) for row in rows for column in columns))
    width = len(columns)
    shaped = (tuple(flat[i * width : (i + 1) * width] for i in range(len(rows))) for flat in entries)
    wanted = {
        table
        for table in shaped
        if [sum(row) for row in table] == rows and [sum(column) for column in zip(*table, strict=True)] == columns
    }
    assert found.complete
    assert len(found.items) == len(wanted)
    assert {tables.table(code) for code in found.items} == wanted


TERMS = constants("t", 3)
MIXED = st.sampled_from([True, False, *TERMS])


def equivalent(left, right):
    solver = z3.Solver()
    solver.add(z3.BoolVal(left) if isinstance(left, bool) else left)
    solver.add(z3.Not(z3.BoolVal(right) if isinstance(right, bool) else right))
    return solver.check() == z3.unsat


def plain(term):
    return z3.BoolVal(term) if isinstance(term, bool) else term


@given(MIXED, MIXED, MIXED)
def test_folding_constants_away_keeps_the_meaning(a, b, c):
    x, y, z = map(plain, (a, b, c))
    pairs = [
        (conj((a, b, c)), z3.And(x, y, z)),
        (disj((a, b, c)), z3.Or(x, y, z)),
        (neg(a), z3.Not(x)),
        (implies(a, b), z3.Implies(x, y)),
        (iff(a, b), x == y),
        (either(a, b, c), z3.If(x, y, z)),
    ]
    assert all(equivalent(folded, full) and equivalent(full, folded) for folded, full in pairs)


@pytest.mark.parametrize("default", [True, False])
def test_select_and_joined_keep_the_meaning_of_their_cases(default):
    first, second, value = TERMS
    chosen = select([(conj((first, neg(second))), value), (conj((second, neg(first))), True)], default)
    wanted = z3.If(z3.And(first, z3.Not(second)), value, z3.If(z3.And(second, z3.Not(first)), True, default))
    assert equivalent(chosen, wanted)
    assert equivalent(wanted, chosen)
    merged = [implies(condition, need) for condition, need in joined([(first, value), (second, value)])]
    assert equivalent(conj(merged), z3.And(z3.Implies(first, value), z3.Implies(second, value)))
    assert equivalent(z3.And(z3.Implies(first, value), z3.Implies(second, value)), conj(merged))


CODES = st.frozensets(st.integers(0, 15), max_size=16)


@given(CODES, st.sampled_from([None, 0, 1, 2, 3]))
def test_the_first_answer_is_the_same_whatever_was_asked_before(codes, assumed):
    bits = constants("b", 4)
    query = Query("one of these", bits, [disj(spells(bits, code) for code in codes)])
    assumptions = {} if assumed is None else {0: bits[assumed]}
    fitting = [code for code in codes if assumed is None or (code >> assumed) & 1]
    first = min(fitting, key=lambda code: [code >> place & 1 for place in range(4)], default=None)
    for _ in range(2):
        found = query.first(None, assumptions)
        assert found == Sat(first) if fitting else isinstance(found, Unsat)
        query.ask(None, {0: neg(bits[0])})


def test_an_unknown_on_the_way_to_the_first_answer_is_unknown():
    bits = constants("b", 2)
    query = Tired("some bit", bits, [disj(bits)])
    assert query.first() == query.unknown
