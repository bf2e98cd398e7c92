"""How fast whole jobs are placed, as JSON: the packaged jobs, and one of 350 placements on three levels.

What must not depend on the machine is a ratio of two times of one run: placements priced by one `JobPricer`, which
works out once what they share, against each priced by one of its own (a sample). `--quick` leaves that out. With
`--against FOLDER`, where an older commit is checked out (`git worktree add FOLDER COMMIT`), its code places the same
jobs, in a process of its own just afterwards: CPU seconds of every job, and theirs over ours.
"""

import json
import os
import platform
import resource
import subprocess
import sys
import tomllib
from pathlib import Path
from time import perf_counter, process_time

from p2smt.cli.main import collect_rarely
from p2smt.cli.output.progress import working
from p2smt.collective import Collective, Exchange
from p2smt.cost.network.nccl import NetworkCost
from p2smt.errors import ProblemError
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import Optimum, optimize, placements_of
from p2smt.problem.build import build_workload
from p2smt.problem.file import ProblemFile, job_example_text
from p2smt.problem.job_file import build_job
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.problem.system.text import find_system
from p2smt.problem.typed import convert_checked
from p2smt.problem.workload import Reduction, Workload

LIMITS = {"seconds": 30}
SAMPLE = 12


def example(name: str) -> Workload:
    entry = convert_checked(tomllib.loads(job_example_text(name)), ProblemFile, name, ProblemError)
    assert entry.system is not None
    return build_job(entry, name, find_system(entry.system), entry.conditions, Search())


def large() -> Workload:
    """[8 16 8], axes 8, 4, 2, 4, 4: 1,024 devices, all four kinds of collectives, two of them at the same time."""
    system = default_system([Level("pod", 8), Level("node", 16), Level("gpu", 8)])
    axes = [Axis(name, size) for name, size in zip(("dp", "pp", "cp", "ep", "tp"), (8, 4, 2, 4, 4), strict=True)]
    reductions = [
        Reduction(name="gradients", axes=(0, 2, 3), payload=Payload(2**32, "float32"), overlap="backward"),
        Reduction(name="gradients of experts", axes=(0, 2), payload=Payload(2**31, "float32"), overlap="backward"),
        Reduction(name="parameters", axes=(0,), payload=Payload(2**31, "bfloat16"), goal=Collective.ALL_GATHER),
        Reduction(name="scattered", axes=(0, 3), payload=Payload(2**31, "bfloat16"), goal=Collective.REDUCE_SCATTER),
        Reduction(name="tokens", axes=(3,), payload=Payload(2**26, "bfloat16"), times=256, goal=Exchange.ALL_TO_ALL),
        Reduction(name="activations", axes=(4,), payload=Payload(2**26, "bfloat16"), times=512),
    ]
    return build_workload(system, axes, reductions)


def timed(job: Workload) -> dict[str, object]:
    began, cpu_began = perf_counter(), process_time()
    found = optimize(job, NetworkCost(job.system))
    seconds, cpu = perf_counter() - began, process_time() - cpu_began
    assert isinstance(found, Optimum)
    return {
        "devices": job.devices,
        "reductions": len(job.reductions),
        "placements": found.found,
        "proved": found.proved,
        "best": str(found.best.matrix),
        "cost_s": found.best.seconds,
        "seconds": seconds,
        "cpu_s": cpu,
    }


def shared(job: Workload) -> dict[str, float]:
    matrices = placements_of(job).items[:: max(1, len(placements_of(job).items) // SAMPLE)][:SAMPLE]
    cost = NetworkCost(job.system)
    began = process_time()
    one = JobPricer(job, cost)
    for matrix in matrices:
        one.placement(matrix)
    middle = process_time()
    for matrix in matrices:
        JobPricer(job, NetworkCost(job.system)).placement(matrix)
    together, alone = middle - began, process_time() - middle
    return {"placements": len(matrices), "together_cpu_s": together, "alone_cpu_s": alone, "ratio": alone / together}


def older(folder: Path, report: dict[str, object]) -> dict[str, dict[str, object]]:
    """What the code in a folder takes for the jobs of a report, and how many times as long that is."""
    command = [sys.executable, str(folder / "scripts" / Path(__file__).name), "--quick"]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    printed = subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE).stdout
    found: dict[str, dict[str, object]] = {}
    for name, theirs in json.loads(printed).items():
        ours = report.get(name)
        if isinstance(ours, dict) and isinstance(theirs, dict) and "cpu_s" in theirs:
            seconds, same = theirs["cpu_s"], ours["best"] == theirs["best"]
            found[name] = {"older_cpu_s": seconds, "ratio": seconds / ours["cpu_s"], "same_best": same}
    return found


def main() -> None:
    collect_rarely()  # as the command does
    os.environ["P2SMT_CACHE"] = ""  # programs are found anew
    with working("optimizing jobs"):
        report: dict[str, object] = {"limits": LIMITS}
        report |= {name: timed(example(name)) for name in ("job", "dense-70b", "moe", "long-context")}
        report["large"] = timed(large())
        if "--quick" not in sys.argv:
            report["shared"] = shared(large())
        if "--against" in sys.argv:
            report["older"] = older(Path(sys.argv[sys.argv.index("--against") + 1]).resolve(), report)
        report["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        report["python"] = platform.python_version()
    print(json.dumps(report, indent=2))


main()
