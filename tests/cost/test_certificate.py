"""Certificates of optimality: the ranking's own prices, whole numbers that miss nothing, and no false proof."""

import random
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import pytest
import z3
from cost.network.random_systems import systems
from hypothesis import given, settings
from hypothesis import strategies as st
from looped import looped
from support import level_start, problem
from tiers import examples, is_full, sample

from p2smt.cost import any_length_proof, certificate
from p2smt.cost.any_length_proof import AnyLength, DistanceProver
from p2smt.cost.certificate import certify
from p2smt.cost.network.cost import LocalWork
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.ranking import best_placement, competition_ranks, rank
from p2smt.cost.step_prices import scale_of, step_seconds
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.reduction.language.hierarchy import language_of, program_text
from p2smt.reduction.plan.model import PermuteStep
from p2smt.reduction.rules.optimality import CheaperProgram, CostBound, OptimalityProof
from p2smt.reduction.semantics.level_algebra import apply_step, class_groups
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.smtlib import script_text

LIMIT = 4 if is_full() else 3
"""Over three levels, where a longer limit makes no other kind of proof."""
CASES = {
    "4x16": problem([4, 16], [4, 16], [1]),
    "2x3x2": problem([2, 3, 2], [12], limit=LIMIT),
    "paper": problem([4, 4], [4, 4], [0], grammar="paper"),
    "many": problem([4, 4, 4], [8, 8], [0], limit=LIMIT),
    "rows": problem([2, 2, 2], [4, 2], [0], hierarchy="b", limit=LIMIT),
    "nothing to reduce": problem([2, 2], [4, 1], [1]),
}


PRICED = [
    (name, algorithm)
    for name in CASES
    for algorithm in Algorithm
    if is_full() or algorithm is Algorithm.RING or name == "4x16"
]


@cache
def synthesis(name):
    return Synthesizer().synthesize(CASES[name])


def certified(name, algorithm=Algorithm.RING, deadline=None):
    found = synthesis(name)
    cost = NetworkCost(found.problem.system, algorithm)
    return certify(found, ranked(name, algorithm), cost, deadline)


@cache
def ranked(name, algorithm=Algorithm.RING):
    return rank(synthesis(name), NetworkCost(synthesis(name).problem.system, algorithm))


@cache
def certified_once(name, algorithm=Algorithm.RING):
    """For tests that change nothing."""
    return certified(name, algorithm)


@looped(("name", "algorithm"), PRICED)
def test_prices_are_those_of_the_ranking(name, algorithm):
    """Every program takes the prices of its steps, by what their roots really hold, and its permutations."""
    found = synthesis(name)
    cost = NetworkCost(found.problem.system, algorithm)
    for placement in ranked(name, algorithm):
        for entry in placement.programs:
            lowering = entry.lowering
            language = language_of(lowering.hierarchy, found.problem.search.grammar)
            table = seconds_of(lowering, language, cost)
            levels, plan = language.levels, entry.plan
            state, total = level_start(levels), 0.0
            for instruction in entry.program:
                step = language.grouping(instruction), instruction.collective
                assert set(table[step]) >= {state[group[0]].scattered for group in class_groups(step[0], levels)}
                total += max(table[step][state[group[0]].scattered] for group in class_groups(step[0], levels))
                state = apply_step(state, step, levels)
            reorders = [step for step in plan.steps if isinstance(step, PermuteStep)]
            total += sum(cost.step_cost(plan, step).seconds for step in reorders)
            assert total == pytest.approx(entry.seconds, rel=1e-13)


@cache
def seconds_of(lowering, language, _cost):
    return step_seconds(lowering, language, _cost)


@pytest.mark.thorough  # one placement is proved above
@looped(("name", "algorithm"), sample(PRICED, 3))
def test_winners_are_proved_optimal_on_every_placement(name, algorithm):
    found = certified_once(name, algorithm)
    assert found.proved
    assert found.winner_s == best_placement(ranked(name, algorithm)).programs[0].seconds == found.lower_bound_s
    assert [proof.placed for proof in found.proofs] == list(synthesis(name).placements)
    solver = z3.Solver()
    solver.from_string(script_text(found.script))
    assert solver.check() == z3.unsat


