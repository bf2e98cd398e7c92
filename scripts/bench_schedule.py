"""How fast schedules are searched, as JSON: seconds of CPU for the programs that are named, beside a reference.

    .venv/bin/python scripts/bench_schedule.py p2smt/tensor/examples/adam.tp p2smt/schedule/examples/mlp_tail.tp

The reference is a search of one AllReduce and a relu in the same run, so that ratios say the same on any machine.
"""

import argparse
import json
import platform
import sys
from pathlib import Path
from time import process_time

from p2smt.cost.network.backend import cost_of
from p2smt.errors import P2Error
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import on_ranks
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.tuner.search import tune
from p2smt.tensor.program import Program
from p2smt.tensor.text.file import read_program
from p2smt.tensor.text.parser import parse_program

REFERENCE = "program reference\ninput x : f32[64, 1024] partial(+)\nsum = AllReduce(x)\ny = relu(sum)\noutput y\n"
REFERENCE_DEPTH = 2


def timed(program: Program, machine: Machine, depth: int, top: int | None) -> dict[str, object]:
    """Seconds of one search, and what it counted."""
    begin = process_time()
    tuned = tune(program, machine, depth, most=10**6, top=top)
    seconds = process_time() - begin
    return {
        "program": program.name,
        "cpu_s": round(seconds, 3),
        "schedules": len(tuned.found),
        "tried": tuned.tried,
        "equal": tuned.equal,
        "refused": dict(tuned.refused),
        "commuting": tuned.commuting,
        "bounded": tuned.bounded,
        "gain": round(tuned.untouched.estimate.seconds / tuned.found[0].estimate.seconds, 3),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=Path)
    parser.add_argument("--system", default="dgx-h100:2x8")
    parser.add_argument("--ranks", type=int, default=16)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--top", type=int, help="Search for so many of the fastest [all schedules].")
    given = parser.parse_args()
    try:
        machine = Machine(cost_of(find_system(given.system)))
        small = on_ranks(parse_program(REFERENCE), given.ranks)
        timed(small, machine, REFERENCE_DEPTH, None)
        begin = process_time()
        timed(small, machine, REFERENCE_DEPTH, None)
        reference = process_time() - begin
        programs = [on_ranks(read_program(path), given.ranks) for path in given.programs]
        runs = [timed(program, machine, given.depth, given.top) for program in programs]
    except P2Error as error:
        print(f"bench_schedule: {error}", file=sys.stderr)
        return 2
    for run in runs:
        run["of_reference"] = round(float(str(run["cpu_s"])) / reference, 2)
    document = {"python": platform.python_version(), "system": given.system, "reference_s": round(reference, 4)}
    print(json.dumps({**document, "depth": given.depth, "top": given.top, "runs": runs}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
