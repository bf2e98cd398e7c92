"""The ranks of a table, their groups, and the part of the system that they use.

A complete device list determines them. If lines are missing, busbw / algbw determines the number of ranks, which are
assumed to be the first devices of the system, machine by machine. All sources must agree, including NCCL's log.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.cost.calibration.nccl_factor import Factor, NcclTest
from p2smt.cost.calibration.nccl_groups import filled, groups_of, measured_part
from p2smt.cost.calibration.nccl_run import DeviceLine, Run
from p2smt.errors import ProblemError
from p2smt.problem.system.file import resized
from p2smt.problem.system.network import System
from p2smt.wording import bare_sizes, counted, sizes_text


@dataclass(frozen=True, slots=True)
class MeasuredRanks:
    """The measured part of the system, the group of every rank, and how the ranks are known without a device list."""

    part: System
    groups: tuple[int, ...]
    note: str = ""


def ranks_of(run: Run, test: NcclTest, factor: Factor | None, system: System) -> MeasuredRanks:
    """Return the ranks of a run; raises ProblemError if they are unknown, or if the run contradicts itself."""
    numbers = [rank.number for rank in run.ranks]
    if len(set(numbers)) < len(numbers) or (numbers and sorted(numbers) == list(range(len(numbers)))):
        listed = _listed(run, test, factor, system)
        if listed is not None:
            return listed
    elif len({rank.group for rank in run.ranks}) > 1:
        groups_of(run.ranks, system, run.place)  # raises: which rank is missing
    elif factor is None and not run.nranks and run.ranks:
        groups_of(run.ranks, system, run.place)
    return _told(run, test, factor, system)


def _listed(run: Run, test: NcclTest, factor: Factor | None, system: System) -> MeasuredRanks | None:
    """Return the ranks of a complete device list; None if busbw / algbw shows that there were more ranks."""
    part = measured_part(run.ranks, system)
    count = len(run.ranks)
    members = count // len({rank.group for rank in run.ranks})
    if factor is None or len({rank.number for rank in run.ranks}) < count or factor.allows(test, members):
        return MeasuredRanks(part, tuple(groups_of(run.ranks, part, run.place)))
    low, _ = factor.ranks(test)
    if low > members and members == count and run.nranks != count:
        return None
    raise ProblemError(
        f"{run.place}: the device list has groups of {counted(members, 'rank')}, but busbw / algbw "
        f"= {factor} means {_count_text(factor, test)} in {test}; put each table under its own "
        "device list"
    )


def _told(run: Run, test: NcclTest, factor: Factor | None, system: System) -> MeasuredRanks:
    """Return the ranks of a run whose device list is incomplete or missing."""
    least = max((rank.number + 1 for rank in run.ranks), default=2)
    count, how = _count(run, test, factor, system, least)
    what = f"has {counted(len(run.ranks), 'line')}" if run.ranks else "is missing"
    if count > system.devices:
        raise ProblemError(
            f"{run.place} was measured with {count} ranks ({how}; the device list {what}), but the system has "
            f"{system.devices} devices ({sizes_text(system.levels)}); give its levels the sizes that were measured"
        )
    part = system if count == system.devices else _part(run, count, system)
    _check_hosts(run.ranks, part, run.place)
    where = bare_sizes(level.size for level in part.levels)
    return MeasuredRanks(
        part, (0,) * count, f"{run.place}: the device list {what}; {how} {count} ranks, taken as {where}"
    )


def _count(run: Run, test: NcclTest, factor: Factor | None, system: System, least: int) -> tuple[int, str]:
    devices = system.devices
    if run.nranks and (factor is None or factor.allows(test, run.nranks)):
        return run.nranks, "the log names"
    how = "" if factor is None else f"busbw / algbw = {factor} says"
    if factor is not None and test.twice:
        if factor.allows(test, devices) and devices >= least:
            return devices, how
        if (only := factor.only(test)) is not None and only >= least:
            return only, how
        raise ProblemError(
            f"{run.place}: the device list {_list_text(run)}, and busbw / algbw = {factor} says "
            f"{_count_text(factor, test)}, but the system has {devices} devices ({sizes_text(system.levels)}); give "
            "its levels the sizes that were measured"
        )
    if run.ranks and least == devices:
        return devices, "the last line of the list says"
    if run.launched >= least:
        return run.launched, "the command above it starts"
    raise ProblemError(
        f"{run.place}: the table has no device list, so its groups are unknown; "
        "keep the lines '#  Rank  0 Group  0 Pid ...' that nccl-tests prints above it"
    )


def _list_text(run: Run) -> str:
    return f"has {counted(len(run.ranks), 'line')}" if run.ranks else "is missing"


def _count_text(factor: Factor, test: NcclTest) -> str:
    low, high = factor.ranks(test)
    if (only := factor.only(test)) is not None:
        return counted(only, "rank")
    if not test.twice or high < low or high < 1.5:
        return "no number of ranks"
    return f"{low:.4g} to {high:.4g} ranks"


def _part(run: Run, count: int, system: System) -> System:
    """Return the first machines and devices of a system that `count` ranks fill."""
    machines, sizes = system.machine + 1, [level.size for level in system.levels]
    # Ranks spread over the given number of nodes first, then inside each node.
    if run.nodes and count % run.nodes == 0 and machines:
        parts = [filled(sizes[:machines], run.nodes), filled(sizes[machines:], count // run.nodes)]
        if None not in parts:
            return resized(system, [size for part in parts if part for size in part])
    found = filled(sizes, count)
    if found is None:
        raise ProblemError(
            f"{run.place} was measured with {count} ranks, but the system has {system.devices} devices "
            f"({sizes_text(system.levels)}); give its levels the sizes that were measured"
        )
    return resized(system, found)


def _check_hosts(ranks: Sequence[DeviceLine], part: System, place: str) -> None:
    """Raise ProblemError if hosts and machines disagree: one machine on two hosts, or two machines on one host."""
    inside = part.inside
    first: dict[int, DeviceLine] = {}
    for rank in sorted(ranks, key=lambda one: one.number):
        known = first.setdefault(rank.number // inside, rank)
        # Two machines of the system on one host, or one machine on two hosts.
        apart = next((one for one in first.values() if one.host == rank.host and one is not known), None)
        other = apart if apart is not None and part.machine >= 0 else known
        if rank.host and other.host and (other is apart or other.host != rank.host):
            raise ProblemError(
                f"{place}: rank {rank.number} is on host {rank.host[:64]} and rank {other.number} on "
                f"{other.host[:64]}, but the system has {inside} devices in a machine ({sizes_text(part.levels)}); "
                "give its levels the sizes that were measured"
            )
