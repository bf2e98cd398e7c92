"""Moving of statements past a conversion: which statements, under which names, and how results become whole again.

    g = C(x); z = f(g, a)   ->   z1 = f(x, a1); z = C1(z1),   with a1 the part of a that a rank needs.
Invariant: z keeps its value, because the layout rule of f says f(C(x), a) = C1(f(x, a1)); each use of such a rule is an
instance that the solver proves. A chain of statements is moved one by one (`moving.py`), with everything that lies
between. C stays if somebody else reads g, and C1 is written only where a result is still read whole.
Complexity: linear in the operands of the moved statements; the proof has one query for each different rule.
Reference: Jangda et al., "Breaking the computation and communication abstraction barrier in distributed machine
learning workloads", ASPLOS 2022, section 3 (reorder).

Example: g = AllGather(x); y = relu(g) becomes y1 = relu(x); y = AllGather(y1), which computes on slices.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from p2smt.schedule.graph import arranged, between, observed, readers, replaced, statements
from p2smt.schedule.kernel import kernel_of
from p2smt.schedule.layouts_of import TypedProgram
from p2smt.schedule.moving import Mover, RankExpression
from p2smt.schedule.naming import alone, distinct, fresh, new_names, unit
from p2smt.schedule.outcome import Instance, StepRefusedError
from p2smt.schedule.scheduled import KernelGroup, ScheduledProgram
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.expression import Call, Convert, Expression, Read, Statement
from p2smt.tensor.layout import Layout
from p2smt.tensor.reason import Refusal

Back = Callable[[Layout], Conversion]
"""Returns the conversion that makes a local result whole again, given its layout along the axis."""


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The rewritten program, and the inputs of its proof."""

    scheduled: ScheduledProgram
    instances: tuple[Instance, ...]
    inserted: tuple[str, ...]
    notes: tuple[str, ...]
    lemmas: tuple[str, ...]
    broken: Refusal | None


@dataclass(frozen=True, slots=True)
class StatementMove:
    """A conversion, the statements to move past it, and names of the results.

    With `naive`, layout rules are not enforced.
    """

    scheduled: ScheduledProgram
    typed: TypedProgram
    value: str
    past: tuple[str, ...]
    results: tuple[str, ...]
    back: Back
    reduce_at_once: bool = True
    naive: bool = False

    @property
    def conversion(self) -> Convert:
        """The conversion's expression."""
        expression = statements(self.scheduled.program)[self.value]
        assert isinstance(expression, Convert)
        return expression

    @property
    def prefix(self) -> str:
        """The prefix of names not given by the step."""
        return self.results[0] if self.results else self.value

    def run(self) -> MoveResult:
        """Move the statements.

        StepRefusedError if a guard fails, ProgramError for names that are already taken.
        """
        fresh(self.scheduled, self.results)
        distinct(self.past)
        members = {name: unit(self.scheduled, name) for name in self.past}
        inside = tuple(name for theirs in members.values() for name in theirs)
        chosen = between(self.scheduled.program, self.value, inside)
        for name, theirs in members.items():
            if not set(theirs) & set(chosen):
                raise StepRefusedError(Why.INDEPENDENT, name)
        for name in sorted(self.scheduled.bound & set(chosen) - set(inside)):
            alone(self.scheduled, name)
        mover = Mover(self.typed, self.conversion.axis, self.prefix, self.reduce_at_once, self.naive)
        return _StatementMover(self, mover, members, chosen).run()


