"""A program as a dependence graph of statements: readers, observed values, and orders that keep groups contiguous.

Statement b depends on a if it reads a. Paths from `start` to `ends` are what a forward pass from the start and a
backward pass from the ends both reach:
    between(s, E) = descendants(s) and ancestors(E).

Order (`arranged`): members of a group, and all stages of a loop, are contracted to one unit; the units are sorted by
Kahn's algorithm with a heap of positions, which gives the order nearest to the program's own: of all units that are
ready, the first in the program is next (Kahn, "Topological sorting of large networks", 1962). Units left over lie on a
cycle, and then no order keeps the groups contiguous.
Complexity: O(statements + reads) for paths, and a factor log(statements) for orders.

Example: a; b reads a; c reads b; the group {a, c} and b depend on each other, so there is no order.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from heapq import heapify, heappop, heappush

from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Statement, parts
from p2smt.tensor.program import Program, versions


def reads(expression: Expression) -> frozenset[str]:
    """Return the names that an expression reads."""
    return frozenset(part.name for part in parts(expression) if isinstance(part, Read))


def statements(program: Program) -> dict[str, Expression]:
    """Return the expressions by statement name."""
    return {statement.name: statement.expression for statement in program.statements}


def readers(program: Program) -> dict[str, tuple[str, ...]]:
    """Return the statements that read each source and statement, in program order."""
    found: dict[str, list[str]] = {source.name: [] for source in program.sources}
    for statement in program.statements:
        found[statement.name] = []
        for name in sorted(reads(statement.expression)):
            found[name].append(statement.name)
    return {name: tuple(theirs) for name, theirs in found.items()}


def observed(program: Program) -> frozenset[str]:
    """Return the outputs, and the last versions of updated sources."""
    return frozenset([*(output.name for output in program.outputs), *versions(program).values()])


def between(program: Program, start: str, ends: Iterable[str]) -> tuple[str, ...]:
    """Return the statements on paths from `start` to `ends`, without `start` and with the ends that depend on it."""
    depends = {start}
    order = [statement.name for statement in program.statements]
    expressions = statements(program)
    for name in order:
        # Forward: what depends on the start. Backward: what an end needs. The path is in both.
        if reads(expressions[name]) & depends:
            depends.add(name)
    wanted = set(ends)
    for name in reversed(order):
        if name in wanted:
            wanted |= reads(expressions[name])
    return tuple(name for name in order if name in depends and name in wanted and name != start)


def enclosed(program: Program, members: Iterable[str]) -> frozenset[str]:
    """Return the statements on paths between members that are not members themselves."""
    inside = set(members)
    behind, read_by_members = set[str](), set[str]()
    for statement in program.statements:
        if reads(statement.expression) & (inside | behind):
            behind.add(statement.name)
    for statement in reversed(program.statements):
        if statement.name in inside | read_by_members:
            read_by_members |= reads(statement.expression)
    return frozenset((behind & read_by_members) - inside)


def substituted(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """Return the expression with some reads replaced by expressions."""
    match expression:
        case Read(name):
            return values.get(name, expression)
        case Number() | Ranks():
            return expression
        case Call(name, operands, attributes):
            return Call(name, tuple(substituted(operand, values) for operand in operands), attributes)
        case Convert(conversion, operand, axis):
            return Convert(conversion, substituted(operand, values), axis)


def replaced(program: Program, put: Mapping[str, tuple[Statement, ...]], renamed: Mapping[str, str]) -> Program:
    """Return the program with some statements replaced.

    Remaining statements read the renamed names; replacements are kept verbatim.
    """
    values: dict[str, Expression] = {name: Read(new) for name, new in renamed.items()}
    made: list[Statement] = []
    for statement in program.statements:
        if statement.name in put:
            made += put[statement.name]
        else:
            made.append(Statement(statement.name, substituted(statement.expression, values)))
    return replace(program, statements=tuple(made))


def _sorted(waits: Mapping[str, set[str]]) -> list[str]:
    """Return the names in topological order, nearest to the given order.

    Names on or after a cycle are left out.
    """
    numbers = {name: number for number, name in enumerate(waits)}
    behind: dict[str, list[str]] = {name: [] for name in waits}
    for name, before in waits.items():
        for each in before:
            behind[each].append(name)
    left = {name: len(before) for name, before in waits.items()}
    ready = [(numbers[name], name) for name, count in left.items() if not count]
    # A heap by first position: of all orders that respect the reads, the one nearest to the program's own.
    heapify(ready)
    order: list[str] = []
    while ready:
        _, name = heappop(ready)
        order.append(name)
        for each in behind[name]:
            left[each] -= 1
            if not left[each]:
                heappush(ready, (numbers[each], each))
    return order


def arranged(scheduled: ScheduledProgram) -> ScheduledProgram | None:
    """Reorder statements so that group members, and the stages of each loop, are contiguous.

    Otherwise the program order is kept as far as reads allow. None if there is no such order.
    """
    unit = {member: group.name for group in scheduled.groups for member in group.members}
    for loop in scheduled.loops:
        for stage in loop.stages:
            unit |= dict.fromkeys(scheduled.members(stage), loop.name)
    units: dict[str, list[Statement]] = {}
    for statement in scheduled.program.statements:
        units.setdefault(unit.get(statement.name, statement.name), []).append(statement)
    inside = {statement.name: name for name, theirs in units.items() for statement in theirs}
    waits: dict[str, set[str]] = {
        name: {inside[read] for each in theirs for read in reads(each.expression) if read in inside} - {name}
        for name, theirs in units.items()
    }
    order = _sorted(waits)
    # Units that wait for each other in a circle are missing from the order.
    if len(order) < len(units):
        return None
    made = tuple(statement for name in order for statement in units[name])
    return scheduled.with_program(replace(scheduled.program, statements=made))
