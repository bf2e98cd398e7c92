"""How fast programs are sharded, as JSON: seconds of CPU of every part, for the texts of programs that are named.

    p2smt capture --example gpt --size paper --layers 24 --out gpt24.tp
    .venv/bin/python scripts/bench_shard.py gpt24.tp --system hap-v100-p100
    .venv/bin/python scripts/bench_shard.py gpt12.tp gpt24.tp --system dgx-h100:1x8 --system dgx-h100:64x8
    .venv/bin/python scripts/bench_shard.py gpt24.tp --system dgx-h100:8x8 --mesh 8,8
    .venv/bin/python scripts/bench_shard.py --case all
    .venv/bin/python scripts/bench_shard.py --case "llama32, 8x8" --baselines

Each program is searched once on every system, with the shares in proportion to the speeds, and its certificate checked;
then the linear program of HAP is solved for the shares that suit it best. With --mesh all placements of a mesh of two
axes are searched as well, with baselines, and what their bound stands on is checked. What must not depend on the
machine are ratios of times of one run: to a reference, a layer and its loss on two devices, and to the first run.
With --times each is done so often; what counts is the shortest, with the median beside it.

With --case the models of `large_models.py` are captured and searched, certified, each in a process of its own: seconds
of CPU, the certified gap, and the peak of memory, beside what they should be.
--baselines: with what others take as well.

`figures` are the largest of each kind, beside what they should be: seconds on one axis, read and certified; how they
grow from the smallest to the largest program of a name (gpt12, gpt24), and from the first to the last system; the
linear program; two axes.
"""

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import process_time

from large_models import CASES, MODELS

from p2smt.cli.collection import rare_collections
from p2smt.cli.output.progress import working
from p2smt.cost.network.backend import Nccl
from p2smt.errors import P2Error
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.shares import proportional
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.problem import Best
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.search.mesh.choice import meshes_of
from p2smt.spmd.search.mesh.sharding import shard_on
from p2smt.spmd.search.ratios import linear_program
from p2smt.tensor.program import Program
from p2smt.tensor.text.file import read_program
from p2smt.tensor.text.parser import parse_program

REFERENCE = (
    "program reference\ninput x : f32[64, 32]\nparameter w : f32[32, 128]\n"
    "h = relu(matmul(x, w))\nloss = sum(h * h)\noutput loss\n"
)
ASKED = {"one_axis_s": 5, "larger_programs": 2.2, "more_devices": 1.2, "shares_s": 0.01, "two_axes_s": 60}
PARTS = ("graph_s", "build_s", "eliminate_s", "certify_s", "emit_s", "shares_problem_s", "shares_solve_s")


def timed(program: Program, cluster: Cluster) -> dict[str, object]:
    """Seconds of the parts of one search."""
    marks = [process_time()]
    graph = graph_of(program)
    marks.append(process_time())
    shares = proportional(cluster.speeds)
    sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), cluster, shares)))
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
    if linear is not None:
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
        "placements": len(sharded.scope.tried),
        "certified": sharded.proved,
        "step_s": sharded.account.time / 10**12,
        "bound_s": sharded.lower_bound / 10**12,
        "gap": round(sharded.gap, 3),
        "cpu_s": round(process_time() - begin, 3),
    }


def case_of(name: str, *, beside: bool) -> dict[str, object]:
    """What a case takes; its program is captured first, which is not counted."""
    case = CASES[name]
    program, system = MODELS[case.model](), find_system(case.system)
    reference = reference_seconds()
    begin = process_time()
    if case.mesh is None:
        found = timed(program, cluster_of(system, Nccl()))
        taken, gap = seconds(found), 0.0
    else:
        meshes = meshes_of(case.mesh, system, cluster_of(system, Nccl()), Nccl())
        sharded = shard_on(program, meshes, certify=True, beside=beside)
        taken, gap = process_time() - begin, sharded.gap
        found = {
            "step_s": sharded.account.time / 10**12,
            "bound_s": sharded.lower_bound / 10**12,
            "certified": sharded.proved,
            "placements": len(sharded.scope.tried),
            "baselines": {name: each.account.time / 10**12 for name, each in sharded.baselines},
        }
    peak = getrusage(RUSAGE_SELF).ru_maxrss * 1024
    return {
        "case": name,
        "cpu_s": round(taken, 2),
        "asked_s": case.seconds,
        "gap": round(gap, 4),
        "asked_gap": case.gap,
        "peak_bytes": peak,
        "asked_bytes": case.memory,
        "holds": taken <= case.seconds and gap <= case.gap and peak <= case.memory and bool(found["certified"]),
        "reference_s": round(reference, 4),
        **{part: each for part, each in found.items() if part not in ("cpu_s", "gap")},
    }


