"""Extraction of collectives in loops into separate statements, so that they can overlap with computation.

Method: A-normal form for collectives (Flanagan et al., "The essence of compiling with continuations", 1993): from the
inside out, with n a fresh name,
    z = f(C(e), a)   ->   n = C(e); z = f(n, a),   unless C is outermost already.
The order of evaluation stays, so values do. A statement and what was extracted from it become one group.
Complexity: O(size of the program).

Example: z = relu(AllReduce(x @ w)) becomes z.sent = AllReduce(x @ w); z = relu(z.sent).
"""

from dataclasses import replace

from p2smt.schedule.kernel import sends
from p2smt.schedule.scheduled import Kernel, KernelGroup, ScheduledProgram
from p2smt.tensor.expression import Call, Convert, Expression, Read, Statement


def hoisted(scheduled: ScheduledProgram) -> ScheduledProgram:
    """Return the program with every collective of a loop in a statement `name = collective(...)`.

    A statement and the collectives extracted from it become a group with the statement's name.
    """
    looped = {name for loop in scheduled.loops for stage in loop.stages for name in scheduled.members(stage)}
    taken = set(scheduled.names)
    made: dict[str, list[Statement]] = {}
    for statement in scheduled.program.statements:
        before: list[Statement] = []
        expression = statement.expression
        if statement.name in looped:
            expression = _inside(statement.name, expression, before, taken)
        made[statement.name] = [*before, Statement(statement.name, expression)]
    members = {name: tuple(each.name for each in theirs) for name, theirs in made.items()}
    groups = [
        replace(group, members=tuple(each for name in group.members for each in members[name]))
        for group in scheduled.groups
    ]
    for name, theirs in members.items():
        if len(theirs) > 1 and scheduled.group_of(name) is None:
            groups.append(KernelGroup(name, Kernel.COLLECTIVE, theirs))
    statements = tuple(each for theirs in made.values() for each in theirs)
    return replace(scheduled, program=replace(scheduled.program, statements=statements), groups=tuple(groups))


def _inside(name: str, expression: Expression, before: list[Statement], taken: set[str]) -> Expression:
    """Return an expression whose inner collectives are replaced by reads of new statements; an outermost one stays."""
    match expression:
        case Call(operation, operands, attributes):
            return Call(operation, tuple(_out(name, each, before, taken) for each in operands), attributes)
        case Convert(conversion, operand, axis):
            return Convert(conversion, _out(name, operand, before, taken), axis)
        case _:
            return expression


def _out(name: str, expression: Expression, before: list[Statement], taken: set[str]) -> Expression:
    expression = _inside(name, expression, before, taken)
    if not (isinstance(expression, Convert) and sends(expression.conversion)):
        return expression
    number, fresh = 1, f"{name}.sent"
    while fresh in taken:
        number += 1
        fresh = f"{name}.sent{number}"
    taken.add(fresh)
    before.append(Statement(fresh, expression))
    return Read(fresh)
