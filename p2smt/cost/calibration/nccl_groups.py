"""The groups that nccl-tests makes of its ranks, and the pattern that they are on a system."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod

from p2smt.cost.pattern import Digits, Pattern, Role
from p2smt.errors import ProblemError
from p2smt.problem.network import System

MOST_RANKS = 1_000_000


class Cut(StrEnum):
    """What NCCL_TESTS_SPLIT does with a rank: DIV puts neighbours into one group, MOD takes every k-th rank."""

    DIV = "DIV"
    MOD = "MOD"


@dataclass(frozen=True, slots=True)
class Split:
    """`NCCL_TESTS_SPLIT="DIV k"`: rank // k numbers the groups; `"MOD k"`: rank % k does. None of both: one group."""

    cut: Cut
    k: int

    def __str__(self) -> str:
        return f"{self.cut} {self.k}"


@dataclass(frozen=True, slots=True)
class Rank:
    """A line of the device list: a rank, the group that it is in, and its host ("" where none is named)."""

    number: int
    group: int
    host: str


def checked_ranks(ranks: Sequence[Rank], system: System, place: str) -> tuple[Rank, ...]:
    """The ranks in their order, if they are the devices 0, 1, ... of the system, host by host."""
    if not ranks:
        raise ProblemError(
            f"{place}: the table has no device list, so its groups are unknown; "
            "keep the lines '#  Rank  0 Group  0 Pid ...' that nccl-tests prints above it"
        )
    ordered = tuple(sorted(ranks, key=lambda rank: rank.number))
    for number, (rank, following) in enumerate(zip(ordered, (*ordered[1:], None), strict=True)):
        if following is not None and rank.number == following.number:
            raise ProblemError(
                f"{place}: the device list names rank {rank.number} twice; was nccl-tests built without MPI=1, "
                "so that every process ran alone?"
            )
        if rank.number != number:
            raise ProblemError(f"{place}: the device list lacks rank {number}; keep all of its lines")
    if len(ordered) != system.devices:
        sizes = " x ".join(f"{level.name}={level.size}" for level in system.levels)
        raise ProblemError(
            f"{place} was measured with {len(ordered)} ranks, but the system has {system.devices} devices ({sizes}); "
            "give the levels the sizes that were measured, and run one process per GPU"
        )
    _check_hosts(ordered, place)
    return ordered


def _check_hosts(ranks: Sequence[Rank], place: str) -> None:
    seen: list[str] = []
    for rank in ranks:
        if rank.host in seen[:-1]:
            raise ProblemError(
                f"{place}: rank {rank.number} is on host {rank.host[:64]} again, after ranks on {seen[-1][:64]}; "
                "devices are numbered host by host, so place ranks in that way (mpirun --map-by slot)"
            )
        if rank.host not in seen[-1:]:
            seen.append(rank.host)


def split_of(groups: Sequence[int], place: str) -> Split | None:
    """The split that puts rank i into group `groups[i]`, whatever the groups' numbers; None for one group of all.

    >>> str(split_of([7, 7, 9, 9], "a.txt")), str(split_of([0, 1, 0, 1], "a.txt")), split_of([0, 0], "a.txt")
    ('DIV 2', 'MOD 2', None)
    """
    count = len(set(groups))
    if count == len(groups):
        raise ProblemError(f"{place}: every rank is a group of its own, so no link was used; leave this table out")
    if count == 1:
        return None
    first = {group: number for number, group in reversed(list(enumerate(groups)))}
    labels = [first[group] for group in groups]
    size = len(groups) // count
    if len(groups) % count == 0:
        if labels == [rank - rank % size for rank in range(len(groups))]:
            return Split(Cut.DIV, size)
        if labels == [rank % count for rank in range(len(groups))]:
            return Split(Cut.MOD, count)
    raise ProblemError(
        f"{place}: the {count} groups of its {len(groups)} ranks are no equal parts that NCCL_TESTS_SPLIT makes with "
        "DIV k (rank // k) or MOD k (rank % k); measure with one of these, one process per GPU"
    )


def split_pattern(split: Split | None, system: System, place: str) -> Pattern:
    """The pattern of a split's groups; raises ProblemError when a level cannot be cut where the split cuts it.

    A device number is mixed radix over the levels, outermost most significant. Its part below k differs inside
    the groups of DIV k and its part above k tells them apart; with MOD k the other way round.
    """
    levels: list[Digits] = []
    inside = system.devices
    for level in system.levels:
        inside //= level.size
        below = _below(split, inside, level.size)
        if below is None:
            raise ProblemError(
                f"{place}: NCCL_TESTS_SPLIT {split} cuts level {level.name}={level.size} of {inside} devices each "
                "into unequal parts; measure with a split whose number divides and is divided by the levels' sizes"
            )
        under = Role.FREE if split is not None and split.cut is Cut.MOD else Role.VARYING
        over = Role.VARYING if under is Role.FREE else Role.FREE
        digits = ((over, level.size // below), (under, below))
        levels.append(tuple((role, size) for role, size in digits if size > 1))
    return Pattern(tuple(levels))


def _below(split: Split | None, inside: int, size: int) -> int | None:
    """How many of a level's `size` units, of `inside` devices each, lie below the cut; None: no equal parts."""
    if split is None or split.k >= inside * size:
        return size
    if split.k <= inside:
        return 1
    units, rest = divmod(split.k, inside)
    return units if rest == 0 and size % units == 0 else None


def boundaries(system: System) -> tuple[int, ...]:
    """The numbers of devices inside one unit of every level but the innermost, outermost first, without repetition."""
    sizes = [level.size for level in system.levels]
    inside = [prod(sizes[level + 1 :]) for level in range(len(sizes))]
    return tuple(dict.fromkeys(count for count in inside if 1 < count < system.devices))
