"""slice: state t, read as Slice(t); t1 = update(t, AllGather(y)) -> state t sliced, read directly; t1 = update(t, y).

Guard: all reads of t and of its versions are the same slice of a replicated value; the last version is not an output,
and is updated by a gather of that slice. Obligations, which the solver proves:
    AllGather(Slice(x)) = x  for a replicated x,     Slice(x) on a rank = its part of x.
Rebuild: the state gets the slice's layout, also in checkpoints, and its initial value is scattered. Gathers that are no
longer read stay until `dead` removes them.
Complexity: O(statements) for each state and version.
Reference: Jangda et al., "Breaking the computation and communication abstraction barrier in distributed machine
learning workloads", ASPLOS 2022, section 3 (asSlice); it is the step to ZeRO (Rajbhandari et al., 2020).

Example: m1 = update(m, AllGather(0.9 * Slice(m) + g)) with m replicated becomes m1 = update(m, 0.9 * m + g) with m in
slices.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2smt.schedule.graph import arranged, readers, replaced, statements
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.naming import distinct, known, new_names
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.scheduled import KernelGroup, ScheduledProgram
from p2smt.schedule.step import SliceStates
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import AllGather, Slice
from p2smt.tensor.expression import (
    AxisLayout,
    Call,
    Convert,
    Expression,
    Number,
    Ranks,
    Read,
    Source,
    SourceKind,
    Statement,
    parts,
)
from p2smt.tensor.layout import Sliced, layout_text
from p2smt.tensor.program import Program


def slice_states(scheduled: ScheduledProgram, step: SliceStates, results: tuple[str, ...]) -> Rewriting:
    """Store states in slices, one after the other."""
    distinct(step.states)
    new_names(scheduled, results, ())
    notes = []
    for name in step.states:
        known(scheduled, name)
        scheduled, note = _one(scheduled, name)
        notes.append(note)
    lemmas = ("a gather of slices", "a part of what every rank has")
    return Rewriting(scheduled=scheduled, lemmas=lemmas, notes=tuple(notes))


@dataclass(frozen=True, slots=True)
class _Cut:
    conversion: Slice
    axis: str


def _one(scheduled: ScheduledProgram, name: str) -> tuple[ScheduledProgram, str]:
    program = scheduled.program
    source = next((each for each in program.sources if each.name == name), None)
    if source is None or source.kind not in (SourceKind.STATE, SourceKind.PARAMETER):
        raise StepRefusedError(Why.NOT_A_STATE, name)
    versions = _versions(program, name)
    cut = _the_cut(program, versions)
    _guard(program, versions, cut)
    placed = AxisLayout(Sliced(cut.conversion.dimension, cut.conversion.sizes), cut.axis)
    sources = tuple(_placed(each, placed) if each.name == name else each for each in program.sources)
    changed = {each.name: (Statement(each.name, _rewritten(each, versions, program)),) for each in program.statements}
    made = replace(replaced(program, changed, {}), sources=sources)
    note = f"{name} is stored {layout_text(placed.layout)}; its initial value is scattered, and a checkpoint has slices"
    groups = tuple(_joined(group, made, versions) for group in scheduled.groups)
    kept = arranged(replace(scheduled, program=made, groups=groups))
    return kept or scheduled.with_program(made), note


def _placed(source: Source, placed: AxisLayout) -> Source:
    others = tuple(each for each in source.layouts if each.axis != placed.axis)
    return replace(source, layouts=(*others, placed))


def _versions(program: Program, name: str) -> tuple[str, ...]:
    """Return a state and its versions, in order of definition."""
    found = [name]
    for statement in program.statements:
        match statement.expression:
            case Call("update", (Read(old), _)) if old in found:
                found.append(statement.name)
            case _:
                pass
    return tuple(found)


def _slices(program: Program, versions: tuple[str, ...]) -> Iterator[tuple[str, _Cut]]:
    for statement in program.statements:
        for part in parts(statement.expression):
            match part:
                case Convert(Slice() as conversion, Read(name), axis) if name in versions:
                    yield statement.name, _Cut(conversion, axis)
                case _:
                    pass


def _the_cut(program: Program, versions: tuple[str, ...]) -> _Cut:
    cuts = list(_slices(program, versions))
    if not cuts:
        raise StepRefusedError(Why.READ_WHOLE, f"{versions[0]} is not read in slices")
    unlike = next((name for name, cut in cuts if cut != cuts[0][1]), None)
    if unlike is not None:
        raise StepRefusedError(Why.UNLIKE_SLICES, f"{versions[0]} in {cuts[0][0]} and in {unlike}")
    return cuts[0][1]


def _guard(program: Program, versions: tuple[str, ...], cut: _Cut) -> None:
    """Check that no version is read whole, and that each is updated by a gather of the slice."""
    expressions = statements(program)
    for output in program.outputs:
        if output.name in versions:
            raise StepRefusedError(Why.WANTED_WHOLE, f"{output.name} is an output")
    for name in versions:
        for reader in readers(program)[name]:
            rest = _without_slices(expressions[reader], versions)
            if any(isinstance(part, Read) and part.name == name for part in parts(rest)):
                raise StepRefusedError(Why.READ_WHOLE, f"{name} in {reader}")
    for name in versions[1:]:
        if _sliced_value(program, expressions[name], cut) is None:
            raise StepRefusedError(Why.WANTED_WHOLE, f"{name} is not a gather of slices")


def _without_slices(expression: Expression, versions: tuple[str, ...]) -> Expression:
    """Return the expression with 0 in place of slices of versions, and of the updated version."""
    match expression:
        case Convert(Slice(), Read(name), _) if name in versions:
            return Number(0)
        case Call("update", (Read(name), value), attributes) if name in versions:
            return Call("update", (Number(0), _without_slices(value, versions)), attributes)
        case Call(name, operands, attributes):
            return Call(name, tuple(_without_slices(operand, versions) for operand in operands), attributes)
        case Convert(conversion, operand, axis):
            return Convert(conversion, _without_slices(operand, versions), axis)
        case Read() | Number() | Ranks():
            return expression


def _sliced_value(program: Program, update: Expression, cut: _Cut) -> Expression | None:
    """Return the slice whose gather is the new version; None if it is not such a gather."""
    assert isinstance(update, Call)
    value = update.operands[1]
    if isinstance(value, Read):
        value = statements(program).get(value.name, value)
    match value:
        case Convert(AllGather(dimension), operand, axis) if dimension == cut.conversion.dimension and axis == cut.axis:
            known = typed(program)
            whole = known.layouts_of(Convert(cut.conversion, value, axis))
            return operand if known.layouts_of(operand) == whole else None
        case _:
            return None


def _rewritten(statement: Statement, versions: tuple[str, ...], program: Program) -> Expression:
    match statement.expression:
        case Call("update", (Read(name), _) as operands, attributes) if name in versions:
            cut = next(cut for _, cut in _slices(program, versions))
            value = _sliced_value(program, statement.expression, cut)
            assert value is not None
            return Call("update", (operands[0], _unsliced(value, versions)), attributes)
        case _:
            return _unsliced(statement.expression, versions)


def _unsliced(expression: Expression, versions: tuple[str, ...]) -> Expression:
    match expression:
        case Convert(Slice(), Read(name), _) if name in versions:
            return Read(name)
        case Call(name, operands, attributes):
            return Call(name, tuple(_unsliced(operand, versions) for operand in operands), attributes)
        case Convert(conversion, operand, axis):
            return Convert(conversion, _unsliced(operand, versions), axis)
        case Read() | Number() | Ranks():
            return expression


def _joined(group: KernelGroup, program: Program, versions: tuple[str, ...]) -> KernelGroup:
    """Return a group that includes the update if it computes a version's slice."""
    members = list(group.members)
    for statement in program.statements:
        match statement.expression:
            case Call("update", (Read(old), Read(value))) if old in versions and value in members:
                members.append(statement.name)
            case _:
                pass
    return KernelGroup(group.name, group.kernel, tuple(members))
