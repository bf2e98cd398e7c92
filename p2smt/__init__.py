"""p2smt: parallelism placement and reduction programs, synthesised, ranked, checked and emitted.

>>> import p2smt
>>> levels = [p2smt.Level("node", 2), p2smt.Level("gpu", 4)]
>>> system = p2smt.default_system(levels)
>>> payload = p2smt.Payload(2**20, "float32")
>>> problem = p2smt.build_problem(system, [p2smt.Axis("data", 8)], ["data"], payload, p2smt.Search())
>>> p2smt.Synthesizer().synthesize(problem).total_programs
93
"""

from importlib import import_module

# Where each public name lives; a name is imported when it is first used, so that `p2smt --help` stays fast.
_HOMES = {
    "Axis": "problem.model",
    "Level": "problem.system.network",
    "Payload": "problem.model",
    "Problem": "problem.model",
    "Search": "problem.model",
    "build_problem": "problem.build",
    "Reduction": "problem.workload",
    "build_workload": "problem.build",
    "optimize": "job.optimize",
    "System": "problem.system.network",
    "default_system": "problem.system.build",
    "find_system": "problem.system.text",
    "DeviceMap": "placement.digits",
    "ParallelismMatrix": "placement.matrix",
    "all_placements": "placement.enumeration",
    "Synthesizer": "reduction.synth.session",
    "NetworkCost": "cost.network.cost",
    "rank": "cost.ranking",
    "Lowering": "reduction.plan.lower",
    "Plan": "reduction.plan.model",
    "execute": "reduction.plan.execute",
    "plan_text": "reduction.plan.file",
    "read_plan": "reduction.plan.file",
    "emit_torch": "emit.torch.source",
    "run_plan": "run.local.cluster",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'p2smt' has no attribute {name!r}")
    return getattr(import_module(f"p2smt.{_HOMES[name]}"), name)