def reference_seconds() -> float:
    """Seconds of the search of a small program: they tell a busy machine from a quiet one."""
    small, two = parse_program(REFERENCE), cluster_of(find_system("dgx-h100:1x2"), Nccl())
    timed(small, two)
    return seconds(timed(small, two))


def cases(names: Sequence[str], *, beside: bool) -> list[dict[str, object]]:
    """All cases of some names, each in its own process, so that peaks of memory are their own; said as they end."""
    found = []
    for name in CASES if "all" in names else names:
        command = [sys.executable, __file__, "--alone", name, *(["--baselines"] if beside else [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found.append(json.loads(done.stdout))
        print(done.stdout, end="", file=sys.stderr, flush=True)
    return found


def number(run: dict[str, object], name: str) -> float:
    """A number of a run."""
    return float(str(run[name]))


def seconds(run: dict[str, object]) -> float:
    """Seconds of CPU of a run."""
    return number(run, "cpu_s")


def shortest(make: Callable[[], dict[str, object]], times: int) -> dict[str, object]:
    """Of several runs the shortest, with the median of their seconds."""
    made = sorted([make() for _ in range(times)], key=seconds)
    return {**made[0], "median_s": round(median([seconds(run) for run in made]), 3)}


def runs_of(paths: list[Path], systems: list[str], sizes: str | None, times: int) -> list[dict[str, object]]:
    """All programs on all systems."""
    runs: list[dict[str, object]] = []
    for name in systems:
        system = find_system(name)
        cluster = cluster_of(system, Nccl())
        for path in paths:
            begin = process_time()
            program = read_program(path)
            about = {"program": path.name, "system": name, "read_s": round(process_time() - begin, 3)}
            runs.append({**about, **shortest(partial(timed, program, cluster), times)})
            if sizes is not None:
                runs.append({**about, **shortest(partial(timed_on, program, system, cluster, sizes), times)})
    return runs


def figures(runs: Sequence[dict[str, object]]) -> dict[str, object]:
    """The largest of each kind that the runs have, and what is asked."""
    one = [run for run in runs if "mesh" not in run]
    found = {
        "one_axis_s": [seconds(run) + number(run, "read_s") for run in one],
        "larger_programs": ratios(one, lambda run: (run["system"], family(run)), lambda run: number(run, "operations")),
        "more_devices": ratios(one, lambda run: run["program"], one.index),
        "shares_s": [number(run, "shares_solve_s") for run in one],
        "two_axes_s": [seconds(run) for run in runs if "mesh" in run],
    }
    return {name: {"most": round(max(each), 3), "asked": ASKED[name]} for name, each in found.items() if each}


def ratios(
    runs: Sequence[dict[str, object]],
    alike: Callable[[dict[str, object]], object],
    rank: Callable[[dict[str, object]], float],
) -> list[float]:
    """Of runs that are alike the seconds of the last by those of the first."""
    found = []
    for _, group in groupby(sorted(runs, key=lambda run: (str(alike(run)), rank(run))), key=alike):
        each = list(group)
        if len(each) > 1:
            found.append(seconds(each[-1]) / seconds(each[0]))
    return found


def family(run: dict[str, object]) -> str:
    """A program's name without the number of its layers."""
    return "".join(letter for letter in str(run["program"]) if not letter.isdigit())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", type=Path)
    parser.add_argument("--case", action="append", dest="cases", choices=[*CASES, "all"], help="repeatable")
    parser.add_argument("--baselines", action="store_true", help="cases with what others take")
    parser.add_argument("--alone", choices=CASES, help=argparse.SUPPRESS)
    parser.add_argument("--system", action="append", dest="systems", help="repeatable [hap-v100-p100]")
    parser.add_argument("--mesh", help="two axes as well, such as 8,8")
    parser.add_argument("--times", type=int, default=1, help="do each so often [1]")
    given = parser.parse_args()
    systems = given.systems or ["hap-v100-p100"]
    try:
        if given.alone:
            with rare_collections():
                print(json.dumps(case_of(given.alone, beside=given.baselines)))
            return 0
        if given.cases:
            found = cases(given.cases, beside=given.baselines)
            print(json.dumps({"python": platform.python_version(), "cases": found}, indent=2))
            return 0 if all(each["holds"] for each in found) else 1
        with working("sharding the programs"), rare_collections():
            reference = reference_seconds()
            runs = runs_of(given.programs, systems, given.mesh, max(1, given.times))
    except P2Error as error:
        print(f"bench_shard: {error}", file=sys.stderr)
        return 2
    for run in runs:
        run["of_reference"] = round(seconds(run) / reference, 1)
        run["of_first"] = round(seconds(run) / seconds(runs[0]), 3)
    made = {
        "python": platform.python_version(),
        "reference_s": round(reference, 4),
        "figures": figures(runs),
        "runs": runs,
    }
    print(json.dumps(made, indent=2))
    return 0 if all(run["certified"] for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
