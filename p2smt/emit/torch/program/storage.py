"""Which new versions of parameters and states can be written over the old ones."""

from collections.abc import Mapping

from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Call, Convert, Expression, Program, Read, SourceKind, parts


def overwriting(program: Program) -> frozenset[str]:
    """The updates, by statement, after which nothing reads what was there before, nor a view of it.

    A result counts as a view of whatever its operation may give a view of: at worst a copy more is made. The others
    have to be copies.
    """
    kept = [source.name for source in program.sources if source.kind in (SourceKind.PARAMETER, SourceKind.STATE)]
    memory = {name: frozenset({name}) for name in kept}
    last = last_reads(program)
    written = set()
    for number, statement in enumerate(program.statements):
        match statement.expression:
            case Call("update", (Read(old), new)):
                views = [name for name, places in memory.items() if places & memory[old]]
                unread = all(last.get(name, 0) <= number for name in views)
                if unread and not _memory(new, memory) & memory[old]:
                    written.add(statement.name)
                memory[statement.name] = memory[old] if statement.name in written else frozenset()
            case expression:
                memory[statement.name] = _memory(expression, memory)
    return frozenset(written)


def last_reads(program: Program) -> dict[str, int]:
    """The number of the statement that reads a name last; outputs are read behind the last one."""
    last: dict[str, int] = {}
    for number, statement in enumerate(program.statements):
        for part in parts(statement.expression):
            if isinstance(part, Read):
                last[part.name] = number
    return last | {output.name: len(program.statements) for output in program.outputs}


def _memory(expression: Expression, known: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The sources in whose memory a value may lie."""
    match expression:
        case Read(name):
            return known.get(name, frozenset())
        case Convert(_, operand):
            return _memory(operand, known)
        case Call(operation, operands) if OPERATIONS[operation].kind.may_share or operation == "cast":
            return frozenset[str]().union(*(_memory(operand, known) for operand in operands))
        case _:
            return frozenset()
