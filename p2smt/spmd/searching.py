"""The fastest program of one joint problem, by stages, and a bound on all of its programs."""

from dataclasses import dataclass, replace

from p2smt.errors import EngineError, ProblemError
from p2smt.spmd.astar import astar
from p2smt.spmd.bound import lost, relaxations
from p2smt.spmd.brute import brute
from p2smt.spmd.build import Sharding
from p2smt.spmd.candidate import Candidate
from p2smt.spmd.certificate_check import check_certificate
from p2smt.spmd.chosen import Chosen, chosen
from p2smt.spmd.elimination import Certificate, eliminate
from p2smt.spmd.emission import emit
from p2smt.spmd.engine import Engine, Search
from p2smt.spmd.ilp import solve
from p2smt.spmd.instructions import account
from p2smt.spmd.memory import excess, fitted
from p2smt.spmd.problem import Best, Impossible

_ROUNDING = 5e-7
"""Of the cost: a relaxation that differs by no more, because of rounding alone, is not searched on its own."""


@dataclass(frozen=True, slots=True)
class Made:
    """A program, and what was chosen for it, of all that there was to choose."""

    sharding: Sharding
    assignment: tuple[int, ...]
    chosen: Chosen
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Searched:
    """The fastest program, and what none is below, in picoseconds; `tight` where a faster one does not fit."""

    fastest: Made
    bound: int
    tight: bool


def rank_of(made: Made) -> tuple[bool, int]:
    """What fits into memory first, then by time."""
    account = made.candidate.account
    return any(excess(made.sharding, account.memory)), account.time


def searched(sharding: Sharding, search: Search) -> Searched:
    """The fastest by stages of the optima of the problem and of its relaxations, which give the bound."""
    shares, cluster = sharding.pricing.shares, sharding.pricing.cluster
    first, least = _solved(sharding, search)
    bounds = []
    for problem in relaxations(sharding):
        rounded = lost(sharding.problem, problem)
        if rounded <= least * _ROUNDING:
            bounds.append((first, least - rounded))
        else:
            bounds.append(_solved(replace(sharding, problem=problem), search))
    programs = []
    for assignment in dict.fromkeys(best.assignment for best in (first, *(best for best, _ in bounds))):
        program = emit(sharding, assignment)
        programs.append((Candidate(shares, program, account(program, cluster)), assignment))
    candidate, assignment = min(programs, key=lambda pair: pair[0].account.time)
    tight = any(excess(sharding, candidate.account.memory))
    if tight:
        fits = [pair for pair in programs if not any(excess(sharding, pair[0].account.memory))]
        fitting = None if fits else fitted(sharding)
        if fitting is not None:
            fits = [(Candidate(shares, fitting.program, fitting.account), fitting.assignment)]
        candidate, assignment = min(fits, key=lambda pair: pair[0].account.time, default=(candidate, assignment))
    made = Made(sharding, assignment, chosen(sharding, assignment), candidate)
    return Searched(made, max(bound for _, bound in bounds), tight)


def _solved(sharding: Sharding, search: Search) -> tuple[Best, int]:
    """The cheapest assignment and what the engine has proved that none is below; a certificate is checked if asked.

    EngineError where the checker does not accept it.
    """
    problem, bound = sharding.problem, None
    certificate: Certificate | None = None
    match search.engine:
        case Engine.ELIMINATION:
            eliminated = eliminate(problem)
            answer, certificate = eliminated.answer, eliminated.certificate
        case Engine.ILP:
            solved = solve(problem)
            answer, bound = solved.answer, solved.bound
        case Engine.ASTAR:
            answer = astar(sharding, search.heuristics).answer
        case Engine.BRUTE:
            answer = brute(problem)
    if isinstance(answer, Impossible):
        raise ProblemError("no program keeps all conditions and restrictions; drop one of them")
    if search.certify:
        if certificate is None:
            raise EngineError(f"engine {search.engine} gives no certificate; take the engine {Engine.ELIMINATION}")
        fault = check_certificate(problem, certificate, answer.assignment)
        if fault is not None:
            raise EngineError(
                f"the certificate of the optimum is not accepted by its checker: {fault}; nothing is proved"
            )
    return answer, answer.cost if bound is None else min(bound, answer.cost)
