"""HAP's loop with segments: find the fastest program for all segments' ratios, then each segment's best ratios.

Coordinate descent on two blocks, with s the ratios of all segments and x the program:
    x[i] = fastest program for s[i],
    s[i + 1][segment] = best ratios of the segment's statements in x[i], the other segments' fixed  (`ratios.py`).
It begins with ratios proportional to the speeds, and ends when ratios occur a second time, or after `ROUNDS` rounds.
All segments change at once and ratios are rounded, so the time can rise; the fastest pair that occurs is the result.
Complexity: one search, and one linear program for each segment, in every round.
Reference: Zhang et al., "HAP: SPMD DNN training on heterogeneous GPU clusters with automated program synthesis",
EuroSys 2024, section 5.

Example: two segments, one of products and one of copies, on devices whose arithmetic differs by 3 and whose memory is
equal. Without communication, the first round keeps 3 : 1 for the products, and goes from 3 : 1 to 1 : 1 for the copies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.shares import Shares, proportional
from p2smt.spmd.emission.emission import statement_tensors
from p2smt.spmd.engines.engine import EngineOptions
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.conditions import parse_conditions
from p2smt.spmd.model.graph import Graph
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.search.alternation import ROUNDS, rounded
from p2smt.spmd.search.ratios import best_ratios
from p2smt.spmd.search.searching import FoundProgram, SearchResult, rank_of, searched
from p2smt.spmd.search.segments.borders import with_borders
from p2smt.spmd.search.segments.partition import Partition
from p2smt.spmd.search.segments.pricing import SegmentedPricing, segmented_pricing

_Parts = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class SharesProgram:
    """The ratios of every segment, and the fastest program for them."""

    shares: tuple[Shares, ...]
    found: SearchResult

    @property
    def made(self) -> FoundProgram:
        """Return the program."""
        return self.found.fastest


def segment_loop(
    graph: Graph, partition: Partition, cluster: Cluster, search: EngineOptions, conditions: Sequence[str] = ()
) -> tuple[SharesProgram, ...]:
    """Return the pairs of the loop, for at most `ROUNDS` rounds.

    Raises EngineError without scipy, and ProblemError as `build` does.
    """
    bordered, segments = with_borders(graph, partition)
    classes, restriction = classes_of(bordered), parse_conditions(conditions, bordered)
    shares = (proportional(cluster.speeds),) * partition.count
    pairs: list[SharesProgram] = []
    tried: set[_Parts] = set()
    while len(pairs) < ROUNDS:
        tried.add(tuple(each.parts for each in shares))
        pricing = segmented_pricing(bordered, classes, cluster, segments, shares)
        found = searched(build(OptionCache(pricing), restriction, search.published), search)
        pairs.append(SharesProgram(shares, found))
        parts = _better(found.fastest, pricing, shares)
        if parts in tried:
            break
        shares = tuple(Shares(f"round {len(pairs)} of the loop", each) for each in parts)
    return tuple(pairs)


def best_pair(pairs: Sequence[SharesProgram]) -> SharesProgram:
    """Return the fastest pair that fits into memory, else the fastest."""
    return min(pairs, key=lambda pair: rank_of(pair.made))


def _better(made: FoundProgram, pricing: SegmentedPricing, shares: tuple[Shares, ...]) -> _Parts:
    """Return the best ratios of each segment, with the program's choices and the other segments' ratios fixed."""
    program, account = made.candidate.program, made.candidate.account
    tensors = statement_tensors(made.sharding, made.assignment)
    statements: list[set[str]] = [set() for _ in shares]
    for name, tensor in tensors.items():
        statements[pricing.segment(tensor)].add(name)
    found = []
    for mine, some in zip(shares, statements, strict=True):
        found.append(rounded(best_ratios(program, account, mine, pricing.cluster, some)))
    return tuple(found)
