import p2smt

system = p2smt.find_system("dgx-h100:2x8")
axes = [p2smt.Axis("data", 4), p2smt.Axis("model", 4)]
gradients = p2smt.Reduction(name="gradients", axes=(0,), payload=p2smt.Payload(2**30, "float32"))
activations = p2smt.Reduction(name="activations", axes=(1,), payload=p2smt.Payload(2**26, "bfloat16"), times=128)
job = p2smt.build_workload(system, axes, [gradients, activations], ["model inside node"])
match p2smt.optimize(job, p2smt.cost_of(system)):
    case p2smt.Optimum() as optimum:
        print(p2smt.placement_file(job, optimum.best.matrix, p2smt.MeshTarget.RANKFILE).text)
    case p2smt.Infeasible(core=core):
        print("these conditions clash:", core)
    case p2smt.Unfinished(reason=reason):
        print("stopped early:", reason)