class _StatementMover:
    def __init__(
        self, move: StatementMove, mover: Mover, members: dict[str, tuple[str, ...]], chosen: tuple[str, ...]
    ) -> None:
        self._move = move
        self._mover = mover
        self._members = members
        self._chosen = chosen
        self._program = move.scheduled.program
        self._expressions = statements(self._program)
        self._names = dict(self._new_names())
        self._readers = readers(self._program)
        self._observed = observed(self._program)
        self._made: dict[str, tuple[Statement, ...]] = {}

    def run(self) -> MoveResult:
        operand = self._start()
        locals_ = {name: self._local(name) for name in self._chosen}
        # A result is made whole again only where somebody still reads the whole.
        live = [name for name in self._ordered() if locals_[name].moved and self._is_live(name)]
        makes = (*(f"{name} computed on parts" for name in self._move.past), *(f"{name} made whole" for name in live))
        results = self._move.results
        if self._move.naive:
            results = (*results, *(f"{self._move.prefix}.whole{number}" for number in range(len(makes))))[: len(makes)]
        else:
            new_names(self._move.scheduled, results, makes)
        whole = dict(zip(live, results[len(self._move.past) :], strict=True))
        put = {name: self._put(name, whole.get(name), locals_[name]) for name in self._chosen}
        put[self._move.value] = operand if self._is_moved_away() else (*operand, self._kept(operand))
        renamed = {name: whole.get(name, self._names[name]) for name in self._chosen if not self._is_update(name)}
        program = replaced(self._program, put, renamed)
        made = arranged(replace(self._move.scheduled, program=program, groups=self._groups(put)))
        if made is None:
            raise StepRefusedError(Why.NOT_CONVEX, ", ".join(self._move.past))
        made = replace(
            made, groups=tuple(replace(group, kernel=kernel_of(made.program, group.members)) for group in made.groups)
        )
        sliced = ["a part of what every rank has"] if self._mover.sliced else []
        lemmas = dict.fromkeys([*sliced, *self._mover.lemmas])
        return MoveResult(
            made,
            tuple(self._mover.instances),
            tuple(self._mover.inserted),
            self._notes(),
            tuple(lemmas),
            self._mover.broken,
        )

    def _new_names(self) -> Iterable[tuple[str, str]]:
        results = dict(zip(self._move.past, self._move.results, strict=False))
        named: dict[str, str] = {}
        for past, theirs in self._members.items():
            new = results.get(past, f"{self._move.prefix}.{past}")
            named |= {name: new if theirs == (past,) else f"{new}.{name}" for name in theirs}
        for name in self._chosen:
            yield name, named.get(name, f"{self._move.prefix}.{name}")

    def _start(self) -> tuple[Statement, ...]:
        """Return the statements before the conversion; an unnamed operand gets a name."""
        operand = self._move.conversion.operand
        layouts = self._mover.typed.layouts_of(operand)
        assert not isinstance(layouts, Refusal)
        if isinstance(operand, Read):
            self._mover.values[self._move.value] = RankExpression(operand, layouts, True)
            return ()
        name = f"{self._move.prefix}.operand"
        self._mover.values[self._move.value] = RankExpression(Read(name), layouts, True)
        return (Statement(name, operand),)

    def _kept(self, operand: tuple[Statement, ...]) -> Statement:
        conversion = self._move.conversion
        if not operand:
            return Statement(self._move.value, conversion)
        return Statement(self._move.value, replace(conversion, operand=Read(operand[0].name)))

    def _is_moved_away(self) -> bool:
        others = set(self._readers[self._move.value]) - set(self._chosen)
        return not others and self._move.value not in self._observed

    def _is_update(self, name: str) -> bool:
        match self._expressions[name]:
            case Call("update", (Read(), _)):
                return True
            case _:
                return False

    def _local(self, name: str) -> RankExpression:
        expression: Expression = self._expressions[name]
        if self._is_update(name):
            assert isinstance(expression, Call)
            # The value of an update is computed on parts; the update itself writes the whole.
            expression = expression.operands[1]
        begin = len(self._mover.statements)
        local = self._mover.move(name, self._names[name], expression)
        self._made[name] = tuple(self._mover.statements[begin:])
        return local

    def _ordered(self) -> list[str]:
        """Return the moved statements: outputs first, as declared, then in program order."""
        outputs = [output.name for output in self._program.outputs if output.name in self._chosen]
        return [*outputs, *(name for name in self._chosen if name not in outputs)]

    def _is_live(self, name: str) -> bool:
        others = set(self._readers[name]) - set(self._chosen)
        return bool(others) or self._is_update(name) or name in self._observed

    def _put(self, name: str, whole: str | None, local: RankExpression) -> tuple[Statement, ...]:
        made = list(self._made[name])
        if whole is not None:
            conversion = self._move.back(local.layouts[self._mover.number])
            made.append(Statement(whole, Convert(conversion, local.expression, self._move.conversion.axis)))
        value = Read(whole or self._names[name])
        if self._is_update(name):
            update = self._expressions[name]
            assert isinstance(update, Call)
            made.append(Statement(name, replace(update, operands=(update.operands[0], value))))
        elif name in self._observed:
            made.append(Statement(name, value))
        return tuple(made)

    def _groups(self, put: dict[str, tuple[Statement, ...]]) -> tuple[KernelGroup, ...]:
        """Return the groups; moved ones have the local statements as members, under their new names."""
        results = dict(zip(self._move.past, self._move.results, strict=False))
        along = self._along()
        found = []
        for group in self._move.scheduled.groups:
            if group.name not in self._members:
                found.append(group)
                continue
            members: list[str] = []
            feeding = [name for name in along if between(self._program, name, group.members)]
            along = [name for name in along if name not in feeding]
            for name in (*feeding, *group.members):
                members += [each.name for each in self._made[name]] if name in self._made else [name]
            name = results.get(group.name, f"{self._move.prefix}.{group.name}")
            found.append(KernelGroup(name, group.kernel, tuple(members)))
        return tuple(found)

    def _along(self) -> list[str]:
        """Return the statements in between that the step does not name; a group that needs them includes them."""
        inside = {name for theirs in self._members.values() for name in theirs}
        return [name for name in self._chosen if name not in inside]

    def _notes(self) -> tuple[str, ...]:
        along = self._along()
        notes = [f"{', '.join(along)} lies between and is moved as well"] if along else []
        notes += [] if self._is_moved_away() else [f"{self._move.value} stays for its other readers"]
        return (*notes, *(f"{name} is inserted" for name in self._mover.inserted))


def with_naive(refused: StepRefusedError, move: StatementMove) -> StepRefusedError:
    """Return the refusal, with the program that would result without the broken rule.

    If a guard prevents that program, return the guard's refusal.
    """
    if isinstance(refused.reason, Why):
        return refused
    try:
        return StepRefusedError(refused.reason, refused.detail, move.run().scheduled.program)
    except StepRefusedError as guard:
        return guard if isinstance(guard.reason, Why) else refused
