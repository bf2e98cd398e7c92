"""What emitted torch files have in common: a module around the class `Reduction`, which runs the plan."""

from collections.abc import Iterator

from p2smt.collective import Collective
from p2smt.emit.description import NAMES, assignment, facts, group_rules, rule_literal, steps_in_words
from p2smt.emit.template import filled, only_used
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, PlanStep


def module_text(plan: Plan, template: str, *, fields: str = "", **texts: str) -> str:
    """A module from a template with places for the class `Reduction`, what it needs, and `texts`.

    `fields` are lines at the end of `Reduction.__init__`. The text does not grow with the number of devices: groups are
    expanded by rule when `Reduction` is made. Names that the user chose stand in the docstring alone, without the
    characters that could end it.
    """
    names = {rule: f"G{i}" for i, rule in enumerate(group_rules(plan))}
    groups = filled(
        "torch/templates/groups.py.in",
        sizes=assignment("SIZES", map(str, plan.sizes)),
        multiple=f"MULTIPLE = {plan.multiple}\n",
        rules="".join(_rules(plan, names)),
    )
    reduction = filled("torch/templates/reduction.py.in", fields=fields, calls="".join(_calls(plan, names)))
    words = {"devices": str(plan.devices), "facts": facts(plan), "steps": steps_in_words(plan)}
    return only_used(filled(template, groups=groups, reduction=reduction, **words, **texts))


def _rules(plan: Plan, names: dict[GroupRule, str]) -> Iterator[str]:
    """The constants of a plan that say who does the steps."""
    for rule, name in names.items():
        yield f"{name} = {rule_literal(rule)}\n"
    yield assignment("RULES", names.values(), annotation=": tuple[Rule, ...]")
    yield f"REDUCTION = {rule_literal(plan.reduction)}\n"
    if classes := _class_constants(plan):
        yield _levels(plan)
        yield from classes


def _levels(plan: Plan) -> str:
    comment = "# A device's class: bit i is set when its digits at LEVELS[i] are not all 0.\n"
    return comment + assignment("LEVELS", (str(level.digits) for level in plan.reduction_levels))


def _by_class(plan: Plan, step: CollectiveStep) -> dict[int, int]:
    """The parts of every class that a step's portions name; empty when they hold for all."""
    if all(not portion.classes for portion in step.portions):
        return {}
    everyone = tuple(range(1 << len(plan.reduction_levels)))
    pairs = ((number, portion.parts) for portion in step.portions for number in portion.classes or everyone)
    found: dict[int, int] = {}
    for number, parts in pairs:
        found.setdefault(number, parts)
    return dict(sorted(found.items()))


def _class_constants(plan: Plan) -> list[str]:
    found = []
    for number, step in enumerate(plan.steps, start=1):
        match step:
            case PermuteStep(portion=portion) if portion.classes:
                found.append(assignment(f"CLASSES_{number}", map(str, portion.classes)))
            case CollectiveStep(Collective.BROADCAST) if parts := _by_class(plan, step):
                entries = (f"{root}: {count}" for root, count in parts.items())
                found.append(assignment(f"PARTS_{number}", entries, "{}"))
            case _:
                pass
    return found


def _calls(plan: Plan, names: dict[GroupRule, str]) -> Iterator[str]:
    """The body of `Reduction._run`: one statement per step, the last one returns."""
    last = len(plan.steps)
    for number, step in enumerate(plan.steps, start=1):
        call = _call(plan, step, names, number)
        comment = f"  # step {number}\n"
        if isinstance(step, PermuteStep) and step.portion.classes:
            yield f"        if device_class(self.rank) in CLASSES_{number}:{comment}            buffer = {call}\n"
        elif number < last:
            yield f"        buffer = {call}{comment}"
        else:
            yield f"        return {call}{comment}"
            return
    yield "        return buffer\n"


def _call(plan: Plan, step: PlanStep, names: dict[GroupRule, str], number: int) -> str:
    match step:
        case PermuteStep(sizes, order):
            return f"buffer.view{(*sizes, -1)}.permute{(*order, len(order))}.reshape(-1)"
        case CollectiveStep(collective, rule):
            arguments = _arguments(plan, step, names[rule], number)
            return f"self._{NAMES[collective]}({arguments})"


def _arguments(plan: Plan, step: CollectiveStep, rule: str, number: int) -> str:
    if step.collective is not Collective.BROADCAST:
        return f"buffer, {rule}"
    if _by_class(plan, step):
        return f"buffer, {rule}, padded // self._parts({rule}, PARTS_{number})"
    parts = step.portions[0].parts
    return f"buffer, {rule}, padded // {parts}" if parts > 1 else f"buffer, {rule}, padded"
