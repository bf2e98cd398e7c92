"""Plan files: a versioned JSON format of plans; reading a written plan returns an equal plan.

Groups are stored as rules on the digits of the device number, so the size of a file does not depend on the number of
devices. `PlanRecord` is the format, from which `p2smt schema plan` comes. Version 1 lacks the system's links. Version 3
adds chunks, so readers that do not support chunks refuse such files. Version 4 adds units of unequal size: `units`
lists, per level, the number of units in each unit above, and `system` has the largest of these.
"""

from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec

from p2smt.argument_types import path_of, require
from p2smt.collective import Collective
from p2smt.errors import P2Error, PlanError
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.matrix_check import check_matrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.build import build_system, default_system
from p2smt.problem.system.file import SystemFile, system_entry, system_of
from p2smt.problem.system.network import Level, System
from p2smt.problem.system.tree import Tree, check_tree
from p2smt.problem.typed import convert_checked, read_bounded, why_malformed
from p2smt.reduction.plan.check import check_plan
from p2smt.reduction.plan.model import (
    CollectiveStep,
    GroupRule,
    PermuteStep,
    Plan,
    PlanLevel,
    PlanStep,
    Portion,
    plan_of,
)
from p2smt.wording import option_text

VERSION = 2
CHUNKED_VERSION = 3
UNLIKE_VERSION = 4
READABLE = (1, VERSION, CHUNKED_VERSION, UNLIKE_VERSION)
# Far above any real plan; the limit keeps a wrong file (a checkpoint, a log) from being read into
# memory.
MAX_FILE_BYTES = 4_000_000


class NamedSize(msgspec.Struct, frozen=True):
    """A level or an axis: name and size."""

    name: str
    size: int


class PayloadRecord(msgspec.Struct, frozen=True):
    """The payload: bytes per device, and data type."""

    bytes: int
    dtype: str


class LevelRecord(msgspec.Struct, frozen=True):
    """One level of the program, and the positions of its digits."""

    name: str
    digits: tuple[int, ...]


class RuleRecord(msgspec.Struct, frozen=True):
    """A group rule: digits that vary inside a group, and digits that must be 0."""

    varying: tuple[int, ...]
    zero: tuple[int, ...] = ()


class PortionRecord(msgspec.Struct, frozen=True):
    """Devices of these classes (none: all) hold 1/parts of the payload."""

    parts: int
    classes: tuple[int, ...] = ()


class CollectiveRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="collective"):
    """A step in which all groups of the rule perform the collective at once."""

    collective: Collective
    groups: RuleRecord
    portions: tuple[PortionRecord, ...]


class PermuteRecord(msgspec.Struct, frozen=True, tag_field="kind", tag="permute"):
    """A step that transposes the buffer locally."""

    sizes: tuple[int, ...]
    order: tuple[int, ...]
    portion: PortionRecord


class PlanRecord(msgspec.Struct, frozen=True):
    """The content of a plan file before its fields are checked against each other."""

    format: Literal["p2smt-plan"]
    version: int
    system: tuple[NamedSize, ...]
    axes: tuple[NamedSize, ...]
    reduce: tuple[str, ...]
    matrix: tuple[tuple[int, ...], ...]
    payload: PayloadRecord
    program: str
    levels: tuple[LevelRecord, ...]
    multiple: int
    steps: tuple[CollectiveRecord | PermuteRecord, ...]
    goal: Collective = Collective.ALL_REDUCE
    network: SystemFile | None = None
    chunks: int | msgspec.UnsetType = msgspec.UNSET
    units: tuple[tuple[int, ...], ...] | msgspec.UnsetType = msgspec.UNSET


def plan_text(plan: Plan) -> str:
    """Return the plan as a JSON document; `parse_plan` is the inverse."""
    require(plan, Plan, "plan", "read_plan reads a file, cheapest_plan finds one")
    record = PlanRecord(
        format="p2smt-plan",
        version=_version(plan),
        system=tuple(NamedSize(name, size) for name, size in plan.levels),
        axes=tuple(NamedSize(name, size) for name, size in plan.axes),
        reduce=plan.reduce,
        matrix=plan.matrix.rows,
        payload=PayloadRecord(plan.payload.bytes, plan.payload.dtype),
        program=plan.program,
        levels=tuple(LevelRecord(level.name, level.digits) for level in plan.reduction_levels),
        multiple=plan.multiple,
        steps=tuple(map(_step_record, plan.steps)),
        goal=plan.goal,
        network=None if plan.system is None else system_entry(plan.system),
        chunks=plan.chunks if plan.chunks > 1 else msgspec.UNSET,
        units=msgspec.UNSET if plan.tree is None else plan.tree.children,
    )
    return msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n"


