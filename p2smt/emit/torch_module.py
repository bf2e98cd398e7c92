"""What emitted torch files have in common: a module around the class `Reduction`, which runs the plan."""

from collections.abc import Iterable, Iterator
from itertools import islice
from math import prod
from textwrap import wrap

from p2smt.emit.torch_parts import COLLECTIVES, CONSTANTS, DEVICE_CLASS, GROUPS, PARTS, REDUCTION
from p2smt.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, PlanStep
from p2smt.program.collective import Collective

_WIDTH = 120
_METHODS = {
    Collective.ALL_REDUCE: "all_reduce",
    Collective.REDUCE_SCATTER: "reduce_scatter",
    Collective.REDUCE: "reduce",
    Collective.ALL_GATHER: "all_gather",
    Collective.BROADCAST: "broadcast",
}


def module_text(
    plan: Plan, docstring: str, imports: str, tail: str, *, before: str = "", fields: str = "", **words: str
) -> str:
    """A module: docstring, imports, the plan as constants, `before`, the class `Reduction`, then `tail`.

    `docstring` has places for the `devices`, `facts` and `steps` of the plan and for `words`; `fields` are lines at
    the end of `Reduction.__init__`. The text does not grow with the number of devices: groups are expanded by rule when
    `Reduction` is made. Names that the user chose stand in the docstring alone, without the characters that
    could end it.
    """
    names = {rule: f"G{i}" for i, rule in enumerate(_rules(plan))}
    classes = _class_constants(plan)
    return "".join(
        (
            docstring.format(devices=plan.devices, facts=_facts(plan), steps=_steps_in_words(plan), **words),
            imports,
            CONSTANTS.format(sizes=_literal("SIZES", map(str, plan.sizes)), multiple=plan.multiple),
            "".join(f"{name} = {_rule(rule)}\n" for rule, name in names.items()),
            _literal("RULES", names.values(), annotation=": tuple[Rule, ...]"),
            f"REDUCTION = {_rule(plan.reduction)}\n",
            _levels(plan) if classes else "",
            *classes,
            GROUPS,
            DEVICE_CLASS if classes else "",
            before,
            REDUCTION.format(calls="".join(_calls(plan, names)), fields=fields),
            *_methods(plan),
            tail,
        )
    )


def _rules(plan: Plan) -> list[GroupRule]:
    return list(dict.fromkeys(step.groups for step in plan.steps if isinstance(step, CollectiveStep)))


def _rule(rule: GroupRule) -> str:
    return f"({rule.varying}, {rule.zero})"


def _literal(name: str, entries: Iterable[str], brackets: str = "()", annotation: str = "") -> str:
    """An assignment of a tuple or dict, one entry per line when it is too long."""
    items = list(entries)
    comma = "," if brackets == "()" and len(items) == 1 else ""
    line = f"{name}{annotation} = {brackets[0]}{', '.join(items)}{comma}{brackets[1]}\n"
    if len(line) <= _WIDTH + 1:
        return line
    return f"{name}{annotation} = {brackets[0]}\n" + "".join(f"    {item},\n" for item in items) + f"{brackets[1]}\n"


def _levels(plan: Plan) -> str:
    comment = "# A device's class: bit i is set when its digits at LEVELS[i] are not all 0.\n"
    return comment + _literal("LEVELS", (str(level.digits) for level in plan.carrying))


def _by_class(plan: Plan, step: CollectiveStep) -> dict[int, int]:
    """The parts of every class that a step's portions name; empty when they hold for all."""
    if all(not portion.classes for portion in step.portions):
        return {}
    everyone = tuple(range(1 << len(plan.carrying)))
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
                found.append(_literal(f"CLASSES_{number}", map(str, portion.classes)))
            case CollectiveStep(Collective.BROADCAST) if parts := _by_class(plan, step):
                entries = (f"{root}: {count}" for root, count in parts.items())
                found.append(_literal(f"PARTS_{number}", entries, "{}"))
            case _:
                pass
    return found


def _methods(plan: Plan) -> Iterator[str]:
    steps = [step for step in plan.steps if isinstance(step, CollectiveStep)]
    if any(step.collective is Collective.BROADCAST and _by_class(plan, step) for step in steps):
        yield PARTS
    for collective in Collective:
        if any(step.collective is collective for step in steps):
            yield COLLECTIVES[collective]


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
            return f"self._{_METHODS[collective]}({arguments})"


def _arguments(plan: Plan, step: CollectiveStep, rule: str, number: int) -> str:
    if step.collective is not Collective.BROADCAST:
        return f"buffer, {rule}"
    if _by_class(plan, step):
        return f"buffer, {rule}, padded // self._parts({rule}, PARTS_{number})"
    parts = step.portions[0].parts
    return f"buffer, {rule}, padded // {parts}" if parts > 1 else f"buffer, {rule}, padded"


def _facts(plan: Plan) -> str:
    first, *rest = plan.program.split("; ")
    lines = (
        ("system", " x ".join(f"{name}={size}" for name, size in plan.levels)),
        ("axes", " x ".join(f"{name}={size}" for name, size in plan.axes)),
        ("matrix", str(plan.matrix)),
        ("reduce", ", ".join(plan.reduce)),
        ("program", first),
        *(("", instruction) for instruction in rest),
    )
    return "".join(_indented(f"{head:<9}", text) for head, text in lines)


def _steps_in_words(plan: Plan) -> str:
    texts = (_words(plan, step) for step in plan.steps)
    lines = "".join(_indented(f"{number}. ", text) for number, text in enumerate(texts, start=1))
    return lines or "    none: every device is alone in its reduction group\n"


def _words(plan: Plan, step: PlanStep) -> str:
    match step:
        case PermuteStep():
            who = "devices of some classes" if step.portion.classes else "every device"
            return f"{who}: buffer seen as {' x '.join(map(str, step.sizes))} x rest, dimensions in order {step.order}"
        case CollectiveStep():
            rule = step.groups
            count = prod(size for p, size in enumerate(plan.sizes) if p not in (*rule.varying, *rule.zero))
            size = plan.group_size(rule)
            ranks = ", ".join(map(str, islice(plan.members(rule, 0), 4 if size > 8 else size)))
            ranks = f"{ranks}, ..." if size > 8 else ranks
            where = f"; {_places(plan, rule.zero)} at 0 only" if _places(plan, rule.zero) else ""
            groups = f"{count} group{'s' * (count > 1)} of {size}"
            return f"{step.collective} along {_places(plan, rule.varying)}: {groups}, the first is {ranks}{where}"


def _places(plan: Plan, places: tuple[int, ...]) -> str:
    digits = (plan.digits[place] for place in places)
    return ", ".join(f"{digit.axis} on {digit.level}" for digit in digits if digit.size > 1)


def _indented(head: str, text: str) -> str:
    """Lines of a docstring that no text can break out of."""
    safe = "".join(char if char.isprintable() else "?" for char in text).replace("\\", "/").replace('"', "'")
    width = _WIDTH - 4 - len(head)
    lines = wrap(safe, width, break_on_hyphens=False) or [""]
    return "".join(f"    {head if i == 0 else ' ' * len(head)}{line}".rstrip() + "\n" for i, line in enumerate(lines))
