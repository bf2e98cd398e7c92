"""The time line of a sharded step: its instructions as tasks, each with the time of its slowest device."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from p2smt.cost.computing.roofline import RooflineWork, kernel_seconds, launch_seconds
from p2smt.cost.computing.time_line import Queue, StepTask, StepTimeLine, time_line
from p2smt.problem.system.device_model import OperationKind
from p2smt.spmd.account.instruction import Account, AccountedStep
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.reading.fused_update import FusedUpdate, fused_update
from p2smt.spmd.reading.launches import launch_shares
from p2smt.tensor.expression import Read, parts
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program


def step_time_line(program: Program, account: Account, cluster: Cluster) -> StepTimeLine:
    """Return the time line of all instructions, with communication overlapping independent computation.

    Every instruction takes as long as on its slowest device. The updates of all parameters are one fused kernel, as in
    emitted code, and kernels are launched as there (`launches.py`).
    """
    losses = [model.overlap_loss for model in cluster.models]
    update = fused_update(program) if cluster.models else None
    apart = [each for each in account.instructions if update is None or each.statement not in update.statements]
    shares = launch_shares(program) if cluster.models else {}
    longer = max((model.in_step for model in cluster.models), default=1.0)
    tasks = [
        _with_launches(task, shares.get(each.statement, 1), longer)
        for task, each in zip(tasks_of(program, apart), apart, strict=True)
    ]
    if update is not None:
        tasks.append(_with_launches(_update_task(update, cluster, len(tasks)), 1, longer))
    return time_line(tasks, max(losses, default=0.0))


def _with_launches(task: StepTask, share: int, longer: float) -> StepTask:
    """The task with a part of its launches, `longer` times each; none where it is a part of another call."""
    launch = round(longer * (task.launch // share)) if share else 0
    return task if launch == task.launch else replace(task, launch=launch)


def step_picoseconds(program: Program, account: Account, cluster: Cluster) -> int:
    """Return the reported time of a step: that of its time line, or by stages (as in HAP) without roofline models.

    By stages nothing overlaps, and a launch counts if it takes longer than its kernel.
    """
    return reported(step_time_line(program, account, cluster), account, cluster) if cluster.models else account.time


def reported(line: StepTimeLine, account: Account, cluster: Cluster) -> int:
    """Return the reported time of a step whose time line is known; see `step_picoseconds`."""
    return line.makespan if cluster.models else account.time


def _update_task(update: FusedUpdate, cluster: Cluster, before: int) -> StepTask:
    """Return the fused kernel of all updates, after all other tasks; on the host, each parameter counts as a launch."""
    work = RooflineWork(kind=OperationKind.OPTIMIZER, dtype="float32", flops=0, bytes=update.bytes)
    models = dict.fromkeys(cluster.models)
    return StepTask(
        name="fused update",
        queue=Queue.COMPUTING,
        duration=max(ceil(kernel_seconds(model, work) * PICO) for model in models),
        launch=update.parameters * max(ceil(launch_seconds(model, work.kind, work.dtype) * PICO) for model in models),
        # Behind everything: the update needs all gradients.
        after=tuple(range(before)),
    )


def tasks_of(program: Program, instructions: Sequence[AccountedStep]) -> list[StepTask]:
    """Return the instructions as tasks; each depends on earlier ones of its statement and on its operands."""
    reads = {
        statement.name: {part.name for part in parts(statement.expression) if isinstance(part, Read)}
        for statement in program.statements
    }
    last: dict[str, int] = {}
    tasks = list[StepTask]()
    for number, each in enumerate(instructions):
        members = each.bucket or (each.statement,)
        needed = {name for member in members for name in (*reads.get(member, ()), member)}
        after = tuple(sorted({last[name] for name in needed if name in last}))
        tasks.append(_task(each, after))
        last.update(dict.fromkeys(members, number))
    return tasks


def _task(each: AccountedStep, after: tuple[int, ...]) -> StepTask:
    name = f"{each.text} {each.statement}"
    if each.way is not None:
        return StepTask(name=name, queue=Queue.COMMUNICATION, duration=each.time, after=after)
    is_contraction = each.text in OPERATIONS and OPERATIONS[each.text].kind is Kind.CONTRACT  # only: these lose
    return StepTask(
        name=name,
        queue=Queue.COMPUTING,
        duration=each.kernel,
        launch=each.launch,
        after=after,
        is_contraction=is_contraction,
    )