def _version(plan: Plan) -> int:
    """Return the lowest version that can express the plan, so that older readers accept as many plans as possible."""
    if plan.tree is not None:
        return UNLIKE_VERSION
    return CHUNKED_VERSION if plan.chunks > 1 else VERSION


def read_plan(path: Path | str) -> Plan:
    """Read a plan file of at most 4 MB; raises PlanError with the position of an error."""
    path = path_of(path, "plan.json")
    return parse_plan(read_bounded(path, MAX_FILE_BYTES, PlanError), str(path))


def parse_plan(data: bytes, source: str) -> Plan:
    """Parse a JSON document into a plan; `source` names the document in messages."""
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise PlanError(
            f"{source} is not a complete JSON document ({why_malformed(cause)}); make it again with p2smt plan"
        ) from cause
    if isinstance(document, dict) and document.get("version") not in (*READABLE, None):
        known = f"{', '.join(map(str, READABLE[:-1]))} and {READABLE[-1]}"
        raise PlanError(
            f"{source}: plan version {document['version']!r} is unknown; this p2smt reads {known}, so "
            "make the plan again or update p2smt"
        )
    record = convert_checked(document, PlanRecord, source, PlanError)
    try:
        return _checked(record)
    except P2Error as cause:
        raise PlanError(f"{source}: {cause}") from cause


def _checked(record: PlanRecord) -> Plan:
    levels = [Level(level.name, level.size) for level in record.system]
    axes = [Axis(axis.name, axis.size) for axis in record.axes]
    payload = Payload(record.payload.bytes, record.payload.dtype)
    system = replace(default_system(levels), tree=_tree(record, levels))
    problem = build_problem(build_system(system), axes, record.reduce, payload, Search(), record.goal)
    matrix = ParallelismMatrix(record.matrix)
    check_matrix(matrix, problem)
    plan = plan_of(
        problem,
        matrix,
        tuple(PlanLevel(level.name, level.digits) for level in record.levels),
        record.program,
        record.multiple,
        tuple(map(_step, record.steps)),
    )
    plan = replace(plan, chunks=_chunks(record))
    check_plan(plan)
    # The system is added last: `check_plan` must not depend on links, which older files lack.
    return replace(plan, system=_system(record, tuple(levels), plan.tree))


def _chunks(record: PlanRecord) -> int:
    if isinstance(record.chunks, msgspec.UnsetType):
        return 1
    if record.version < CHUNKED_VERSION:
        raise PlanError(
            f"chunks {record.chunks} need version 3, but the plan has version {record.version}; correct the version"
        )
    return record.chunks


def _tree(record: PlanRecord, levels: list[Level]) -> Tree | None:
    if isinstance(record.units, msgspec.UnsetType):
        return None
    if record.version < UNLIKE_VERSION:
        raise PlanError(
            "units of an irregular hierarchy need version 4, but the plan has version "
            f"{record.version}; correct the version"
        )
    tree = Tree(record.units)
    check_tree(tree, [level.size for level in levels])
    return tree


def _system(record: PlanRecord, levels: tuple[Level, ...], tree: Tree | None) -> System | None:
    if record.network is None:
        return None
    system = system_of(record.network, "network")
    if system.levels != levels:
        own = option_text((level.name, level.size) for level in system.levels)
        wanted = option_text((level.name, level.size) for level in levels)
        raise PlanError(f"network has the levels {own}, but the plan is for {wanted}; the two must be the same")
    if system.tree != tree:
        own, wanted = (str(each) if each else "units that are all alike" for each in (system.tree, tree))
        raise PlanError(f"network has {own}, but the plan is for {wanted}; the two must be the same")
    return system


def _step_record(step: PlanStep) -> CollectiveRecord | PermuteRecord:
    match step:
        case CollectiveStep(collective, groups, portions):
            return CollectiveRecord(collective, _rule_record(groups), tuple(map(_portion_record, portions)))
        case PermuteStep(sizes, order, portion):
            return PermuteRecord(sizes, order, _portion_record(portion))


def _step(record: CollectiveRecord | PermuteRecord) -> PlanStep:
    match record:
        case CollectiveRecord():
            return CollectiveStep(record.collective, _rule(record.groups), tuple(map(_portion, record.portions)))
        case PermuteRecord():
            return PermuteStep(record.sizes, record.order, _portion(record.portion))


def _rule_record(rule: GroupRule) -> RuleRecord:
    return RuleRecord(rule.varying, rule.zero)


def _rule(record: RuleRecord) -> GroupRule:
    return GroupRule(record.varying, record.zero)


def _portion_record(portion: Portion) -> PortionRecord:
    return PortionRecord(portion.parts, portion.classes)


def _portion(record: PortionRecord) -> Portion:
    return Portion(record.parts, record.classes)
