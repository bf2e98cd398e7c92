"""The steps of a plan as the body of `Reduction._run`: one statement per step, which reassigns the rank's buffer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from p2smt.collective import Collective
from p2smt.emit.description import assignment
from p2smt.reduction.plan.holdings import Amounts, DeviceClasses, device_classes, holdings, reordered
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, PlanStep
from p2smt.reduction.plan.rank_holdings import rank_holdings, reordered_ranks


@dataclass(frozen=True, slots=True)
class TorchStatement:
    """The statement `buffer = value` of a step; with a condition only on ranks that satisfy it.

    `constant` defines the names that the statement uses besides group rules, if any. With `keeps` the buffer before the
    step is kept as `whole_STEP`, for the gather that writes into it.
    """

    step: int
    value: str
    condition: str = ""
    constant: str = ""
    keeps: bool = False

    @property
    def line(self) -> str:
        """The statement as text."""
        comment = f"  # step {self.step}\n"
        if self.condition:
            return f"if {self.condition}:{comment}    buffer = {self.value}\n"
        kept = f"whole_{self.step} = buffer\n" if self.keeps else ""
        return f"{kept}buffer = {self.value}{comment}"


@dataclass(frozen=True, slots=True)
class Body:
    """The statements of a plan's steps, and the sets of digits that distinguish the classes of ranks in them."""

    statements: tuple[TorchStatement, ...]
    sets: tuple[tuple[int, ...], ...]

    @property
    def constants(self) -> Iterator[str]:
        """Yield the lines that define the names in statements."""
        defined = [statement.constant for statement in self.statements if statement.constant]
        if defined and self.sets:
            yield "# A device's class: bit i is set when its digits at LEVELS[i] are not all 0.\n"
            yield assignment("LEVELS", map(str, self.sets))
        yield from defined

    @property
    def lines(self) -> Iterator[str]:
        """Yield the statements as lines; the last one returns."""
        for statement in self.statements:
            if statement is self.statements[-1] and not statement.condition:
                yield f"return {statement.value}  # step {statement.step}\n"
                return
            yield statement.line
        yield "return buffer\n"

    @property
    def chunk_lines(self) -> Iterator[str]:
        """Yield the lines for one of several chunks, as a generator that yields while collectives run."""
        for statement in self.statements:
            # The same methods exist as generators that begin a call and yield while it runs.
            yield statement.line.replace("= self._", "= yield from self._begin_")
        yield "yield buffer\n"


def body_of(plan: Plan, rules: Mapping[GroupRule, str]) -> Body:
    """Return the work of ranks, step by step, in place where that is possible; see `_body`."""
    body, where = _body(plan, rules), in_place(plan)
    return replace(body, statements=tuple(_placed(statement, where) for statement in body.statements))


def _body(plan: Plan, rules: Mapping[GroupRule, str]) -> Body:
    """Return the work of ranks, step by step; `rules` maps group rules to their names in the text.

    The statements use `buffer`, and `padded`, the length of the whole payload. Raises PlanError if a step depends on
    the amounts that ranks hold, and the steps before it cannot run.
    """
    if not any(_depends_on_amounts(step) for step in plan.steps):
        simple = (TorchStatement(number, _simple(step, rules)) for number, step in enumerate(plan.steps, start=1))
        return Body(tuple(simple), ())
    if plan.tree is not None:
        held = zip(plan.steps, rank_holdings(plan), strict=False)
        by_rank = (_rank_statement(plan, rules, step, number, before) for number, (step, before) in enumerate(held, 1))
        return Body(tuple(by_rank), ())
    classes = device_classes(plan)
    steps = enumerate(zip(plan.steps, holdings(plan, classes), strict=False), start=1)
    return Body(
        tuple(_statement(plan, classes, rules, step, number, before) for number, (step, before) in steps), classes.sets
    )


@dataclass(frozen=True, slots=True)
class InPlace:
    """The steps of a plan that need no new buffer.

    `scatters` are the numbers of ReduceScatters whose result is a part of their input; `gathers` maps the numbers of
    AllGathers to the ReduceScatter of the same groups in whose input they write.
    """

    scatters: frozenset[int]
    gathers: Mapping[int, int]


def in_place(plan: Plan) -> InPlace:
    """Return the steps that work in place: in plans in one piece whose input is never the caller's to keep.

    A gather undoes the last scatter of the same groups if the steps between them leave every buffer where it is, so
    that a rank's part lies where libraries want it for a gather in place.
    """
    scatters, gathers, open_scatters = set[int](), dict[int, int](), list[tuple[GroupRule, int]]()
    if plan.chunks > 1 or plan.goal.scatters or plan.goal.gathers:
        return InPlace(frozenset(), {})
    for number, step in enumerate(plan.steps, start=1):
        match step:
            case CollectiveStep(Collective.REDUCE_SCATTER, rule):
                scatters.add(number)
                open_scatters.append((rule, number))
            case CollectiveStep(Collective.ALL_GATHER, rule) if open_scatters and open_scatters[-1][0] == rule:
                gathers[number] = open_scatters.pop()[1]
            case CollectiveStep(Collective.ALL_REDUCE):
                pass
            case CollectiveStep() | PermuteStep():
                open_scatters.clear()
    return InPlace(frozenset(scatters), gathers)


