"""The SMT-LIB printer: what it prints means what it was given, is the same every time, and nothing else is let in."""

import random
import subprocess
import sys

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st
from looped import looped
from tiers import is_full

from p2smt.smt.smtlib import Script, Status, free_constants, script_text

FLAGS = tuple(z3.Bools("p q r"))
WORDS = tuple(z3.BitVecs("x y z", 5))
CONSTANTS = (*FLAGS, *WORDS)

NUMBERS = st.integers(0, 31).map(lambda value: z3.BitVecVal(value, 5))


def of_words(flags, words):
    two = st.tuples(words, words)
    return st.one_of(
        two.map(lambda v: v[0] & v[1]),
        two.map(lambda v: v[0] | v[1]),
        two.map(lambda v: v[0] ^ v[1]),
        two.map(lambda v: v[0] + v[1]),
        two.map(lambda v: v[0] - v[1]),
        two.map(lambda v: v[0] * v[1]),
        two.map(lambda v: v[0] << v[1]),
        two.map(lambda v: z3.LShR(*v)),
        words.map(lambda v: ~v),
        words.map(lambda v: -v),
        two.map(lambda v: z3.Concat(z3.Extract(1, 0, v[0]), z3.Extract(4, 2, v[1]))),
        words.map(lambda v: z3.ZeroExt(3, z3.Extract(3, 2, v))),
        st.tuples(flags, words, words).map(lambda v: z3.If(*v)),
    )


def of_flags(flags, words):
    two = st.tuples(words, words)
    some = st.lists(flags, max_size=4)
    return st.one_of(
        some.map(z3.And),
        some.map(z3.Or),
        flags.map(z3.Not),
        st.tuples(flags, flags).map(lambda v: z3.Xor(*v)),
        st.tuples(flags, flags).map(lambda v: z3.Implies(*v)),
        st.tuples(flags, flags).map(lambda v: v[0] == v[1]),
        two.map(lambda v: v[0] == v[1]),
        two.map(lambda v: v[0] != v[1]),
        st.lists(words, min_size=2, max_size=3).map(lambda v: z3.Distinct(*v)),
        two.map(lambda v: z3.ULT(*v)),
        two.map(lambda v: z3.ULE(*v)),
        two.map(lambda v: z3.UGT(*v)),
        two.map(lambda v: z3.UGE(*v)),
        st.tuples(flags, flags, flags).map(lambda v: z3.If(*v)),
    )


def formulas():
    flags = st.sampled_from(FLAGS) | st.booleans().map(z3.BoolVal)
    words = st.sampled_from(WORDS) | NUMBERS
    for _ in range(3):
        flags, words = of_flags(flags, words) | st.sampled_from(FLAGS), of_words(flags, words) | words
    return flags


def text(*terms, constants=CONSTANTS):
    return script_text(Script("a", "About.", "nowhere", Status.SAT, constants, (("All.", terms),)))


def parsed(printed):
    solver = z3.Solver()
    solver.from_string(printed)
    return z3.And(list(solver.assertions()))


@given(st.lists(formulas(), min_size=1, max_size=3))
def test_what_is_printed_parses_back_to_the_same_meaning(terms):
    solver = z3.Solver()
    solver.add(parsed(text(*terms)) != z3.And(terms))
    assert solver.check() == z3.unsat


@given(formulas())
def test_printing_what_was_parsed_keeps_the_operators(term):
    """Nothing is renamed, folded or reordered on the way but for junctions of fewer than two terms."""
    printed = text(term)
    again = text(*[term for term in [parsed(printed).arg(0)] if parsed(printed).num_args()])
    assert parsed(again).eq(parsed(printed))


def test_shared_terms_are_printed_once():
    term = WORDS[0]
    for _ in range(200):
        term = term * term + WORDS[1]
    assert len(text(term == 0)) < 20_000


def test_long_chains_do_not_overflow_the_stack():
    term = FLAGS[0]
    length = 20_000 if is_full() else 3_000
    for _ in range(length):
        term = z3.Not(term)
    assert text(term).count("(not") == length


def test_the_header_says_status_and_models_before_the_logic():
    script = Script("a", "Three.", "nowhere", Status.SAT, FLAGS[:2], (("Some.", (z3.Or(FLAGS[:2]),)),), FLAGS[:2], 3)
    assert (
        script_text(script)
        == """\
; Three.
;
; Source: nowhere
; Status: sat
; Models: 3
; Over: p q
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const p Bool)
(declare-const q Bool)

; Some.
(assert (or p q))

(check-sat)
"""
    )


def test_constants_are_folded_at_the_top():
    assert "assert" not in text(True)
    assert "(assert false)" in text(False)


@looped(
    ("term", "name"),
    [
        (z3.PbEq([(FLAGS[0], 1), (FLAGS[1], 2)], 2), "operator pbeq of"),
        (z3.AtMost(*FLAGS, 1), "at-most"),
        (z3.BV2Int(WORDS[0]) > 0, "operator (bv2int|ubv_to_int) of"),
        (z3.UDiv(WORDS[0], WORDS[1]) == 0, "bvudiv"),
        (WORDS[0] < WORDS[1], "bvslt"),
        (z3.Bool("undeclared"), "operator undeclared"),
    ],
)
def test_what_is_not_in_the_table_is_named(term, name):
    with pytest.raises(AssertionError, match=name):
        text(term)


def test_a_sort_outside_the_logic_is_named():
    with pytest.raises(AssertionError, match="sort Int of 'i' is not one of QF_BV"):
        text(True, constants=(z3.Int("i"),))


@pytest.mark.parametrize("name", ["t1", "with space", "|bar|", "", "3x"])
def test_names_that_could_clash_or_need_quotes_are_refused(name):
    with pytest.raises(AssertionError, match="is no name for a constant"):
        text(True, constants=(z3.Bool(name),))


def test_the_text_does_not_depend_on_what_the_process_did_before():
    program = """
import sys, z3
for number in range(int(sys.argv[1])):
    z3.Bool(f"noise{number}")
    z3.And(z3.Bool("q"), z3.Bool("p")), z3.BitVec("y", 5) + z3.BitVec("x", 5)
sys.path.insert(0, sys.argv[2])
from p2smt.smt.smtlib import Script, Status, script_text
p, q = z3.Bools("p q")
x, y = z3.BitVecs("x y", 5)
shared = x + y
terms = (z3.And(p, q) == (shared * shared == y), z3.Or(q, p, shared == x))
print(script_text(Script("a", "About.", "nowhere", Status.SAT, (p, q, x, y), (("All.", terms),))))
"""
    runs = [
        subprocess.run(
            [sys.executable, "-c", program, str(count), "."], capture_output=True, text=True, check=True, timeout=60
        ).stdout
        for count in (0, random.Random(1).randrange(50, 100))
    ]
    assert runs[0] == runs[1]
    assert "(check-sat)" in runs[0]


def test_free_constants_are_sorted_by_length_of_name_and_name():
    names = ["e10", "b", "e9", "a", "e2"]
    found = free_constants([z3.And(*z3.Bools(names)), True])
    assert [one.decl().name() for one in found] == ["a", "b", "e2", "e9", "e10"]
    assert free_constants([False]) == ()


def test_two_constants_of_one_name_are_refused():
    with pytest.raises(AssertionError, match="two constants are called x"):
        text(WORDS[0] == 1, constants=(z3.Bool("x"), WORDS[0]))
