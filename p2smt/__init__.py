"""p2smt: parallelism placement and reduction programs, synthesised, ranked, checked and emitted.

>>> import p2smt
>>> system = p2smt.find_system("node:2,gpu:4")
>>> problem = p2smt.build_problem(system, [p2smt.Axis("data", 8)], ["data"], p2smt.Payload(2**20, "float32"))
>>> p2smt.synthesize(problem).total_programs
93
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2smt.collective import Collective as Collective
    from p2smt.cost.calibration.calibrate import calibrate as calibrate
    from p2smt.cost.certificate import certify as certify
    from p2smt.cost.cheapest import cheapest_plan as cheapest_plan
    from p2smt.cost.network.backend import Gloo as Gloo
    from p2smt.cost.network.backend import Nccl as Nccl
    from p2smt.cost.network.backend import cost_of as cost_of
    from p2smt.cost.plan_explanation import explain_plan as explain_plan
    from p2smt.cost.ranking import rank as rank
    from p2smt.emit.jax.source import emit_jax as emit_jax
    from p2smt.emit.mesh.placement_file import placement_file as placement_file
    from p2smt.emit.target import MeshTarget as MeshTarget
    from p2smt.emit.torch.ddp_source import emit_ddp as emit_ddp
    from p2smt.emit.torch.program.source import emit_program as emit_program
    from p2smt.emit.torch.source import emit_torch as emit_torch
    from p2smt.errors import P2Error as P2Error
    from p2smt.frontend.assertion import assert_reduces as assert_reduces
    from p2smt.frontend.assertion import assert_same as assert_same
    from p2smt.frontend.torch_graph.live import capture as capture
    from p2smt.frontend.verification import verify_file as verify_file
    from p2smt.job.infeasible import Infeasible as Infeasible
    from p2smt.job.optimize import Optimum as Optimum
    from p2smt.job.optimize import Unfinished as Unfinished
    from p2smt.job.optimize import optimize as optimize
    from p2smt.job.schedules import tune_schedule as tune_schedule
    from p2smt.job.step.advise import advise as advise
    from p2smt.job.step.grid import FixedDegrees as FixedDegrees
    from p2smt.job.step.search import StepSearch as StepSearch
    from p2smt.job.training import shard as shard
    from p2smt.placement.digits import DeviceMap as DeviceMap
    from p2smt.placement.enumeration import all_placements as all_placements
    from p2smt.placement.matrix import ParallelismMatrix as ParallelismMatrix
    from p2smt.problem.build import build_problem as build_problem
    from p2smt.problem.build import build_workload as build_workload
    from p2smt.problem.job_file import read_job as read_job
    from p2smt.problem.model import Axis as Axis
    from p2smt.problem.model import Payload as Payload
    from p2smt.problem.model import Problem as Problem
    from p2smt.problem.model import Search as Search
    from p2smt.problem.problem_file import read_problem as read_problem
    from p2smt.problem.system.build import default_system as default_system
    from p2smt.problem.system.network import Level as Level
    from p2smt.problem.system.network import System as System
    from p2smt.problem.system.text import find_system as find_system
    from p2smt.problem.workload import Reduction as Reduction
    from p2smt.problem.workload import Workload as Workload
    from p2smt.reduction.plan.execute import execute as execute
    from p2smt.reduction.plan.file import plan_text as plan_text
    from p2smt.reduction.plan.file import read_plan as read_plan
    from p2smt.reduction.plan.model import Plan as Plan
    from p2smt.reduction.plan.program_plan import program_plan as program_plan
    from p2smt.reduction.synth.completion import complete as complete
    from p2smt.reduction.synth.session import synthesize as synthesize
    from p2smt.report.html import report_html as report_html
    from p2smt.run.local.cluster import run_plan as run_plan
    from p2smt.schedule.check import check_schedule as check_schedule
    from p2smt.schedule.check import read_schedule as read_schedule
    from p2smt.spmd.like import shard_like as shard_like
    from p2smt.spmd.reading.explanation import explain_sharding as explain_sharding
    from p2smt.spmd.request import ShardingRequest as ShardingRequest
    from p2smt.spmd.request import shard_program as shard_program
    from p2smt.sweep.run import run_sweep as run_sweep
    from p2smt.tensor.text.file import read_program as read_program
    from p2smt.tensor.verification.check import verify_program as verify_program
    from p2smt.verify.verdict import Proved as Proved
    from p2smt.verify.verdict import Refuted as Refuted
    from p2smt.verify.verdict import Unknown as Unknown

# Where each public name lives; a name is imported when it is first used, so that `p2smt --help` stays fast.
_HOMES = {
    "Axis": "problem.model",
    "Collective": "collective",
    "DeviceMap": "placement.digits",
    "FixedDegrees": "job.step.grid",
    "Gloo": "cost.network.backend",
    "Infeasible": "job.infeasible",
    "Level": "problem.system.network",
    "MeshTarget": "emit.target",
    "Nccl": "cost.network.backend",
    "Optimum": "job.optimize",
    "P2Error": "errors",
    "ParallelismMatrix": "placement.matrix",
    "Payload": "problem.model",
    "Plan": "reduction.plan.model",
    "Problem": "problem.model",
    "Proved": "verify.verdict",
    "Reduction": "problem.workload",
    "Refuted": "verify.verdict",
    "Search": "problem.model",
    "ShardingRequest": "spmd.request",
    "StepSearch": "job.step.search",
    "System": "problem.system.network",
    "Unfinished": "job.optimize",
    "Unknown": "verify.verdict",
    "Workload": "problem.workload",
    "advise": "job.step.advise",
    "all_placements": "placement.enumeration",
    "assert_reduces": "frontend.assertion",
    "assert_same": "frontend.assertion",
    "build_problem": "problem.build",
    "build_workload": "problem.build",
    "calibrate": "cost.calibration.calibrate",
    "capture": "frontend.torch_graph.live",
    "certify": "cost.certificate",
    "cheapest_plan": "cost.cheapest",
    "check_schedule": "schedule.check",
    "complete": "reduction.synth.completion",
    "cost_of": "cost.network.backend",
    "default_system": "problem.system.build",
    "emit_ddp": "emit.torch.ddp_source",
    "emit_jax": "emit.jax.source",
    "emit_program": "emit.torch.program.source",
    "emit_torch": "emit.torch.source",
    "execute": "reduction.plan.execute",
    "explain_plan": "cost.plan_explanation",
    "explain_sharding": "spmd.reading.explanation",
    "find_system": "problem.system.text",
    "optimize": "job.optimize",
    "placement_file": "emit.mesh.placement_file",
    "plan_text": "reduction.plan.file",
    "program_plan": "reduction.plan.program_plan",
    "rank": "cost.ranking",
    "read_job": "problem.job_file",
    "read_plan": "reduction.plan.file",
    "read_problem": "problem.problem_file",
    "read_program": "tensor.text.file",
    "read_schedule": "schedule.check",
    "report_html": "report.html",
    "run_plan": "run.local.cluster",
    "run_sweep": "sweep.run",
    "shard": "job.training",
    "shard_like": "spmd.like",
    "shard_program": "spmd.request",
    "synthesize": "reduction.synth.session",
    "tune_schedule": "job.schedules",
    "verify_file": "frontend.verification",
    "verify_program": "tensor.verification.check",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605

if not TYPE_CHECKING:  # where types are checked, only the names above are there

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'p2smt' has no attribute {name!r}")
        return getattr(import_module(f"p2smt.{_HOMES[name]}"), name)

    def __dir__() -> list[str]:
        own = (name for name in globals() if name.startswith("__"))
        return [*__all__, *own]
