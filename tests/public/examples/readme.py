from pathlib import Path

import numpy as np

import p2smt

system = p2smt.find_system("dgx-h100:2x8")
cost, axes = p2smt.cost_of(system), [p2smt.Axis("data", 4), p2smt.Axis("model", 4)]
problem = p2smt.build_problem(system, axes, ["data"], p2smt.Payload(2**30, "bfloat16"))
synthesis = p2smt.synthesize(problem)
certificate = p2smt.certify(synthesis, p2smt.rank(synthesis, cost), cost)
best = p2smt.cheapest_plan(problem, cost).plan
if certificate is not None and certificate.proved and best is not None:
    Path("reduction.py").write_text(p2smt.emit_torch(best), encoding="utf-8")

gradients = p2smt.Reduction(name="gradients", axes=(0,), payload=p2smt.Payload(2**30, "float32"))
activations = p2smt.Reduction(name="activations", axes=(1,), payload=p2smt.Payload(2**26, "bfloat16"), times=128)
job = p2smt.build_workload(system, axes, [gradients, activations], ["model inside node"])
outcome = p2smt.optimize(job, cost)
if isinstance(outcome, p2smt.Optimum):  # else it has the conditions that clash, or the reason why it stopped early
    print(outcome.best.matrix)

payload, goal = p2smt.Payload(32, "float32"), p2smt.Collective.REDUCE_SCATTER
problem = p2smt.build_problem(p2smt.find_system("node:2,gpu:4"), [p2smt.Axis("data", 8)], ["data"], payload, goal=goal)
plan = p2smt.program_plan(problem, "(node, InsideGroup, ReduceScatter); (node, Parallel(root), ReduceScatter)")
shards = p2smt.execute(plan, [np.arange(8, dtype="float32") * device for device in range(8)])
assert [shard.tolist() for shard in shards] == [[28 * device] for device in range(8)]  # rank i holds block i
