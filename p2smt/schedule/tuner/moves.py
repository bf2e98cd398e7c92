"""Moves of the tuner: the steps tried on a scheduled program.

    split     every AllReduce along every dimension d: ReduceScatter(d) and AllGather(d), or Reduce and Broadcast;
              replicated sources that are summed; collectives by the fastest reduction programs (`reductions.py`)
    reorder   each gather, broadcast and send past its first 1, 2, ..., `MOST_PAST` dependent statements
    fuse      each maximal run of contiguous units that can form one kernel
    overlap   chains of two and three units in chunks, along every dimension
Moves come in this order and none goes back: programs with kernels are not split or reordered, programs with loops not
fused, because the other order of the moves gives the same result.
Complexity: O(statements x (dimensions + `MOST_PAST`)) moves; a run for fusion is extended greedily.
Reference: the transformations of Jangda et al., "Breaking the computation and communication abstraction barrier in
distributed machine learning workloads", ASPLOS 2022, section 3.

Example: y = AllReduce(x) of two dimensions, z = relu(y) has a split along each dimension and one by Reduce and
Broadcast, splits by slicing x first, a fusion of both statements, and an overlap along each dimension.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from p2smt.schedule.graph import between, readers, reads, statements
from p2smt.schedule.kernel import kernel_of, sends
from p2smt.schedule.outcome import StepRefusedError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import AllReduceSplit, Fuse, Overlap, Reorder, SplitForm, Step
from p2smt.schedule.tuner.tidying import reduces
from p2smt.tensor.conversion import AllGather, AllReduce, Broadcast, Send, Slice
from p2smt.tensor.expression import Convert, parts
from p2smt.tensor.shapes import whole_of, wholes

MOST_PAST = 12


def moves(
    scheduled: ScheduledProgram, settled: frozenset[str] = frozenset(), reducing: Iterable[Step] = ()
) -> Iterator[Step]:
    """Yield every step to try, in a fixed order; overlaps with the fewest chunks, which the search then varies.

    `settled` conversions, such as those created by a reorder, are not moved again. `reducing` has splits by
    reduction programs (`reductions.py`), which need prices. Kernels are not rewritten and loops not fused
    further, since another order of moves gives the same result.
    """
    if not scheduled.groups and not scheduled.loops:
        yield from _splits(scheduled)
        yield from _source_splits(scheduled)
        yield from reducing
        yield from _reorders(scheduled, settled)
    if not scheduled.loops:
        yield from _fusions(scheduled)
    yield from _overlaps(scheduled)


def _splits(scheduled: ScheduledProgram) -> Iterator[Step]:
    program, known = scheduled.program, wholes(scheduled.program)
    noted = {each.statement for each in scheduled.implementations}
    for statement in program.statements:
        if statement.name in noted:
            continue
        found = [part for part in _conversions(scheduled, statement.name) if isinstance(part.conversion, AllReduce)]
        if len(found) == 1 and not _is_cut(scheduled, statement.name):
            dimensions = range(len(whole_of(found[0].operand, known).shape))
            yield from (AllReduceSplit(statement.name, SplitForm.RS_AG, dimension) for dimension in dimensions)
            yield AllReduceSplit(statement.name, SplitForm.REDUCE_BROADCAST)
            whole = statement.expression == found[0]
            yield from (AllReduceSplit(statement.name, SplitForm.SLICE_AG, each) for each in dimensions if whole)


def _source_splits(scheduled: ScheduledProgram) -> Iterator[Step]:
    """Yield splits of replicated sources that are summed, so that each rank sums a slice, as for LAMB's norms."""
    program = scheduled.program
    expressions, who = statements(program), readers(program)
    for source in program.sources:
        theirs = [expressions[reader] for reader in who[source.name]]
        if source.layouts or not any(map(reduces, theirs)) or _is_cut(scheduled, source.name):
            continue
        yield from (AllReduceSplit(source.name, SplitForm.SLICE_AG, each) for each in range(len(source.shape)))


def _is_cut(scheduled: ScheduledProgram, name: str) -> bool:
    """True if a value is already read by a Slice, so that it is already split."""
    expressions = statements(scheduled.program)
    behind = [expressions[reader] for reader in readers(scheduled.program)[name]]
    return any(isinstance(each, Convert) and isinstance(each.conversion, Slice) for each in behind)


def _conversions(scheduled: ScheduledProgram, name: str) -> list[Convert]:
    return [part for part in parts(statements(scheduled.program)[name]) if isinstance(part, Convert)]


def _reorders(scheduled: ScheduledProgram, settled: frozenset[str]) -> Iterator[Step]:
    program = scheduled.program
    names = [statement.name for statement in program.statements]
    for statement in program.statements:
        match statement.expression:
            case Convert(AllGather() | Broadcast() | Send()) if statement.name not in settled:
                later = [_unit(scheduled, name) for name in between(program, statement.name, names)]
                units = list(dict.fromkeys(later))
                for count in range(1, min(len(units), MOST_PAST) + 1):
                    yield Reorder(statement.name, tuple(units[:count]))
            case _:
                pass


def _unit(scheduled: ScheduledProgram, name: str) -> str:
    group = scheduled.group_of(name)
    return name if group is None else group.name


def _units(scheduled: ScheduledProgram) -> list[str]:
    """Return the statements and groups outside loops, in program order."""
    found = [_unit(scheduled, statement.name) for statement in scheduled.program.statements]
    return [name for name in dict.fromkeys(found) if scheduled.loop_of(name) is None]


def _fusions(scheduled: ScheduledProgram) -> Iterator[Step]:
    """Yield the maximal runs of contiguous units that can form one kernel."""
    units, reached = _units(scheduled), 0
    for start in range(len(units)):
        stop = start + 1
        # Longest runs alone: a shorter one inside would only begin more kernels.
        while stop < len(units) and _fits(scheduled, units[start : stop + 1]):
            stop += 1
        if stop - start > 1 and stop > reached:
            reached = stop
            yield Fuse(tuple(units[start:stop]))


def _fits(scheduled: ScheduledProgram, units: list[str]) -> bool:
    members = tuple(name for unit in units for name in scheduled.members(unit))
    try:
        kernel_of(scheduled.program, members)
    except StepRefusedError:
        return False
    return True


def _overlaps(scheduled: ScheduledProgram) -> Iterator[Step]:
    units = _units(scheduled)
    chained = [(first, second) for first, second in pairwise(units) if _feeds(scheduled, first, second)]
    # Chains of three at most: one of computing, sending and computing again has two resources beside each other.
    threes = [(*one, other[1]) for one, other in pairwise(chained) if one[1] == other[0]]
    for stages in (*chained, *threes):
        if not any(_communicates(scheduled, stage) for stage in stages):
            continue
        rank = len(wholes(scheduled.program)[scheduled.members(stages[0])[-1]].shape)
        for dimension in range(rank):
            # Two chunks stand for all numbers; the search prices 4, 8, 16 and 32 once the step is proved.
            yield Overlap(stages, 2, dimension)


def _communicates(scheduled: ScheduledProgram, unit: str) -> bool:
    found = [part for name in scheduled.members(unit) for part in _conversions(scheduled, name)]
    return any(sends(part.conversion) for part in found)


def _feeds(scheduled: ScheduledProgram, first: str, second: str) -> bool:
    expressions = statements(scheduled.program)
    made = set(scheduled.members(first))
    return any(reads(expressions[name]) & made for name in scheduled.members(second))
