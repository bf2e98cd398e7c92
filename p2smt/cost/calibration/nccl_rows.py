"""From one row of nccl-tests, text or JSON, to a measurement."""

from collections.abc import Sequence
from math import isfinite

from p2smt.cost.algorithm import Algorithm
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.nccl_groups import Rank, checked_ranks, split_of, split_pattern
from p2smt.cost.network_cost import Work
from p2smt.cost.pattern import Pattern
from p2smt.errors import CalibrationError
from p2smt.problem.network import System
from p2smt.program.collective import Collective

PERF = {
    "all_reduce_perf": Collective.ALL_REDUCE,
    "reduce_scatter_perf": Collective.REDUCE_SCATTER,
    "all_gather_perf": Collective.ALL_GATHER,
    "broadcast_perf": Collective.BROADCAST,
    "reduce_perf": Collective.REDUCE,
}
_OTHERS = ("alltoall_perf", "alltoallv_perf", "sendrecv_perf", "gather_perf", "scatter_perf", "hypercube_perf")


def collective_named(text: str, place: str) -> Collective | None:
    """The collective of the first nccl-tests program that a text names; None when it names none.

    >>> collective_named("# Collective test starting: all_gather_perf", "a.txt")
    <Collective.ALL_GATHER: 'AllGather'>
    """
    for word in text.replace("/", " ").replace('"', " ").split():
        if word in PERF:
            return PERF[word]
        if word in _OTHERS:
            raise CalibrationError(f"{place} was measured with {word}; p2smt fits to {', '.join(PERF)}")
    return None


def collective_of_columns(redop: str, root: str, place: str) -> Collective:
    """What the columns redop and root tell: only Reduce has an operation and a root, only Broadcast just a root."""
    operates, rooted = redop not in ("none", ""), root not in ("-1", "")
    if operates and rooted:
        return Collective.REDUCE
    if rooted:
        return Collective.BROADCAST
    raise CalibrationError(f"{place} does not say which collective was measured; give it with --collective")


def table_pattern(ranks: Sequence[Rank], system: System, place: str) -> tuple[Pattern, str]:
    """The pattern of a table's groups, and its name: DIV k, MOD k or all."""
    ordered = checked_ranks(ranks, system, place)
    split = split_of([rank.group for rank in ordered], place)
    return split_pattern(split, system, place), "all" if split is None else str(split)


def measurement(
    collective: Collective,
    named: tuple[Pattern, str],
    system: System,
    algorithm: Algorithm,
    size: float,
    microseconds: float,
    place: str,
) -> Measurement | None:
    """The measurement of one row; None for a row of no bytes.

    `size` is the buffer that nccl-tests names: of an AllGather the result, of all others what a member starts with.
    """
    pattern, name = named
    if not (isfinite(size) and isfinite(microseconds) and size >= 0 and microseconds >= 0):
        raise CalibrationError(
            f"{place}: size {size:g} with time {microseconds:g} us is no measurement; remove the row"
        )
    if size == 0 or microseconds == 0:
        return None
    held = size / pattern.group_size if collective is Collective.ALL_GATHER else size
    return Measurement(
        place,
        f"{collective} {name} {algorithm}",
        tuple(level.size for level in system.levels),
        algorithm,
        (Work(collective, pattern, held),),
        microseconds * 1e-6,
    )
