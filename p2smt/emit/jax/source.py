"""A plan as one Python file of JAX collectives under shard_map, which needs only jax and numpy."""

from collections.abc import Iterator, Sequence

from p2smt.argument_types import require
from p2smt.emit.description import assignment, facts, group_rules, rule_literal, steps_in_words, title_of
from p2smt.emit.jax.chunks import RULE, begun, checked, constants
from p2smt.emit.jax.goals import words_of
from p2smt.emit.jax.steps import Classes, JaxStatement, statements
from p2smt.emit.template import filled, only_used
from p2smt.reduction.plan.check import check_alike
from p2smt.reduction.plan.holdings import device_classes
from p2smt.reduction.plan.model import GroupRule, Plan


def emit_jax(plan: Plan) -> str:
    """Return the text of a module with a function `reduction`, which runs the plan inside shard_map.

    The text does not grow with the number of devices: groups are expanded by rule when JAX traces the function. Names
    that the user chose occur only in the docstring, without the characters that could end it. Raises PlanError for
    plans that cannot run because members of a group hold different lengths or nothing, and for plans with groups on
    units of different sizes.
    """
    require(plan, Plan, "plan", "read_plan reads a file, cheapest_plan finds one")
    check_alike(plan, "target jax")
    rules = {rule: f"G{i}" for i, rule in enumerate(group_rules(plan))}
    classes = device_classes(plan)
    done = statements(plan, classes, rules)
    names = {some: f"C{i}" for i, some in enumerate(dict.fromkeys(s.classes for s in done if s.classes))}
    words = words_of(plan.goal)
    body = "".join(_body(done, names, words.unit))
    text = only_used(
        filled(
            "jax/templates/reduction.py.in",
            devices=str(plan.devices),
            facts=facts(plan, "none of which waits for another"),
            steps=steps_in_words(plan),
            sizes=assignment("SIZES", map(str, plan.sizes)),
            multiple=f"MULTIPLE = {plan.multiple}\n",
            chunks=constants(plan),
            rules="".join(_rules(plan, rules, classes.sets, names)),
            statements=body,
            title=title_of(plan.goal),
            result=words.result,
            row=words.row,
            rule=words.rule + (RULE if plan.chunks > 1 else ""),
            reference=words.reference,
            buffer=words.buffer,
            reduction=begun(plan, filled(f"jax/templates/reduction/{words.shape}.py.in", does=words.does)),
            plain=filled(f"jax/templates/plain/{plan.goal.underscored}.py.in"),
            compared=words.compared,
        )
    )
    return checked(plan, text)


def _rules(
    plan: Plan, rules: dict[GroupRule, str], sets: Sequence[tuple[int, ...]], names: dict[Classes, str]
) -> Iterator[str]:
    """Yield the constants of a plan that define which devices do the steps."""
    for rule, name in rules.items():
        yield f"{name} = Rule{rule_literal(rule)}\n"
    yield f"REDUCTION = Rule{rule_literal(plan.reduction)}\n"
    if names:
        yield from _classes(sets, names)


def _body(done: Sequence[JaxStatement], names: dict[Classes, str], unit: str) -> Iterator[str]:
    """Yield the body of `reduced`; its last statement returns."""
    values = [_value(statement, names) for statement in done]
    if any("unit" in value for value in values):
        yield f"unit = {unit}\n"
    for number, (statement, value) in enumerate(zip(done, values, strict=True), start=1):
        begin = "return" if number == len(done) else f"{statement.target} ="
        yield f"{begin} {value}  # step {statement.step}\n"
    if not done:
        yield "return buffer\n"


def _value(statement: JaxStatement, names: dict[Classes, str]) -> str:
    if not statement.classes:
        return statement.value
    return f"either(belongs({names[statement.classes]}), {statement.value}, {statement.otherwise})"


def _classes(sets: Sequence[tuple[int, ...]], names: dict[Classes, str]) -> Iterator[str]:
    yield "# A device's class: bit i is set when its digits at LEVELS[i] are not all 0.\n"
    yield assignment("LEVELS", map(str, sets))
    for classes, name in names.items():
        yield assignment(name, map(str, classes))
