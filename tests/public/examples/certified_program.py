from pathlib import Path

import p2smt

system = p2smt.find_system("dgx-h100:2x8")
axes = [p2smt.Axis("data", 4), p2smt.Axis("model", 4)]
problem = p2smt.build_problem(system, axes, ["data"], p2smt.Payload(2**30, "bfloat16"))
cost, synthesis = p2smt.cost_of(system), p2smt.synthesize(problem)
certificate = p2smt.certify(synthesis, p2smt.rank(synthesis, cost), cost)
best = p2smt.cheapest_plan(problem, cost).plan
if certificate is not None and certificate.proved and best is not None:
    Path("reduction.py").write_text(p2smt.emit_torch(best), encoding="utf-8")