@pytest.mark.thorough  # proofs that are taken over are tried below
def test_a_proof_covers_placements_where_no_price_is_lower(monkeypatch):
    """Over as many levels: prices of programs over two say nothing of those over three."""
    covered = certified_once("many")
    levels = [
        (len(proof.placed.hierarchy.sizes), len(proof.implied_by.hierarchy.sizes))
        for proof in covered.proofs
        if proof.implied_by is not None
    ]
    assert all(own == other for own, other in levels)
    assert len({len(proof.placed.hierarchy.sizes) for proof in covered.proofs}) > 1
    assert 0 < sum(proof.implied_by is not None for proof in covered.proofs) < len(covered.proofs)
    monkeypatch.setattr(certificate, "_nowhere_higher", lambda left, right: False)
    alone = certified("many")
    assert [proof.implied_by for proof in alone.proofs] == [None] * len(alone.proofs)
    assert all(isinstance(proof.outcome, OptimalityProof) for proof in alone.proofs)


@dataclass(frozen=True)
class Skewed(NetworkCost):
    """Every collective on every pattern has a factor of its own, and local permutations are dear."""

    seed: int = 0
    permutation: float = 1.0

    def work_cost(self, work):
        cost = super().work_cost(work)
        if isinstance(work, LocalWork):
            return replace(cost, memory_s=cost.memory_s * self.permutation)
        factor = random.Random(f"{self.seed} {work.collective} {work.pattern}").uniform(0.1, 10)
        links = replace(cost.per_byte, links_s=cost.per_byte.links_s * factor, around_s=cost.per_byte.around_s * factor)
        return replace(cost, per_byte=links, memory_s=cost.memory_s * factor)


@cache
def bare(sizes, limit):
    return Synthesizer().synthesize(problem(sizes, [random_product(sizes)], limit=limit))


