"""Descriptions of a plan in emitted files: facts and steps as text, groups and tables as constants."""

from collections.abc import Iterable
from textwrap import wrap
from unicodedata import east_asian_width

from p2smt.collective import Collective
from p2smt.problem.system.tree import counts_text
from p2smt.reduction.plan.exchange import ExchangePlan, ExchangeStep
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, PlanStep
from p2smt.wording import counted, first_few, sizes_text

_WIDTH = 120


def title_of(goal: Collective) -> str:
    """Return the title of a plan with this goal.

    >>> title_of(Collective.ALL_REDUCE), title_of(Collective.ALL_GATHER)
    ('reduction', 'all-gather')
    """
    match goal:
        case Collective.ALL_REDUCE:
            return "reduction"
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER | Collective.REDUCE | Collective.BROADCAST:
            return goal.hyphenated


def facts(plan: Plan, in_chunks: str = "steps of different ones at work at once") -> str:
    """Return system, axes, matrix, reduction and program, one per docstring line; `in_chunks` explains the chunks."""
    chunks = [("chunks", f"{plan.chunks}, {in_chunks}")] if plan.chunks > 1 else []
    asked = lines_of([("reduce", ", ".join(plan.reduce)), *_program(plan), *chunks])
    return placement_facts(plan) + asked


def placement_facts(plan: Plan | ExchangePlan) -> str:
    """Return system, axes and matrix, one per docstring line."""
    name = "" if plan.system is None else plan.system.name
    system = f"{_levels_text(plan)}{f' ({name})' if name else ''}"
    return lines_of([("system", system), ("axes", sizes_text(plan.axes)), ("matrix", str(plan.matrix))])


def _levels_text(plan: Plan | ExchangePlan) -> str:
    if isinstance(plan, ExchangePlan) or plan.tree is None:
        return sizes_text(plan.levels)
    pairs = zip(plan.levels, plan.tree.children, strict=True)
    return " x ".join(f"{name}={counts_text(counts)}" for (name, _), counts in pairs)


def program_facts(plan: Plan | ExchangePlan) -> str:
    """Return the program, one instruction per docstring line."""
    return lines_of(_program(plan))


def lines_of(lines: Iterable[tuple[str, str]], width: int = 9) -> str:
    """Return docstring lines, each with a head of less than `width` characters."""
    return "".join(_indented(head.ljust(width), text) for head, text in lines)


def _program(plan: Plan | ExchangePlan) -> list[tuple[str, str]]:
    first, *rest = plan.program.split("; ")
    return [("program", first), *(("", instruction) for instruction in rest)]


def steps_in_words(plan: Plan | ExchangePlan) -> str:
    """Return descriptions of the steps, numbered from 1, one per docstring line."""
    texts = (_words(plan, step) for step in plan.steps)
    lines = "".join(_indented(f"{number}. ", text) for number, text in enumerate(texts, start=1))
    return lines or "    none: every device is alone in its reduction group\n"


def _words(plan: Plan | ExchangePlan, step: PlanStep | ExchangeStep) -> str:
    match step:
        case PermuteStep():
            who = "devices of some classes" if step.portion.classes else "every device"
            return f"{who}: buffer seen as {' x '.join(map(str, step.sizes))} x rest, dimensions in order {step.order}"
        case CollectiveStep(collective, rule):
            return f"{collective} {_groups(plan, rule)}"
        case ExchangeStep(exchange, rule):
            return f"{exchange} {_groups(plan, rule)}"


def _groups(plan: Plan | ExchangePlan, rule: GroupRule) -> str:
    formed = plan.groups(rule)
    size = formed.size
    ranks = first_few(formed.members(next(formed.roots())), 4 if size > 8 else size)
    where = f"; {_digits(plan, rule.zero)} at 0 only" if _digits(plan, rule.zero) else ""
    groups = f"{counted(formed.count, 'group')} of {' or '.join(map(str, formed.group_sizes))}"
    return f"along {_digits(plan, rule.varying)}: {groups}, the first is {ranks}{where}"


def _digits(plan: Plan | ExchangePlan, positions: tuple[int, ...]) -> str:
    digits = (plan.digits[position] for position in positions)
    return ", ".join(f"{digit.axis} on {digit.level}" for digit in digits if digit.size > 1)


def _indented(head: str, text: str) -> str:
    """Return docstring lines at most 120 columns wide, with characters replaced that could end the docstring."""
    safe = "".join(char if char.isprintable() else "?" for char in text).replace("\\", "/").replace('"', "'")
    padded = "".join(f"{char}\0" if east_asian_width(char) in "FW" else char for char in safe)
    width = _WIDTH - 4 - len(head)
    lines = [line.replace("\0", "") for line in wrap(padded, width, break_on_hyphens=False)] or [""]
    return "".join(f"    {head if i == 0 else ' ' * len(head)}{line}".rstrip() + "\n" for i, line in enumerate(lines))


def group_rules(plan: Plan | ExchangePlan) -> list[GroupRule]:
    """Return the distinct group rules of a plan, in the order of its steps."""
    return list(dict.fromkeys(step.groups for step in plan.steps if isinstance(step, CollectiveStep | ExchangeStep)))


def rule_literal(rule: GroupRule) -> str:
    """Return a rule as a pair of tuples: the digits that vary, and the digits that are 0."""
    return f"({rule.varying}, {rule.zero})"


def assignment(name: str, entries: Iterable[str], brackets: str = "()", annotation: str = "") -> str:
    """Return an assignment of a tuple or dict, with one entry per line if it is too long for one line."""
    items = list(entries)
    comma = "," if brackets == "()" and len(items) == 1 else ""
    line = f"{name}{annotation} = {brackets[0]}{', '.join(items)}{comma}{brackets[1]}\n"
    if len(line) <= _WIDTH + 1:
        return line
    return f"{name}{annotation} = {brackets[0]}\n" + "".join(f"    {item},\n" for item in items) + f"{brackets[1]}\n"
