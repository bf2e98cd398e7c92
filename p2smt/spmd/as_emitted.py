"""Which of the programs that were found is fastest as it is emitted, with its collectives in buckets."""

from p2smt.spmd.candidate import Candidate
from p2smt.spmd.in_buckets import best_bucket, in_buckets
from p2smt.spmd.memory import beyond
from p2smt.spmd.sharding import Sharded


def fastest_emitted(sharded: Sharded, *, baselines: bool = True) -> Candidate:
    """The answer of a search on one axis, or a candidate or baseline that is faster once collectives are joined.

    A search counts each collective as a call of its own, and its bound is on such programs: many small ones, as data
    parallelism has, come out slower than they are. What fits into memory comes first. Leave `baselines` out where there
    are conditions, which they do not keep.
    """
    cluster = sharded.cluster
    answer = Candidate(sharded.shares, sharded.program, sharded.account)
    found = [answer, *sharded.candidates, *(each for _, each in sharded.spare)]
    if baselines:
        found += [each for _, each in sharded.baselines]

    def rank(candidate: Candidate) -> tuple[bool, int]:
        made = in_buckets(candidate.program, cluster, best_bucket(candidate.program, cluster))
        return any(beyond(cluster.devices, made.memory)), made.time

    return min(found, key=rank)
