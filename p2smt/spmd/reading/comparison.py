"""Compare other programs with the answer: extra time in collectives and computation, or missing memory."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.instruction import Account, AccountedStep
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.search.sharded import ShardingResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerUp:
    """Another program, with the extra picoseconds of its collectives and its computation (negative: it takes less).

    `missing` is the number of bytes by which it exceeds the memory of the worst device. `longest` is the longest of its
    collectives that the answer has fewer of.
    """

    name: str
    candidate: Candidate
    collectives: int
    computing: int
    missing: int
    longest: AccountedStep | None

    @property
    def slower(self) -> int:
        """Return the extra picoseconds of the whole step."""
        return self.collectives + self.computing


def runner_ups(sharded: ShardingResult) -> tuple[RunnerUp, ...]:
    """Return the other programs: the next best, baselines, and the best for other ratios.

    Programs that fit into memory come first, then by time; programs equal to the answer or to each other occur once.
    """
    others = ((f"the best, {each.shares.name} shares", each) for each in sharded.candidates)
    named = [*sharded.spare, *sharded.baselines, *others]
    # Programs are compared, not hashed: unlike ones differ early, and a hash visits every expression.
    seen = [sharded.program]
    found = []
    for name, candidate in named:
        if candidate.program not in seen:
            seen.append(candidate.program)
            found.append(_runner_up(name, candidate, sharded))
    return tuple(sorted(found, key=lambda each: (each.missing > 0, each.slower)))


def why(runner_up: RunnerUp) -> str:
    """Return the reason that it loses, as a sentence without a full stop."""
    if runner_up.missing:
        return f"a device lacks {format_bytes(runner_up.missing)} for it"
    more: list[str] = []
    less: list[str] = []
    for what, amount in (("collectives", runner_up.collectives), ("computing", runner_up.computing)):
        if amount:
            (more if amount > 0 else less).append(f"{what} {format_seconds(abs(amount) / PICO)}")
    if not more:
        return "it takes as long" if not less else f"it is faster: {' and '.join(less)} less"
    said = f"{' and '.join(more)} more"
    if less:
        said += f", {' and '.join(less)} less"
    longest = runner_up.longest
    if longest is not None and runner_up.collectives > 0:
        said += f"; longest: {longest.text} of {format_bytes(longest.bytes)}, {format_seconds(longest.time / PICO)}"
    return said


def lacking(cluster: Cluster, peaks: Sequence[int]) -> int:
    """Return the bytes by which the worst device exceeds its memory; 0 if all fit."""
    return max(
        (
            peak - device.memory
            for device, peak in zip(cluster.devices, peaks, strict=True)
            if device.memory is not None and peak > device.memory
        ),
        default=0,
    )


def _runner_up(name: str, candidate: Candidate, sharded: ShardingResult) -> RunnerUp:
    ours, theirs = sharded.account, candidate.account
    return RunnerUp(
        name=name,
        candidate=candidate,
        collectives=theirs.communication - ours.communication,
        computing=theirs.computing - ours.computing,
        missing=lacking(sharded.cluster, theirs.memory),
        longest=_longest(theirs, ours),
    )


def _longest(theirs: Account, ours: Account) -> AccountedStep | None:
    """Return the longest collective of `theirs` that `ours` has fewer of, by kind and size; None if there is none."""
    left = Counter((each.text, each.bytes) for each in ours.instructions if each.way is not None)
    extra = []
    for each in theirs.instructions:
        if each.way is not None:
            left[each.text, each.bytes] -= 1
            if left[each.text, each.bytes] < 0:
                extra.append(each)
    return max(extra, key=lambda each: each.time, default=None)
