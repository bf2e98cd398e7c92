"""A program as a graph of statements: who reads what, what is observed, and statements in an order that groups keep."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from p2smt.schedule.scheduled import Scheduled
from p2smt.tensor.program import Call, Convert, Expression, Number, Program, Ranks, Read, Statement, parts, versions


def reads(expression: Expression) -> frozenset[str]:
    """The names that an expression reads."""
    return frozenset(part.name for part in parts(expression) if isinstance(part, Read))


def statements(program: Program) -> dict[str, Expression]:
    """Expressions by the names of their statements."""
    return {statement.name: statement.expression for statement in program.statements}


def readers(program: Program) -> dict[str, tuple[str, ...]]:
    """The statements that read each source and statement, in the order of the program."""
    found: dict[str, list[str]] = {source.name: [] for source in program.sources}
    for statement in program.statements:
        found[statement.name] = []
        for name in sorted(reads(statement.expression)):
            found[name].append(statement.name)
    return {name: tuple(theirs) for name, theirs in found.items()}


def observed(program: Program) -> frozenset[str]:
    """Outputs, and last versions of what is updated."""
    return frozenset([*(output.name for output in program.outputs), *versions(program).values()])


def between(program: Program, start: str, ends: Iterable[str]) -> tuple[str, ...]:
    """The statements on paths from `start` to `ends`, both left out but for ends that depend on it."""
    depends = {start}
    order = [statement.name for statement in program.statements]
    expressions = statements(program)
    for name in order:
        if reads(expressions[name]) & depends:
            depends.add(name)
    wanted = set(ends)
    for name in reversed(order):
        if name in wanted:
            wanted |= reads(expressions[name])
    return tuple(name for name in order if name in depends and name in wanted and name != start)


def substituted(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """The expression with other expressions in place of some reads."""
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
    """The program with others in place of some statements; all statements but those put in read renamed names."""
    values: dict[str, Expression] = {name: Read(new) for name, new in renamed.items()}
    made: list[Statement] = []
    for statement in program.statements:
        if statement.name in put:
            made += put[statement.name]
        else:
            made.append(Statement(statement.name, substituted(statement.expression, values)))
    return replace(program, statements=tuple(made))


def arranged(scheduled: Scheduled) -> Scheduled | None:
    """The same with the members of every group, and the stages of every loop, side by side.

    Otherwise the order of the program is kept as far as reads allow. None where there is no such order.
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
    order: list[Statement] = []
    done: set[str] = set()
    waiting = list(units)
    while waiting:
        ready = next((name for name in waiting if waits[name] <= done), None)
        if ready is None:
            return None
        waiting.remove(ready)
        done.add(ready)
        order += units[ready]
    return scheduled.with_program(replace(scheduled.program, statements=tuple(order)))
