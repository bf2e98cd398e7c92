"""Results of NVIDIA's nccl-tests as measurements of collectives in all groups of a split."""

import re
from dataclasses import dataclass
from typing import assert_never

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.calibration.benchmark_text import read_benchmark_runs
from p2smt.cost.calibration.measurement import Measurement, Transfer
from p2smt.cost.calibration.nccl_factor import NcclTest, factor_of
from p2smt.cost.calibration.nccl_groups import split_of, split_pattern
from p2smt.cost.calibration.nccl_json import read_json_runs
from p2smt.cost.calibration.nccl_lines import plain_lines
from p2smt.cost.calibration.nccl_ranks import ranks_of
from p2smt.cost.calibration.nccl_run import Row, Run
from p2smt.cost.calibration.nccl_text import read_text_runs
from p2smt.cost.calibration.nccl_which import PRICED, which_test
from p2smt.cost.calibration.oneccl_text import read_oneccl_runs
from p2smt.cost.network.applicable import has_parallel_trees
from p2smt.cost.network.backend import Nccl
from p2smt.cost.network.cost import Work
from p2smt.cost.network.pattern import Pattern
from p2smt.errors import ProblemError
from p2smt.problem.system.algorithm import Algorithm, Auto, Choice
from p2smt.problem.system.network import System
from p2smt.wording import bare_sizes, counted

_NAMES = {re.sub("[^a-z]", "", test): test for test in PRICED}
"""Tests by their names without punctuation, the form that is compared with file names."""

_ALGORITHMS = {str(one).replace("_", ""): one for one in Algorithm}


@dataclass(frozen=True, slots=True)
class Reading:
    """The measurements of a file, and notes on what was left out or assumed."""

    measurements: tuple[Measurement, ...]
    notes: tuple[str, ...] = ()


def read_nccl_text(
    text: str, place: str, system: System, algorithm: Choice | None, test: NcclTest | None = None
) -> Reading:
    """Return the rows of all tables that nccl-tests or oneCCL's benchmark printed, with out-of-place times.

    `place` is the file's name, for messages. `test` and `algorithm` apply to tables (AllReduces) that do not state
    theirs; an algorithm of None means that NCCL chose. Raises ProblemError if no table is usable.
    """
    lines = tuple(plain_lines(text))
    runs = [*read_text_runs(lines, place), *read_oneccl_runs(lines, place), *read_benchmark_runs(lines, place)]
    return _reading(runs, place, system, algorithm, test)


def read_nccl_json(
    data: bytes, place: str, system: System, algorithm: Choice | None, test: NcclTest | None = None
) -> Reading:
    """Return the rows of a JSON file of nccl-tests (option -J) or rccl-tests (option -Z json).

    NCCL_ALGO=Ring or Tree in its `env` takes precedence over `algorithm`.
    """
    return _reading(read_json_runs(data, place), place, system, algorithm, test)


def named_test(name: str) -> NcclTest | None:
    """Return the test that a file's name contains; None if it contains none.

    >>> str(named_test("all_gather_perf-2n.txt")), str(named_test("a100_allreduce.md")), named_test("run7.log")
    ('all_gather', 'all_reduce', None)
    """
    plain = re.sub("[^a-z]", "", name.lower())
    found = [test for test in _NAMES if test in plain]
    # The longest name that fits, because one name can contain another.
    return _NAMES[max(found, key=len)] if found else None


def named_algorithm(name: str) -> Algorithm | None:
    """Return the algorithm that is a word of a file's name; None for none or several.

    >>> named_algorithm("all_reduce_tree.txt"), named_algorithm("string.txt")
    (<Algorithm.TREE: 'tree'>, None)
    """
    found = set(re.split("[^a-z]+", name.lower())) & set(_ALGORITHMS)
    return _ALGORITHMS[found.pop()] if len(found) == 1 else None


def _reading(runs: list[Run], place: str, system: System, algorithm: Choice | None, test: NcclTest | None) -> Reading:
    """Return the measurements of all usable tables; if there are none, raise the error of the first table."""
    found: list[Measurement] = []
    notes: list[str] = []
    refused: list[ProblemError] = []
    for run in runs:
        notes += run.notes
        try:
            reading = _of_run(run, system, algorithm, test)
        except ProblemError as error:
            refused.append(error)
            notes.append(f"{error}; this table is left out")
            continue
        found += reading.measurements
        notes += reading.notes
    if found:
        return Reading(tuple(found), tuple(dict.fromkeys(notes)))
    if refused:
        raise refused[0]
    reason = f": {notes[0]}" if notes else ""
    raise ProblemError(
        f"{place} has no rows of nccl-tests with a size and an out-of-place time{reason}; it needs the table under "
        "'#       size         count      type ...', one with size, time and algbw, or what -J writes"
    )


