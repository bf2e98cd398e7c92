"""Price the candidates of a search as they are emitted, with collectives in buckets, and pick the fastest."""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.in_buckets import gains
from p2smt.spmd.account.instruction import Account
from p2smt.spmd.account.instructions import Accounts
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.emission.whole_sums import with_whole_sums
from p2smt.spmd.model.conditions import named_in
from p2smt.spmd.search.memory import beyond
from p2smt.spmd.search.sharded import BucketedCalls, OneAxisScope, SegmentScope, ShardingResult
from p2smt.tensor.buckets import BUCKET
from p2smt.tensor.program import Program


def as_emitted(
    sharded: ShardingResult, buckets: int | None = None, *, baselines: bool = True, conditions: Sequence[str] = ()
) -> ShardingResult:
    """Return the search result with the answer that is fastest with collectives fused into buckets.

    `buckets` is the most bytes of a bucket. None uses the best bucket size of each program (`best_bucket`); 0 keeps
    the search's answer. A search prices every collective as one call, and so does its bound; a program with many
    small collectives, such as data parallelism, looks slower there than it is. `searched` keeps the search's answer,
    which the bound belongs to. The answer is chosen among the candidates, the next best programs, and the baselines
    with ratios that were tried. Each is priced with outputs replicated (`whole_outputs.py`), which a search does not
    charge for, and with ReduceScatter and AllGather merged if that is faster (`whole_sums.py`). Programs that fit
    into memory come first.

    With `conditions`, `ShardingResult.keeping` replaces the baselines, which ignore conditions; sums are not merged
    if a condition names a computed value, and outputs that a condition names keep their layout. Pass
    `baselines=False` under other restrictions. In segments, only the search's answer is priced, because its ratios
    belong to it alone.
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
    """Prices of candidates in buckets of a given size; None uses the best size for each."""

    def __init__(self, sharded: ShardingResult, buckets: int | None, stay: frozenset[str], *, sums: bool) -> None:
        self._accounts = Accounts(sharded.cluster, sharded.networks)
        self._buckets, self._stay, self._sums = buckets, stay, sums
        self._made: dict[int, tuple[Candidate, Candidate, int]] = {}

    def of(self, candidate: Candidate) -> Candidate:
        """Return the candidate with its account in buckets."""
        return self._known(candidate)[1]

    def size(self, candidate: Candidate) -> int:
        """Return the bucket size of a candidate in bytes."""
        return self._known(candidate)[2]

    def _known(self, candidate: Candidate) -> tuple[Candidate, Candidate, int]:
        if id(candidate) not in self._made:
            made, size = self._joined(self._whole(candidate, candidate.program))
            whole = with_whole_sums(candidate.program) if self._sums else candidate.program
            if whole != candidate.program:
                summed, most = self._joined(self._whole(candidate, whole))
                if self.rank(summed) < self.rank(made):
                    made, size = summed, most
            self._made[id(candidate)] = candidate, made, size
        return self._made[id(candidate)]

    def rank(self, candidate: Candidate) -> tuple[bool, int]:
        """Return a sort key: programs that fit into memory first, then by time."""
        return any(beyond(self._accounts.cluster.devices, candidate.account.memory)), candidate.account.time

    def _whole(self, candidate: Candidate, program: Program) -> Candidate:
        """Return the candidate with another program, with outputs replicated except those whose layout is fixed."""
        program = with_whole_outputs(program, self._stay, self._accounts.judged(program))
        return replace(candidate, program=program, account=self._account(program, 0))

    def _joined(self, candidate: Candidate) -> tuple[Candidate, int]:
        """Return the candidate with its collectives in buckets, and the bucket size."""
        size = BUCKET if self._buckets is None else self._buckets
        account = self._account(candidate.program, size)
        if self._buckets is None and not gains(candidate.account, account, self._accounts.cluster):
            account, size = candidate.account, 0
        return replace(candidate, account=account), size

    def _account(self, program: Program, size: int) -> Account:
        return self._accounts.in_buckets(program, size)
