"""split: x = AllReduce(y) -> r = ReduceScatter(y); g = AllGather(r), or Reduce and Broadcast; x -> slice and gather.

Guard: the statement has one AllReduce; the tensor has the dimension, or the axis the root. For a slice and a
gather, the value is replicated; it is a statement or a source. Obligations: a gather of the scattered sum is the
sum, for any assignment of indices to ranks. Rebuild: two statements, of which readers read the second. The
expression around the AllReduce stays in its statement. A source stays unchanged, and updates still write the state
itself.

    AllReduce(y) = AllGather(ReduceScatter(y)) = Broadcast(Reduce(y)),    x = AllGather(Slice(x)) for a replicated x.
Complexity: O(statements).

Reference: Jangda et al., "Breaking the computation and communication abstraction barrier in distributed machine
learning workloads", ASPLOS 2022, section 3 (split).

Example, LAMB's norm of a parameter in slices: after `s, whole = split p slice-ag` and `reorder whole past r1`,
`r1 = norm(p)` becomes the norm of every rank's slice, and an AllReduce of numbers.
"""

from collections.abc import Mapping
from dataclasses import replace

from p2smt.schedule.graph import observed, replaced, statements, substituted
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.naming import new_names, statement
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import AllReduceSplit, SplitForm
from p2smt.schedule.summing import adds
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import AllGather, AllReduce, Broadcast, Conversion, Reduce, ReduceScatter, Slice
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Statement, parts
from p2smt.tensor.layout import ReductionOp, Replicated
from p2smt.tensor.program import Program

LEMMAS = {
    SplitForm.RS_AG: "a gather of the scattered sum",
    SplitForm.REDUCE_BROADCAST: "a broadcast of the root's sum",
    SplitForm.SLICE_AG: "a gather of slices",
}


def split(scheduled: ScheduledProgram, step: AllReduceSplit, results: tuple[str, ...]) -> Rewriting:
    """Split a collective into two, or a replicated value into a slice and its gather."""
    match step.form:
        case SplitForm.SLICE_AG:
            if any(each.name == step.value for each in scheduled.program.sources):
                return _source(scheduled, step, results)
            return _sliced(scheduled, step, results, statement(scheduled, step.value))
        case SplitForm.RS_AG | SplitForm.REDUCE_BROADCAST:
            expression = statement(scheduled, step.value)
            return _reduced(scheduled, step, results, the_all_reduce(expression, step.value))


def _reduced(scheduled: ScheduledProgram, step: AllReduceSplit, results: tuple[str, ...], reduce: Convert) -> Rewriting:
    """Split an AllReduce into two collectives."""
    assert isinstance(reduce.conversion, AllReduce)
    if not step.form.is_rooted:
        _dimension(scheduled.program, step.dimension, reduce.operand)
    elif step.dimension >= scheduled.program.mesh[scheduled.program.axis(reduce.axis)].size:
        raise StepRefusedError(Why.NO_RANK, str(step.dimension))
    first, second = _conversions(step, reduce.conversion.reduction)
    new_names(scheduled, results, ("the first collective", "the second"))
    made = (
        Statement(results[0], Convert(first, reduce.operand, reduce.axis)),
        Statement(results[1], Convert(second, Read(results[0]), reduce.axis)),
    )
    program = put_before(scheduled.program, step.value, reduce, made)
    return Rewriting(
        scheduled=scheduled.with_program(program),
        lemmas=(LEMMAS[step.form],),
        summing=f"{results[0]} sums in an order of its own" if adds(first) else "",
    )


def put_before(program: Program, value: str, part: Expression, made: tuple[Statement, ...]) -> Program:
    """Return the program with new statements in place of a part of one statement.

    If the part is the whole expression, readers read the last new statement.
    """
    expression, last = statements(program)[value], made[-1].name
    if expression != part:
        return replaced(program, {value: (*made, Statement(value, _without(expression, part, Read(last))))}, {})
    # What is observed keeps its name; all other readers are renamed.
    alias = (Statement(value, Read(last)),) if value in observed(program) else ()
    return replaced(program, {value: (*made, *alias)}, {value: last})


def the_all_reduce(expression: Expression, name: str) -> Convert:
    """Return the only AllReduce of an expression."""
    return the_only(expression, name, (AllReduce,), Why.NOT_ALL_REDUCE)


