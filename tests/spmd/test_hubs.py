"""Searches of problems with hubs: cases, options replaced on the way, and the memory that they take."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from tiers import is_full

from p2smt.cost.network.backend import Nccl
from p2smt.errors import EngineError
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.shares import even
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines import elimination, remaining, solving, table
from p2smt.spmd.engines.brute import brute
from p2smt.spmd.engines.certificate import Branch, Case, DominatedOptions
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.dominance import OptionComparison, replacements
from p2smt.spmd.engines.elimination import TooLargeError, eliminate
from p2smt.spmd.engines.engine import EngineOptions, ShardingEngine
from p2smt.spmd.engines.problem import Best, Choice, Compatibility, Impossible, JointProblem
from p2smt.spmd.engines.simplification import simplify
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.engines.table import bytes_of_minimum
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.check import verify_program
from p2smt.verify.verdict import Proved

DATA = Path(__file__).parent / "data"
CASES = 100 if is_full() else 24


@pytest.fixture
def small(monkeypatch):
    """Small problems are searched as if they were large."""
    monkeypatch.setattr(elimination, "_STAGES", (4,))
    monkeypatch.setattr(elimination, "LARGE", 1)
    monkeypatch.setattr(table, "_KEPT_BYTES", 0)


def with_hubs(rng, hubs=2, length=6, density=0.75):
    """A chain of choices, each of which sees all hubs."""
    choices = [Choice(f"c{number}", tuple(rng.choice((0, 0, 1, 4)) for _ in range(3))) for number in range(length)]
    links = [Compatibility(number, number + 1, masks(rng, density)) for number in range(length - 1)]
    for hub in range(length, length + hubs):
        choices.append(Choice(f"hub {hub}", tuple(rng.randrange(4) for _ in range(3))))
        links += [Compatibility(number, hub, masks(rng, density)) for number in range(length)]
    return JointProblem(tuple(choices), tuple(links))


def masks(rng, density):
    """Which of three options go with each of three."""
    return tuple(sum(1 << other for other in range(3) if rng.random() < density) for _ in range(3))


def least_memory(problem):
    """About the fewest bytes that a search takes."""
    memory = 200
    while True:
        try:
            eliminate(problem, memory)
        except TooLargeError:
            memory = memory * 5 // 4
        else:
            return memory


def branches(case):
    """All branches of a certificate or a case."""
    if case.branch is not None:
        yield case.branch
        for each in case.branch.cases:
            yield from branches(each)


def steps(case):
    """All steps of a certificate or a case."""
    yield from case.messages
    for each in case.branch.cases if case.branch is not None else ():
        yield from steps(each)


def test_cases_and_cuts_are_brute_force_on_random_problems(small):
    rng = random.Random(31)
    seen = {Best: 0, Impossible: 0, Branch: 0, DominatedOptions: 0}
    for _ in range(CASES):
        problem = with_hubs(rng, density=rng.choice((0.6, 0.85)))
        expected, eliminated = brute(problem), eliminate(problem, least_memory(problem))
        seen[type(expected)] += 1
        assert type(eliminated.answer) is type(expected)
        if isinstance(expected, Impossible):
            continue
        assert problem.allows(eliminated.answer.assignment)
        assert problem.cost(eliminated.answer.assignment) == eliminated.answer.cost == expected.cost
        assert eliminated.bound == expected.cost
        assert check_certificate(problem, eliminated.certificate, eliminated.answer.assignment) is None
        seen[Branch] += any(branches(eliminated.certificate))
        seen[DominatedOptions] += any(isinstance(step, DominatedOptions) for step in steps(eliminated.certificate))
    assert min(seen.values()) > CASES / 10


def test_what_replaced_options_lose_is_taken_off_the_bound(small, monkeypatch):
    monkeypatch.setattr(elimination, "_NEARLY", 0.8)
    monkeypatch.setattr(elimination, "_PARTS", 2)
    rng = random.Random(32)
    lost = worse = 0
    for _ in range(CASES):
        problem = with_hubs(rng, density=0.8)
        expected, eliminated = brute(problem), eliminate(problem)
        assert type(eliminated.answer) is type(expected)
        if isinstance(expected, Impossible):
            continue
        certificate, best = eliminated.certificate, eliminated.answer
        assert eliminated.bound <= expected.cost <= best.cost == eliminated.bound + certificate.loss
        assert certificate.loss <= 0.8 * sum(min(choice.costs) for choice in simplify(problem).problem.choices)
        assert check_certificate(problem, certificate, best.assignment) is None
        no_loss = replace(certificate, loss=0, bound=best.cost)
        assert (check_certificate(problem, no_loss, best.assignment) is None) == (certificate.loss == 0)
        lost += certificate.loss > 0
        worse += best.cost > expected.cost
    assert lost > CASES / 12
    assert worse > 0


def tampered(rng, certificate):
    """A certificate with a case, a cut or a loss changed."""
    branch, cuts = certificate.branch, [step for step in certificate.messages if isinstance(step, DominatedOptions)]
    kinds = ["bound", *(["case", "order", "hub"] if branch else []), *(["instead", "loss"] if cuts else [])]
    kind = rng.choice(kinds)
    messages = list(certificate.messages)
    if kind in ("instead", "loss"):
        number = messages.index(rng.choice(cuts))
        cut = messages[number]
        instead = list(cut.instead)
        instead[rng.randrange(len(instead))] = rng.randrange(len(instead))
        messages[number] = cut._replace(loss=cut.loss - 1) if kind == "loss" else cut._replace(instead=tuple(instead))
        return kind, replace(certificate, messages=tuple(messages), bound=certificate.bound + (kind == "loss"))
    if kind == "bound":
        return kind, replace(certificate, bound=certificate.bound + 1, loss=certificate.loss - 1)
    cases = list(branch.cases)
    if kind == "case":
        del cases[rng.randrange(len(cases))]
    elif kind == "order":
        rng.shuffle(cases)
    hub = branch.hub if kind != "hub" else rng.randrange(branch.hub + 1)
    return kind, replace(certificate, branch=Branch(hub, tuple(cases)))


def test_what_is_accepted_of_a_tampered_certificate_is_an_optimum_still(small):
    rng = random.Random(33)
    refused = dict.fromkeys(("bound", "case", "order", "hub", "instead", "loss"), 0)
    for _ in range(CASES):
        problem = with_hubs(rng, density=0.8)
        eliminated = eliminate(problem, least_memory(problem))
        if isinstance(eliminated.answer, Impossible):
            continue
        least = brute(problem).cost
        has_cuts = any(isinstance(step, DominatedOptions) for step in eliminated.certificate.messages)
        for _ in range(20 if has_cuts else 2):
            kind, certificate = tampered(rng, eliminated.certificate)
            if certificate == eliminated.certificate:
                continue
            for option in range(3):
                given = (option, *eliminated.answer.assignment[1:])
                fault = check_certificate(problem, certificate, given)
                refused[kind] += fault is not None
                assert fault is not None or (problem.allows(given) and problem.cost(given) == least)
    assert min(refused.values()) > 3


def test_no_loss_makes_up_for_an_option_that_goes_with_nothing():
    """A forged cut that leaves only what is not allowed, whatever it says to lose."""
    problem = JointProblem((Choice("a", (0, 5)), Choice("b", (1, 1))), (Compatibility(0, 1, (0, 3)),))
    eliminated = eliminate(replace(problem, links=(Compatibility(0, 1, (3, 3)),)))
    forged = replace(
        eliminated.certificate,
        removals=(),
        messages=(DominatedOptions(0, (0, 0), 2**61),),
        tables=(),
        bound=-(2**61),
        loss=2**61 + 6,
    )
    assert "by more than" in check_certificate(problem, forged, (1, 0))
    assert "does not have the options that are replaced" in check_certificate(
        problem, replace(forged, messages=(DominatedOptions(0, (0,), 0),)), (1, 0)
    )
    chain = replace(forged, messages=(DominatedOptions(0, (1, 0), 0),))
    assert "are replaced by options that are themselves replaced" in check_certificate(problem, chain, (1, 0))
    assert "2 options, but there are 1 cases" in check_certificate(
        problem, replace(forged, messages=(), branch=Branch(0, (Case(()),))), (1, 0)
    )


def test_an_option_is_replaced_where_no_row_is_cheaper_by_more():
    from p2smt.spmd.engines.dominance import differences
    from p2smt.spmd.engines.table import binary, unary

    def compared(made):
        return OptionComparison.of(*made)

    own = differences(unary((4, 5, 9)), (3,), 0)
    link = differences(binary((3, 1, 2), 2), (3, 2), 0)
    assert replacements([compared(own), compared(link)], 0) == ((0, 0, 0), 0)
    near = compared(differences(unary((4, 2, 9)), (3,), 0))
    assert replacements([near, compared(link)], 1) == ((0, 1, 0), 0)
    assert replacements([near, compared(link)], 2) == ((0, 0, 0), 2)


def test_no_table_is_made_that_does_not_fit(small, monkeypatch):
    """What is allocated is bounded by the estimate, and the estimate by the memory given."""
    taken = []
    plain = remaining.minimum

    def watched(tables, sizes):
        taken.append(sum(bytes_of_minimum([scope for scope, _ in tables], sizes)))
        return plain(tables, sizes)

    monkeypatch.setattr(remaining, "minimum", watched)
    rng = random.Random(34)
    refused = 0
    for _ in range(15):
        problem = with_hubs(rng, density=0.9)
        for memory in (250, 500, 1_000, 50_000):
            taken.clear()
            try:
                eliminate(problem, memory)
            except TooLargeError as error:
                refused += error.bytes > memory
            assert max(taken, default=0) <= memory
    assert 5 < refused < 50


def test_highs_searches_where_elimination_takes_too_much_memory_and_the_answer_says_so():
    pytest.importorskip("scipy")
    rng = random.Random(35)
    for _ in range(10):
        problem = with_hubs(rng, density=0.9)
        solver = JointSolver(EngineOptions(memory=100))
        found = solver.solve(problem)
        expected = brute(problem)
        assert type(found.answer) is type(expected)
        if isinstance(expected, Best) and solver.notes:
            assert found.answer.cost == expected.cost
            assert found.certificate is None
            (note,) = solver.notes
            assert note.startswith("elimination would take")
            assert "HiGHS searched instead; with --search memory=1GB elimination does" in note
            with pytest.raises(EngineError, match="leave certify out, or give --search memory=1GB"):
                JointSolver(EngineOptions(memory=100, certify=True)).solve(problem)
            break
    else:
        pytest.fail("nothing was too large")


def test_the_engine_ilp_never_eliminates(monkeypatch):
    pytest.importorskip("scipy")

    def never(*_, **__):
        raise AssertionError("elimination")

    monkeypatch.setattr(solving, "eliminate", never)
    problem = with_hubs(random.Random(36), density=0.9)
    for solver in (
        JointSolver(EngineOptions(ShardingEngine.ILP)),
        JointSolver.aside(EngineOptions(ShardingEngine.ILP)),
    ):
        assert solver.solve(problem).answer.cost == brute(problem).cost


@pytest.mark.thorough  # random problems with hubs are solved and certified above
def test_a_model_that_makes_rotary_angles_inside_is_searched_certified_and_right():
    """Without replaced options a table over cos, sin and one layer has 487,710,720 entries."""
    single = parse_program((DATA / "rotary.tp").read_text(encoding="utf-8"))
    machines = cluster_of(find_system("dgx-h100:1x8"), Nccl())
    graph = graph_of(single)
    sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), machines, even(8))))
    eliminated = eliminate(sharding.problem, 10**9)
    best, certificate = eliminated.answer, eliminated.certificate
    assert check_certificate(sharding.problem, certificate, best.assignment) is None
    assert certificate.loss <= 5e-7 * best.cost
    assert isinstance(verify_program(emit(sharding, best.assignment), single), Proved)
    more = replace(certificate, bound=certificate.bound + 1)
    assert check_certificate(sharding.problem, more, best.assignment) is not None
