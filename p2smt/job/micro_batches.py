"""The two programs of a step that accumulates gradients: of all micro-batches but the last, and of the last.

A step with `accumulate=k` has for every trained parameter w a state w.accumulated, and

    total.w = w.accumulated + gradient.w / k,    w.accumulated' = total.w,    w' = (the optimizer's step with total.w)

The first k - 1 micro-batches need the second equation alone (and new versions of buffers); the last needs the third,
and whoever runs it clears the states behind it. Both are the sharded program without the other's updates. A gradient
that is summed over ranks is summed in the last alone (`with_late_sums`), for sums may be made in any order.
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from itertools import count

from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.layout import Partial, Reduction
from p2smt.tensor.program import (
    Call,
    Convert,
    Number,
    Placed,
    Program,
    Read,
    Source,
    SourceKind,
    Statement,
    parts,
    versions,
)

_STATE = ".accumulated"


def gradients_alone(program: Program) -> Program:
    """The program without the updates of parameters and of the optimizer's states, and without the gradients' norm."""
    parameters = {each.name for each in program.sources if each.kind is SourceKind.PARAMETER}

    def is_kept(name: str) -> bool:
        return name.endswith(_STATE) or (name not in parameters and name.rpartition(".")[0] not in parameters)

    return _inside_updates(_with_updates(replace(program, outputs=program.outputs[:1]), is_kept))


def _inside_updates(program: Program) -> Program:
    """With sums inside the updates that alone read them, so that they are added in place."""
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
    """Without the updates of sums of gradients, which are cleared behind the step."""
    return _with_updates(program, lambda name: not name.endswith(_STATE))


def _with_updates(program: Program, is_kept: Callable[[str], bool]) -> Program:
    """The statements that outputs and the updates of these states and parameters need."""
    needed = {each.name for each in program.outputs}
    needed |= {version for name, version in versions(program).items() if is_kept(name)}
    kept = []
    for statement in reversed(program.statements):
        if statement.name in needed:
            kept.append(statement)
            needed |= {part.name for part in parts(statement.expression) if isinstance(part, Read)}
    return replace(program, statements=tuple(reversed(kept)))


def with_late_sums(program: Program, only: Collection[str] | None = None) -> tuple[Program, dict[str, str]]:
    """The program whose ranks add up their own gradients, which the last micro-batch sums; and the states of those.

    The states are those in which they add up, each with the name of a rank's own gradient.

        total = state + AllReduce(own) * n    becomes    total = AllReduce(state + own * n)

    The state has a summand on every rank then, and micro-batches but the last have no collective for it. Memory stays,
    as an AllReduce has whole operands. A ReduceScatter stays where it is: the sum of its operands would be whole, too.
    With `only` no other states change.
    """
    states = [each.name for each in program.sources if each.name.endswith(_STATE)]
    late: dict[str, str] = {}
    for state in states if only is None else [each for each in states if each in only]:
        while (found := _early_sum(program, state)) is not None:  # one for each axis of the mesh
            program = _later(program, state, found)
            late[state] = found.own.name
    return program, late


@dataclass(frozen=True, slots=True)
class _EarlySum:
    """The statements `gradient = AllReduce(own)`, `total = state + gradient * factor`, `new = update(state, total)`."""

    gradient: str
    own: Read
    conversion: AllReduce
    axis: str
    factor: Number
    total: str
    new: str


def _early_sum(program: Program, state: str) -> _EarlySum | None:
    """The sum of the gradient that is added to a state, where nothing else reads it."""
    made = {each.name: each.expression for each in program.statements}
    new = versions(program).get(state, "")
    match made.get(new):
        case Call("update", (_, Read(total))):
            pass
        case _:
            return None
    match made.get(total):
        case Call("add", (Read(name), Call("mul", (Read(gradient), Number() as factor)))) if name == state:
            pass
        case _:
            return None
    reads = [part for each in made.values() for part in parts(each) if part == Read(gradient)]
    match made.get(gradient):
        case Convert(AllReduce(Reduction.SUM) as conversion, Read() as own, axis) if len(reads) == 1:
            return _EarlySum(gradient, own, conversion, axis, factor, total, new)
        case _:
            return None


def _later(program: Program, state: str, early: _EarlySum) -> Program:
    """With the sum behind the addition."""
    taken = {each.name for each in program.sources} | {each.name for each in program.statements}
    local = next(name for number in count() if (name := f"{early.total}_own{number or ''}") not in taken)
    added = Call("add", (Read(state), Call("mul", (early.own, early.factor))))
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
        return replace(source, layouts=(*others, Placed(Partial(), early.axis)))

    return replace(
        program,
        sources=tuple(stored(each) if each.name == state else each for each in program.sources),
        statements=tuple(made for each in program.statements for made in others.get(each.name, [each])),
    )