def the_only(expression: Expression, name: str, kinds: tuple[type[Conversion], ...], why: Why) -> Convert:
    """Return the only conversion of these kinds in an expression.

    StepRefusedError if there are several, or for the reason `why` if there is none.
    """
    theirs = [each for each in parts(expression) if isinstance(each, Convert) and isinstance(each.conversion, kinds)]
    if not theirs:
        raise StepRefusedError(why, name)
    if len(theirs) > 1:
        raise StepRefusedError(Why.SEVERAL, f"{name} has {len(theirs)}")
    return theirs[0]


def _sliced(
    scheduled: ScheduledProgram, step: AllReduceSplit, results: tuple[str, ...], expression: Expression
) -> Rewriting:
    """Slice and gather a replicated statement; its readers read the gather."""
    axis = _cut_axis(scheduled, step, results)
    whole = f"{results[0]}.whole" if step.value in observed(scheduled.program) else step.value
    made = (Statement(whole, expression), *_cut_and_gathered(step, results, whole, axis))
    alias = (Statement(step.value, Read(results[1])),) if whole != step.value else ()
    program = replaced(scheduled.program, {step.value: (*made, *alias)}, {step.value: results[1]})
    return Rewriting(scheduled=scheduled.with_program(program), lemmas=(LEMMAS[step.form],))


def _source(scheduled: ScheduledProgram, step: AllReduceSplit, results: tuple[str, ...]) -> Rewriting:
    """Slice and gather a replicated source; all statements that compute with it read the gather."""
    made = _cut_and_gathered(step, results, step.value, _cut_axis(scheduled, step, results))
    program = scheduled.program
    gather = {step.value: Read(results[1])}
    statements = tuple(Statement(each.name, _with_gather(each.expression, gather)) for each in program.statements)
    return Rewriting(
        scheduled=scheduled.with_program(replace(program, statements=(*made, *statements))),
        lemmas=(LEMMAS[step.form],),
    )


def _with_gather(expression: Expression, gather: Mapping[str, Expression]) -> Expression:
    """Return the expression with the gather read in place of the source; an update still writes the source."""
    match expression:
        case Call("update", (Read() as old, value), attributes):
            return Call("update", (old, substituted(value, gather)), attributes)
        case _:
            return substituted(expression, gather)


def _cut_axis(scheduled: ScheduledProgram, step: AllReduceSplit, results: tuple[str, ...]) -> str:
    """Return the axis to slice along: the last one along which the value is replicated.

    Empty for a mesh of one axis.
    """
    known = typed(scheduled.program)
    # only Replicated: others are not rewritten; the result is proved or refused afterwards
    axes = [
        axis.name
        for axis, layout in zip(scheduled.program.mesh, known.layouts[step.value], strict=True)
        if isinstance(layout, Replicated)
    ]
    if not axes:
        raise StepRefusedError(Why.NOT_WHOLE, step.value)
    _dimension(scheduled.program, step.dimension, Read(step.value))
    new_names(scheduled, results, ("the slice", "the gather"))
    return axes[-1] if len(scheduled.program.mesh) > 1 else ""


def _cut_and_gathered(
    step: AllReduceSplit, results: tuple[str, ...], whole: str, axis: str
) -> tuple[Statement, Statement]:
    return (
        Statement(results[0], Convert(Slice(step.dimension), Read(whole), axis)),
        Statement(results[1], Convert(AllGather(step.dimension), Read(results[0]), axis)),
    )


def _conversions(step: AllReduceSplit, reduction: ReductionOp) -> tuple[Conversion, Conversion]:
    """Return the two conversions of a split."""
    match step.form:
        case SplitForm.REDUCE_BROADCAST:
            return Reduce(step.dimension, reduction), Broadcast(step.dimension)
        case SplitForm.RS_AG:
            return ReduceScatter(step.dimension, None, reduction), AllGather(step.dimension)
        case SplitForm.SLICE_AG:
            return Slice(step.dimension), AllGather(step.dimension)


def _dimension(program: Program, dimension: int, operand: Expression) -> None:
    shape = typed(program).shape_of(operand)
    if dimension >= len(shape):
        raise StepRefusedError(Why.NO_DIMENSION, f"dimension {dimension} of {len(shape)}")


def _without(expression: Expression, part: Expression, other: Expression) -> Expression:
    if expression == part:
        return other
    match expression:
        case Call(name, operands, attributes):
            return Call(name, tuple(_without(operand, part, other) for operand in operands), attributes)
        case Convert(conversion, operand, axis):
            return Convert(conversion, _without(operand, part, other), axis)
        case Read() | Number() | Ranks():
            return expression
