"""The groups that nccl-tests forms of its ranks, and their pattern on a system.

Ranks are devices, host by host, so a split is a statement about the digits of the device number: with u devices in a
unit of a level of n units, DIV k puts into one group
    1 unit if k <= u,   n units if k >= u n,   else k / u units, which must be whole and divide n.
MOD k has the same digits with the roles of varying and free exchanged.
Complexity: O(levels).
Reference: nccl-tests, README (`NCCL_TESTS_SPLIT`); Knuth, "The Art of Computer Programming 2", section 4.1 (mixed
radix).

Example: 2 nodes of 8 GPUs. DIV 8 are the nodes; MOD 8 the pairs of GPUs with the same number; DIV 4 the halves of
nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise

from p2smt.cost.calibration.nccl_run import DeviceLine
from p2smt.cost.network.pattern import Digits, Pattern, Role
from p2smt.errors import ProblemError
from p2smt.problem.system.file import resized
from p2smt.problem.system.network import System
from p2smt.wording import sizes_text


class SplitKind(StrEnum):
    """The kind of NCCL_TESTS_SPLIT: DIV groups neighbouring ranks, MOD groups every k-th rank."""

    DIV = "DIV"
    MOD = "MOD"


@dataclass(frozen=True, slots=True)
class GroupSplit:
    """The split `NCCL_TESTS_SPLIT="DIV k"` (rank // k numbers the groups) or `"MOD k"` (rank % k does)."""

    cut: SplitKind
    k: int

    def __str__(self) -> str:
        return f"{self.cut} {self.k}"


def measured_part(ranks: Sequence[DeviceLine], system: System) -> System:
    """Return the part of a system on which fewer ranks than devices ran: its first machines, and their first devices.

    The hosts of the ranks tell how many machines ran. Returns the system itself if the ranks fill no such part;
    `groups_of` then rejects them.
    """
    hosts = [len(list(found)) for _, found in groupby(ranks, lambda rank: rank.host)]
    if not 0 < len(ranks) < system.devices or len(set(hosts)) > 1:
        return system
    machines = system.machine + 1 if all(rank.host for rank in ranks) else 0
    sizes = [level.size for level in system.levels]
    parts = [
        (sizes[:machines], len(hosts) if machines else 1),
        (sizes[machines:], hosts[0] if machines else len(ranks)),
    ]
    found = [filled(some, count) for some, count in parts]
    return resized(system, [size for part in found if part for size in part]) if None not in found else system


def filled(sizes: Sequence[int], count: int) -> list[int] | None:
    """Return the sizes of the first `count` units, filling inner levels first; None if they fill no whole units.

    >>> filled([4, 8], 2), filled([4, 8], 16), filled([4, 8], 12), filled([], 1)
    ([1, 2], [2, 8], None, [])
    """
    found = []
    # From the innermost level outwards; an incomplete inner level leaves a remainder.
    for size in reversed(sizes):
        taken = min(size, count)
        if count % taken:
            return None
        count //= taken
        found.append(taken)
    return found[::-1] if count == 1 else None


def groups_of(ranks: Sequence[DeviceLine], system: System, place: str) -> list[int]:
    """Return the groups of ranks 0, 1, ...; raises ProblemError unless ranks are the system's devices, host by host."""
    if not ranks:
        raise ProblemError(
            f"{place}: the table has no device list, so its groups are unknown; "
            "keep the lines '#  Rank  0 Group  0 Pid ...' that nccl-tests prints above it"
        )
    ordered = sorted(ranks, key=lambda rank: rank.number)
    for rank, following in pairwise(ordered):
        if rank.number == following.number:
            raise ProblemError(
                f"{place}: the device list names rank {rank.number} twice; build nccl-tests with MPI=1, "
                "because without it every process runs alone"
            )
    for number, rank in enumerate(ordered):
        if number != rank.number:
            raise ProblemError(f"{place}: the device list lacks rank {number}; keep all of its lines")
    if len(ordered) != system.devices:
        raise ProblemError(
            f"{place} was measured with {len(ordered)} ranks, but the system has {system.devices} devices "
            f"({sizes_text(system.levels)}); give its levels the sizes that were measured, and run one process per GPU"
        )
    _check_hosts(ordered, place)
    return [rank.group for rank in ordered]


def _check_hosts(ranks: Sequence[DeviceLine], place: str) -> None:
    """Raise ProblemError if ranks alternate between hosts: device numbers go host by host."""
    hosts = [(host, next(found).number) for host, found in groupby(ranks, lambda rank: rank.host)]
    seen: set[str] = set()
    for host, number in hosts:
        if host in seen:
            raise ProblemError(
                f"{place}: rank {number} is on host {host[:64]} again, after ranks on other hosts; devices are "
                "numbered host by host, so start the ranks in that order (mpirun --map-by slot)"
            )
        seen.add(host)


def split_of(groups: Sequence[int], place: str) -> GroupSplit | None:
    """Return the split that puts rank i into group `groups[i]`, for any group numbers; None for a single group.

    >>> str(split_of([7, 7, 9, 9], "a.txt")), str(split_of([0, 1, 0, 1], "a.txt")), split_of([0, 0], "a.txt")
    ('DIV 2', 'MOD 2', None)
    """
    ranks, count = len(groups), len(set(groups))
    if count == ranks:
        raise ProblemError(f"{place}: every rank is a group of its own, so no link was used; leave this table out")
    if count == 1:
        return None
    # Each group is numbered by its first rank, so the groups' own numbers do not matter.
    first = {group: ranks - 1 - back for back, group in enumerate(reversed(groups))}
    found = [first[group] for group in groups]
    size = ranks // count
    if found == [rank - rank % size for rank in range(ranks)] and ranks % count == 0:
        return GroupSplit(SplitKind.DIV, size)
    if found == [rank % count for rank in range(ranks)] and ranks % count == 0:
        return GroupSplit(SplitKind.MOD, count)
    raise ProblemError(
        f"{place}: its {ranks} ranks are in {count} groups that are not equal parts DIV k (rank // k) or "
        "MOD k (rank % k); measure with NCCL_TESTS_SPLIT set to one of these, and one process per GPU"
    )


def split_pattern(split: GroupSplit | None, system: System, place: str) -> Pattern:
    """Return the pattern of a split's groups; raises ProblemError if the split cuts a level into unequal parts.

    A device number is mixed radix over the levels, outermost most significant. For DIV k the digits below k vary inside
    groups, and those above k tell groups apart; for MOD k it is the other way round.
    """
    levels: list[Digits] = []
    inside = system.devices
    under, over = Role.VARYING, Role.FREE
    if split is not None and split.cut is SplitKind.MOD:
        under, over = over, under
    for level in system.levels:
        # After the division, `inside` is the number of devices in a unit of this level.
        inside //= level.size
        below = level.size if split is None else _below(split.k, inside, level.size)
        if below is None:
            raise ProblemError(
                f"{place}: NCCL_TESTS_SPLIT {split} cuts level {level.name}={level.size} (units of {inside} devices) "
                "into unequal parts; measure with a number that whole units, or equal parts of the level, make up"
            )
        digits = ((over, level.size // below), (under, below))
        levels.append(tuple((role, size) for role, size in digits if size > 1))
    return Pattern(tuple(levels))


def _below(k: int, inside: int, size: int) -> int | None:
    """Return the units of a level, of `inside` devices each, in a part of `k` consecutive devices.

    At least 1 and at most `size`; None if the part is not a whole number of units that divides `size`.
    """
    if k >= inside * size:
        return size
    if k <= inside:
        return 1
    units, rest = divmod(k, inside)
    return units if rest == 0 and size % units == 0 else None
