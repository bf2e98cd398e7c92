"""All answers in one check are those of asking again and again, and of trying every assignment."""

import signal
import threading
import time
from functools import reduce
from itertools import combinations, product

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from p2smt.smt.all_answers import _AnswerList, all_answers
from p2smt.smt.answer import Stop
from p2smt.smt.bitvectors import at_most, bitvector, number, total
from p2smt.smt.query import Query, all_codes
from p2smt.smt.terms import conj, constants, differ, disj, either, iff, neg, spells

BITS = constants("code", 5)
OTHERS = constants("other", 3)
LITERALS = st.tuples(st.sampled_from([*BITS, *OTHERS]), st.booleans())
CLAUSES = st.lists(st.lists(LITERALS, min_size=1, max_size=4), max_size=9)


def clause_term(clause):
    return disj(bit if holds else neg(bit) for bit, holds in clause)


def brute_force(clauses):
    """The codes that some values of the other constants turn into a model."""
    place = {bit.get_id(): number for number, bit in enumerate([*BITS, *OTHERS])}
    models = (
        values
        for values in product([False, True], repeat=len(place))
        if all(any(values[place[bit.get_id()]] == holds for bit, holds in clause) for clause in clauses)
    )
    return {sum(1 << n for n in range(len(BITS)) if values[n]) for values in models}


@given(CLAUSES, st.integers(1, 5))
def test_answers_are_those_of_brute_force_and_of_asking_again(clauses, width):
    terms = [clause_term(clause) for clause in clauses]
    found = all_answers("random", BITS, terms, lambda _: width)
    prefixes = [code % (1 << width) for code in found.items]
    assert found.stop is Stop.EXHAUSTED
    assert len(prefixes) == len(set(prefixes))
    models = brute_force(clauses)
    assert set(found.items) <= models
    assert set(prefixes) == {code % (1 << width) for code in models}
    again = all_codes(Query("random", BITS, terms), lambda _: width)
    assert set(prefixes) == {code % (1 << width) for code in again.items}


def test_random_questions_have_no_one_some_and_all_answers():
    """The test above is not about one kind of question."""
    every = [[], [[(BITS[0], True)]], [[(BITS[0], True)], [(BITS[0], False)]]]
    assert [len(brute_force(clauses)) for clauses in every] == [32, 16, 0]
    found = [all_answers("few", BITS, map(clause_term, clauses), lambda _: 5) for clauses in every]
    assert [len(one.items) for one in found] == [32, 16, 0]


def test_questions_about_bit_vectors():
    """The numbers x <= 20 that are the sum of three of five bits' weights, beside a number that is any."""
    weights = [3, 5, 7, 11, 13]
    parts = [either(bit, number(weight, 8), number(0, 8)) for bit, weight in zip(BITS, weights, strict=True)]
    terms = [at_most(total(parts), 20), total(parts) == bitvector("x", 8), bitvector("y", 8) != number(3, 8)]
    found = all_answers("sums", BITS, terms, lambda _: 5)
    sums = {code: sum(weight for n, weight in enumerate(weights) if code >> n & 1) for code in range(32)}
    assert found.stop is Stop.EXHAUSTED
    assert sorted(found.items) == [code for code, value in sums.items() if value <= 20]


def test_parities_whose_answers_z3_learns_much_from():
    """Half of all codes of 12 bits; every one once."""
    bits = constants("parity", 12)
    found = all_answers("odd", bits, [reduce(differ, bits)], lambda _: 12)
    assert found.stop is Stop.EXHAUSTED
    assert len(found.items) == 2048
    assert set(found.items) == {code for code in range(4096) if code.bit_count() % 2}


def test_constants_that_no_constraint_names_or_that_one_fixes():
    free = all_answers("free", BITS, [], lambda _: 5)
    assert sorted(free.items) == list(range(32))
    equal = all_answers("equal", BITS, [iff(BITS[0], BITS[1]), BITS[2], neg(BITS[3])], lambda _: 5)
    assert sorted(equal.items) == [4, 7, 20, 23]
    assert all_answers("one", BITS, [spells(BITS, 9)], lambda _: 5).items == (9,)


def test_no_bits_and_nothing_to_decide():
    assert all_answers("empty", [], [], lambda _: 0) == all_codes(Query("empty", [], []), lambda _: 0)
    assert all_answers("never", [], [False], lambda _: 0).items == ()


def test_what_the_caller_raises_between_answers_goes_on():
    class TiredError(Exception):
        pass

    def tire(found):
        if found == 3:
            raise TiredError

    with pytest.raises(TiredError):
        all_answers("free", BITS, [], lambda _: 5, None, tire)


def hard():
    """More answers than are listed in years."""
    return all_answers("many", constants("many", 40), [], lambda _: 40)


def press():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


@pytest.fixture
def hears():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears")
def test_ctrl_c_keeps_what_was_found(capfd):
    for after in (0.05, 0.1, 0.2):
        timer = threading.Timer(after, press)
        timer.start()
        found = hard()
        timer.join()
        assert found.stop is Stop.INTERRUPTED
        assert len(found.items) == len(set(found.items))
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("hears")
def test_a_handler_that_raises_nothing_is_called_and_no_answer_is_lost():
    calls = []
    signal.signal(signal.SIGINT, lambda *_: calls.append(1))
    bits = constants("parity", 12)
    found = all_answers(
        "odd", bits, [reduce(differ, bits)], lambda _: 12, None, lambda n: press() if n == 700 else None
    )
    assert (len(calls), found.stop) == (1, Stop.EXHAUSTED)
    assert set(found.items) == {code for code in range(4096) if code.bit_count() % 2}
    assert len(found.items) == 2048


def test_a_deadline_keeps_what_was_found():
    bits = constants("many", 40)
    found = all_answers("many", bits, [], lambda _: 40, time.monotonic() + 0.2)
    assert found.stop is Stop.DEADLINE
    assert found.items
    assert all_answers("many", bits, [], lambda _: 40, time.monotonic() - 1).items == ()


def test_another_thread_lists_answers():
    results = []
    thread = threading.Thread(target=lambda: results.append(all_answers("free", BITS, [], lambda _: 5)))
    thread.start()
    thread.join()
    assert sorted(results[0].items) == list(range(32))


def test_conjunctions_of_many_constants():
    bits = constants("long", 60)
    found = all_answers("all", bits, [conj(bits)], lambda _: 60)
    assert found.items == ((1 << 60) - 1,)


def test_a_deadline_ends_a_search_that_comes_to_no_answer():
    """Eleven things in ten places, no two in one: there is no answer, and z3 needs long to know."""
    places = [constants(f"thing{number}in", 10) for number in range(11)]
    apart = [disj([neg(one[n]), neg(other[n])]) for one, other in combinations(places, 2) for n in range(10)]
    every = [bit for bits in places for bit in bits]
    deadline = time.monotonic() + 0.1
    found = all_answers("doves", every, [*map(disj, places), *apart], lambda _: 110, deadline)
    assert (found.stop, found.items) == (Stop.DEADLINE, ())


def test_an_answer_that_comes_again_behind_its_first_bits_counts_once():
    """The solver may drop the clause that excludes an answer, and find it once more with other bits behind."""
    told = []
    listing = _AnswerList(z3.SimpleSolver(), BITS, lambda code: 2 if code & 1 else 3, None, told.append)
    listing._fixed = [0] * len(BITS)
    assert [listing._noted(code) for code in (0b00101, 0b11001, 0b00110, 0b10110, 0b00010)] == [2, 2, 3, 3, 3]
    assert listing.codes == (0b00101, 0b00110, 0b00010)
    assert told == [1, 2, 3]
