"""Verification plans in the format of hand-written ones."""

from collections.abc import Iterator, Mapping

from p2smt.collective import Collective
from p2smt.frontend.plan_file import DATA, NAME, VERSION
from p2smt.verify.goal import payload
from p2smt.verify.operation import can_be_in_place
from p2smt.verify.plan import BufferRange, Groups, VerificationPlan, VerificationStep


def verification_plan_text(plan: VerificationPlan) -> str:
    """Return a plan as TOML; `parse_hand_written` reads an equal plan from it, up to names.

    The payload's buffer is called `data`, other buffers `buffer1` and so on if their names are not valid in the
    format; labels become comments. Malformed plans (parts before the start of a buffer, empty groups) give text
    that does not parse.
    """
    names, data = _names(plan), payload(plan.goal).buffer
    head = [f"version = {VERSION}", f"devices = {plan.devices}", f"chunks = {dict(plan.buffers)[data]}"]
    head.append(f"goal = {_goal(plan, names)}")
    head += [f"{key} = true" for key, on in (("average", plan.goal.average), ("integers", plan.integers)) if on]
    if zeros := [f'"{names[name]}"' for name in plan.zeros]:
        head.append(f"zeros = [{', '.join(zeros)}]")
    if others := [f"{names[name]} = {length}" for name, length in plan.buffers if name != data]:
        head += ["", "[buffers]", *others]
    labels = dict(plan.labels)
    for number, step in plan.numbered:
        head += ["", *_comment(labels.get(number)), "[[step]]", *_step(step, names)]
    return "\n".join(head) + "\n"


def _goal(plan: VerificationPlan, names: Mapping[str, str]) -> str:
    """Return the goal's text; an AllReduce of all of `data` is written as its groups alone."""
    goal, data = plan.goal, payload(plan.goal).buffer
    whole = BufferRange(data, 0, dict(plan.buffers)[data])
    # only: the default goal is not written
    if goal.collective is Collective.ALL_REDUCE and goal.source == goal.target == whole:
        return _groups(goal.groups)
    entries = [f'collective = "{goal.collective}"', f"groups = {_groups(goal.groups)}"]
    entries += [f"from = {_part(goal.source, names)}", f"to = {_part(goal.target, names)}"]
    entries += [f"root = {goal.root}"] if goal.root else []
    return f"{{ {', '.join(entries)} }}"


def _names(plan: VerificationPlan) -> Mapping[str, str]:
    data = payload(plan.goal).buffer
    names = {data: DATA}
    taken = {DATA, *(name for name, _ in plan.buffers)}
    for name, _ in plan.buffers:
        if name == data:
            continue
        new = name
        if not NAME.fullmatch(name) or name == DATA:
            new = next(free for i in range(1, len(taken) + 2) if (free := f"buffer{i}") not in taken)
        names[name] = new
        taken.add(new)
    return names


def _comment(label: str | None) -> Iterator[str]:
    if label:
        yield "# " + "".join(sign if sign.isprintable() else " " for sign in label)


def _step(step: VerificationStep, names: Mapping[str, str]) -> Iterator[str]:
    yield f'operation = "{step.operation}"'
    if step.number:
        yield f"number = {step.number}"
    yield f"groups = {_groups(step.groups)}"
    yield f"from = {_part(step.source, names)}"
    if step.target != step.source or (can_be_in_place(step.operation) and not step.in_place):
        yield f"to = {_part(step.target, names)}"
    if step.root:
        yield f"root = {step.root}"
    if step.divisor != 1:
        yield f"divisor = {step.divisor}"


def _groups(groups: Groups) -> str:
    return str([list(group) for group in groups])


def _part(part: BufferRange, names: Mapping[str, str]) -> str:
    return f'"{names[part.buffer]}[{part.start}:{part.end}]"'
