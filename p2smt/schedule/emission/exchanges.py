"""Choice of collectives that emitted schedules implement as block exchanges instead of library calls."""

from p2smt.schedule.cost.collectives import COPIED, SUMMED
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.scheduled import ScheduledProgram

SCATTER, GATHER = "reduce_scatter", "all_gather"
"""The functions of emitted files that can be exchanges."""

Exchanges = frozenset[tuple[str, str]]
"""Statements, each with its collective function that is an exchange."""


def exchanges(scheduled: ScheduledProgram, machine: Machine | None) -> Exchanges:
    """Return the exchanges that are faster on a machine.

    Without a machine, every ReduceScatter is one, since gloo's is an all-reduce.
    """
    noted = {each.statement for each in scheduled.implementations}
    names = [statement.name for statement in scheduled.program.statements if statement.name not in noted]
    if machine is None:
        return frozenset((name, SCATTER) for name in names)
    pricer, functions = Pricer(scheduled, machine), {SUMMED: SCATTER, COPIED: GATHER}
    return frozenset((name, functions[way]) for name in names for way in pricer.ways(name) if way in functions)
