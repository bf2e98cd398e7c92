"""Files of plans for all-to-alls and sends: JSON like other plan files, with a different format name."""

from pathlib import Path
from typing import Literal

import msgspec

from p2smt.collective import Exchange, NeighbourSend
from p2smt.errors import P2Error, PlanError
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.matrix_check import check_matrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.build import default_system
from p2smt.problem.system.file import SystemFile, system_entry, system_of
from p2smt.problem.system.network import Level, System
from p2smt.problem.typed import convert_checked, read_bounded
from p2smt.reduction.plan.exchange import ExchangeGoal, ExchangePlan, ExchangeStep, MoveStep, check_exchange
from p2smt.reduction.plan.file import MAX_FILE_BYTES, NamedSize, PayloadRecord, parse_plan, plan_text
from p2smt.reduction.plan.model import GroupRule, PermuteStep, Plan, PlanDigit, Portion
from p2smt.wording import option_text

FORMAT: Literal["p2smt-exchange"] = "p2smt-exchange"
VERSION: Literal[1] = 1


Name = Literal["AllToAll", "SendNext", "SendAround"]


class ExchangeRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="exchange"):
    """A step of an exchange file: all groups in which the digits at `varying` differ exchange at once."""

    exchange: Name
    varying: tuple[int, ...]


class ReorderRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="permute"):
    """A step of an exchange file: every device views its buffer as a tensor of these sizes and transposes it."""

    sizes: tuple[int, ...]
    order: tuple[int, ...]


class ExchangeFile(msgspec.Struct, frozen=True):
    """The content of an exchange file before its fields are checked against each other."""

    format: Literal["p2smt-exchange"]
    version: Literal[1]
    goal: Name
    system: tuple[NamedSize, ...]
    axes: tuple[NamedSize, ...]
    over: tuple[str, ...]
    matrix: tuple[tuple[int, ...], ...]
    payload: PayloadRecord
    program: str
    steps: tuple[ExchangeRecord | ReorderRecord, ...]
    network: SystemFile | None = None


def any_plan_text(plan: Plan | ExchangePlan) -> str:
    """Return a plan of either kind as a JSON document; `parse_any_plan` is the inverse."""
    match plan:
        case Plan():
            return plan_text(plan)
        case ExchangePlan():
            return exchange_text(plan)


def exchange_text(plan: ExchangePlan) -> str:
    """Return the plan as a JSON document; `parse_any_plan` is the inverse."""
    record = ExchangeFile(
        format=FORMAT,
        version=VERSION,
        goal=_name(plan.goal),
        system=tuple(NamedSize(name, size) for name, size in plan.levels),
        axes=tuple(NamedSize(name, size) for name, size in plan.axes),
        over=plan.over,
        matrix=plan.matrix.rows,
        payload=PayloadRecord(plan.payload.bytes, plan.payload.dtype),
        program=plan.program,
        steps=tuple(map(_record, plan.steps)),
        network=None if plan.system is None else system_entry(plan.system),
    )
    return msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n"


def read_any_plan(path: Path) -> Plan | ExchangePlan:
    """Read a plan file of either kind, of at most 4 MB; raises PlanError with the position of an error."""
    return parse_any_plan(read_bounded(path, MAX_FILE_BYTES, PlanError), str(path))


def parse_any_plan(data: bytes, source: str) -> Plan | ExchangePlan:
    """Parse a JSON document of either kind; `source` names the document in messages."""
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # No JSON at all: `parse_plan` words the error, so that both kinds of files report it alike.
        return parse_plan(data, source)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return parse_plan(data, source)
    record = convert_checked(document, ExchangeFile, source, PlanError)
    try:
        return _checked(record)
    except P2Error as cause:
        raise PlanError(f"{source}: {cause}") from cause


def _checked(record: ExchangeFile) -> ExchangePlan:
    levels = tuple(Level(level.name, level.size) for level in record.system)
    axes = [Axis(axis.name, axis.size) for axis in record.axes]
    payload = Payload(record.payload.bytes, record.payload.dtype)
    problem = build_problem(default_system(levels), axes, record.over, payload, Search())
    matrix = ParallelismMatrix(record.matrix)
    check_matrix(matrix, problem)
    digits = DeviceMap(matrix).digits
    varying = tuple(p for p, digit in enumerate(digits) if digit.axis in problem.reduce and digit.size > 1)
    plan = ExchangePlan(
        levels=tuple((level.name, level.size) for level in levels),
        axes=tuple((axis.name, axis.size) for axis in axes),
        over=tuple(axes[axis].name for axis in problem.reduce),
        matrix=matrix,
        payload=problem.payload,
        program=record.program,
        digits=tuple(PlanDigit(levels[digit.level].name, axes[digit.axis].name, digit.size) for digit in digits),
        group=GroupRule(varying),
        goal=_goal(record.goal),
        steps=tuple(map(_step, record.steps)),
        system=_system(record, levels),
    )
    check_exchange(plan)
    return plan


def _system(record: ExchangeFile, levels: tuple[Level, ...]) -> System | None:
    if record.network is None:
        return None
    system = system_of(record.network, "network")
    if system.levels != levels:
        own, wanted = (option_text((one.name, one.size) for one in some) for some in (system.levels, levels))
        raise PlanError(f"network has the levels {own}, but the plan is for {wanted}; the two must be the same")
    if system.tree is not None:
        raise PlanError(
            f"network is the irregular hierarchy {system.tree}, but the plan is for a regular one; the "
            "two must be the same"
        )
    return system


def _name(goal: ExchangeGoal) -> Name:
    match goal:
        case Exchange.ALL_TO_ALL:
            return "AllToAll"
        case NeighbourSend.NEXT:
            return "SendNext"
        case NeighbourSend.AROUND:
            return "SendAround"


def _goal(name: Name) -> ExchangeGoal:
    match name:
        case "AllToAll":
            return Exchange.ALL_TO_ALL
        case "SendNext":
            return NeighbourSend.NEXT
        case "SendAround":
            return NeighbourSend.AROUND


def _record(step: MoveStep) -> ExchangeRecord | ReorderRecord:
    match step:
        case ExchangeStep(exchange, groups):
            return ExchangeRecord(_name(exchange), groups.varying)
        case PermuteStep(sizes, order):
            return ReorderRecord(sizes, order)


def _step(record: ExchangeRecord | ReorderRecord) -> MoveStep:
    match record:
        case ExchangeRecord():
            return ExchangeStep(_goal(record.exchange), GroupRule(record.varying))
        case ReorderRecord():
            return PermuteStep(record.sizes, record.order, Portion(1))
