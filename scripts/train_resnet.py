"""A small ResNet trained with plain DDP and with a plan's hook in turns; prints JSON.

    p2smt plan --system host:2,rank:2 --axes 4 --reduce 0 --out plan.json
    .venv/bin/python scripts/train_resnet.py plan.json --system host:2,rank:2

Ranks are local processes that talk over loopback, where no link is slow: the ratio then says little. With `--lab`
(root) they run on the shaped hosts of a laboratory of the system. `ratio` is the median over pairs of neighbouring
runs, hook over plain, of the median step, a step being as slow as its slowest rank; `communication_ratio` that of all
runs after the time of steps that reduce nothing is taken off; `predicted` is for the reduction alone, too.
Exit code: 0 when the losses of hook and plain agree, 1 when not.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from p2smt.collective import Collective
from p2smt.cost.network.backend import BACKENDS, backend_named, cost_of
from p2smt.emit.torch.ddp_source import emit_ddp
from p2smt.errors import P2Error
from p2smt.problem.model import Payload
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.file import read_plan
from p2smt.reduction.plan.model import CollectiveStep, Plan, Portion
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat

RANK = str(Path(__file__).with_name("train_rank.py"))
TOLERANCE = 1e-3
KINDS = ("alone", "plain", "hook")


@contextmanager
def local_seats(plan: Plan, _system: System) -> Iterator[Sequence[Seat]]:
    """Every rank on this machine, over loopback."""
    yield [Seat()] * plan.devices


@contextmanager
def lab_seats(_plan: Plan, system: System) -> Iterator[Sequence[Seat]]:
    """Every rank on its host of a laboratory that is up meanwhile."""
    from p2smt.run.lab.laboratory import Laboratory
    from p2smt.run.lab.seats import lab_seats as seats_of
    from p2smt.run.lab.shape import lab_shape

    with Laboratory(lab_shape(system)) as laboratory:
        yield seats_of(laboratory)


def allreduce_of(plan: Plan) -> Plan:
    """One plain AllReduce over the same groups."""
    step = CollectiveStep(Collective.ALL_REDUCE, plan.reduction, (Portion(1),))
    return replace(plan, multiple=1, steps=(step,))


def predicted(plan: Plan, system: System, backend: str, size: int) -> dict[str, float]:
    cost = cost_of(system, backend_named(backend))
    sized = replace(plan, payload=Payload(size, "float32"))
    hook, plain = cost.plan_seconds(sized), cost.plan_seconds(allreduce_of(sized))
    return {"hook_s": hook, "allreduce_s": plain, "ratio": hook / plain}


def measured(plan: Plan, seats: Sequence[Seat], given: argparse.Namespace) -> tuple[int, list[list[dict[str, Any]]]]:
    """The bytes of the gradients, and of every run what every rank says."""
    names = ("width", "pixels", "batch", "steps", "warmups", "bucket_mb")
    settings = {name: getattr(given, name) for name in names}
    runs = [*KINDS] * given.runs
    with tempfile.TemporaryDirectory() as folder, CallRanks(seats, timeout_s=given.timeout) as ranks:
        hook = Path(folder) / "hook.py"
        hook.write_text(emit_ddp(plan), encoding="utf-8")
        size = ranks.call(RANK, "gradient_bytes", given.width, timeout_s=given.timeout)[0]
        found = ranks.call(RANK, "train", str(hook), given.timeout, runs, settings, timeout_s=given.timeout)
    return size, [list(run) for run in zip(*found, strict=True)]


def step_seconds(run: list[dict[str, Any]]) -> list[float]:
    """The slowest rank of every step."""
    return [max(step) for step in zip(*(rank["seconds"] for rank in run), strict=True)]


def largest_difference(runs: list[list[dict[str, Any]]]) -> float:
    """How far losses of any rank and step are apart between runs, relative to them."""
    first = runs[0]
    return max(
        abs(one - other) / abs(other)
        for run in runs[1:]
        for rank, reference in zip(run, first, strict=True)
        for one, other in zip(rank["losses"], reference["losses"], strict=True)
    )


def report(plan: Plan, runs: list[list[dict[str, Any]]]) -> dict[str, Any]:
    steps = [step_seconds(run) for run in runs]
    alone, plain, hook = ([median(run) for run in steps[place :: len(KINDS)]] for place in range(len(KINDS)))
    ratios = [one / other for one, other in zip(hook, plain, strict=True)]
    still = median(alone)
    reducing = median(plain) - still
    training = [run for number, run in enumerate(runs) if KINDS[number % len(KINDS)] != "alone"]
    spread = largest_difference(training)
    return {
        "program": plan.program,
        "matrix": str(plan.matrix),
        "ranks": plan.devices,
        "median_step_s": {"alone": alone, "plain": plain, "hook": hook},
        "ratios": ratios,
        "ratio": median(ratios),
        "communication_ratio": (median(hook) - still) / reducing if reducing > 0 else None,
        "losses": training[0][0]["losses"],
        "loss_difference": spread,
        "losses_equal": spread < TOLERANCE,
        "runs": [{"kind": KINDS[number % len(KINDS)], "step_s": step} for number, step in enumerate(steps)],
    }


def arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", type=Path, metavar="PLAN.json")
    parser.add_argument("--system", required=True, help="the system of the prediction, and of the laboratory")
    parser.add_argument("--algorithm", default="gloo", choices=list(map(str, BACKENDS)), help="who is priced [gloo]")
    parser.add_argument("--lab", action="store_true", help="run on the hosts of a laboratory (root)")
    parser.add_argument("--runs", type=int, default=5, help="runs of each kind, in turns [5]")
    parser.add_argument("--steps", type=int, default=8, help="steps of a run that are timed [8]")
    parser.add_argument("--warmups", type=int, default=2, help="steps before them [2]")
    parser.add_argument("--width", type=int, default=56, help="channels of the first block [56: 3.6 MB of gradients]")
    parser.add_argument("--pixels", type=int, default=8, help="side of the images [8]")
    parser.add_argument("--batch", type=int, default=2, help="images per rank and step [2]")
    parser.add_argument("--bucket-mb", type=float, default=25.0, help="DDP's bucket_cap_mb [25]")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for all of it [600]")
    return parser.parse_args(given)


def main() -> int:
    given = arguments(sys.argv[1:])
    try:
        plan, system = read_plan(given.plan), find_system(given.system)
        with (lab_seats if given.lab else local_seats)(plan, system) as seats:
            if len(seats) != plan.devices:
                raise P2Error(f"the plan needs {plan.devices} ranks, but the system has {len(seats)}")
            size, runs = measured(plan, seats, given)
        found = report(plan, runs)
        priced = predicted(plan, system, given.algorithm, size)
    except P2Error as error:
        print(f"train_resnet: {error}", file=sys.stderr)
        return 2
    print(json.dumps({"gradient_bytes": size, "lab": given.lab, "predicted": priced, **found}, indent=2))
    return 0 if found["losses_equal"] else 1


if __name__ == "__main__":
    sys.exit(main())