def random_product(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product


@st.composite
def random_searches(draw):
    """All programs of two or three levels on a random system, with random factors on top."""
    sizes, limit = draw(st.sampled_from([((2, 3), 5), ((4, 2), 4), ((2, 2, 2), 4), ((3, 2, 2), 3)]))
    system = draw(systems(sizes))
    payload = Payload(draw(st.sampled_from([4, 1 << 10, 1 << 30])), "float32")
    asked = build_problem(system, [Axis("a", random_product(sizes))], [0], payload, Search(limit=limit))
    cost = Skewed(
        system,
        draw(st.sampled_from(Algorithm)),
        seed=draw(st.integers(0, 99)),
        permutation=draw(st.sampled_from([1.0, 1e3, 1e6])),
    )
    return replace(bare(sizes, limit), problem=asked), cost if draw(st.booleans()) else NetworkCost(system)


@settings(max_examples=examples(1))
@given(random_searches())
def test_the_cheapest_of_all_programs_is_proved_and_the_next_is_not(search):
    found, cost = search
    ranked = rank(found, cost)
    proof = certify(found, ranked, cost)
    assert proof.proved
    (every,) = [placement.programs for placement in ranked]
    # the cheapest of any length stands first where it is longer than the search goes: this proof is not about it
    programs = [entry for entry in every if len(entry.program) <= found.problem.search.limit]
    later = [entry for entry in programs if entry.rank > programs[0].rank]
    if not later:
        return
    poorer = [replace(ranked[0], programs=tuple(later))]
    claim = certify(replace(found, stop="deadline"), poorer, cost)
    (beaten,) = claim.proofs
    assert isinstance(beaten.outcome, CheaperProgram)
    assert claim.lower_bound_s == beaten.lower_bound_s <= programs[0].seconds
    cheaper = [entry.program for entry in programs if entry.rank < later[0].rank]
    assert beaten.beaten_by in [program_text(beaten.placed.hierarchy, program) for program in cheaper]
    with pytest.raises(AssertionError, match="lacks a cheaper one"):
        certify(found, poorer, cost)


SEEDS = sample((*range(5), 47), 2)


@pytest.mark.thorough  # the cheapest of all is proved above with permutations among them
def test_programs_with_dear_permutations_are_priced_in_full_and_named_in_the_script():
    found = bare((2, 3), 5)
    some = 0
    for seed in SEEDS:
        cost = Skewed(found.problem.system, seed=seed, permutation=1e6)
        proof = certify(found, rank(found, cost), cost)
        assert proof.proved
        excluded = proof.proofs[0].excluded
        some += len(excluded)
        solver = z3.Solver()
        solver.from_string(script_text(proof.script))
        assert solver.check() == z3.unsat
        assert (f"None of {len(excluded)} programs" in script_text(proof.script)) == bool(excluded)
    assert some


@pytest.mark.parametrize("name", ["4x16", "many"])
def test_after_the_deadline_there_is_a_lower_bound_and_no_proof(name):
    late = certified(name, deadline=time.monotonic() - 1)
    assert not late.proved
    assert late.script is None
    assert {(proof.lower_bound_s, proof.reason) for proof in late.proofs} == {(0.0, "deadline")}


def test_after_an_interruption_the_solver_is_not_asked_again(monkeypatch):
    asked = []

    def interrupted(obligation, *_rest):
        asked.append(obligation)
        return CostBound(obligation.bound // 4, "interrupted")

    monkeypatch.setattr(certificate, "decide", interrupted)
    found = certified("many")
    assert len(asked) == 1
    assert {proof.reason for proof in found.proofs} == {"interrupted"}
    assert found.lower_bound_s == 0


@pytest.mark.parametrize("eighths", sample(range(9), 3))
def test_a_bound_in_units_is_a_bound_in_seconds(eighths, monkeypatch):
    def stopped(obligation, *_rest):
        return CostBound(obligation.bound * eighths // 8, "tired")

    monkeypatch.setattr(certificate, "decide", stopped)
    found = certified("4x16")
    assert not found.proved
    assert {proof.reason for proof in found.proofs} == {"tired"}
    assert found.lower_bound_s <= found.winner_s * eighths / 8
    assert found.lower_bound_s == pytest.approx(found.winner_s * eighths / 8, rel=1e-9)
    assert "takes less than" in script_text(found.script)


def test_an_incomplete_search_is_never_certified():
    found = replace(synthesis("4x16"), stop="deadline")
    cost = NetworkCost(found.problem.system)
    proof = certify(found, rank(found, cost), cost)
    assert not proof.proved
    assert all(one.proved for one in proof.proofs)


@pytest.mark.parametrize(("tried", "certain"), [(True, False), (False, True)])
def test_distances_that_were_not_worked_out_in_time_leave_nothing_certain(tried, certain, monkeypatch):
    """Over too many levels they are not tried at all, and what the solver proves up to the limit is all that can be."""
    lacking = AnyLength(missing="deadline", tried=tried)
    monkeypatch.setattr(DistanceProver, "proof", lambda *_: lacking)
    proof = certified("2x3x2")
    assert (proof.proved, proof.certain, proof.proved_any_length) == (True, certain, False)


@pytest.mark.thorough  # a larger grid
@pytest.mark.parametrize(("most", "missing"), [(1, "the reduction is over more than 1 levels"), (2, "")])
def test_distances_are_checked_over_as_many_levels_as_graphs_are_made_for(most, missing, monkeypatch):
    found = bare((2, 3), 5)
    cost = NetworkCost(found.problem.system)
    monkeypatch.setattr(any_length_proof, "MAX_LEVELS", most)
    proof = certify(found, rank(found, cost), cost)
    assert [one.any_length.missing for one in proof.proofs] == [missing]


def test_distances_are_not_worked_out_after_the_deadline():
    found = synthesis("2x3x2")
    cost = NetworkCost(found.problem.system)
    lowering = rank(found, cost)[0].programs[0].lowering
    language = language_of(lowering.hierarchy, found.problem.search.grammar)
    late = DistanceProver(scale_of(1.0), cost, 0.0).proof(lowering, language, {})
    assert (late.missing, late.tried, late.states) == ("deadline", True, 0)


def test_without_a_winner_there_is_nothing_to_certify():
    found = synthesis("4x16")
    assert certify(found, (), NetworkCost(found.problem.system)) is None


TIMES = st.one_of(st.floats(1e-9, 1e6), st.integers(-9, 6).map(lambda power: 10.0**power))


@given(TIMES, st.integers(-30, 30), st.floats(-6e-10, 6e-10), st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_no_time_that_ranks_before_the_winner_is_missed(winner, last_bits, apart, parts):
    scale = scale_of(winner)
    target = winner * (1 + apart) + last_bits * winner * 2.0**-52
    steps = [target * part / (sum(parts) or 1) for part in parts]
    seconds = sum(steps)
    if competition_ranks([seconds, winner]) == ([0, 1], [1, 2]):
        assert sum(map(scale.units, steps)) < scale.bound
    if sum(map(scale.units, steps)) >= scale.bound:
        assert seconds >= scale.least_seconds(scale.bound)
    assert scale.units(winner) >= scale.bound  # the winner itself is not below its own bound
    assert Fraction(winner) - scale.bound * scale.unit <= Fraction(winner) / 10**9


def test_a_winner_that_takes_no_time_cannot_be_beaten():
    assert scale_of(0.0).bound == 0


class Moody(Skewed):
    """Prices that can be changed between two placements: all of them by `factor`, those of permutations alone."""

    def __init__(self, system, seed):
        super().__init__(system, seed=seed, permutation=1e6)
        object.__setattr__(self, "factor", 1.0)

    def work_cost(self, work):
        cost = super().work_cost(work)
        links = replace(
            cost.per_byte, links_s=cost.per_byte.links_s * self.factor, around_s=cost.per_byte.around_s * self.factor
        )
        return replace(cost, per_byte=links, memory_s=cost.memory_s * self.factor)

    def now(self, **changed):
        for name, value in changed.items():
            object.__setattr__(self, name, value)


def one_after_the_other(seed, **changed):
    """Proofs of a placement and of a second one like it, for which other prices hold and no program was found."""
    found = replace(bare((2, 3), 5), stop="deadline")
    cost = Moody(found.problem.system, seed)
    (ranked,) = rank(found, cost)
    certifier = certificate._Certifier(found, ranked, cost, None)
    first = certifier.proof(ranked.placed)
    cost.now(**changed)
    return first, certifier.proof(replace(ranked.placed, programs=()))


def test_a_proof_is_taken_over_where_all_is_dearer_and_not_where_anything_is_cheaper():
    first, second = one_after_the_other(0)
    assert first.proved
    assert (second.proved, second.implied_by) == (True, first.placed)
    first, dearer = one_after_the_other(0, factor=1.5)
    assert dearer.implied_by is first.placed
    first, cheaper = one_after_the_other(0, factor=0.5)
    assert first.proved
    assert cheaper.implied_by is None
    assert isinstance(cheaper.outcome, CheaperProgram)
    assert cheaper.lower_bound_s == 0.0


def test_programs_that_a_proof_excludes_are_priced_again_where_it_is_taken_over():
    """Dear permutations keep them from winning on the first placement, cheap ones let them win on the second."""
    beaten = 0
    for seed in SEEDS:
        first, second = one_after_the_other(seed, permutation=1.0)
        if first.proved and first.excluded and second.implied_by is None:
            beaten += isinstance(second.outcome, CheaperProgram)
    assert beaten


def test_nothing_is_claimed_of_any_length_where_the_search_was_not_complete():
    proof = certified_once("2x3x2")
    assert (proof.proved, proof.certain, proof.proved_any_length) == (True, True, True)
    cut_off = replace(proof, complete=False)
    assert (cut_off.proved, cut_off.certain, cut_off.proved_any_length) == (False, False, False)
