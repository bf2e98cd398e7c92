"""Join independent collectives of the same kind into buckets, and reorder a program's statements accordingly.

Method: greedy, bucket by bucket. The first collective c opens a bucket. A later collective u of its kind joins if it
depends on no member of the bucket and fits:
    joins(u)  if  kind(u) = kind(c),  reads(u) and made are disjoint,  bytes(bucket) + bytes(u) <= most,
where `made` holds every name that depends on a member. The bucket runs once the operands of all its members exist;
statements that depend on a member run after it. AllReduces computed from inputs and constants only (such as the number
of labels) move to the beginning of the program, with the statements they need: their results can be awaited late. All
other statements keep their order. The program computes the same values; in emitted code a bucket is one call over a
flat buffer (as in DistributedDataParallel; Li et al., "PyTorch Distributed", VLDB 2020).

Complexity: statements x buckets.

Example: g1 = AllReduce(a), b = f(a), g2 = AllReduce(b), u = g1 + g2 becomes: b, the bucket (g1, g2), u.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod

from p2smt.tensor.conversion import AllGather, AllReduce, Broadcast, Reduce, ReduceScatter, Send
from p2smt.tensor.expression import Call, Convert, SourceKind, Statement, parts
from p2smt.tensor.judgement import JudgedProgram
from p2smt.tensor.layout import OnRank
from p2smt.tensor.operation import Kind as OperationKind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole, wholes
from p2smt.tensor.statement_form import Form, FormReader

BUCKET = 25 * 2**20
"""Maximum bytes of the unsharded tensors in one bucket; the default of torch's DistributedDataParallel.

