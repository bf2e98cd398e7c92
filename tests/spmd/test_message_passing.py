"""Bounds by message passing are below the optimum that trying all finds, and their certificates are checked."""

import random
from dataclasses import replace

import numpy as np
import pytest
from spmd.joint_problems import random_problem
from tiers import sample

from p2smt.spmd.engines import message_passing
from p2smt.spmd.engines.brute import brute
from p2smt.spmd.engines.certificate import MOST_SHIFTED, Shift
from p2smt.spmd.engines.certificate_check import check_bound
from p2smt.spmd.engines.message_passing import relax
from p2smt.spmd.engines.moved_costs import breadth_first
from p2smt.spmd.engines.problem import Best, Choice, Compatibility, JointProblem
from p2smt.spmd.engines.shifts_check import NEVER, proved_by_shifts

APART = JointProblem((Choice("a", (0, 4)), Choice("b", (0, 4))), (Compatibility(0, 1, (0b10, 0b11)),))
"""Each costs nothing alone; both together cost at least 4."""


@pytest.fixture
def _nothing_eliminated(monkeypatch):
    monkeypatch.setattr(message_passing, "_STAGES", (1, 2))


def test_bounds_of_random_problems_are_below_their_optima(monkeypatch):
    """Exact where all is eliminated; elsewhere mostly, as these problems have few cycles."""
    rng, tight, seen = random.Random(5), 0, 0
    for stages in ((1, 2), (1, 4), (2**10, 2**14)):
        monkeypatch.setattr(message_passing, "_STAGES", stages)
        for number in sample(range(200), 25):
            problem = random_problem(rng, choices=rng.randint(2, 7), options=4)
            optimum, relaxed = brute(problem), relax(problem)
            if not isinstance(optimum, Best):
                continue
            assert relaxed.bound is not None, (stages, number)
            assert relaxed.bound <= optimum.cost, (stages, number)
            assert relaxed.certificate is not None
            assert check_bound(problem, relaxed.certificate) is None, (stages, number)
            if relaxed.assignment is not None:
                assert problem.allows(relaxed.assignment), (stages, number)
            seen += 1
            tight += relaxed.bound == optimum.cost
            assert stages[0] < 2**10 or relaxed.bound == optimum.cost
    assert seen > 40
    assert seen * 0.9 < tight


@pytest.mark.usefixtures("_nothing_eliminated")
def test_costs_moved_to_a_link_raise_the_bound():
    relaxed = relax(APART)
    assert relaxed.bound == 4
    assert relaxed.assignment is not None
    assert APART.cost(relaxed.assignment) == 4


def test_no_amounts_that_are_moved_make_possible_options_impossible():
    """As many as add up to what stands for options that do not go together, or to more than there are numbers for."""
    for count in (600, 9000):
        tables = [((0, other), np.zeros((2, 1), dtype=np.int64)) for other in range(1, count + 1)]
        sizes = {0: 2} | dict.fromkeys(range(1, count + 1), 1)
        shifts = [Shift((0, other), ((MOST_SHIFTED,) * 2, (0,))) for other in range(1, count + 1)]
        assert proved_by_shifts(shifts[:100], sizes, tables) == 0
        proved = proved_by_shifts(shifts, sizes, tables)
        assert proved == 0 if count == 600 else isinstance(proved, str)
    again = proved_by_shifts([shifts[0], shifts[0]], sizes, tables)
    assert again == "costs are moved from choices (0, 1) twice"
    impossible = [((0, 1), np.full((2, 1), NEVER))]
    assert proved_by_shifts([Shift((0, 1), ((-5, 5), (0,)))], {0: 2, 1: 1}, impossible) is None


@pytest.mark.usefixtures("_nothing_eliminated")
def test_a_certificate_that_proves_something_else_is_refused():
    certificate = relax(APART).certificate
    assert certificate is not None
    assert certificate.shifts
    (shift,) = certificate.shifts
    short = shift._replace(amounts=(shift.amounts[0][:1], shift.amounts[1]))
    large = shift._replace(amounts=((MOST_SHIFTED + 1, 0), shift.amounts[1]))
    for shifts, fault in (
        ((), "the messages add up to 0, the bound is 4"),
        (None, "a choice has no message"),
        ((short,), "which have no such table"),
        ((shift._replace(scope=(1, 0)),), "which have no such table"),
        ((large,), "more is moved"),
    ):
        assert fault in str(check_bound(APART, replace(certificate, shifts=shifts))), fault
    assert check_bound(APART, replace(certificate, bound=5)) == "the messages add up to 4, the bound is 5"


def test_nothing_is_proved_of_contradictions_or_beyond_the_memory(monkeypatch):
    never = JointProblem((Choice("a", (0, 1)), Choice("b", (0, 1))), (Compatibility(0, 1, (0, 0)),))
    assert relax(never).bound is None
    monkeypatch.setattr(message_passing, "_STAGES", (1,))
    assert relax(APART, memory=10).bound is None
    assert relax(APART, memory=10**6).bound == 4


def test_without_a_proof_the_bound_is_the_same():
    problem = random_problem(random.Random(1))
    relaxed, proved = relax(problem, proof=False), relax(problem)
    assert relaxed.certificate is None
    assert (relaxed.bound, relaxed.assignment) == (proved.bound, proved.assignment)


def test_nodes_come_breadth_first_from_the_edge_of_each_component():
    near = [{1}, {0, 2}, {1}, {4}, {3}, set()]
    found = breadth_first(near)
    assert sorted(found) == list(range(6))
    places = {node: number for number, node in enumerate(found)}
    assert abs(places[0] - places[2]) == 2
    assert abs(places[3] - places[4]) == 1


def test_sums_are_whole_numbers_beyond_single_precision(monkeypatch):
    """Costs that single precision cannot tell apart are told apart in the bound."""
    monkeypatch.setattr(message_passing, "_STAGES", (1, 2))
    base = 2**40
    problem = JointProblem(
        (Choice("a", (base, base + 5)), Choice("b", (base + 3, base + 7)), Choice("c", (base, base + 1))),
        (Compatibility(0, 1, (0b10, 0b11)), Compatibility(1, 2, (0b10, 0b11)), Compatibility(0, 2, (0b10, 0b11))),
    )
    optimum, relaxed = brute(problem), relax(problem)
    assert isinstance(optimum, Best)
    assert relaxed.certificate is not None
    assert check_bound(problem, relaxed.certificate) is None
    assert np.isclose(relaxed.bound, optimum.cost, rtol=1e-6)
    assert relaxed.bound <= optimum.cost


def test_a_bound_that_is_enough_is_not_raised_further():
    """It is a bound all the same, with a certificate that is accepted; nothing is looked for."""
    relaxed = relax(APART, enough=0)
    assert relaxed.assignment is None
    assert relaxed.bound is not None
    assert 0 <= relaxed.bound <= 4
    assert relaxed.certificate is not None
    assert check_bound(APART, relaxed.certificate) is None
    assert relax(APART, enough=5).bound == 4
