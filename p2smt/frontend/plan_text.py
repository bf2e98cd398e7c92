"""Verification plans in the format of hand-written ones."""

import re
from collections.abc import Iterator, Mapping

from p2smt.frontend.plan_file import RESULT, VERSION
from p2smt.verify.operation import can_be_in_place
from p2smt.verify.plan import Part, Step, VerificationPlan

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def verification_plan_text(plan: VerificationPlan) -> str:
    """A plan as TOML; `parse_hand_written` makes of it an equal plan, but for names.

    The result is called `data`, other buffers `buffer1` and so on where their names cannot be written; labels become
    comments. What breaks the format already (parts before a buffer, empty groups) does not parse.
    """
    names = _names(plan)
    head = [f"version = {VERSION}", f"devices = {plan.devices}", f"chunks = {plan.chunks}"]
    head.append(f"goal = {_groups(plan.goal)}")
    head += [f"{key} = true" for key, on in (("average", plan.average), ("integers", plan.integers)) if on]
    if zeros := [f'"{names[name]}"' for name in plan.zeros]:
        head.append(f"zeros = [{', '.join(zeros)}]")
    if others := [f"{names[name]} = {length}" for name, length in plan.buffers if name != plan.result]:
        head += ["", "[buffers]", *others]
    labels = dict(plan.labels)
    for number, step in plan.numbered:
        head += ["", *_comment(labels.get(number)), "[[step]]", *_step(step, names)]
    return "\n".join(head) + "\n"


def _names(plan: VerificationPlan) -> Mapping[str, str]:
    found = {plan.result: RESULT}
    taken = {RESULT, *(name for name, _ in plan.buffers)}
    for name, _ in plan.buffers:
        if name == plan.result:
            continue
        new = name
        if not _NAME.fullmatch(name) or name == RESULT:
            new = next(free for i in range(1, len(taken) + 2) if (free := f"buffer{i}") not in taken)
        found[name] = new
        taken.add(new)
    return found


def _comment(label: str | None) -> Iterator[str]:
    if label:
        yield "# " + "".join(sign if sign.isprintable() else " " for sign in label)


def _step(step: Step, names: Mapping[str, str]) -> Iterator[str]:
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


def _groups(groups: tuple[tuple[int, ...], ...]) -> str:
    return str([list(group) for group in groups])


def _part(part: Part, names: Mapping[str, str]) -> str:
    return f'"{names[part.buffer]}[{part.start}:{part.end}]"'
