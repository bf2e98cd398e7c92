"""Derive the two programs of gradient accumulation: for all micro-batches but the last, and for the last.

A step with `accumulate=k` has a state w.accumulated for every trained parameter w, and

    total.w = w.accumulated + gradient.w,    w.accumulated' = total.w,    w' = (the optimizer's step with total.w / k)

The first k - 1 micro-batches need only the second equation (and new versions of buffers). The last one needs
the third, after which the caller clears the states. Each program is the sharded program without the updates of
the other. A gradient that is summed over ranks is summed in the last micro-batch only (`with_late_sums`), as
sums can be reordered.
Complexity: one pass over the program.
Reference: Weiser, "Program slicing", 1984; Huang et al., "GPipe", 2019 (micro-batches).
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.expression import AxisLayout, Call, Convert, Read, Source, SourceKind, Statement, parts
from p2smt.tensor.layout import Partial, ReductionOp
from p2smt.tensor.program import Program, versions

_STATE = ".accumulated"


def gradients_alone(program: Program) -> Program:
    """Return the program without updates of parameters and optimizer states, and without the gradients' norm."""
    parameters = {each.name for each in program.sources if each.kind is SourceKind.PARAMETER}

    def is_kept(name: str) -> bool:
        return name.endswith(_STATE) or (name not in parameters and name.rpartition(".")[0] not in parameters)

    return _inside_updates(_with_updates(replace(program, outputs=program.outputs[:1]), is_kept))


def _inside_updates(program: Program) -> Program:
    """Move each sum into the update that is its only reader, so that it is computed in place."""
    made = {each.name: each.expression for each in program.statements}
    reads = Counter(part.name for each in made.values() for part in parts(each) if isinstance(part, Read))
    reads.update(each.name for each in program.outputs)
    inside: dict[str, str] = {}
    for statement in program.statements:
        match statement.expression:
            case Call("update", (Read(state), Read(total))) if state.endswith(_STATE) and reads[total] == 1:
                if isinstance(made.get(total), Call):
                    inside[statement.name] = total
            case _:
                pass
    left_out = set(inside.values())
    return replace(
        program,
        statements=tuple(
            Statement(each.name, Call("update", (each.expression.operands[0], made[inside[each.name]])))
            if each.name in inside and isinstance(each.expression, Call)
            else each
            for each in program.statements
            if each.name not in left_out
        ),
    )


def without_accumulation(program: Program) -> Program:
    """Return the program without updates of the accumulated gradients, which are cleared after the step."""
    return _with_updates(program, lambda name: not name.endswith(_STATE))


def _with_updates(program: Program, is_kept: Callable[[str], bool]) -> Program:
    """Return the program reduced to its outputs and the selected updates, without unneeded statements."""
    needed = {each.name for each in program.outputs}
    needed |= {version for name, version in versions(program).items() if is_kept(name)}
    kept = []
    for statement in reversed(program.statements):
        if statement.name in needed:
            kept.append(statement)
            needed |= {part.name for part in parts(statement.expression) if isinstance(part, Read)}
    return replace(program, statements=tuple(reversed(kept)))


def with_late_sums(program: Program, only: Collection[str] | None = None) -> tuple[Program, dict[str, str]]:
    """Let ranks accumulate their own gradients, and sum over ranks in the last micro-batch only.

    Return the program, and a map from each changed state to the name of the rank's own gradient.

        total = state + AllReduce(own)    becomes    total = AllReduce(state + own)

    Each rank's state then holds a partial value, and micro-batches but the last need no collective for it.
    Memory does not grow, as operands of an AllReduce are unsharded anyway. A ReduceScatter is not moved, since
    its operands' sum would be unsharded, too. With `only`, no other states change.
    """
    states = [each.name for each in program.sources if each.name.endswith(_STATE)]
    late: dict[str, str] = {}
    for state in states if only is None else [each for each in states if each in only]:
        program = _behind_reshape(program, state)
        while (found := _early_sum(program, state)) is not None:  # one for each axis of the mesh
            program = _behind_reshape(_later(program, state, found), state)
            late[state] = found.own.name
    return program, late


