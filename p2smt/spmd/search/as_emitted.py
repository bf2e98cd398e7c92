"""The candidates of a search as they are emitted, with collectives in buckets, and the fastest of them."""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.in_buckets import gains, in_buckets
from p2smt.spmd.account.instruction import Account
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.emission.whole_sums import with_whole_sums
from p2smt.spmd.model.conditions import named_in
from p2smt.spmd.search.memory import beyond
from p2smt.spmd.search.sharded import BucketedCalls, OneAxisScope, SegmentScope, Sharded
from p2smt.tensor.buckets import BUCKET
from p2smt.tensor.program import Program


def as_emitted(
    sharded: Sharded, buckets: int | None = None, *, baselines: bool = True, conditions: Sequence[str] = ()
) -> Sharded:
    """The same search, its answer the program that is fastest with collectives in buckets of at most so many bytes.

    None is for the size that is best for each program (`best_bucket`), 0 for none: then it is the search's answer. A
    search counts each collective as a call of its own, and its bound is on such programs: many small ones, as data
    parallelism has, come out slower than they are. `searched` is its answer, to which the bound still belongs. The
    answer is one of what was found: candidates, next best, and baselines with the shares that were tried, each with its
    sums whole in one call where that is faster (`whole_sums.py`), and with its outputs whole (`whole_outputs.py`), for
    which a search counts nothing; what fits into memory comes first. Where there are `conditions`, baselines are left
    out, which do not keep them, for those that do (`Sharded.keeping`), and whole sums where one is on a computed value;
    outputs that a condition speaks of stay as they lie. Leave `baselines` out for other restrictions. In segments,
    whose shares are one program's, it is the search's.
    """
    if buckets == 0:
        return sharded
    answer = sharded.answer
    in_segments = isinstance(sharded.scope, SegmentScope)
    others = [] if in_segments else [*sharded.candidates, *(each for _, each in sharded.spare), *sharded.keeping]
    outputs = [each.name for each in sharded.program.outputs]
    computed = {each.name for each in sharded.program.statements}.difference(outputs)
    sums = baselines and not named_in(conditions, computed)
    baselines = baselines and not conditions
    if baselines and not in_segments:
        tried = {each.shares.parts for each in (answer, *others)}
        others += [each for _, each in sharded.baselines if each.shares.parts in tried]
    emitted = _EmittedPricing(sharded, buckets, named_in(conditions, outputs), sums=sums)
    fastest = min((answer, *others), key=lambda each: emitted.rank(emitted.of(each)))
    made = emitted.of(fastest)
    return replace(
        sharded,
        program=made.program,
        shares=made.shares,
        account=made.account,
        scope=OneAxisScope(made.recomputed) if isinstance(sharded.scope, OneAxisScope) else sharded.scope,
        candidates=tuple(map(emitted.of, sharded.candidates)),
        baselines=tuple((name, emitted.of(each)) for name, each in sharded.baselines),
        spare=tuple((name, emitted.of(each)) for name, each in sharded.spare),
        emission=BucketedCalls(answer, emitted.size(fastest)),
    )


class _EmittedPricing:
    """Candidates in buckets of a size, None for that which is best for each."""

    def __init__(self, sharded: Sharded, buckets: int | None, stay: frozenset[str], *, sums: bool) -> None:
        self._cluster, self._networks = sharded.cluster, sharded.networks
        self._buckets, self._stay, self._sums = buckets, stay, sums
        self._made: dict[int, tuple[Candidate, Candidate, int]] = {}

    def of(self, candidate: Candidate) -> Candidate:
        """The candidate with its account in buckets."""
        return self._known(candidate)[1]

    def size(self, candidate: Candidate) -> int:
        """The bytes of its buckets at most."""
        return self._known(candidate)[2]

    def _known(self, candidate: Candidate) -> tuple[Candidate, Candidate, int]:
        if id(candidate) not in self._made:
            made, size = self._joined(self._whole(candidate, candidate.program))
            if self._sums:
                summed, most = self._joined(self._whole(candidate, with_whole_sums(candidate.program)))
                if self.rank(summed) < self.rank(made):
                    made, size = summed, most
            self._made[id(candidate)] = candidate, made, size
        return self._made[id(candidate)]

    def rank(self, candidate: Candidate) -> tuple[bool, int]:
        """A sort key: programs that fit into memory first, the fastest first."""
        return any(beyond(self._cluster.devices, candidate.account.memory)), candidate.account.time

    def _whole(self, candidate: Candidate, program: Program) -> Candidate:
        """A candidate that has this program instead, with its outputs made whole but for those that stay."""
        program = with_whole_outputs(program, self._stay)
        return replace(candidate, program=program, account=self._account(program, 0))

    def _joined(self, candidate: Candidate) -> tuple[Candidate, int]:
        """A candidate of these calls in buckets, and their size."""
        size = BUCKET if self._buckets is None else self._buckets
        account = self._account(candidate.program, size)
        if self._buckets is None and not gains(candidate.account, account, self._cluster):
            account, size = candidate.account, 0
        return replace(candidate, account=account), size

    def _account(self, program: Program, size: int) -> Account:
        return in_buckets(program, self._cluster, size, self._networks)
