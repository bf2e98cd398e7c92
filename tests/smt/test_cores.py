"""Cores against all sets of conditions, also where an answer on the way is not known."""

from itertools import combinations, count

from hypothesis import given
from hypothesis import strategies as st

from p2smt.smt.answer import Sat, Unknown, Unsat
from p2smt.smt.cores import CoreSearch, Minimality

COUNT = 6
CLASHES = st.lists(st.frozensets(st.integers(0, COUNT - 1), min_size=1, max_size=4), min_size=1, max_size=4)


def search(clashes, unknown=None):
    """A search over conditions that clash where they contain one of these sets; answer `unknown` is not known."""
    asked = count()

    def ask(numbers):
        if next(asked) == unknown:
            return Unknown("gave up")
        clash = next((one for one in clashes if one <= set(numbers)), None)
        return Sat(tuple(numbers)) if clash is None else Unsat(clash)

    return CoreSearch(ask, COUNT), asked


def clashing(numbers, clashes):
    return any(one <= set(numbers) for one in clashes)


@given(CLASHES)
def test_the_first_of_the_smallest_cores_is_found(clashes):
    found, _ = search(clashes)
    assert found.run() is None
    least = next(size for size in range(COUNT + 1) for some in combinations(range(COUNT), size)
                 if clashing(some, clashes))  # fmt: skip
    assert found.minimality is Minimality.SMALLEST
    assert found.core == next(some for some in combinations(range(COUNT), least) if clashing(some, clashes))
    for number, witness in zip(found.core, found.without(found._ask), strict=True):
        assert witness == tuple(one for one in found.core if one != number)


@given(CLASHES)
def test_no_more_is_said_of_a_core_than_is_known(clashes):
    whole, asked = search(clashes)
    whole.run()
    least = len(whole.core)
    for unknown in range(next(asked)):
        found, _ = search(clashes, unknown)
        assert found.run() == Unknown("gave up")
        assert (found.core is None) == (unknown == 0)
        if found.core is None:
            continue
        assert clashing(found.core, clashes)
        if found.minimality is Minimality.SMALLEST:
            assert len(found.core) == least
        if found.minimality is not Minimality.UNREDUCED:
            assert not any(clashing(some, clashes) for some in combinations(found.core, len(found.core) - 1))


def test_an_answer_that_is_not_known_leaves_each_kind_of_core():
    clashes = [frozenset({0, 1, 2}), frozenset({2, 3, 4}), frozenset({4, 5})]
    kinds = set()
    for unknown in range(1, 30):
        found, _ = search(clashes, unknown)
        found.run()
        kinds.add(found.minimality)
    assert kinds == {*Minimality}
