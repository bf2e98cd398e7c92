"""Plans of exchanges, which sum nothing: an all-to-all, and sends to the next device along an axis.

Blocks of an all-to-all reach their devices range of levels after range of levels (hierarchical all-to-all; Rajbhandari
et al. 2022, "DeepSpeed-MoE", section 5.3). A send is one step, all devices at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import prod
from typing import Literal

from p2smt.collective import Exchange, NeighbourSend
from p2smt.errors import PlanError
from p2smt.placement.groups import DigitGroups
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Payload
from p2smt.problem.system.network import System
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import GroupRule, PermuteStep, PlanDigit, Portion

ExchangeGoal = Literal[Exchange.ALL_TO_ALL] | NeighbourSend


@dataclass(frozen=True, slots=True)
class ExchangeStep:
    """One exchange in all groups of the rule at once, with everything that a device holds."""

    exchange: ExchangeGoal
    groups: GroupRule


MoveStep = ExchangeStep | PermuteStep


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangePlan:
    """An all-to-all or a send, ready to run, with the fields of a `Plan` except those that only sums need.

    `group` has the devices that exchange with each other. A payload is filled up to a multiple of `multiple` elements,
    and so long is what a device ends with.
    """

    levels: tuple[tuple[str, int], ...]
    axes: tuple[tuple[str, int], ...]
    over: tuple[str, ...]
    matrix: ParallelismMatrix
    payload: Payload
    program: str
    digits: tuple[PlanDigit, ...]
    group: GroupRule
    goal: ExchangeGoal
    steps: tuple[MoveStep, ...]
    system: System | None = None

    @property
    def devices(self) -> int:
        """Number of devices."""
        return prod(self.sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values of every digit."""
        return tuple(digit.size for digit in self.digits)

    @property
    def multiple(self) -> int:
        """The number of equal blocks of a payload."""
        match self.goal:
            case Exchange.ALL_TO_ALL:
                return self.groups(self.group).size
            case NeighbourSend():
                return 1

    def groups(self, rule: GroupRule) -> DigitGroups:
        """The groups of a rule, listed on demand."""
        return DigitGroups(self.sizes, rule.varying, rule.zero)


def all_to_all_plan(lowering: Lowering, groupings: Sequence[Grouping], program: str) -> ExchangePlan:
    """The plan of a sequence of all-to-alls, one per grouping; together the groupings vary every level once."""
    rules = [lowering.groups(grouping) for grouping in groupings]
    direct = lowering.direct
    return _plan(lowering, Exchange.ALL_TO_ALL, program, all_to_all_steps(direct.sizes, rules))


def send_plan(lowering: Lowering, send: NeighbourSend, program: str) -> ExchangePlan:
    """The plan of a send among all devices that differ on the axes; empty for a single device."""
    rule = lowering.all_groups
    return _plan(lowering, send, program, (ExchangeStep(send, rule),) if rule.varying else ())


def all_to_all_steps(sizes: Sequence[int], rules: Sequence[GroupRule]) -> tuple[MoveStep, ...]:
    """All-to-alls in the groups of these rules, one after the other, and permutations where blocks lie otherwise.

    The buffer is seen as a tensor with a dimension for every run of digits that vary in one rule. At first a dimension
    says for which digits a block is, after its rule's step from which it came. A step needs the dimensions of its rule
    outermost, in the order of their digits. Holds: of `n` steps `n - 1` permutations lie between them, one before them
    where the first rule's digits are not the first, one behind them where the last rule's are not.

    >>> [type(step).__name__ for step in all_to_all_steps((2, 4), [GroupRule((1,)), GroupRule((0,))])]
    ['PermuteStep', 'ExchangeStep', 'PermuteStep', 'ExchangeStep']
    """
    owner = {position: number for number, rule in enumerate(rules) for position in rule.varying}
    runs = [(number, tuple(run)) for number, run in groupby(sorted(owner), key=owner.__getitem__)]
    lengths = [prod(sizes[position] for position in run) for _, run in runs]
    in_order = tuple(range(len(runs)))
    layout, steps = in_order, list[MoveStep]()

    def reach(wanted: tuple[int, ...]) -> None:
        nonlocal layout
        # Only what the step needs outermost matters; the rest goes back to its first order.
        if layout[: len(wanted)] != wanted:
            after = (*wanted, *(run for run in in_order if run not in wanted))
            order = tuple(layout.index(run) for run in after)
            steps.append(PermuteStep(tuple(lengths[run] for run in layout), order, Portion(1)))
            layout = after

    for number, rule in enumerate(rules):
        reach(tuple(index for index, (own, _) in enumerate(runs) if own == number))
        steps.append(ExchangeStep(Exchange.ALL_TO_ALL, rule))
    reach(in_order)
    return tuple(steps)


def check_exchange(plan: ExchangePlan) -> None:
    """Raise PlanError unless the steps are those by which blocks, or what is sent, get where they belong.

    Proved for all-to-alls whose rules vary each digit of the group once, with the permutations that they need; nothing
    else is taken.
    """
    rules = [step.groups for step in plan.steps if isinstance(step, ExchangeStep)]
    match plan.goal:
        case Exchange.ALL_TO_ALL:
            varied = sorted(position for rule in rules for position in rule.varying)
            if varied != sorted(plan.group.varying) or any(rule.zero for rule in rules):
                raise PlanError(
                    f"the all-to-alls vary the digits {varied}, the group {sorted(plan.group.varying)}; "
                    "each digit is varied once, in all groups"
                )
            # The steps are a function of the rules alone, so a plan is right exactly if it equals
            # the plan made from its own rules.
            expected = all_to_all_steps(plan.sizes, rules)
        case NeighbourSend() as send:
            expected = (ExchangeStep(send, plan.group),) if plan.group.varying else ()
    # Without `strict`, to name the first step that differs rather than the difference in length.
    for number, (step, right) in enumerate(zip(plan.steps, expected, strict=False)):
        if step != right:
            raise PlanError(f"steps[{number}] is {_words(step)}; for {plan.goal} it has to be {_words(right)}")
    if len(plan.steps) != len(expected):
        raise PlanError(f"{len(plan.steps)} steps; {plan.goal} in these groups takes {len(expected)}")


def _plan(lowering: Lowering, goal: ExchangeGoal, program: str, steps: tuple[MoveStep, ...]) -> ExchangePlan:
    direct = lowering.direct
    if direct.tree is not None:
        raise PlanError(f"units of unlike size, {direct.tree}, have no plans of {goal}; units of one size have")
    return ExchangePlan(
        levels=direct.levels,
        axes=direct.axes,
        over=direct.reduce,
        matrix=direct.matrix,
        payload=direct.payload,
        program=program,
        digits=direct.digits,
        group=direct.reduction,
        goal=goal,
        steps=steps,
        system=direct.system,
    )


def _words(step: MoveStep) -> str:
    match step:
        case ExchangeStep(exchange, groups):
            return f"{exchange} along the digits {list(groups.varying)}"
        case PermuteStep(sizes, order):
            return f"a permutation of {list(sizes)} in order {list(order)}"
