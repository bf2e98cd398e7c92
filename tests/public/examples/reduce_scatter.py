import numpy as np

import p2smt

system = p2smt.find_system("node:2,gpu:4")
axes, payload = [p2smt.Axis("data", 8)], p2smt.Payload(32, "float32")
problem = p2smt.build_problem(system, axes, ["data"], payload, goal=p2smt.Collective.REDUCE_SCATTER)
plan = p2smt.program_plan(problem, "(node, InsideGroup, ReduceScatter); (node, Parallel(root), ReduceScatter)")
shards = p2smt.execute(plan, [np.arange(8, dtype="float32") * device for device in range(8)])
for device, shard in enumerate(shards):
    assert shard.tolist() == [28 * device]  # rank i holds block i of the sum
