"""The format of hand-written plans: TOML or JSON, groups as lists or by rule, named buffers."""

import re
import tomllib

import msgspec

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.group_rule import GroupRuleEntry, groups_of
from p2smt.frontend.order import ordered
from p2smt.problem.typed import convert_checked, why_malformed
from p2smt.verify.goal import check_goal, goal_on
from p2smt.verify.limits import check_divisions, check_size
from p2smt.verify.operation import GOAL_COLLECTIVES, OPERATIONS, can_be_in_place, goal_named, operation_named
from p2smt.verify.plan import BufferRange, Goal, Groups, VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import PlanMistake

VERSION = 1
DATA = "data"
"""The buffer that every plan has; it is as long as the payload."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_PART = re.compile(rf"({NAME.pattern})(?:\[(\d{{1,9}}):(\d{{1,9}})\])?")


class StepEntry(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """One `[[step]]` table; `number` is the step's number in verdicts, by default its position."""

    operation: str
    source: str = DATA
    target: str | None = None
    groups: Groups | GroupRuleEntry | None = None
    root: int = 0
    divisor: int = 1
    average: bool = False
    number: int = 0


class GoalEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"source": "from", "target": "to"}):
    """`goal` as a table: a collective and its groups, or only the rule for an AllReduce's groups."""

    collective: str = Collective.ALL_REDUCE.value
    groups: Groups | GroupRuleEntry | None = None
    root: int = 0
    source: str | None = None
    target: str | None = None
    size: int = 0
    stride: int = 1
    along: tuple[str, ...] = ()


class PlanFile(msgspec.Struct, frozen=True, kw_only=True):
    """A hand-written plan as it is on disk. `verdict` is what tests expect; it is not read."""

    version: int
    devices: int
    chunks: int
    goal: Groups | GoalEntry | None = None
    levels: dict[str, int] = {}
    buffers: dict[str, int] = {}
    step: tuple[StepEntry, ...] = ()
    order: dict[int, tuple[int, ...]] = {}
    average: bool = False
    integers: bool = False
    zeros: tuple[str, ...] = ()
    about: str = ""
    verdict: dict[str, str | int | list[int]] = {}


def parse_hand_written(data: bytes, path: str) -> VerificationPlan | PlanMistake:
    """Return the plan in a text, or its devices' deadlock; `path` names the file in messages.

    Raises VerifyError with the place of the mistake.
    """
    try:
        text = data.decode()
        table = msgspec.json.decode(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError, msgspec.DecodeError) as cause:
        raise VerifyError(
            f"{path} is neither TOML nor JSON: {why_malformed(cause)}; `p2smt help verify` lists what is read"
        ) from cause
    entry = convert_checked(table, PlanFile, path, VerifyError)
    try:
        plan = _plan(entry)
        return ordered(plan, entry.order) if entry.order else plan
    except VerifyError as cause:
        raise VerifyError(f"{path}: {cause}") from cause


def _plan(entry: PlanFile) -> VerificationPlan:
    if entry.version != VERSION:
        raise VerifyError(f"version {entry.version} is not supported; this p2smt reads version {VERSION}")
    buffers = {DATA: entry.chunks} | entry.buffers
    for name, length in buffers.items():
        if not NAME.fullmatch(name) or length < 1:
            raise VerifyError(f"buffer {name[:64]!r} of {length} chunks; a name is letters, digits, _, a length >= 1")
    if unknown := [name for name in entry.zeros if name not in entry.buffers or name == DATA]:
        raise VerifyError(f"zeros names {unknown[0][:64]!r}; it lists buffers of [buffers]")
    check_size(entry.devices, buffers, len(entry.step))
    goal = _goal(entry, buffers)
    check_goal(goal, entry.devices, tuple(buffers.items()))
    steps = tuple(_step(entry, buffers, step, number) for number, step in enumerate(entry.step, start=1))
    check_divisions(steps)
    return VerificationPlan(
        devices=entry.devices,
        buffers=tuple(buffers.items()),
        goal=goal,
        steps=steps,
        zeros=entry.zeros,
        integers=entry.integers,
    )


def _goal(entry: PlanFile, buffers: dict[str, int]) -> Goal:
    wanted = entry.goal if isinstance(entry.goal, GoalEntry) else GoalEntry(groups=entry.goal)
    collective = goal_named(wanted.collective)
    if collective is None:
        raise VerifyError(
            f"goal: collective {wanted.collective[:40]!r} is unknown; it is one of {', '.join(GOAL_COLLECTIVES)}"
        )
    groups = wanted.groups
    if wanted.size or wanted.along:
        if groups is not None:
            raise VerifyError("goal: both groups and a rule for groups are given; write one of the two")
        groups = GroupRuleEntry(wanted.size, wanted.stride, wanted.along)
    listed = groups_of(groups, entry.devices, entry.levels, "goal")
    # Both ends or neither: one alone could be meant for the source as well as for the target.
    if (wanted.source is None) != (wanted.target is None):
        raise VerifyError(
            "goal: only one of from and to is given; write both, or neither for the beginning of buffer data"
        )
    if wanted.source is None or wanted.target is None:
        data = BufferRange(DATA, 0, entry.chunks)
        return goal_on(collective, listed, data, data, root=wanted.root, average=entry.average)
    return Goal(
        collective=collective,
        groups=listed,
        source=_part(wanted.source, buffers, "goal"),
        target=_part(wanted.target, buffers, "goal"),
        root=wanted.root,
        average=entry.average,
    )


def _step(entry: PlanFile, buffers: dict[str, int], step: StepEntry, number: int) -> VerificationStep:
    place = f"step {number}"
    source = _part(step.source, buffers, place)
    in_place = step.target is None
    target = source if step.target is None else _part(step.target, buffers, place)
    operation = operation_named(step.operation)
    if operation is None:
        raise VerifyError(
            f"{place}: operation {step.operation[:40]!r} is unknown; it is one of {', '.join(OPERATIONS)}"
        )
    groups = groups_of(step.groups, entry.devices, entry.levels, place)
    if step.number < 0:
        raise VerifyError(f"{place}: its number is {step.number}; steps are counted from 1")
    divisor = _divisor(step, groups, place)
    return VerificationStep(
        operation,
        groups,
        source,
        target,
        root=step.root,
        in_place=in_place and can_be_in_place(operation),
        number=step.number,
        divisor=divisor,
    )


def _divisor(step: StepEntry, groups: Groups, place: str) -> int:
    if not step.average:
        return step.divisor
    sizes = {len(group) for group in groups}
    if len(sizes) > 1:
        raise VerifyError(
            f"{place}: an average over groups of {min(sizes)} and of {max(sizes)} devices; "
            "average each size in its own step"
        )
    return max(sizes, default=1)


def _part(text: str, buffers: dict[str, int], place: str) -> BufferRange:
    match = _PART.fullmatch(text)
    if not match or match[1] not in buffers:
        raise VerifyError(
            f"{place}: {text[:80]!r} is not part of a buffer; write a name, or name[first:end]; "
            f"the buffers are {', '.join(buffers)}"
        )
    start = int(match[2] or 0)
    end = buffers[match[1]] if match[3] is None else int(match[3])
    return BufferRange(match[1], start, end - start)
