"""A reduction program as a function: every step is a collective along an axis or among groups of its ranks.

Steps call the same functions as collectives along whole axes. A rank in no group of a step is alone in that step.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

from p2smt.collective import Collective
from p2smt.emit.torch.program.lines import WIDTH, broken, definition
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.steps import permuted
from p2smt.errors import ProgramError
from p2smt.reduction.plan.holdings import Amounts
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, PlanStep
from p2smt.reduction.plan.rank_holdings import rank_holdings, reordered_ranks

_OPERATION = "op: dist.ReduceOp = dist.ReduceOp.SUM"
_OWN = ("x", "axis", "op", "dim", "made", "held", "buffer", "padded", "first", "finish")

Groups = tuple[tuple[int, ...], ...]
"""Groups of positions along an axis; the first position of a group is its root."""


class _Form(NamedTuple):
    """The signature of a goal's function: parameters, a rank's initial elements, the returned part of `buffer`.

    `padded` is the number of elements of the whole.
    """

    parameters: tuple[str, ...]
    start: str
    result: str
    padded: str = "buffer.numel()"


def _form(goal: Collective, multiple: int) -> _Form:
    given = ("x: torch.Tensor", "axis: Axis")
    match goal:
        case Collective.ALL_REDUCE:
            return _Form((*given, _OPERATION), f"flattened(x, {multiple})", "buffer[: x.numel()].view(x.shape)")
        case Collective.REDUCE_SCATTER:
            parameters = (*given, "dim: int", "made: Part", _OPERATION)
            return _Form(parameters, "flat_blocks(x, dim, made)", "own_block(buffer, x, dim, made)")
        case Collective.ALL_GATHER:
            result, padded = "joined_shards(buffer, x, dim, held)", "buffer.numel() * axis.size"
            return _Form((*given, "dim: int", "held: Part"), "flat_shard(x, dim, held)", result, padded)
        case Collective.REDUCE | Collective.BROADCAST:
            raise ProgramError(
                f"schedules have no reduction program for {goal}; leave the reduction program of this step out"
            )


class _Line(NamedTuple):
    """An assignment to `buffer` in the emitted function; with a condition, only ranks that satisfy it execute it."""

    value: str
    condition: str = ""
    sends: bool = False

    def text(self, indent: str) -> str:
        if self.condition:
            return f"{indent}if {self.condition}:\n" + broken(f"{indent}    buffer = {self.value}")
        return broken(f"{indent}buffer = {self.value}")


@dataclass(frozen=True, slots=True)
class ByProgram:
    """A reduction program and its plan, the levels it is written over, and the level name of each digit."""

    program: str
    plan: Plan
    levels: tuple[tuple[str, int], ...]
    digits: tuple[str, ...]


class ProgramText:
    """The function of a program; `inside` lists the groups along its axis, and those of its steps are appended.

    `scatter` implements ReduceScatter steps. `alone`: the function is also called on an axis of one rank, which has no
    inner groups.
    """

    def __init__(self, done: ByProgram, inside: list[Groups], scatter: str, *, alone: bool = False) -> None:
        plan = done.plan
        self._done = done
        self._plan = plan
        self._inside = inside
        self._scatter = scatter
        self._is_alone = alone
        self._op = ", op" if plan.goal.adds else ""
        self._names = PythonNames(_OWN)
        self._along: dict[Groups, str] = {}
        self._form = _form(plan.goal, plan.multiple)
        self._lines = [self._line(*each) for each in zip(plan.steps, rank_holdings(plan), strict=False)]

    def whole(self, name: str) -> str:
        """Return the function that runs all steps."""
        lines = [*self._start("    "), *(line.text("    ") for line in self._lines)]
        head = definition(name, self._form.parameters, "torch.Tensor")
        words = self._docs(f"`{self._plan.goal.underscored}`")
        begin = [*words, *self._ends_alone("x.clone()", "x"), *self._locals()]
        return "\n".join([head, *begin, *lines, f"    return {self._form.result}"]) + "\n"

    def begun(self, name: str) -> str:
        """Return the function that begins the first step; waiting for its result then runs the other steps."""
        number = next(number for number, line in enumerate(self._lines) if line.sends)
        first, rest = self._lines[number], self._lines[number + 1 :]
        if first.condition:
            before, works, after = [], "()", [*self._start("        "), *self._texts(self._lines)]
        else:
            before = [*self._start("    "), *(line.text("    ") for line in self._lines[:number])]
            before.append(broken(f"    first = begin_{first.value}"))
            works, after = "first.works", ["        buffer = first.finish()", *self._texts(rest)]
        head = definition(f"begin_{name}", self._form.parameters, "Pending")
        words = self._docs(f"Begin `{self._plan.goal.underscored}`")
        after.append(f"        return {self._form.result}")
        lines = [*before, "", "    def finish() -> torch.Tensor:", *after, "", f"    return Pending({works}, finish)"]
        begin = [*words, *self._ends_alone("Pending((), x.clone)", "Pending((), lambda: x)"), *self._locals()]
        return "\n".join([head, *begin, *lines]) + "\n"

    def _ends_alone(self, summed: str, gathered: str) -> Iterator[str]:
        """Yield the early return for an axis with a single rank."""
        if self._is_alone:
            yield f"    if axis.size == 1:\n        return {summed if self._plan.goal.adds else gathered}"

    def _texts(self, lines: Sequence[_Line]) -> list[str]:
        return [line.text("        ") for line in lines]

    def _docs(self, what: str) -> list[str]:
        levels = ", ".join(f"{name}={size}" for name, size in self._done.levels)
        most = WIDTH - 4
        words = [f"{what} by a reduction program over {levels}.", "", *wrap(self._done.program, most)]
        return ['    """' + words[0], *(f"    {line}".rstrip() for line in words[1:]), '    """']

    def _locals(self) -> Iterator[str]:
        """Yield the assignments of this rank's groups, named by the levels they are along."""
        for groups, name in self._along.items():
            yield f"    {name} = axis.inside[{self._inside.index(groups)}]"

    def _start(self, indent: str) -> Iterator[str]:
        yield f"{indent}buffer = {self._form.start}"
        if any("padded" in line.value for line in self._lines):
            yield f"{indent}padded = {self._form.padded}"

    def _line(self, step: PlanStep, before: Amounts) -> _Line:
        match step:
            case PermuteStep():
                concerned = reordered_ranks(self._plan, step, before)
                everywhere = len(concerned) == self._plan.devices
                return _Line(permuted(step), "" if everywhere else f"axis.position in {concerned}")
            case CollectiveStep(collective, rule):
                groups = tuple(tuple(members) for members in self._plan.groups(rule))
                name = self._group(groups, rule)
                everywhere = sum(map(len, groups)) == self._plan.devices
                value = self._called(collective, name, groups, before)
                return _Line(value, "" if everywhere else f"{name}.size > 1", sends=True)

    def _group(self, groups: Groups, rule: GroupRule) -> str:
        """Return the name of this rank's group; the axis itself if all of its ranks are in one group."""
        if len(groups) == 1 and len(groups[0]) == self._plan.devices:
            return "axis"
        if groups not in self._along:
            of_first, digits = "first_" if rule.zero else "", self._done.digits
            self._along[groups] = self._names.fresh(f"{of_first}along_{'_'.join(digits[at] for at in rule.varying)}")
        if groups not in self._inside:
            self._inside.append(groups)
        return self._along[groups]

    def _called(self, collective: Collective, name: str, groups: Groups, before: Amounts) -> str:
        match collective:
            case Collective.ALL_REDUCE:
                return f"all_reduce(buffer, {name}{self._op})"
            case Collective.REDUCE_SCATTER:
                part = f"even(buffer.numel() // {name}.size, {name})"
                return f"{self._scatter}(buffer, {name}, 0, {part}{self._op})"
            case Collective.ALL_GATHER:
                return f"all_gather(buffer, {name}, 0, even(buffer.numel(), {name}))"
            case Collective.REDUCE:
                return f"reduce(buffer, {name}, 0{self._op})"
            case Collective.BROADCAST:
                shape = f"({self._length(groups, before)},)"
                return f"broadcast(buffer if {name}.has(0) else None, {name}, 0, {shape}, x.dtype)"

    def _length(self, groups: Groups, before: Amounts) -> str:
        """Return the number of elements at the root of a rank's group."""
        held = {member: before[members[0]] or 0 for members in groups for member in members}
        amounts = {*held.values()}
        # Ranks with different amounts look theirs up by position.
        if len(amounts) > 1:
            every = tuple(held.get(position, 0) for position in range(self._plan.devices))
            return f"padded // {self._plan.multiple} * {every}[axis.position]"
        (amount,), multiple = amounts, self._plan.multiple
        if amount == multiple:
            return "padded"
        return f"padded // {multiple} * {amount}" if multiple % amount else f"padded // {multiple // amount}"
