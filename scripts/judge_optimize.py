"""`optimize` of single-device programs beside all sequences of the separate commands: 20 programs on four systems.

    python scripts/judge_optimize.py rows.jsonl             # what is not in the file yet, a line for each pair
    python scripts/judge_optimize.py rows.jsonl --pairs 5   # at most five more
    python scripts/judge_optimize.py rows.jsonl --table     # the lines as a table for scripts/results/optimize.md

Sequences: `shard` or `shard --mesh auto`, as searched or in buckets, and then `schedule`, `optimize --depth 0`, or
`optimize`. Never worse means that `optimize step.tp` takes no longer than the fastest of the twelve.
"""

import argparse
import json
import random
import time
from pathlib import Path

from p2smt.cost.network.backend import Nccl
from p2smt.job.joint import Joint, joint
from p2smt.job.schedules import tune_schedule
from p2smt.job.shardings import BestSharding, SingleDeviceStep, best_sharding
from p2smt.job.tuning_options import TuningOptions
from p2smt.job.without_collectives import WithoutCollectives
from p2smt.problem.model import Search
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.spmd.search.as_emitted import as_emitted
from p2smt.tensor.printer import print_program
from p2smt.tensor.program import Program
from p2smt.tensor.text.parser import parse_program

SYSTEMS = ("dgx-h100:1x4", "node:4", "dgx-a100:2x2", "node:2,gpu:2")
HEAD = """program {name}
input x : f32[{batch}, {width}]
parameter w : f32[{width}, {hidden}]
parameter v : f32[{hidden}, {width}]
scalar lr
"""
TAIL = """loss = sum(e * e)
output loss
"""
BACKWARD = """dv = matmul(transpose(h, 1, 0), e)
dh = {gradient}
dw = matmul(transpose(x, 1, 0), dh)
w2 = update(w, w - lr * dw)
v2 = update(v, v - lr * dv)
"""
FORMS = {
    "mlp": ("h = relu(matmul(x, w))\ne = matmul(h, v)\n", "matmul(e, transpose(v, 1, 0))"),
    "residual": ("h = relu(matmul(x, w))\ne = x + matmul(h, v)\n", "matmul(e, transpose(v, 1, 0))"),
    "tanh": ("h = tanh(matmul(x, w))\ne = matmul(h, v)\n", "matmul(e, transpose(v, 1, 0)) * (1 - h * h)"),
    "linear": ("h = matmul(x, w)\ne = matmul(h, v)\n", "matmul(e, transpose(v, 1, 0))"),
}
SEARCH = Search()


def programs() -> list[Program]:
    """Return 20 steps of training: four forms, each with five draws of its sizes."""
    found = []
    for name, (forward, gradient) in FORMS.items():
        for seed in range(5):
            rng = random.Random(f"{name} {seed}")
            sizes = {size: 1 << rng.randint(7, 13) for size in ("batch", "width", "hidden")}
            text = HEAD.format(name=f"{name}{seed}", **sizes) + forward + BACKWARD.format(gradient=gradient) + TAIL
            found.append(parse_program(text))
    return found


def seconds(result: object) -> float:
    """Return the time of a step; infinity where it could not be placed."""
    match result:
        case Joint():
            return result.best.estimate.seconds
        case WithoutCollectives():
            return result.estimate.seconds
        case _:
            return float("inf")


def second_commands(sharded: Program, system: System) -> dict[str, float]:
    """Return the step's seconds after each command that may follow `shard`."""
    found = {"schedule": tune_schedule(sharded, system).found[0].estimate.seconds}
    for depth, way in ((0, "optimize --depth 0"), (None, "optimize")):
        asked = TuningOptions(depth=depth, backend=Nccl())
        found[way] = seconds(joint(sharded, system, (), SEARCH, asked))
    return found


def sequences(program: Program, system: System) -> dict[str, float]:
    """Return the step's seconds after each sequence of commands; equal answers of `shard` are followed once."""
    found: dict[str, float] = {}
    known: dict[str, dict[str, float]] = {}
    for mesh in (None, "auto"):
        result = shard_program(program, system, ShardingRequest(shares="even", mesh=mesh, buckets=0))
        written = {" --buckets 0": result.program, "": as_emitted(result).program}
        for buckets, sharded in written.items():
            text = print_program(sharded)
            known[text] = known.get(text) or second_commands(sharded, system)
            words = f"shard{' --mesh auto' if mesh else ''}{buckets}"
            found |= {f"{words}, {second}": taken for second, taken in known[text].items()}
    return found


def compared(program: Program, name: str) -> dict[str, object]:
    """Return one line of the file: both answers, the bound, and the CPU seconds of `optimize`."""
    system = find_system(name)
    began = time.process_time()
    best = best_sharding(
        SingleDeviceStep(program, ShardingRequest()), system, (), SEARCH, TuningOptions(depth=None, backend=Nccl())
    )
    taken = time.process_time() - began
    assert isinstance(best, BestSharding)
    every = sequences(program, system)
    fastest = min(every, key=lambda each: every[each])
    own = seconds(best.result)
    return {
        "program": program.name,
        "system": name,
        "optimize_s": own,
        "sequence": fastest,
        "sequence_s": every[fastest],
        "never_worse": own <= every[fastest] * (1 + 1e-9),
        "gap": best.gap,
        "complete": best.complete,
        "cpu_s": taken,
    }


def table(rows: list[dict[str, object]]) -> str:
    """Return the rows as a table in Markdown."""
    head = ("program", "system", "optimize", "fastest sequence", "never worse", "gap", "CPU s")
    lines = [f"| {' | '.join(head)} |", "|---|---|---:|---|---|---:|---:|"]
    for row in rows:
        ratio = float(str(row["optimize_s"])) / float(str(row["sequence_s"]))
        lines.append(
            f"| {row['program']} | {row['system']} | {float(str(row['optimize_s'])) * 1e6:.1f} us "
            f"| {row['sequence']}: {1 / ratio:.3f} times as long | {'yes' if row['never_worse'] else 'NO'} "
            f"| {float(str(row['gap'])):.1%} | {float(str(row['cpu_s'])):.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Compare what is not in the file yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--pairs", type=int, default=80)
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    lines = given.rows.read_text(encoding="utf-8").splitlines() if given.rows.exists() else []
    rows = [json.loads(line) for line in lines]
    if given.table:
        print(table(rows))
        return
    known = {(row["program"], row["system"]) for row in rows}
    listed = list(enumerate(programs()))
    # Every program once before any a second time, on the systems in turn.
    every = [(program, SYSTEMS[(number + shift) % 4]) for shift in range(4) for number, program in listed]
    left = [pair for pair in every if (pair[0].name, pair[1]) not in known]
    for program, system in left[: given.pairs]:
        row = compared(program, system)
        with given.rows.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