def _of_run(run: Run, system: System, algorithm: Choice | None, given: NcclTest | None) -> Reading:
    rows, notes = _usable(run)
    if not rows:
        return Reading((), tuple(notes))
    factor, odd = factor_of(rows)
    if odd:
        notes.append(
            f"{odd[0].place}: {counted(len(odd), 'row')} left out, where busbw / algbw is not that of the other rows"
        )
        rows = [row for row in rows if row not in odd]
    test, told = which_test(run, rows[0], factor, given)
    ranks = ranks_of(run, test, factor, system)
    notes += [note for note in (told, ranks.note) if note]
    split = split_of(ranks.groups, run.place)
    pattern = split_pattern(split, ranks.part, run.place)
    sizes = tuple(level.size for level in ranks.part.levels)
    group = f"{test} {split or 'all'}{'' if ranks.part is system else f' of {bare_sizes(sizes)}'}"
    backend = Nccl(_algorithm(run, test, algorithm, has_parallel_trees(ranks.part, pattern.members)))
    measurements = [
        Measurement(
            place=row.place,
            group=group,
            sizes=sizes,
            backend=backend,
            works=(_work(test, pattern, row.size),),
            seconds=row.seconds,
            table=run.place,
            size=row.size,
            busbw=_busbw(test, pattern.group_size, row),
        )
        for row in rows
    ]
    return Reading(tuple(measurements), tuple(notes))


def _usable(run: Run) -> tuple[list[Row], list[str]]:
    """Return the rows with a size, a time and no wrong elements, and notes on the others."""
    notes: list[str] = []
    empty = [row for row in run.rows if not (row.size > 0 and row.seconds > 0)]
    wrong = [row for row in run.rows if row.wrong]
    if wrong:
        notes.append(
            f"{wrong[0].place}: {counted(len(wrong), 'row')} left out, because elements came out wrong "
            f"(#wrong {wrong[0].wrong:.0f})"
        )
    kept = [row for row in run.rows if row not in empty and row not in wrong]
    if wrong and not kept:
        raise ProblemError(
            f"{wrong[0].place}: all rows have wrong elements (#wrong), so they did not time a "
            "working collective; leave the file out"
        )
    if empty and kept:
        notes.append(f"{empty[0].place}: {counted(len(empty), 'row')} of size 0 left out")
    return kept, notes


def _work(test: NcclTest, pattern: Pattern, size: int) -> Work | Transfer:
    """Return the work of a row, whose size is that of the larger buffer (for an all-gather, the output)."""
    match test:
        case NcclTest.ALL_GATHER:
            return Work(Collective.ALL_GATHER, pattern, size / pattern.group_size)
        case NcclTest.ALL_REDUCE | NcclTest.REDUCE_SCATTER | NcclTest.REDUCE | NcclTest.BROADCAST:
            return Work(Collective(test.value), pattern, float(size))
        case NcclTest.ALL_TO_ALL:
            return Transfer(Exchange.ALL_TO_ALL, pattern, float(size))
        case NcclTest.SEND:
            return Transfer(NeighbourSend.AROUND, pattern, float(size))
        case NcclTest.GATHER | NcclTest.SCATTER | NcclTest.HYPERCUBE | NcclTest.ALL_TO_ALL_V:
            raise AssertionError(f"{test} is not a priced test")
        case _:
            assert_never(test)


def _busbw(test: NcclTest, members: int, row: Row) -> float:
    """Return the bus bandwidth as nccl-tests defines it, in bytes/s."""
    factor = test.twice * (members - 1) / members if test.twice else 1.0
    return factor * row.size / row.seconds


def _algorithm(run: Run, test: NcclTest, given: Choice | None, trees: bool) -> Choice:
    """Return the algorithm of the rows: the run's own, else `given`, else NCCL's choice.

    `trees`: groups have one device per machine, so NCCL also has parallel trees for some tests.
    """
    named = _ALGORITHMS.get(re.sub("[^a-z,^]", "", run.algorithm.lower()))
    match test:
        case NcclTest.ALL_REDUCE:
            return named or given or Auto.AUTO
        case NcclTest.ALL_GATHER | NcclTest.REDUCE_SCATTER if trees:
            said = named or given
            return said if said in (Algorithm.RING, Algorithm.PAT) else Auto.AUTO  # only: others are of all-reduces
        case _:  # NCCL has rings alone
            return Algorithm.RING
