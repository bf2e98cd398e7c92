"""How fast programs are sharded, as JSON: seconds of CPU of every part, for the texts of programs that are named.

    p2smt capture --example gpt --size paper --layers 24 --out gpt24.tp
    .venv/bin/python scripts/bench_shard.py gpt24.tp --system hap-v100-p100
    .venv/bin/python scripts/bench_shard.py gpt12.tp gpt24.tp --system dgx-h100:1x8 --system dgx-h100:64x8
    .venv/bin/python scripts/bench_shard.py gpt24.tp --system dgx-h100:8x8 --mesh 8,8

Each program is searched once on every system, with the shares in proportion to the speeds, and its certificate checked;
then the linear program of HAP is solved for the shares that suit it best. With --mesh all placements of a mesh of two
axes are searched as well, with baselines, and what their bound stands on is checked. What must not depend on the
machine are ratios of times of one run: to a reference, a layer and its loss on two devices, and to the first run.
"""

import argparse
import json
import platform
import sys
from pathlib import Path
from time import process_time

from p2smt.cli.collection import rare_collections
from p2smt.cli.output.progress import working
from p2smt.cost.network.backend import Nccl
from p2smt.errors import P2Error
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.spmd.build import build
from p2smt.spmd.certificate_check import check_certificate
from p2smt.spmd.classes import classes_of
from p2smt.spmd.cluster import Cluster
from p2smt.spmd.elimination import eliminate
from p2smt.spmd.emission import emit
from p2smt.spmd.graph import graph_of
from p2smt.spmd.instructions import account
from p2smt.spmd.mesh.choice import meshes_of
from p2smt.spmd.mesh.sharding import shard_on
from p2smt.spmd.pricing import Pricing
from p2smt.spmd.problem import Best
from p2smt.spmd.ratios import linear_program
from p2smt.spmd.shares import proportional
from p2smt.spmd.system import cluster_of
from p2smt.tensor.program import Program
from p2smt.tensor.text.file import read_program
from p2smt.tensor.text.parser import parse_program

REFERENCE = (
    "program reference\ninput x : f32[64, 32]\nparameter w : f32[32, 128]\n"
    "h = relu(matmul(x, w))\nloss = sum(h * h)\noutput loss\n"
)
PARTS = ("graph_s", "build_s", "eliminate_s", "certify_s", "emit_s", "shares_problem_s", "shares_solve_s")


def timed(program: Program, cluster: Cluster) -> dict[str, object]:
    """Seconds of the parts of one search."""
    marks = [process_time()]
    graph = graph_of(program)
    marks.append(process_time())
    shares = proportional(cluster.speeds)
    sharding = build(Pricing(graph, classes_of(graph), cluster, shares))
    marks.append(process_time())
    eliminated = eliminate(sharding.problem)
    marks.append(process_time())
    assert isinstance(eliminated.answer, Best)
    assert eliminated.certificate is not None
    fault = check_certificate(sharding.problem, eliminated.certificate, eliminated.answer.assignment)
    marks.append(process_time())
    emitted = emit(sharding, eliminated.answer.assignment)
    made = account(emitted, cluster)
    marks.append(process_time())
    linear = linear_program(emitted, made, shares, cluster)
    marks.append(process_time())
    assert linear is not None
    linear.solve()
    marks.append(process_time())
    return {
        "operations": len(graph.nodes),
        "choices": len(sharding.problem.choices),
        "width": eliminated.width,
        "certified": fault is None,
        "step_s": made.time / 10**12,
        "cpu_s": round(marks[5] - marks[0], 3),
        **{part: round(after - before, 4) for part, before, after in zip(PARTS, marks, marks[1:], strict=False)},
    }


def timed_on(program: Program, system: System, cluster: Cluster, sizes: str) -> dict[str, object]:
    """Seconds of the whole search on two axes, of all placements, with baselines, certified."""
    begin = process_time()
    sharded = shard_on(program, meshes_of(sizes, system, cluster, Nccl()), certify=True)
    return {
        "mesh": sizes,
        "placements": len(sharded.tried),
        "certified": sharded.proved,
        "step_s": sharded.account.time / 10**12,
        "bound_s": sharded.lower_bound / 10**12,
        "gap": round(sharded.gap, 3),
        "cpu_s": round(process_time() - begin, 3),
    }


def seconds(run: dict[str, object]) -> float:
    """Seconds of CPU of a run."""
    return float(str(run["cpu_s"]))


def runs_of(paths: list[Path], systems: list[str], sizes: str | None) -> list[dict[str, object]]:
    """All programs on all systems."""
    runs: list[dict[str, object]] = []
    for name in systems:
        system = find_system(name)
        cluster = cluster_of(system, Nccl())
        for path in paths:
            begin = process_time()
            program = read_program(path)
            about = {"program": path.name, "system": name, "read_s": round(process_time() - begin, 3)}
            runs.append({**about, **timed(program, cluster)})
            if sizes is not None:
                runs.append({**about, **timed_on(program, system, cluster, sizes)})
    return runs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--system", action="append", dest="systems", help="repeatable [hap-v100-p100]")
    parser.add_argument("--mesh", help="two axes as well, such as 8,8")
    given = parser.parse_args()
    systems = given.systems or ["hap-v100-p100"]
    try:
        with working("sharding the programs"), rare_collections():
            small, two = parse_program(REFERENCE), cluster_of(find_system("dgx-h100:1x2"), Nccl())
            timed(small, two)
            reference = seconds(timed(small, two))
            runs = runs_of(given.programs, systems, given.mesh)
    except P2Error as error:
        print(f"bench_shard: {error}", file=sys.stderr)
        return 2
    for run in runs:
        run["of_reference"] = round(seconds(run) / reference, 1)
        run["of_first"] = round(seconds(run) / seconds(runs[0]), 3)
    print(json.dumps({"python": platform.python_version(), "reference_s": round(reference, 4), "runs": runs}, indent=2))
    return 0 if all(run["certified"] for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
