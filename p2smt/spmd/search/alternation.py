"""HAP's loop: the fastest program for some shares, then the best shares for that program, until nothing is new.

It begins with shares in proportion to the speeds (HAP, section 3.1). It may go round in circles, and what it ends with
need not be the best that it has seen: the fastest pair is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.shares import Shares, proportional
from p2smt.spmd.engines.engine import ALL, MEMORY, Engine, HapRestriction, Heuristic
from p2smt.spmd.model.gradient_sums import ANYWHERE, GradientSums
from p2smt.spmd.search.ratios import best_ratios
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.program import Program

ROUNDS = 8
_DENOMINATOR = 10_000
"""Ratios are rounded to this denominator, so that rounding errors of the linear program do not look new."""


@dataclass(frozen=True, slots=True)
class Alternation:
    """The pairs of the loop in order; `repeats` is the number of the pair whose shares it came back to, if any."""

    pairs: tuple[Candidate, ...]
    repeats: int | None

    @property
    def last(self) -> Candidate:
        """The last program of the loop."""
        return self.pairs[-1]

    @property
    def best(self) -> Candidate:
        """The fastest pair."""
        return min(self.pairs, key=lambda pair: pair.account.time)

    @property
    def shares(self) -> tuple[Shares, ...]:
        """All shares that were tried."""
        return tuple(pair.shares for pair in self.pairs)


def alternate(
    program: Program,
    cluster: Cluster,
    engine: Engine = Engine.ELIMINATION,
    conditions: Sequence[str] = (),
    *,
    heuristics: frozenset[Heuristic] = ALL,
    published: frozenset[HapRestriction] = frozenset(),
    memory: int = MEMORY,
    sums: GradientSums = ANYWHERE,
) -> Alternation:
    """The loop, for at most a few rounds. EngineError without scipy; ProblemError as `shard`."""
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
    """Fractions that sum to 1."""
    parts = [Fraction(round(max(0.0, ratio) * _DENOMINATOR), _DENOMINATOR) for ratio in ratios]
    total = sum(parts)
    return tuple(part / total for part in parts)
