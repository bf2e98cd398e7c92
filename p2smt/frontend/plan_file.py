"""The format of hand-written plans: TOML or JSON, groups as lists or by rule, named buffers."""

import re
import tomllib
from collections.abc import Sequence
from math import prod

import msgspec

from p2smt.errors import VerifyError
from p2smt.frontend.order import ordered
from p2smt.placement.digits import split
from p2smt.problem.typed import convert_checked
from p2smt.verify.limits import check_divisions, check_size
from p2smt.verify.operation import OPERATIONS, can_be_in_place, operation_named
from p2smt.verify.plan import Part, Step, VerificationPlan
from p2smt.verify.verdict import Invalid

VERSION = 1
RESULT = "data"

_PART = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,63})(?:\[(\d{1,9}):(\d{1,9})\])?")


class GroupRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Groups of `size` devices that are `stride` apart, or of those that differ in the digits of some levels."""

    size: int = 0
    stride: int = 1
    along: tuple[str, ...] = ()


class StepEntry(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """One `[[step]]` table; `number` is what verdicts call it, if not its place."""

    operation: str
    source: str = RESULT
    target: str | None = None
    groups: tuple[tuple[int, ...], ...] | GroupRule | None = None
    root: int = 0
    divisor: int = 1
    average: bool = False
    number: int = 0


class PlanFile(msgspec.Struct, frozen=True, kw_only=True):
    """A hand-written plan as it stands on disk. `verdict` is what tests expect; it is not read."""

    version: int
    devices: int
    chunks: int
    goal: tuple[tuple[int, ...], ...] | GroupRule | None = None
    levels: dict[str, int] = {}
    buffers: dict[str, int] = {}
    step: tuple[StepEntry, ...] = ()
    order: dict[int, tuple[int, ...]] = {}
    average: bool = False
    integers: bool = False
    zeros: tuple[str, ...] = ()
    about: str = ""
    verdict: dict[str, str | int | list[int]] = {}


def parse_hand_written(data: bytes, path: str) -> VerificationPlan | Invalid:
    """The plan that a text stands for, or how its devices wait for each other; `path` names it in messages.

    Raises VerifyError with the place of the mistake.
    """
    try:
        text = data.decode()
        table = msgspec.json.decode(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError, msgspec.DecodeError) as cause:
        reason = str(cause).splitlines()[0] if str(cause) else "nested too deeply"
        raise VerifyError(f"{path} is neither TOML nor JSON: {reason}") from cause
    entry = convert_checked(table, PlanFile, path, VerifyError)
    try:
        plan = _plan(entry)
        return ordered(plan, entry.order) if entry.order else plan
    except VerifyError as cause:
        raise VerifyError(f"{path}: {cause}") from cause


def _plan(entry: PlanFile) -> VerificationPlan:
    if entry.version != VERSION:
        raise VerifyError(f"version {entry.version} is not known; this p2smt reads {VERSION}")
    buffers = {RESULT: entry.chunks} | entry.buffers
    for name, length in buffers.items():
        if not _PART.fullmatch(name) or length < 1:
            raise VerifyError(f"buffer {name[:64]!r} of {length} chunks; a name is letters, digits, _, a length >= 1")
    if unknown := [name for name in entry.zeros if name not in entry.buffers or name == RESULT]:
        raise VerifyError(f"zeros names {unknown[0][:64]!r}; it lists buffers of [buffers]")
    check_size(entry.devices, buffers, len(entry.step))
    wanted = _groups(entry, entry.goal, "goal")
    check_goal(wanted, entry.devices)
    steps = tuple(_step(entry, buffers, step, number) for number, step in enumerate(entry.step, start=1))
    check_divisions(steps)
    return VerificationPlan(
        devices=entry.devices,
        buffers=tuple(buffers.items()),
        result=RESULT,
        goal=wanted,
        steps=steps,
        zeros=entry.zeros,
        average=entry.average,
        integers=entry.integers,
    )


def check_goal(goal: Sequence[tuple[int, ...]], devices: int) -> None:
    """Raise VerifyError unless every device of a goal exists and is named once."""
    seen: set[int] = set()
    for group in goal:
        for device in group:
            if not 0 <= device < devices or device in seen:
                raise VerifyError(f"goal names device {device} twice, or it is none of 0 to {devices - 1}")
            seen.add(device)


def _step(entry: PlanFile, buffers: dict[str, int], step: StepEntry, number: int) -> Step:
    place = f"step {number}"
    source = _part(step.source, buffers, place)
    in_place = step.target is None
    target = source if step.target is None else _part(step.target, buffers, place)
    operation = operation_named(step.operation)
    if operation is None:
        raise VerifyError(
            f"{place}: operation {step.operation[:40]!r} is unknown; it is one of {', '.join(OPERATIONS)}"
        )
    groups = _groups(entry, step.groups, place)
    if step.number < 0:
        raise VerifyError(f"{place}: its number is {step.number}; steps are counted from 1")
    divisor = _divisor(step, groups, place)
    return Step(
        operation,
        groups,
        source,
        target,
        root=step.root,
        in_place=in_place and can_be_in_place(operation),
        number=step.number,
        divisor=divisor,
    )


def _divisor(step: StepEntry, groups: tuple[tuple[int, ...], ...], place: str) -> int:
    if not step.average:
        return step.divisor
    sizes = {len(group) for group in groups}
    if len(sizes) > 1:
        raise VerifyError(f"{place}: an average over groups of {min(sizes)} and {max(sizes)}; make them steps apart")
    return max(sizes, default=1)


def _part(text: str, buffers: dict[str, int], place: str) -> Part:
    match = _PART.fullmatch(text)
    if not match or match[1] not in buffers:
        raise VerifyError(
            f"{place}: {text[:80]!r} is no part of a buffer; write a name, or name[first:end]; "
            f"the buffers are {', '.join(buffers)}"
        )
    start = int(match[2] or 0)
    end = buffers[match[1]] if match[3] is None else int(match[3])
    return Part(match[1], start, end - start)


def _groups(
    entry: PlanFile, groups: tuple[tuple[int, ...], ...] | GroupRule | None, place: str
) -> tuple[tuple[int, ...], ...]:
    if groups is None:
        return (tuple(range(entry.devices)),)
    if not isinstance(groups, GroupRule):
        if any(not group for group in groups):
            raise VerifyError(f"{place}: a group is empty; name its devices")
        return groups
    if groups.along:
        return _along(entry, groups.along, place)
    block = groups.size * groups.stride
    if groups.size < 1 or groups.stride < 1 or entry.devices % block:
        raise VerifyError(
            f"{place}: groups of size {groups.size} and stride {groups.stride} do not divide {entry.devices} devices"
        )
    firsts = (base + offset for base in range(0, entry.devices, block) for offset in range(groups.stride))
    return tuple(tuple(range(first, first + block, groups.stride)) for first in firsts)


def _along(entry: PlanFile, along: tuple[str, ...], place: str) -> tuple[tuple[int, ...], ...]:
    names, sizes = list(entry.levels), list(entry.levels.values())
    unknown = [name for name in along if name not in names]
    if unknown:
        raise VerifyError(f"{place}: level {unknown[0][:64]!r} is unknown; [levels] has {', '.join(names) or 'none'}")
    if any(size < 1 for size in sizes) or prod(sizes) != entry.devices:
        raise VerifyError(f"levels {entry.levels} do not multiply to {entry.devices} devices")
    found: dict[tuple[int, ...], list[int]] = {}
    for device in range(entry.devices):
        digits = split(device, sizes)
        key = tuple(digit for name, digit in zip(names, digits, strict=True) if name not in along)
        found.setdefault(key, []).append(device)
    return tuple(map(tuple, found.values()))
