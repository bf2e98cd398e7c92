"""Plans of exchanges, which move data without reducing it: an all-to-all, or sends to the next device along an axis.

An all-to-all is a sequence of all-to-alls along ranges of levels (hierarchical all-to-all; Rajbhandari et al. 2022,
"DeepSpeed-MoE", section 5.3). A send is one step of all devices.
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
    """One exchange of the whole buffers, in all groups of the rule at once."""

    exchange: ExchangeGoal
    groups: GroupRule


MoveStep = ExchangeStep | PermuteStep


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangePlan:
    """An all-to-all or a send, ready to run, with the fields of a `Plan` except those that only reductions need.

    `group` defines the devices that exchange with each other. Payloads are padded to a multiple of `multiple` elements,
    and results keep the padding.
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
        """Return the number of devices."""
        return prod(self.sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the number of values of every digit."""
        return tuple(digit.size for digit in self.digits)

    @property
    def multiple(self) -> int:
        """Return the number of equal blocks of a payload."""
        match self.goal:
            case Exchange.ALL_TO_ALL:
                return self.groups(self.group).size
            case NeighbourSend():
                return 1

    def groups(self, rule: GroupRule) -> DigitGroups:
        """Return the groups of a rule; they are computed on demand."""
        return DigitGroups(self.sizes, rule.varying, rule.zero)


def all_to_all_plan(lowering: Lowering, groupings: Sequence[Grouping], program: str) -> ExchangePlan:
    """Return the plan of a sequence of all-to-alls, one per grouping; together the groupings vary every level once."""
    rules = [lowering.groups(grouping) for grouping in groupings]
    direct = lowering.direct
    return _plan(lowering, Exchange.ALL_TO_ALL, program, all_to_all_steps(direct.sizes, rules))


def send_plan(lowering: Lowering, send: NeighbourSend, program: str) -> ExchangePlan:
    """Return the plan of a send among all devices that differ on the axes; it is empty for a single device."""
    rule = lowering.all_groups
    return _plan(lowering, send, program, (ExchangeStep(send, rule),) if rule.varying else ())


def all_to_all_steps(sizes: Sequence[int], rules: Sequence[GroupRule]) -> tuple[MoveStep, ...]:
    """Return the all-to-alls of these rules in order, with permutations where a step needs another block order.

    The buffer is viewed as a tensor with a dimension for every run of digits that vary in one rule. Initially a
    dimension indexes the destination of a block; after its rule's step, the origin. A step needs its rule's dimensions
    outermost, in digit order. There are `n - 1` permutations between `n` steps, one before them unless the first rule's
    digits come first, and one after them unless the last rule's do.

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
    """Raise PlanError unless the steps are the known correct ones for this exchange.

    For an all-to-all these are rules that vary each digit of the group once, with the permutations that they need;
    other steps are refused.
    """
    rules = [step.groups for step in plan.steps if isinstance(step, ExchangeStep)]
    match plan.goal:
        case Exchange.ALL_TO_ALL:
            varied = sorted(position for rule in rules for position in rule.varying)
            if varied != sorted(plan.group.varying) or any(rule.zero for rule in rules):
                raise PlanError(
                    f"the all-to-alls vary the digits {varied}, but the group varies "
                    f"{sorted(plan.group.varying)}; every digit of the group must be varied exactly once"
                )
            # The steps are a function of the rules alone, so a plan is right exactly if it equals
            # the plan made from its own rules.
            expected = all_to_all_steps(plan.sizes, rules)
        case NeighbourSend() as send:
            expected = (ExchangeStep(send, plan.group),) if plan.group.varying else ()
    # Without `strict`, to name the first step that differs rather than the difference in length.
    for number, (step, right) in enumerate(zip(plan.steps, expected, strict=False)):
        if step != right:
            raise PlanError(f"steps[{number}] is {_words(step)}; for {plan.goal} it must be {_words(right)}")
    if len(plan.steps) != len(expected):
        raise PlanError(
            f"{len(plan.steps)} steps; {plan.goal} in these groups needs {len(expected)}, so make the "
            "plan again with p2smt plan"
        )


def _plan(lowering: Lowering, goal: ExchangeGoal, program: str, steps: tuple[MoveStep, ...]) -> ExchangePlan:
    direct = lowering.direct
    if direct.tree is not None:
        raise PlanError(
            f"there is no plan of {goal} on the irregular hierarchy {direct.tree}; use a system with "
            "units of equal size"
        )
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
