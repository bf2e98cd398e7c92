"""Cores against all sets of conditions, also where an answer on the way is not known."""

from itertools import combinations, count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2smt.smt import cores
from p2smt.smt.answer import NoAnswer, Sat, Unsat
from p2smt.smt.cores import CoreSearch, Minimality
from p2smt.smt.solver import Solver

COUNT = 6
CLASHES = st.lists(st.frozensets(st.integers(0, COUNT - 1), min_size=1, max_size=4), min_size=1, max_size=4)


def search(clashes, unknown=None):
    """A search over conditions that clash where they contain one of these sets; answer `unknown` is not known."""
    asked = count()

    def ask(numbers):
        if next(asked) == unknown:
            return NoAnswer("gave up")
        clash = next((one for one in clashes if one <= set(numbers)), None)
        return Sat(tuple(numbers)) if clash is None else Unsat(clash)

    return CoreSearch(ask, COUNT), asked


def clashing(numbers, clashes):
    return any(one <= set(numbers) for one in clashes)


@given(CLASHES)
def test_the_first_of_the_smallest_cores_is_found(clashes):
    found, _ = search(clashes)
    assert found.run() is None
    least = next(
        size for size in range(COUNT + 1) for some in combinations(range(COUNT), size) if clashing(some, clashes)
    )
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
        assert found.run() == NoAnswer("gave up")
        assert (found.core is None) == (unknown == 0)
        if found.core is None:
            continue
        assert clashing(found.core, clashes)
        if found.minimality is Minimality.SMALLEST:
            assert len(found.core) == least
        if found.minimality is not Minimality.UNREDUCED:
            assert not any(clashing(some, clashes) for some in combinations(found.core, len(found.core) - 1))
        else:
            assert found.without(found._ask) == [None] * len(found.core)


def test_an_answer_that_is_not_known_leaves_each_kind_of_core():
    clashes = [frozenset({0, 1, 2}), frozenset({2, 3, 4}), frozenset({4, 5})]
    kinds = set()
    for unknown in range(1, 30):
        found, _ = search(clashes, unknown)
        found.run()
        kinds.add(found.minimality)
    assert kinds == {*Minimality}


TWO = [frozenset({0, 1, 2}), frozenset({3, 4})]
"""The first core whose conditions cannot go is the larger one."""


@pytest.mark.parametrize("rounds", [0, 1])
def test_after_too_many_rounds_a_core_is_not_called_the_smallest(rounds, monkeypatch):
    monkeypatch.setattr(cores, "_MAX_ROUNDS", rounds)
    found, _ = search(TWO)
    assert found.run() == NoAnswer(f"no smallest core after {rounds} rounds")
    assert found.minimality is Minimality.IRREDUCIBLE
    assert any(clash == set(found.core) for clash in TWO)


def test_where_smallest_sets_to_try_are_not_known_no_core_is_the_smallest(monkeypatch):
    """The solver that looks for sets of conditions gives up at one question after the other."""
    ask, endings = Solver.ask, []
    for gives_up in range(40):
        asked = count()

        def sometimes(solver, *given, asked=asked, gives_up=gives_up, **named):
            return NoAnswer("gave up") if next(asked) == gives_up else ask(solver, *given, **named)

        monkeypatch.setattr(Solver, "ask", sometimes)
        found, _ = search(TWO)
        ended = found.run()
        if next(asked) <= gives_up:
            assert (ended, found.core) == (None, (3, 4))
            break
        assert ended == NoAnswer("gave up")
        assert found.minimality is not Minimality.UNREDUCED
        assert found.minimality is Minimality.IRREDUCIBLE or len(found.core) == 2
        endings.append(found.minimality)
    assert endings.count(Minimality.IRREDUCIBLE) > 2
