"""Common parts of emitted torch files: a module around the class `Reduction`, which runs the plan."""

import re
from collections.abc import Iterator

from p2smt.collective import Collective
from p2smt.emit.description import assignment, facts, group_rules, rule_literal, steps_in_words
from p2smt.emit.template import filled, only_used
from p2smt.emit.torch.chunks import constants, joining
from p2smt.emit.torch.goals import words_of
from p2smt.emit.torch.steps import Body, body_of, writes_into_input
from p2smt.reduction.plan.model import GroupRule, Plan

_GENERATOR = re.compile(r"^(from collections\.abc import .*?)Generator, ", re.MULTILINE)
"""An import that only templates for chunks need, at the beginning of a line, where no text from the user is."""

_PADDED = "# Buffers are padded to a multiple of this many elements.\n"

_PRODUCTS = re.compile(r"^from (?:itertools import product|math import prod)\n", re.MULTILINE)
"""The imports that only templates for groups on units of one size need."""


def module_text(plan: Plan, template: str, *, fields: str = "", **texts: str) -> str:
    """Return a module from a template with placeholders for the class `Reduction`, its dependencies, and `texts`.

    `fields` are lines at the end of `Reduction.__init__`. The text does not grow with the number of devices: groups are
    expanded by rule when a `Reduction` is created. Names that the user chose occur only in the docstring, without the
    characters that could end it. Raises PlanError for steps that cannot run.
    """
    rules = {rule: f"G{i}" for i, rule in enumerate(group_rules(plan))}
    body, words = body_of(plan, rules), words_of(plan.goal)
    groups = _groups(plan, "".join((*_rules(plan, rules, body), *constants(plan))))
    reduction = filled(
        "torch/templates/reduction.py.in",
        does=words.does,
        attributes="",
        fields=words.fields + fields,
        call=_call(plan),
        calls="".join(body.lines) if plan.chunks == 1 else "return self._in_chunks(buffer, padded)\n",
        steps="".join(body.chunk_lines),
        joined=joining(plan.goal),
    )
    facts_of_plan = {"devices": str(plan.devices), "facts": facts(plan), "steps": steps_in_words(plan)}
    text = filled(template, groups=groups, reduction=reduction, **facts_of_plan, **texts)
    if plan.tree is not None:
        text = _PRODUCTS.sub("", text)
    # Imports that only chunked plans use are removed by text, so that the template itself stays a
    # valid file.
    return only_used(text if plan.chunks > 1 else _GENERATOR.sub(r"\1", text, count=1))


def _groups(plan: Plan, rules: str) -> str:
    """Return the constants of a plan, and the functions that list groups."""
    sizes, multiple = assignment("SIZES", map(str, plan.sizes)), f"{_PADDED}MULTIPLE = {plan.multiple}\n"
    if plan.tree is None:
        return filled("torch/templates/groups.py.in", sizes=sizes, multiple=multiple, rules=rules)
    units = assignment("UNITS", map(str, plan.tree.children))
    return filled("torch/templates/unlike_groups.py.in", units=units, sizes=sizes, multiple=multiple, rules=rules)


def _call(plan: Plan) -> str:
    """Return `Reduction.__call__`, which differs by goal."""
    template = f"torch/templates/call/{plan.goal.underscored}.py.in"
    copies = writes_into_input(plan)
    match plan.goal:
        case Collective.ALL_REDUCE | Collective.REDUCE:
            return filled(template)
        case Collective.REDUCE_SCATTER | Collective.BROADCAST:
            return filled(template, buffer=f"buffer = self.{'_copied' if copies else '_flat'}(tensor)\n")
        case Collective.ALL_GATHER:
            return filled(template, buffer=f"buffer = tensor.contiguous().view(-1){'.clone()' if copies else ''}\n")


def _rules(plan: Plan, rules: dict[GroupRule, str], body: Body) -> Iterator[str]:
    """Yield the constants of a plan that define which ranks do the steps."""
    for rule, name in rules.items():
        yield f"{name} = {rule_literal(rule)}\n"
    yield assignment("RULES", rules.values(), annotation=": tuple[Rule, ...]")
    yield f"REDUCTION = {rule_literal(plan.reduction)}\n"
    yield from body.constants