A bucket saves one call latency per joined collective, and costs one copy of a gathered tensor: 25 MiB at 10
GB/s take 2.6 ms.
"""

Kind = tuple[object, ...]
"""The properties shared by all collectives of a bucket."""


@dataclass(frozen=True, slots=True)
class BucketedProgram:
    """A program whose statements are split into runs.

    A run of several statements is a bucket, executed as one call.
    """

    program: Program
    runs: tuple[tuple[Statement, ...], ...]

    @property
    def buckets(self) -> tuple[tuple[str, ...], ...]:
        """The names of the statements in each bucket."""
        return tuple(tuple(each.name for each in run) for run in self.runs if len(run) > 1)


def bucketed(program: Program, most: int = BUCKET, judged: JudgedProgram | None = None) -> BucketedProgram:
    """Return the program with its AllReduces, AllGathers and ReduceScatters in buckets of at most `most` bytes.

    No buckets are formed if `most` is 0, or if any value is held by a single rank (OnRank). Guarantees: every
    statement comes after the statements it reads, no collective in a bucket depends on another one in it, and
    the collectives of a bucket share kind, reduction, axis and element type. `judged` has the layouts of the program,
    where they are known; forms, reads and shapes are then taken from there.
    """
    alone = BucketedProgram(program, tuple((each,) for each in program.statements))
    if most <= 0:
        return alone
    forms, known = _facts(program, judged)
    one_of = {forms[each.name][0]: each for each in program.statements}
    if _has_owners(program, one_of.values()):
        return alone
    reads = {name: frozenset(names) for name, (_, names) in forms.items()}
    random = {form for form, each in one_of.items() if _is_random(each)}
    program = _with_sums_of_inputs_first(program, reads, {name for name, (form, _) in forms.items() if form in random})
    units = [_unit(each, known, reads[each.name]) for each in program.statements]
    least: dict[Kind, int] = {}
    for unit in units:
        if unit.kind is not None:
            least[unit.kind] = min(unit.bytes, least.get(unit.kind, unit.bytes))
    position = 0
    while position < len(units):
        kind = units[position].kind
        # Nothing can join a collective that is full with the smallest other one.
        if kind is not None and units[position].bytes + least[kind] <= most:
            position += _join(units, position, most)
        position += 1
    runs = tuple(unit.statements for unit in units)
    return BucketedProgram(replace(program, statements=tuple(each for run in runs for each in run)), runs)


def _facts(
    program: Program, judged: JudgedProgram | None
) -> tuple[dict[str, tuple[Form, tuple[str, ...]]], Mapping[str, Whole]]:
    """Return the form and the reads of each statement, and the shape and element type of its value."""
    names = [each.name for each in program.statements]
    if judged is None:
        reader = FormReader(program)
        return {each.name: reader.form(each.expression) for each in program.statements}, wholes(program)
    # Statements that share a judgement share their form too, so its number stands for the form.
    pairs = zip([each.number for each in judged.statements], judged.reads, strict=True)
    made = [each.steps[-1].whole for each in judged.statements]
    return dict(zip(names, pairs, strict=True)), dict(zip(names, made, strict=True))


def _with_sums_of_inputs_first(
    program: Program, reads: Mapping[str, frozenset[str]], random: Collection[str]
) -> Program:
    """Move AllReduces computed from inputs and constants alone to the beginning, with the statements they need.

    These read no parameter or state and are not in `random`, so their values do not depend on their position.
    """
    given = (SourceKind.INPUT, SourceKind.CONSTANT)
    known = {each.name for each in program.sources if each.kind in given}
    for each in program.statements:
        if reads[each.name] <= known and each.name not in random:
            known.add(each.name)
    needed: set[str] = set()
    for each in reversed(program.statements):
        if each.name in known and (each.name in needed or _is_all_reduce(each)):
            needed |= {each.name, *reads[each.name]}
    first = tuple(each for each in program.statements if each.name in needed)
    return replace(program, statements=(*first, *(each for each in program.statements if each.name not in needed)))


def _is_random(statement: Statement) -> bool:
    return any(  # only: the other kinds give the same wherever they stand
        isinstance(part, Call) and OPERATIONS[part.operation].kind in (OperationKind.RANDOM, OperationKind.UPDATE)
        for part in parts(statement.expression)
    )


def _is_all_reduce(statement: Statement) -> bool:
    return isinstance(statement.expression, Convert) and isinstance(statement.expression.conversion, AllReduce)


@dataclass(frozen=True, slots=True)
class _Unit:
    """Statements that stay together.

    `kind` is the bucket kind of a collective that can still join a bucket, else None; `bytes` counts its tensors.
    """

    statements: tuple[Statement, ...]
    names: tuple[str, ...]
    kind: Kind | None
    reads: frozenset[str]
    bytes: int


def _join(units: list[_Unit], first: int, most: int) -> int:
    """Add the following collectives that fit to the bucket at `first`.

    Return the number of units moved before it.
    """
    members, later, size = [first], set[int](), units[first].bytes
    made, kind = set(units[first].names), units[first].kind
    for position in range(first + 1, len(units)):
        unit = units[position]
        if not made.isdisjoint(unit.reads):
            made.update(unit.names)
            later.add(position)
        elif unit.kind == kind:
            # Full: a later, smaller one is left out too, so that buckets keep the order of the program.
            if size + unit.bytes > most:
                break
            members.append(position)
            made.update(unit.names)
            size += unit.bytes
    if len(members) == 1:
        return 0
    # The bucket stands behind the last unit that makes an operand of any member.
    needed = frozenset[str]().union(*(units[member].reads for member in members))
    makers = (number for number in range(members[-1] - 1, first, -1) if not needed.isdisjoint(units[number].names))
    end, joined = next(makers, first), {*members}
    before = [number for number in range(first, end + 1) if number not in later and number not in joined]
    moved = joined.union(before)
    behind = [number for number in range(first, members[-1] + 1) if number not in moved]
    chosen = [units[number] for number in members]
    statements = tuple([each for unit in chosen for each in unit.statements])
    bucket = _Unit(statements, tuple([each.name for each in statements]), None, needed, size)
    units[first : members[-1] + 1] = [*(units[n] for n in before), bucket, *(units[n] for n in behind)]
    return len(before)


def _unit(statement: Statement, known: Mapping[str, Whole], reads: frozenset[str]) -> _Unit:
    kind = _kind(statement, known)
    return _Unit((statement,), (statement.name,), kind, reads, 0 if kind is None else _bytes(known[statement.name]))


def _kind(statement: Statement, known: Mapping[str, Whole]) -> Kind | None:
    """Return the bucket kind of a statement; None if it cannot join a bucket.

    A collective whose operand contains another collective of the same statement cannot join: its operand must
    exist before the call.
    """
    match statement.expression:
        case Convert(_, operand, _) if any(isinstance(part, Convert) for part in parts(operand)):
            return None
        case Convert(AllReduce(reduction), _, axis):
            found: Kind = (AllReduce, reduction, axis)
        case Convert(ReduceScatter(_, _, reduction), _, axis):
            found = (ReduceScatter, reduction, axis)
        case Convert(AllGather(), _, axis):
            found = (AllGather, axis)
        case _:
            return None
    dtype = known[statement.name].dtype
    return None if dtype is None else (*found, dtype)


def _bytes(whole: Whole) -> int:
    return prod(whole.shape) * (whole.dtype.bytes if whole.dtype is not None else 0)


def _has_owners(program: Program, statements: Iterable[Statement]) -> bool:
    """True if any value of the program may be held by one rank only; `statements` has one of each form."""
    placed = (each.layout for source in program.sources for each in source.layouts)
    # only OnRank: programs with a value on a single rank keep their calls apart
    return any(isinstance(layout, OnRank) for layout in placed) or any(
        _any_rooted(parts(each.expression)) for each in statements
    )


def _any_rooted(expressions: Iterable[object]) -> bool:
    return any(
        isinstance(each, Convert) and isinstance(each.conversion, Reduce | Broadcast | Send) for each in expressions
    )
