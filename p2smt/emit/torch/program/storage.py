"""New versions of parameters and states that overwrite the old ones, some of them by in-place operations.

A forward may-alias analysis: memory(v) is the set of sources whose storage v may share, joined over the operands of an
operation that may return a view, and empty otherwise. An update of p by v overwrites p in place if
    no name whose memory meets memory(p) is read afterwards,   and memory(v) does not meet memory(p).
Complexity: O(statements x names) set operations.
Reference: Hudak and Bloss, "The aggregate update problem in functional programming systems", 1985.

Example: t = transpose(p); p' = update(p, p - g); y = t @ x. t shares the memory of p and is read later, so p' is a
copy.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from p2smt.tensor.expression import Call, Convert, Expression, Read, SourceKind, parts
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program, versions

IN_PLACE = {"add": "add_", "sub": "sub_", "mul": "mul_", "div": "div_"}
"""The operations that torch also has in place, with the same results bit for bit, and their in-place names."""


@dataclass(frozen=True, slots=True)
class Overwritten:
    """An update, by statement, after which nothing reads the old version; `operated`: see `operated_on`."""

    statement: str
    old: str
    operated: bool


def overwriting(program: Program) -> frozenset[str]:
    """Return the updates, by statement, after which nothing reads the old version or a view of it.

    A result counts as a view of every operand that its operation may return a view of; at worst, this costs an extra
    copy. All other updates must copy.
    """
    return frozenset(each.statement for each in _overwritten(program))


def operated_on(program: Program) -> dict[str, str]:
    """Map updates to old versions in whose memory the operations of the new version may run one after the other.

    The new version must begin with the old one, as in `(p * 0.9) + g`. Operands of the first operation are computed
    before it changes anything; no operand of a later one reads the old version or a view of it.
    """
    return {each.statement: each.old for each in _overwritten(program) if each.operated}


def memory_of(program: Program) -> dict[str, frozenset[str]]:
    """Return, for each name, the sources and copied versions whose memory its value may share."""
    memory: dict[str, frozenset[str]] = {}
    for _ in _overwritten(program, memory):
        pass
    return memory


def _overwritten(program: Program, memory: dict[str, frozenset[str]] | None = None) -> Iterator[Overwritten]:
    """Yield the updates that overwrite old versions; fills `memory` with the result of `memory_of`."""
    kept = [source.name for source in program.sources if source.kind in (SourceKind.PARAMETER, SourceKind.STATE)]
    memory = {} if memory is None else memory
    memory |= {name: frozenset({name}) for name in kept}
    last = last_reads(program)
    for number, statement in enumerate(program.statements):
        match statement.expression:
            case Call("update", (Read(old), new)):
                views = [name for name, places in memory.items() if places & memory[old]]
                # Overwriting is safe if nobody reads the old version or a view of it afterwards.
                unread = all(last.get(name, 0) <= number for name in views)
                written = unread and not shared_memory(new, memory) & memory[old]
                if written:
                    yield Overwritten(statement.name, old, _begins_with(old, new, memory))
                memory[statement.name] = memory[old] if written else frozenset({statement.name})
            case expression:
                memory[statement.name] = shared_memory(expression, memory)


def _begins_with(old: str, new: Expression, memory: Mapping[str, frozenset[str]]) -> bool:
    """True if the leftmost operand of nested operations is the old version, which they may change in place."""
    match new:
        case Call(operation, (Read(name), right)) if name == old and operation in IN_PLACE:
            return not shared_memory(right, memory) & memory[old]
        case Call(operation, (left, right)) if operation in IN_PLACE:
            reads = [memory.get(part.name, frozenset()) for part in parts(right) if isinstance(part, Read)]
            return _begins_with(old, left, memory) and not any(each & memory[old] for each in reads)
        case _:
            return False


def last_reads(program: Program) -> dict[str, int]:
    """Return the number of the last statement that reads each name; outputs are read after the last statement."""
    last: dict[str, int] = {}
    for number, statement in enumerate(program.statements):
        for part in parts(statement.expression):
            if isinstance(part, Read):
                last[part.name] = number
    return last | {output.name: len(program.statements) for output in program.outputs}


def last_readers(program: Program) -> dict[int, list[str]]:
    """Map each statement number to the computed values that it is the last to read, and that are not observed."""
    kept = {*versions(program).values(), *(source.name for source in program.sources)}
    updates = {each.name for each in program.statements if _is_update(each.expression)}
    ends: dict[int, list[str]] = {}
    for name, number in last_reads(program).items():
        if name not in kept | updates:
            ends.setdefault(number, []).append(name)
    return ends


def _is_update(expression: Expression) -> bool:
    return isinstance(expression, Call) and expression.operation == "update"


def shared_memory(expression: Expression, known: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the sources and copied versions whose memory a value may share; einsum of one operand only permutes it."""
    match expression:
        case Read(name):
            return known.get(name, frozenset())
        case Convert(_, operand) | Call("einsum", (operand,)):
            return shared_memory(operand, known)
        # Operations that may return a view share the memory of their operands.
        case Call(operation, operands) if OPERATIONS[operation].kind.may_share or operation == "cast":
            return frozenset[str]().union(*(shared_memory(operand, known) for operand in operands))
        case _:
            return frozenset()
