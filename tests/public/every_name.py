"""A user's script: every public name of p2smt, type-checked with --strict and run. Files are left in this folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import p2smt

if TYPE_CHECKING:
    import torch


def asked(size: int) -> p2smt.Problem:
    levels = [p2smt.Level("node", 2), p2smt.Level("gpu", size // 2)]
    system: p2smt.System = p2smt.default_system(levels)
    payload, search = p2smt.Payload(8 * size, "float32"), p2smt.Search(limit=3)
    return p2smt.build_problem(
        system, [p2smt.Axis("data", size)], ["data"], payload, search, p2smt.Collective.ALL_REDUCE
    )


def solved(problem: p2smt.Problem) -> p2smt.Plan:
    matrices: tuple[p2smt.ParallelismMatrix, ...] = p2smt.all_placements(problem).items
    assert p2smt.DeviceMap(matrices[0]).device((1,)) == 1
    synthesis = p2smt.synthesize(problem)
    for backend in (p2smt.Nccl(), p2smt.Gloo()):
        cost = p2smt.cost_of(problem.system, backend)
        certificate = p2smt.certify(synthesis, p2smt.rank(synthesis, cost), cost)
        assert certificate is not None
        assert certificate.proved
    completion = p2smt.complete(problem, "ReduceScatter local; ...")
    assert 0 < completion.synthesis.total_programs < synthesis.total_programs
    best = p2smt.cheapest_plan(problem, cost).plan
    assert best is not None
    assert p2smt.explain_plan(best, cost).rank == 1
    Path("report.html").write_text(p2smt.report_html(synthesis), encoding="utf-8")
    return best


def written(problem: p2smt.Problem, plan: p2smt.Plan) -> None:
    path = Path("plan.json")
    path.write_text(p2smt.plan_text(plan), encoding="utf-8")
    assert p2smt.read_plan(path) == plan
    assert p2smt.program_plan(problem, plan.program) == plan
    for suffix, text in (
        ("torch", p2smt.emit_torch(plan)),
        ("ddp", p2smt.emit_ddp(plan)),
        ("jax", p2smt.emit_jax(plan)),
    ):
        Path(f"{suffix}_reduction.py").write_text(text, encoding="utf-8")
    match p2smt.verify_file(path).verdict:
        case p2smt.Proved(plan_proof):
            assert plan_proof.checked > 0
        case p2smt.Refuted(counter_example):
            raise AssertionError(counter_example)
        case p2smt.Unknown(reason):
            raise AssertionError(reason)
    sums = p2smt.execute(plan, [np.full(problem.payload.elements, device) for device in range(problem.devices)])
    assert all((held == sum(range(problem.devices))).all() for held in sums)


def proved() -> None:
    text = "program many\nmesh data=2\ninput x : f32[6] partial(+)\ny = AllReduce(x) * 2\noutput y\n"
    Path("many.tp").write_text(text, encoding="utf-8")
    Path("one.tp").write_text("program one\ninput x : f32[6]\ny = x * 2\noutput y\n", encoding="utf-8")
    match p2smt.verify_program(p2smt.read_program("many.tp"), p2smt.read_program("one.tp")):
        case p2smt.Proved(proof):
            assert proof.schemas > 0
        case p2smt.Refuted(mistake):
            raise AssertionError(mistake.statement)
        case p2smt.Unknown(reason):
            raise AssertionError(reason)


def scheduled() -> None:
    text = "program many\nmesh data=2\ninput x : f32[6] partial(+)\ns = AllReduce(x)\ny = s * 2\noutput y\n"
    Path("plain.tp").write_text(text, encoding="utf-8")
    Path("steps").write_text("rs, ag = split s rs-ag\nz, whole = reorder ag past y\n", encoding="utf-8")
    checked = p2smt.check_schedule(p2smt.read_program("plain.tp"), p2smt.read_schedule("steps"))
    assert isinstance(checked.verdict, p2smt.Proved)
    assert [each.name for each in checked.written.statements] == ["rs", "z", "whole", "y"]


def sharded() -> None:
    text = "program one\nsize B = 64\ninput x : f32[B, 8]\nparameter w : f32[8, 8]\ny = matmul(x, w)\noutput y\n"
    Path("step.tp").write_text(text, encoding="utf-8")
    request = p2smt.ShardingRequest(mesh="2,2", conditions=("x sliced(0)",))
    found = p2smt.shard_program(p2smt.read_program("step.tp"), p2smt.find_system("node:2,gpu:2"), request)
    assert found.lower_bound <= found.account.time
    (layer,) = p2smt.explain_sharding(p2smt.read_program("step.tp"), p2smt.find_system("1x2"), tensors=["w"]).tensors
    assert len(layer.alternatives) == 2
    Path("twice.tp").write_text(text.replace("64", "128"), encoding="utf-8")
    other = p2smt.shard_like(p2smt.read_program("twice.tp"), p2smt.find_system("node:2,gpu:2"), found.program)
    assert (other.batch.size, other.before.size) == (128, 64)
    assert p2smt.tune_schedule(found.program, p2smt.find_system("node:2,gpu:2"), depth=1).untouched.estimate.seconds > 0
    Path("sharded_step.py").write_text(p2smt.emit_program(found.program), encoding="utf-8")


def placed(job: p2smt.Workload) -> str:
    match p2smt.optimize(job, p2smt.cost_of(job.system)):
        case p2smt.Optimum() as optimum:
            assert optimum.proved
            Path("job.html").write_text(p2smt.report_html(optimum), encoding="utf-8")
            files = [p2smt.placement_file(job, optimum.best.matrix, target).text for target in p2smt.MeshTarget]
            return "".join(files)
        case p2smt.Infeasible(core=core):
            raise AssertionError(core)
        case p2smt.Unfinished(reason=reason):
            raise AssertionError(reason)


def read() -> None:
    Path("problem.toml").write_text(
        'system = "2x2"\nreduce = ["data"]\n[[axis]]\nname = "data"\nsize = 4\n', encoding="utf-8"
    )
    assert p2smt.synthesize(p2smt.read_problem("problem.toml")).total_programs == 93
    job = p2smt.read_job("problem.toml", p2smt.find_system("node:2,gpu:2"))
    reduction = p2smt.Reduction(name="again", axes=(0,), payload=p2smt.Payload(64, "float32"))
    assert placed(job)
    assert placed(p2smt.build_workload(job.system, job.axes, [reduction], ["at most 10 communicators"]))


def swept() -> None:
    Path("sweep.toml").write_text(
        '[[grid]]\nsystems = ["2x2"]\naxes = ["4"]\nreduce = [0]\nlimits = [1]\n', encoding="utf-8"
    )
    assert p2smt.run_sweep("sweep.toml", executor="local:1").summary.complete


def trained() -> None:
    import torch.distributed

    there = Path("joined").absolute().as_uri()
    torch.distributed.init_process_group("gloo", init_method=there, rank=0, world_size=1)
    model, batch = torch.nn.Linear(3, 2), torch.ones(4, 3)
    step = p2smt.capture(model, lambda module, x: module(x).square().sum(), batch)
    assert [each.name for each in step.outputs] == ["loss"]
    training = p2smt.shard(model, lambda module, x: module(x).square().sum(), batch, "gpu:1")
    assert training.step(batch) > training.step(batch)
    assert training.state_dict()["step"] == 2
    torch.distributed.destroy_process_group()


def summed(tensor: torch.Tensor) -> None:
    import torch.distributed

    torch.distributed.all_reduce(tensor)


def refused() -> str:
    try:
        p2smt.find_system("no such system")
    except p2smt.P2Error as error:
        return str(error)
    return ""


def advised() -> None:
    found: p2smt.StepSearch = p2smt.advise("llama-8b", "dgx-h100:1x8", batch=16, fixed=p2smt.FixedDegrees(tp=2))
    assert found.best[0].split.tp == 2
    assert found.best[0].seconds > 0


def calibrated() -> None:
    head = "axes,reduce,matrix,program,algorithm,bytes,seconds"
    rows = [f'"4","0","2x2","AllReduce","ring","{size}MiB","{size / 1000}"' for size in (1, 4, 16, 64)]
    Path("times.csv").write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    found = p2smt.calibrate("node:2,gpu:2", "times.csv")
    assert found.fit.mean_abs_log_error < 0.2
    assert found.system.network != p2smt.find_system("node:2,gpu:2").network


def in_this_process() -> p2smt.Plan:
    problem = asked(4)
    plan = solved(problem)
    written(problem, plan)
    advised()
    calibrated()
    read()
    proved()
    scheduled()
    sharded()
    assert "do not parse" in refused()
    return plan


def in_several() -> None:
    assert p2smt.run_plan(in_this_process(), repeats=1).ok
    swept()
    trained()
    p2smt.assert_reduces(summed, devices=2)
    single = p2smt.read_program("one.tp")
    p2smt.assert_same(lambda x: x * 2, single, devices=2)


if __name__ == "__main__":
    in_several()
    print("every name was used")
