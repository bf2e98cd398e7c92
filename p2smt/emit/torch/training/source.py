"""All communication of a training step as one Python file, which needs only torch."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent

from p2smt.collective import NeighbourSend
from p2smt.emit.description import (
    assignment,
    group_rules,
    lines_of,
    placement_facts,
    program_facts,
    rule_literal,
    steps_in_words,
)
from p2smt.emit.template import filled, only_used
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.steps import body_of, writes_into_input
from p2smt.emit.torch.training.goals import Goal, gives, goal_class, needs_root, own
from p2smt.errors import PlanError
from p2smt.problem.quantity import format_bytes
from p2smt.reduction.plan.exchange import ExchangePlan, ExchangeStep
from p2smt.reduction.plan.model import GroupRule, PermuteStep, Plan

_ROOT = "self.root = next(ranks[0] for ranks in groups_of(REDUCTION) if self.rank in ranks)\n"
_KNOWN = "known = {} if groups is None else groups\n"
_SENDS = """\
# Ranks at the ends send less often than others; groups of their own keep torch's count of collectives alike.
sends: dict[Ranks, dist.ProcessGroup] = {}
"""
_ATTRIBUTES = "RULES: tuple[Rule, ...] = ()\nREDUCTION: Rule = ((), ())\nMULTIPLE = 1\nWRITES = False\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Communication:
    """One communication of a training step, which runs its plan `times` times.

    `overlap` has the form that jobs use; `name` is free text.
    """

    name: str
    plan: Plan | ExchangePlan
    times: float = 1.0
    overlap: str = ""


def emit_exchange(plan: ExchangePlan) -> str:
    """Return the text of a module for one all-to-all or send, the only attribute of its class `Step`."""
    return _module([Communication(name=plan.goal.underscored, plan=plan)], f"One {plan.goal.hyphenated}")


def emit_training(parts: Sequence[Communication]) -> str:
    """Return the text of a module with a class `Step`, with one attribute per part, all on one placement.

    Raises PlanError for plans with different placements, and for plans in chunks.
    """
    _check(parts)
    return _module(parts, "All communication of one training step")


def _module(parts: Sequence[Communication], title: str) -> str:
    first, goals = parts[0].plan, list(dict.fromkeys(part.plan.goal for part in parts))
    names = _names(parts)
    rules = list(dict.fromkeys(rule for part in parts for rule in (*group_rules(part.plan), _members(part.plan))))
    named = {rule: f"G{number}" for number, rule in enumerate(rules)}
    groups = filled(
        "torch/templates/groups.py.in",
        sizes=assignment("SIZES", map(str, first.sizes)),
        multiple="",
        rules="".join(f"{name} = {rule_literal(rule)}\n" for rule, name in named.items()),
    )
    classes = [*map(goal_class, goals), *(_class(number, part, named) for number, part in enumerate(parts))]
    uses_sends = any("plain_send" in text for text in classes)
    sends = [filled("torch/templates/training/plain_send.py.in")] if uses_sends else []
    text = filled(
        "torch/templates/training/step.py.in",
        title=title,
        devices=str(first.devices),
        facts=placement_facts(first),
        reductions="".join(_described(name, part) for name, part in zip(names, parts, strict=True)),
        use="".join(f"    result = step.{name}(tensor)\n" for name in names),
        goals=lines_of(((goal.value, gives(goal)) for goal in goals), 15),
        groups=groups,
        reduction=_base(goals),
        classes="".join(f"\n\n{text}" for text in (*sends, *classes)),
        known="".join(_known(goals)),
        members="".join(map(_member, range(len(parts)), names, parts)),
        calls=assignment("CALLS", _calls(names, parts)),
        main=_main(),
    )
    return only_used(text)


def _check(parts: Sequence[Communication]) -> None:
    placements = {(part.plan.levels, part.plan.axes, part.plan.matrix) for part in parts}
    if len(placements) != 1:
        raise PlanError(
            f"the plans are on {len(placements)} placements; plans emitted together need one "
            "placement, so make all with one matrix"
        )
    for part in parts:
        if isinstance(part.plan, Plan) and part.plan.chunks > 1:
            raise PlanError(
                f"{part.name} is in {part.plan.chunks} chunks; the plans of a step need one chunk each, so "
                "leave --chunks out"
            )


def _names(parts: Sequence[Communication]) -> list[str]:
    """Return a unique attribute name for each part."""
    known = PythonNames(())
    return [known.fresh(re.sub(r"[^0-9A-Za-z]+", "_", part.name).strip("_") or "reduction") for part in parts]


def _members(plan: Plan | ExchangePlan) -> GroupRule:
    """Return the groups of ranks that communicate with each other."""
    match plan:
        case Plan():
            return plan.reduction
        case ExchangePlan():
            return plan.group


def _described(name: str, part: Communication) -> str:
    """Return docstring lines about one part."""
    plan = part.plan
    match plan:
        case Plan(reduce=over) | ExchangePlan(over=over):
            pass
    size = f"{format_bytes(plan.payload.bytes)} of {plan.payload.dtype}"
    what = f"{plan.goal} over {', '.join(over)}, {size}, {part.times:g} times: {part.name}"
    return f"step.{name}\n{lines_of([('does', what)])}{program_facts(plan)}{steps_in_words(plan)}"


def _known(goals: Sequence[Goal]) -> Iterator[str]:
    """Yield the code that finds the groups by their ranks, for collectives and for sends."""
    sends = [isinstance(goal, NeighbourSend) for goal in goals]
    if not all(sends):
        yield _KNOWN
    if any(sends):
        yield _SENDS


def _member(number: int, name: str, part: Communication) -> str:
    groups = "sends" if isinstance(part.plan.goal, NeighbourSend) else "known"
    return f"self.{name} = Reduction{number}(timeout, {groups})\n"


def _base(goals: Sequence[Goal]) -> str:
    """Return the base class of all others."""
    text = filled(
        "torch/templates/reduction.py.in",
        does="Communication among ranks",
        attributes=_ATTRIBUTES,
        fields=_ROOT if any(map(needs_root, goals)) else "",
        call="",
        calls="return buffer\n",
        steps="",
        joined="",
    )
    head, rest = text.split("    def __init__", 1)
    return f"{head}    def __init__{own(rest)}".replace("\n\n\n", "\n\n")


def _class(number: int, part: Communication, named: Mapping[GroupRule, str]) -> str:
    """Return the class of one part: its constants and its steps."""
    plan, goal = part.plan, part.plan.goal
    match plan:
        case Plan():
            body = body_of(plan, named)
            constants, lines, writes = "".join(body.constants), "".join(body.lines), writes_into_input(plan)
        case ExchangePlan():
            constants, lines, writes = "", "".join(_lines(plan, named)), not plan.steps
    used = list(dict.fromkeys((*group_rules(plan), *([_members(plan)] if isinstance(plan, ExchangePlan) else []))))
    attributes = (
        assignment("RULES", [named[rule] for rule in used])
        + f"REDUCTION = {named[_members(plan)]}\n"
        + f"MULTIPLE = {plan.multiple}\n"
        + (f"WRITES = {writes}\n" if writes else "")
        + constants
    )
    head = f'class Reduction{number}({goal.value}):\n    """CALLS[{number}]."""\n\n{indent(attributes, "    ")}'
    if not lines:
        return head
    run = f"    def _run(self, buffer: torch.Tensor, padded: int) -> torch.Tensor:\n{indent(own(lines), ' ' * 8)}"
    return f"{head}\n{run}"


def _lines(plan: ExchangePlan, named: Mapping[GroupRule, str]) -> Iterator[str]:
    """Yield the steps of an all-to-all as lines; none for a send, which is a single call."""
    if isinstance(plan.goal, NeighbourSend):
        return
    for number, step in enumerate(plan.steps, start=1):
        match step:
            case PermuteStep(sizes, order):
                value = f"buffer.view{(*sizes, -1)}.permute{(*order, len(order))}.reshape(-1)"
            case ExchangeStep(_, rule):
                value = f"self._all_to_all(buffer, {named[rule]})"
        yield f"{'return' if number == len(plan.steps) else 'buffer ='} {value}  # step {number}\n"


def _calls(names: Sequence[str], parts: Sequence[Communication]) -> Iterator[str]:
    words = ["", *dict.fromkeys(part.overlap for part in parts if part.overlap)]
    for name, part in zip(names, parts, strict=True):
        payload, times, overlap = part.plan.payload, float(part.times), words.index(part.overlap)
        yield f'Call("{name}", {times!r}, {payload.elements}, torch.{payload.dtype}, {overlap})'


def _main() -> str:
    return filled(
        "torch/templates/main.py.in",
        subject="communication",
        reference="torch's own collectives",
        verb="equals",
        results="results",
    )
