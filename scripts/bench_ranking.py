"""How fast ranking is, as JSON: every program of every placement, the best of thousands of placements, any size.

What must not depend on the machine is a ratio of two times of one run: pricing programs together against one by one,
and 65,536 devices against 64. `--quick` leaves out the 1,458 placements.
"""

import json
import platform
import resource
import sys
import time
from math import prod

from p2smt.cli.main import collect_rarely
from p2smt.cli.output.progress import working
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.ranking import rank
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Problem, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.session import Synthesis, Synthesizer

SAMPLE = 300
LIMITS = {"all_programs": {"seconds": 10, "peak_memory_mb": 1000}, "best_per_placement": {"seconds": 30}}


def problem(sizes: list[int], axes: list[int], reduce: list[int]) -> Problem:
    system = default_system([Level(f"level{number}", size) for number, size in enumerate(sizes)])
    parts = [Axis(f"axis{number}", size) for number, size in enumerate(axes)]
    return build_problem(system, parts, reduce, Payload(2**30, "float32"), Search())


def timed(
    asked: Problem, top: int | None, algorithm: Algorithm = Algorithm.RING
) -> tuple[dict[str, object], Synthesis]:
    began = time.perf_counter()
    synthesis = Synthesizer().synthesize(asked)
    found = time.perf_counter()
    ranked = rank(synthesis, NetworkCost(asked.system, algorithm), top)
    done = time.perf_counter()
    assert synthesis.complete, synthesis.reason
    return {
        "placements": len(ranked),
        "programs": synthesis.total_programs,
        "kept": sum(len(placement.programs) for placement in ranked),
        "algorithm": str(algorithm),
        "synthesis_s": found - began,
        "ranking_s": done - found,
        "seconds": done - began,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }, synthesis


def one_by_one(synthesis: Synthesis) -> float:
    """Seconds per program when each is lowered and priced alone."""
    cost = NetworkCost(synthesis.problem.system)
    placed = max(synthesis.placements, key=lambda one: len(one.programs))
    lowering = Lowering(synthesis.problem, placed.matrix)
    began = time.perf_counter()
    for program in placed.programs[:SAMPLE]:
        cost.plan_seconds(lowering.plan(program))
    return (time.perf_counter() - began) / min(SAMPLE, len(placed.programs))


def any_size() -> dict[str, object]:
    def best(sizes: list[int]) -> float:
        asked = problem(sizes, [prod(sizes)], [0])
        synthesis = Synthesizer().synthesize(asked)

        def once() -> float:
            began = time.perf_counter()
            rank(synthesis, NetworkCost(asked.system))
            return time.perf_counter() - began

        return min(once() for _ in range(15))

    small, large = best([4, 16]), best([64, 1024])
    return {"devices_64_s": small, "devices_65536_s": large, "ratio": large / small}


def main() -> None:
    collect_rarely()  # as the command does
    with working("ranking"):
        every, synthesis = timed(problem([16, 8, 8], [8, 2, 32, 2], [0, 2]), None)
        together = float(str(every["ranking_s"])) / float(str(every["programs"]))
        alone = one_by_one(synthesis)
        report: dict[str, object] = {
            "limits": LIMITS,
            "all_programs": every,
            "all_programs_tree": timed(problem([16, 8, 8], [8, 2, 32, 2], [0, 2]), None, Algorithm.TREE)[0],
            "one_by_one": {"s_per_program": alone, "together_s_per_program": together, "ratio": alone / together},
            "any_size": any_size(),
        }
        if "--quick" not in sys.argv:
            report["best_per_placement"] = timed(problem([64, 32, 8], [8, 8, 4, 16, 4], [0, 2]), 1)[0]
        report["python"] = platform.python_version()
    print(json.dumps(report, indent=2))


main()
