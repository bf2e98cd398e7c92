"""Shard a step in segments, and compare with the fastest program whose ratios are the same everywhere."""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.shares import vertices
from p2smt.spmd.engines.engine import EngineOptions
from p2smt.spmd.model.graph import Graph, graph_of
from p2smt.spmd.search.segments.choice import parse_segments
from p2smt.spmd.search.segments.loop import SharesProgram, best_pair, segment_loop
from p2smt.spmd.search.segments.partition import Partition
from p2smt.spmd.search.sharded import Segment, SegmentScope, ShardingResult
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.program import Program


def shard_in_segments(
    program: Program, cluster: Cluster, text: str, search: EngineOptions, conditions: Sequence[str] = ()
) -> ShardingResult:
    """Return the fastest pair of HAP's loop, for segments given by `text`. The first baseline has no segments.

    The bound is the least of all pairs' bounds, each for the ratios tried. Raises ProblemError if `text` does not
    parse.
    """
    graph = graph_of(program)
    partition = parse_segments(text, graph)
    pairs = segment_loop(graph, partition, cluster, search, conditions)
    free = shard(
        program,
        cluster,
        vertices(cluster.speeds),
        search.engine,
        conditions,
        certify=search.certify,
        heuristics=search.heuristics,
        published=search.published,
        memory=search.memory,
    )
    best = best_pair(pairs)
    made = best.made
    return replace(
        free,
        program=made.candidate.program,
        shares=made.candidate.shares,
        account=made.candidate.account,
        lower_bound=min(pair.found.bound for pair in pairs),
        candidates=tuple(
            replace(pair.made.candidate, shares=replace(pair.made.candidate.shares, name=_name(number)))
            for number, pair in enumerate(pairs)
        ),
        baselines=((f"one segment, {free.shares.name}", free.answer), *free.baselines),
        scope=SegmentScope(_segments(graph, partition, best)),
        notes=tuple(dict.fromkeys([*(note for pair in pairs for note in pair.found.notes), *free.notes])),
    )


def _name(number: int) -> str:
    return f"round {number} of the loop" if number else "proportional"


def _segments(graph: Graph, partition: Partition, best: SharesProgram) -> tuple[Segment, ...]:
    work = [0] * partition.count
    for node in graph.nodes:
        work[partition.of[node.result]] += node.flops
    return tuple(
        Segment(partition.parameters(graph, number), flops, shares)
        for number, (flops, shares) in enumerate(zip(work, best.shares, strict=True))
    )
