"""What NVIDIA's nccl-tests measured, as measurements of collectives among all groups of a split."""

import re
from typing import assert_never

from p2smt.collective import Collective
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.nccl_groups import groups_of, measured_part, split_of, split_pattern
from p2smt.cost.calibration.nccl_json import read_json_run
from p2smt.cost.calibration.nccl_run import Row, Run
from p2smt.cost.calibration.nccl_text import read_text_runs
from p2smt.cost.network.backend import Nccl
from p2smt.cost.network.cost import Work
from p2smt.errors import ProblemError
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.network import System
from p2smt.wording import bare_sizes

TESTS = {
    "all_reduce": Collective.ALL_REDUCE,
    "reduce_scatter": Collective.REDUCE_SCATTER,
    "all_gather": Collective.ALL_GATHER,
    "broadcast": Collective.BROADCAST,
    "reduce": Collective.REDUCE,
}
"""The tests that are read, by the name of their program without `_perf`."""

_NAMES = {collective: name for name, collective in TESTS.items()}
_OTHERS = ("alltoall", "alltoallv", "sendrecv", "gather", "scatter", "hypercube")
_ELEMENT_BYTES = {
    "int8": 1, "uint8": 1, "int32": 4, "uint32": 4, "int64": 8, "uint64": 8, "half": 2, "float": 4, "double": 8,
    "bfloat16": 2, "f8e4m3": 1, "f8e5m2": 1,
}  # fmt: skip


def read_nccl_text(
    text: str, place: str, system: System, algorithm: Algorithm | None, collective: Collective | None = None
) -> list[Measurement]:
    """The rows of all tables that nccl-tests printed into a text, with their out-of-place times.

    `place` is the file's name, for messages. `collective` is for tables that do not name theirs. Only an
    AllReduce needs `algorithm`. Raises ProblemError with the place of the mistake.
    """
    return _measurements(read_text_runs(text, place), place, system, algorithm, collective)


def read_nccl_json(
    data: bytes, place: str, system: System, algorithm: Algorithm | None, collective: Collective | None = None
) -> list[Measurement]:
    """The same for a file written with -J. NCCL_ALGO=Ring or Tree in its `env` counts before `algorithm`."""
    return _measurements([read_json_run(data, place)], place, system, algorithm, collective)


def named_collective(name: str) -> Collective | None:
    """The collective that a file's name has in it; None: none.

    >>> named_collective("all_gather_perf-2n.txt"), named_collective("run7.log")
    (<Collective.ALL_GATHER: 'AllGather'>, None)
    """
    found = [test for test in TESTS if test in name.lower().replace("-", "_")]
    return TESTS[max(found, key=len)] if found else None


def named_algorithm(name: str) -> Algorithm | None:
    """The algorithm that is a word of a file's name; None: none, or several.

    >>> named_algorithm("all_reduce_tree.txt"), named_algorithm("string.txt")
    (<Algorithm.TREE: 'tree'>, None)
    """
    found = set(re.split("[^a-z]+", name.lower())) & set(Algorithm)
    return Algorithm(found.pop()) if len(found) == 1 else None


def _measurements(
    runs: list[Run], place: str, system: System, algorithm: Algorithm | None, collective: Collective | None
) -> list[Measurement]:
    found = [one for run in runs for one in _of_run(run, system, algorithm, collective)]
    if not found:
        raise ProblemError(
            f"{place} has no rows of nccl-tests with a size and an out-of-place time; it needs the table under "
            "'#       size         count      type ...', or what -J writes"
        )
    return found


def _of_run(run: Run, system: System, algorithm: Algorithm | None, collective: Collective | None) -> list[Measurement]:
    rows = [row for row in run.rows if row.size > 0 and row.seconds > 0]
    if not rows:
        return []
    part = measured_part(run.ranks, system)
    split = split_of(groups_of(run.ranks, part, run.place), run.place)
    pattern = split_pattern(split, part, run.place)
    done = _collective(run, rows[0], pattern.group_size, collective)
    sizes = tuple(level.size for level in part.levels)
    group = f"{_NAMES[done]} {split or 'all'}{'' if part is system else f' of {bare_sizes(sizes)}'}"
    backend = Nccl(_algorithm(run, done, algorithm))
    parts = _parts(done, pattern.group_size)
    return [
        Measurement(
            place=row.place,
            group=group,
            sizes=sizes,
            backend=backend,
            works=(Work(done, pattern, row.size / parts),),
            seconds=row.seconds,
        )
        for row in rows
    ]


def _parts(collective: Collective, members: int) -> int:
    """What part of a table's `size`, the bytes of the larger buffer, a member holds before: one of so many."""
    match collective:
        case Collective.ALL_GATHER:
            return members
        case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER | Collective.REDUCE | Collective.BROADCAST:
            return 1
        case _:
            assert_never(collective)


def _collective(run: Run, row: Row, group_size: int, given: Collective | None) -> Collective:
    """The program's name says it, else the columns where they leave no choice, else the caller."""
    name = re.split(r"[/\\]", run.program)[-1].partition("_perf")[0]
    if name in _OTHERS:
        raise ProblemError(
            f"{run.place}: {name} is none of the collectives that are priced ({', '.join(TESTS)}); leave its table out"
        )
    found = TESTS.get(name) or _collective_of_columns(row, group_size) or given
    if found is None:
        raise ProblemError(
            f"{run.place}: the table does not name its collective; give --collective, one of {', '.join(TESTS)}"
        )
    return found


def _collective_of_columns(row: Row, group_size: int) -> Collective | None:
    """What a row can only be: a reduction has a redop, a rooted one a root, ReduceScatter counts one member's part."""
    reduces = row.redop is not None and row.redop != "none"
    rooted = row.root is not None and row.root >= 0
    if reduces and rooted:
        return Collective.REDUCE
    if rooted and row.redop is None:
        return Collective.BROADCAST  # tables without redop are older than gather and scatter
    if reduces and row.type in _ELEMENT_BYTES:
        counted = row.count * _ELEMENT_BYTES[row.type]
        if row.size == counted * group_size:
            return Collective.REDUCE_SCATTER
        if row.size == counted:
            return Collective.ALL_REDUCE
    return None


def _algorithm(run: Run, collective: Collective, given: Algorithm | None) -> Algorithm:
    match collective:
        case Collective.ALL_REDUCE:
            return _algorithm_of_all_reduce(run, given)
        case Collective.REDUCE_SCATTER | Collective.REDUCE | Collective.ALL_GATHER | Collective.BROADCAST:
            return Algorithm.RING
        case _:
            assert_never(collective)


def _algorithm_of_all_reduce(run: Run, given: Algorithm | None) -> Algorithm:
    named = run.algorithm.strip().lower()
    found = Algorithm(named) if named in list(Algorithm) else given
    if found is None:
        raise ProblemError(
            f"{run.place}: the table does not say whether its AllReduce went over a ring or trees; "
            "give --algorithm, and measure with NCCL_ALGO=Ring or NCCL_ALGO=Tree"
        )
    return found
