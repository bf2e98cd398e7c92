"""HAP's loop: find the fastest program for some ratios, then the best ratios for it, until the ratios repeat.

It begins with ratios proportional to the speeds (HAP, section 3.1). The loop can run into a cycle, and its last pair
need not be the best; the fastest pair is the result.

Coordinate descent on two blocks, with ratios r and program p:
    p[i] = fastest program for r[i]  (`sharding.py`),   r[i + 1] = best ratios for p[i], a linear program (`ratios.py`).
Ratios are rounded to multiples of 1 / 10,000, so there are finitely many, and the sequence either repeats or is stopped
after `ROUNDS` rounds. The time need not fall in every step, because the linear program ignores the rounding to whole
atoms.
Complexity: one search and one linear program for each round.
Reference: Zhang et al., "HAP: SPMD DNN training on heterogeneous GPU clusters with automated program synthesis",
EuroSys 2024, section 3.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.shares import Shares, proportional
from p2smt.spmd.engines.engine import ALL, MEMORY, HapRestriction, Heuristic, ShardingEngine
from p2smt.spmd.model.gradient_sums import ANYWHERE, GradientSums
from p2smt.spmd.search.ratios import best_ratios
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.program import Program

ROUNDS = 8
_DENOMINATOR = 10_000
"""Ratios are rounded to multiples of 1 / 10,000, so that rounding errors do not count as new ratios."""


@dataclass(frozen=True, slots=True)
class Alternation:
    """The (ratios, program) pairs of the loop; `repeats` is the index of the pair whose ratios recurred, or None."""

    pairs: tuple[Candidate, ...]
    repeats: int | None

    @property
    def last(self) -> Candidate:
        """Return the last program of the loop."""
        return self.pairs[-1]

    @property
    def best(self) -> Candidate:
        """Return the fastest pair."""
        return min(self.pairs, key=lambda pair: pair.account.time)

    @property
    def shares(self) -> tuple[Shares, ...]:
        """Return all ratios that were tried."""
        return tuple(pair.shares for pair in self.pairs)


def alternate(
    program: Program,
    cluster: Cluster,
    engine: ShardingEngine = ShardingEngine.ELIMINATION,
    conditions: Sequence[str] = (),
    *,
    heuristics: frozenset[Heuristic] = ALL,
    published: frozenset[HapRestriction] = frozenset(),
    memory: int = MEMORY,
    sums: GradientSums = ANYWHERE,
) -> Alternation:
    """Run the loop for at most `ROUNDS` rounds. Raises EngineError without scipy; ProblemError as `shard` does."""
    shares = proportional(cluster.speeds)
    pairs: list[Candidate] = []
    tried = {shares.parts: 0}
    while True:
        found = shard(
            program,
            cluster,
            (shares,),
            engine,
            conditions,
            beside=False,
            heuristics=heuristics,
            published=published,
            memory=memory,
            sums=sums,
        )
        pairs.append(Candidate(shares, found.program, found.account))
        parts = rounded(best_ratios(found.program, found.account, shares, cluster))
        if parts in tried:
            return Alternation(tuple(pairs), tried[parts])
        if len(pairs) == ROUNDS:
            return Alternation(tuple(pairs), None)
        shares = Shares(f"round {len(pairs)} of the loop", parts)
        tried[parts] = len(pairs)


def rounded(ratios: Sequence[float]) -> tuple[Fraction, ...]:
    """Return ratios as fractions that sum to 1."""
    parts = [Fraction(round(max(0.0, ratio) * _DENOMINATOR), _DENOMINATOR) for ratio in ratios]
    total = sum(parts)
    return tuple(part / total for part in parts)
