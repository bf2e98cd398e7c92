"""Proof that no program costs less than the winner: one obligation for each placement of a problem.

For a placement with whole-number prices the obligation is unsatisfiable exactly if no valid program of at most `limit`
instructions costs less than the winner (`reduction/rules/optimality.py`); longer programs are covered by checked
distances (`any_length_proof.py`). Placements are proved in ascending order of price: a proof for prices p covers every
placement of the same language whose prices are all at least p, since every program costs at least as much there.

The outcome of a placement is `OptimalityProof`, `CostBound` (a lower bound below the winner, with the reason), or
`CheaperProgram`, which is possible only if the search for programs was stopped early.

    proved(prices p)  implies  proved(prices q)   if q[i] >= p[i] for every step i, in the same language.

Complexity: one solver query for each placement that no earlier proof covers. Each query is NP-complete in the number of
code bits, and takes milliseconds for up to four levels.
Reference: McConnell et al., "Certifying algorithms", 2011.

Example: on 4x8 GPUs, every price of an axis of 8 spread over nodes is at least that of an axis of 8 inside a node; a
proof that nothing beats the winner on the latter also covers the former (`implied_by`).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from p2smt.argument_types import require
from p2smt.cost.any_length_proof import AnyLength, DistanceProver
from p2smt.cost.network.cost import Cost
from p2smt.cost.ranking import RankedPlacement, Ranker, best_placement, competition_ranks
from p2smt.cost.step_prices import Scale, scale_of, step_seconds
from p2smt.cost.ten_digits import ten_digits_text
from p2smt.display import one_line
from p2smt.errors import EngineError
from p2smt.problem.model import Problem
from p2smt.problem.quantity import format_seconds
from p2smt.reduction.language.hierarchy import language_of, program_text
from p2smt.reduction.language.language import Language, Steps
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.rules.optimality import (
    CheaperProgram,
    CostBound,
    CostObligation,
    OptimalityProof,
    Outcome,
    Prices,
    build_obligation,
    decide,
)
from p2smt.reduction.synth.replay import invalid_programs, replay_sizes
from p2smt.reduction.synth.session import PlacedPrograms, Synthesis
from p2smt.smt.answer import Stop
from p2smt.smt.smtlib import Script, Status


@dataclass(frozen=True, slots=True)
class PlacementProof:
    """A proof for one placement.

    `lower_bound_s`: a lower bound on the seconds of every valid program; the winner's time (to ten digits) if the
    placement is proved. `implied_by`: an earlier placement whose proof covers this one, because no price is lower here.
    `beaten_by`: the text of a cheaper program; possible only if the search for programs was incomplete. `any_length`:
    the result of the distance check, which covers programs of any length.
    """

    placed: PlacedPrograms
    outcome: Outcome
    lower_bound_s: float
    any_length: AnyLength
    implied_by: PlacedPrograms | None = None
    beaten_by: str | None = None

    @property
    def proved(self) -> bool:
        """True if no valid program costs less than the winner."""
        return isinstance(self.outcome, OptimalityProof)

    @property
    def excluded(self) -> tuple[Steps, ...]:
        """The programs whose collectives alone are cheaper than the winner, but not with their permutations."""
        return () if isinstance(self.outcome, CheaperProgram) else self.outcome.excluded

    @property
    def reason(self) -> str:
        """The reason why only a lower bound is known; empty otherwise."""
        return self.outcome.reason if isinstance(self.outcome, CostBound) else ""


@dataclass(frozen=True, slots=True)
class WinnerCertificate:
    """The proofs for all placements found, in their order, against a winner of `winner_s` seconds.

    `complete`: the synthesis found all placements and all their programs up to the limit. `script`: the obligation for
    the winner's placement; None if the time was up before it was built.
    """

    winner_s: float
    proofs: tuple[PlacementProof, ...]
    complete: bool
    script: Script | None
    elapsed_s: float

    @property
    def proved(self) -> bool:
        """True if the winner is proved optimal over all placements and programs."""
        return self.complete and all(proof.proved for proof in self.proofs)

    @property
    def certain(self) -> bool:
        """True if everything is proved that can be; distances over more than `MAX_LEVELS` levels are not computed."""
        return self.proved and not any(proof.any_length.tried and proof.any_length.missing for proof in self.proofs)

    @property
    def proved_any_length(self) -> bool:
        """True if checked distances prove the winner optimal among programs of any length."""
        return self.complete and not any(proof.any_length.missing for proof in self.proofs)

    @property
    def lower_bound_s(self) -> float:
        """A lower bound on every valid program on the placements found, in seconds."""
        return min(proof.lower_bound_s for proof in self.proofs)

    def __repr__(self) -> str:
        return one_line(
            self,
            f"{'proved' if self.proved else 'not proved'}: {format_seconds(self.winner_s)}, lower bound "
            f"{format_seconds(self.lower_bound_s)}",
        )


def certify(
    synthesis: Synthesis, ranked: Sequence[RankedPlacement], cost: Cost, deadline: float | None = None
) -> WinnerCertificate | None:
    """Prove that no program costs less than the best of `ranked`; None when there is none.

    `ranked` are the placements of the synthesis, priced by `cost`. `deadline` is a time of `time.monotonic`.
    """
    require(synthesis, Synthesis, "synthesis", "synthesize makes one")
    require(cost, Cost, "cost", "cost_of makes one")
    winner = best_placement(ranked)
    if winner is None:
        return None
    began = time.monotonic()
    certifier = _Certifier(synthesis, winner, cost, deadline)
    # Cheapest first: a proof for low prices covers placements of the same language with higher
    # prices.
    by_cost = sorted(ranked, key=lambda one: one.programs[0].seconds if one.programs else float("inf"))
    proofs = {one.placed.matrix: certifier.proof(one.placed) for one in by_cost}
    return WinnerCertificate(
        winner.programs[0].seconds,
        tuple(proofs[one.placed.matrix] for one in ranked),
        synthesis.complete,
        certifier.script,
        time.monotonic() - began,
    )


def refuse_unlike(problem: Problem) -> None:
    """Raise EngineError on systems with units of different sizes, for which the proof rules do not hold."""
    if problem.system.tree is not None:
        raise EngineError(
            "certificates use the level algebra, which needs a regular hierarchy, and this one is "
            f"irregular: {problem.system.tree}; leave --certify out (all programs up to the limit are "
            "still found and priced)"
        )


@dataclass(frozen=True, slots=True)
class _ProvedPlacement:
    """A proved placement and its prices."""

    language: Language
    prices: Prices
    proof: PlacementProof


class _Certifier:
    def __init__(self, synthesis: Synthesis, winner: RankedPlacement, cost: Cost, deadline: float | None) -> None:
        self._synthesis = synthesis
        self._problem: Problem = synthesis.problem
        self._winner = winner
        self._seconds = winner.programs[0].seconds
        self._scale: Scale = scale_of(self._seconds)
        self._cost = cost
        self._deadline = deadline
        self._known: list[_ProvedPlacement] = []
        self._distances = DistanceProver(self._scale, cost, deadline)
        self._stopped: str | None = None
        self.script: Script | None = None

    def proof(self, placed: PlacedPrograms) -> PlacementProof:
        """Return a proof for a placement, reusing an earlier proof if one covers it, else with the solver."""
        lowering = Lowering(self._problem, placed.matrix)
        language = language_of(lowering.hierarchy, self._problem.search.grammar, self._problem.goal)
        table = step_seconds(lowering, language, self._cost)
        prices = {
            step: {held: min(self._scale.units(seconds), self._scale.bound) for held, seconds in by_set.items()}
            for step, by_set in table.items()
        }
        any_length = self._distances.proof(lowering, language, prices)
        costs_less = self._pricing(placed, language)
        earlier = self._covering(language, prices, costs_less)
        if earlier is not None:
            return replace(earlier, placed=placed, implied_by=earlier.placed, any_length=any_length)
        outcome = self._solve(placed, language, prices, costs_less)
        beaten = self._beaten(placed, language, outcome)
        proof = PlacementProof(placed, outcome, self._least(outcome), any_length, beaten_by=beaten)
        if proof.proved:
            self._known.append(_ProvedPlacement(language, prices, proof))
        return proof

    def _covering(
        self, language: Language, prices: Prices, costs_less: Callable[[Steps], bool]
    ) -> PlacementProof | None:
        """Return an earlier proof whose prices are nowhere higher; the programs it excluded are priced again here."""
        for known in self._known:
            if known.language == language and _nowhere_higher(known.prices, prices):
                outcome = known.proof.outcome
                assert isinstance(outcome, OptimalityProof)
                if not any(map(costs_less, outcome.excluded)):
                    return known.proof
        return None

    def _solve(
        self, placed: PlacedPrograms, language: Language, prices: Prices, costs_less: Callable[[Steps], bool]
    ) -> Outcome:
        """Return the solver's outcome; after an interrupt or the deadline, the solver is not called again."""
        if self._stopped is not None:
            return CostBound(0, self._stopped)
        try:
            limit, bound = self._problem.search.limit, self._scale.bound
            obligation = build_obligation(language, limit, prices, bound, self._deadline)
        except KeyboardInterrupt:
            self._stopped = Stop.INTERRUPTED
            return CostBound(0, Stop.INTERRUPTED)
        outcome = CostBound(0, Stop.DEADLINE) if obligation is None else decide(obligation, costs_less, self._deadline)
        if isinstance(outcome, CostBound) and outcome.reason in set(Stop):
            self._stopped = outcome.reason
        if obligation is not None and placed is self._winner.placed:
            self.script = self._script(obligation, outcome)
        return outcome

    def _pricing(self, placed: PlacedPrograms, language: Language) -> Callable[[Steps], bool]:
        """Return a predicate: replay a program in the concrete semantics, and tell if it ranks before the winner."""
        sizes = replay_sizes([level.size for level in placed.hierarchy.reduction_levels])

        def costs_less(steps: Steps) -> bool:
            assert not invalid_programs([steps], sizes, self._problem.goal), f"an invalid program: {steps}"
            alone = replace(placed, programs=(language.program(steps),))
            (priced,) = Ranker(self._cost, any_length=False).placement(self._problem, alone).programs
            return competition_ranks([priced.seconds, self._seconds]) == ([0, 1], [1, 2])

        return costs_less

    def _least(self, outcome: Outcome) -> float:
        match outcome:
            case OptimalityProof():
                return self._seconds
            case CostBound(lower_bound):
                return min(self._scale.least_seconds(lower_bound), self._seconds)
            case CheaperProgram():
                return 0.0

    def _beaten(self, placed: PlacedPrograms, language: Language, outcome: Outcome) -> str | None:
        if not isinstance(outcome, CheaperProgram):
            return None
        text = program_text(placed.hierarchy, language.program(outcome.steps))
        assert not self._synthesis.complete, f"the ranking of all programs lacks a cheaper one: {text}"
        return text

    def _script(self, obligation: CostObligation, outcome: Outcome) -> Script | None:
        """Return the obligation with the winner's bound or the proved lower bound; None if a program is cheaper."""
        if isinstance(outcome, CheaperProgram):
            return None
        bound = obligation.bound if isinstance(outcome, OptimalityProof) else outcome.lower_bound
        search, levels = self._problem.search, self._winner.placed.hierarchy.reduction_levels
        over = ", ".join(f"{level.name} of size {level.size}" for level in levels) or "no level"
        least, unit = ten_digits_text(self._least(outcome)), ten_digits_text(float(self._scale.unit))
        about = (
            f"Placement {self._winner.placed.matrix}, reduction over {over}: no valid program of at most "
            f"{search.limit} instructions of grammar {search.grammar} takes less than {least} s. One unit of "
            f"the prices is {unit} s; prices are rounded down, and those above "
            f"{obligation.bound} units are cut to that."
        )
        source = "P2 (MLSys 2022), figure 8 (rules), states as level sets instead of matrices; prices of this system"
        return obligation.script("optimality", about, source, Status.UNSAT, bound, outcome.excluded)


def _nowhere_higher(left: Prices, right: Prices) -> bool:
    return all(price <= right[step][held] for step, by_set in left.items() for held, price in by_set.items())