def _placed(statement: TorchStatement, where: InPlace) -> TorchStatement:
    """Return a statement that works in place if its step does."""
    if statement.step in where.scatters:
        value = statement.value.replace("self._reduce_scatter(", "self._reduce_scatter_in_place(", 1)
        return replace(statement, value=value, keeps=statement.step in where.gathers.values())
    if statement.step in where.gathers:
        return replace(statement, value=f"{statement.value[:-1]}, whole_{where.gathers[statement.step]})")
    return statement


def writes_into_input(plan: Plan) -> bool:
    """True if some rank modifies its initial buffer, or returns it because there is nothing to do."""
    for step in plan.steps:
        match step:
            case CollectiveStep(collective) if collective.adds and not collective.scatters:
                return True
            case CollectiveStep(collective, rule) if (collective.scatters or collective.gathers) and not rule.zero:
                return False
            case CollectiveStep() | PermuteStep():
                pass
    return not plan.steps


def _depends_on_amounts(step: PlanStep) -> bool:
    match step:
        case PermuteStep():
            return True
        case CollectiveStep(collective):
            return collective.from_root


def permuted(step: PermuteStep) -> str:
    """Return the expression for `buffer` in another order."""
    return f"buffer.view{(*step.sizes, -1)}.permute{(*step.order, len(step.order))}.reshape(-1)"


def _simple(step: PlanStep, rules: Mapping[GroupRule, str]) -> str:
    match step:
        case PermuteStep():
            return permuted(step)
        case CollectiveStep(collective, rule):
            return f"self._{collective.underscored}(buffer, {rules[rule]})"


def _statement(
    plan: Plan,
    classes: DeviceClasses,
    rules: Mapping[GroupRule, str],
    step: PlanStep,
    number: int,
    before: Amounts,
) -> TorchStatement:
    match step:
        case PermuteStep():
            concerned = reordered(classes, step, before)
            if len(concerned) == len(before):
                return TorchStatement(number, _simple(step, rules))
            name = f"CLASSES_{number}"
            condition = f"device_class(self.rank, LEVELS) in {name}"
            return TorchStatement(number, _simple(step, rules), condition, assignment(name, map(str, concerned)))
        case CollectiveStep(collective, rule) if collective.from_root:
            inside = classes.mask(rule.varying)
            roots = {root: before[root] or 0 for root in classes.taking_part(rule) if not root & inside}
            return _broadcast(plan.multiple, rules[rule], roots, number, "_held")
        case CollectiveStep():
            return TorchStatement(number, _simple(step, rules))


def _rank_statement(
    plan: Plan, rules: Mapping[GroupRule, str], step: PlanStep, number: int, before: Amounts
) -> TorchStatement:
    """Return the statement of a step on units of different sizes, where each rank is a case of its own."""
    match step:
        case PermuteStep():
            concerned = reordered_ranks(plan, step, before)
            if len(concerned) == plan.devices:
                return TorchStatement(number, _simple(step, rules))
            name = f"RANKS_{number}"
            return TorchStatement(
                number, _simple(step, rules), f"self.rank in {name}", assignment(name, map(str, concerned))
            )
        case CollectiveStep(collective, rule) if collective.from_root:
            roots = {root: before[root] or 0 for root in plan.groups(rule).roots()}
            return _broadcast(plan.multiple, rules[rule], roots, number, "_held_by_root")
        case CollectiveStep():
            return TorchStatement(number, _simple(step, rules))


def _broadcast(multiple: int, rule: str, roots: dict[int, int], number: int, held: str) -> TorchStatement:
    """Return a broadcast with the amount of the root of the rank's group, looked up by method `held` if amounts differ.

    `roots` maps the argument of that method to amounts.
    """
    # Roots hold different amounts: a table by what the receiving rank can compute.
    if len({*roots.values()}) > 1:
        name = f"AMOUNTS_{number}"
        constant = assignment(name, (f"{root}: {amount}" for root, amount in sorted(roots.items())), "{}")
        value = f"self._broadcast(buffer, {rule}, padded // MULTIPLE * self.{held}({rule}, {name}))"
        return TorchStatement(number, value, constant=constant)
    amount = next(iter(roots.values()))
    if amount == multiple:
        length = "padded"
    else:
        length = f"padded // MULTIPLE * {amount}" if multiple % amount else f"padded // {multiple // amount}"
    return TorchStatement(number, f"self._broadcast(buffer, {rule}, {length})")