def _behind_reshape(program: Program, state: str) -> Program:
    """Move the AllReduce of an accumulated gradient from before its reshape to after it.

    The statements change as follows:

        whole = AllReduce(x), gradient = reshape(whole)    becomes    gradient = reshape(x), sum = AllReduce(gradient)
    """
    made = {each.name: each.expression for each in program.statements}
    total = _total_of(program, state)
    match made.get(total):
        case Call("add", (Read(name), Read(gradient))) if name == state:
            pass
        case _:
            return program
    match made.get(gradient):
        case Call("reshape", (Read(whole),)) as reshape if _reads(program, whole) == _reads(program, gradient) == 1:
            pass
        case _:
            return program
    match made.get(whole):
        case Convert(AllReduce(ReductionOp.SUM) as conversion, Read() as own, axis):
            name = _fresh(program, f"{gradient}_sum")
        case _:
            return program
    others: dict[str, list[Statement]] = {
        whole: [],
        gradient: [
            Statement(gradient, replace(reshape, operands=(own,))),
            Statement(name, Convert(conversion, Read(gradient), axis)),
        ],
        total: [Statement(total, Call("add", (Read(state), Read(name))))],
    }
    return replace(program, statements=_replaced(program, others))


@dataclass(frozen=True, slots=True)
class _EarlySum:
    """The statements `gradient = AllReduce(own)`, `total = state + gradient` and `new = update(state, total)`."""

    gradient: str
    own: Read
    conversion: AllReduce
    axis: str
    total: str
    new: str


def _early_sum(program: Program, state: str) -> _EarlySum | None:
    """Return the AllReduce of the gradient added to a state; None if another statement reads its result."""
    made = {each.name: each.expression for each in program.statements}
    new, total = versions(program).get(state, ""), _total_of(program, state)
    match made.get(total):
        case Call("add", (Read(name), Read(gradient))) if name == state:
            pass
        case _:
            return None
    match made.get(gradient):
        case Convert(AllReduce(ReductionOp.SUM) as conversion, Read() as own, axis) if _reads(program, gradient) == 1:
            return _EarlySum(gradient, own, conversion, axis, total, new)
        case _:
            return None


def _total_of(program: Program, state: str) -> str:
    """Return the name of the sum with which the state is updated; empty if there is none."""
    made = {each.name: each.expression for each in program.statements}
    match made.get(versions(program).get(state, "")):
        case Call("update", (_, Read(total))):
            return total
        case _:
            return ""


def _reads(program: Program, name: str) -> int:
    """Return the number of uses of a name, including outputs."""
    read = [part for each in program.statements for part in parts(each.expression) if part == Read(name)]
    return len(read) + sum(each.name == name for each in program.outputs)


def _fresh(program: Program, wanted: str) -> str:
    """Return a name that is unused in the program, derived from `wanted`."""
    taken = {each.name for each in program.sources} | {each.name for each in program.statements}
    return next(name for number in count() if (name := f"{wanted}{number or ''}") not in taken)


def _replaced(program: Program, others: Mapping[str, Sequence[Statement]]) -> tuple[Statement, ...]:
    """Return the statements, replacing those named in `others`."""
    return tuple(made for each in program.statements for made in others.get(each.name, [each]))


def _later(program: Program, state: str, early: _EarlySum) -> Program:
    """Move the AllReduce after the addition."""
    local = _fresh(program, f"{early.total}_own")
    added = Call("add", (Read(state), early.own))
    others: dict[str, list[Statement]] = {
        early.gradient: [],
        early.total: [
            Statement(local, added),
            Statement(early.total, Convert(early.conversion, Read(local), early.axis)),
        ],
        early.new: [Statement(early.new, Call("update", (Read(state), Read(local))))],
    }

    def stored(source: Source) -> Source:
        others = [each for each in source.layouts if each.axis != early.axis]
        return replace(source, layouts=(*others, AxisLayout(Partial(), early.axis)))

    return replace(
        program,
        sources=tuple(stored(each) if each.name == state else each for each in program.sources),
        statements=_replaced(program, others),
    )
