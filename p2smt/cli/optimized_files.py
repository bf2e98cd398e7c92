"""The files that `p2smt optimize --out` writes: programs, schedule steps, plans, a mesh, and runnable code."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2smt.cost.network.cost import Cost
    from p2smt.job.job_pricer import PlacementTime
    from p2smt.job.joint import Joint
    from p2smt.job.without_collectives import WithoutCollectives
    from p2smt.problem.workload import Workload
    from p2smt.reduction.plan.exchange import ExchangePlan
    from p2smt.reduction.plan.model import Plan
    from p2smt.schedule.tuner.result import PricedSchedule
    from p2smt.tensor.program import Program

SHARDED, SCHEDULED, STEPS, MESH, STEP, COMMUNICATION = (
    "sharded.tp",
    "scheduled.tp",
    "best.steps",
    "mesh.py",
    "step.py",
    "communication.py",
)


def plan_name(number: int) -> str:
    """Return the file name for the plan of reduction `number`."""
    return f"reduction-{number}.json"


def plan_files(plans: "Sequence[Plan | ExchangePlan]") -> dict[str, str]:
    """Return the text of each plan by file name, in the order of the reductions."""
    from p2smt.reduction.plan.exchange_file import any_plan_text

    return {plan_name(number): any_plan_text(plan) for number, plan in enumerate(plans)}


def job_files(workload: "Workload", placement: "PlacementTime", cost: "Cost") -> dict[str, str]:
    """Return the plans, the mesh and the communication code of a job on a placement, by file name."""
    from p2smt.emit.torch.training.source import Communication, emit_training
    from p2smt.job.plans import plans_on

    plans = plans_on(workload, placement, cost)
    parts = [
        Communication(name=one.name, plan=plan, times=one.times, overlap=one.overlap)
        for one, plan in zip(workload.reductions, plans, strict=True)
    ]
    return {**plan_files(plans), MESH: _mesh(workload, placement), COMMUNICATION: emit_training(parts)}


def joint_files(program: "Program", found: "Joint", cost: "Cost") -> dict[str, str]:
    """Return programs, steps, plans, mesh and training step for a sharded program's best schedule, by file name."""
    from p2smt.job.plans import plans_on

    best = found.best
    workload = best.optimum.workload
    files = {**step_files(program), **plan_files(plans_on(workload, best.placement, cost))}
    files[MESH] = _mesh(workload, best.placement)
    return files | _scheduled_files(program, best.priced)


def alone_files(found: "WithoutCollectives") -> dict[str, str]:
    """Return programs, steps and training step of a sharded program without collectives, by file name."""
    return {**step_files(found.program), **_scheduled_files(found.program, found.priced)}


def _scheduled_files(program: "Program", priced: "PricedSchedule | None") -> dict[str, str]:
    """Return the program after a schedule, its steps, and the training step; nothing without steps."""
    from p2smt.cli.output.schedule import result_text
    from p2smt.cli.output.tuned import steps_text
    from p2smt.schedule.check import check_schedule
    from p2smt.schedule.emission.source import emit_schedule

    if priced is None or not priced.schedule:
        return {}
    checked = check_schedule(program, priced.schedule, None)
    return {SCHEDULED: result_text(checked), STEPS: steps_text(priced), STEP: emit_schedule(checked)}


def step_files(program: "Program") -> dict[str, str]:
    """Return a sharded program, and the training step emitted from it without a schedule, by file name."""
    from p2smt.emit.torch.program.source import emit_program
    from p2smt.tensor.printer import print_program

    return {SHARDED: print_program(program), STEP: emit_program(program)}


def _mesh(workload: "Workload", placement: "PlacementTime") -> str:
    from p2smt.emit.mesh.placement_file import placement_file
    from p2smt.emit.target import MeshTarget

    return placement_file(workload, placement.matrix, MeshTarget.DEVICEMESH).text
