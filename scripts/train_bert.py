"""A small BERT trained with emitted AdamW and LAMB, and with DDP and optimizers on whole tensors, in turns.

    .venv/bin/python scripts/train_bert.py lab:2x2 lab:4x1 --lab --report scripts/results/train_bert.md

Ranks are local processes that talk over loopback, where no link is slow; with `--lab` (root) they run on the shaped
hosts of a laboratory of each system. A step is as slow as its slowest rank; times are medians over the steps behind the
first five, of all runs. Exit code: 0 when the losses of both agree in every step, 1 when not.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from importlib.resources import files
from math import prod
from pathlib import Path
from statistics import median
from typing import Any

from p2smt.errors import P2Error
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.schedule.check import check_schedule
from p2smt.schedule.emission.optimizer import emit_optimizer
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program
from p2smt.wording import counted

RANK = str(Path(__file__).with_name("train_bert_rank.py"))
SCHEDULES = {"adamw": ("adamw.tp", "adamw_rs_opt_ag.steps"), "lamb": ("lamb_layers.tp", "lamb_layers_rs_opt_ag.steps")}
TITLES = {"adamw": "AdamW", "lamb": "LAMB"}
WHO = {"ddp": "DDP, whole tensors", "emitted": "emitted, slices"}
WARM, CLOSE = 5, 1e-3

Run = list[dict[str, Any]]
"""What every rank says of a training."""
Found = dict[tuple[str, str], list[Run]]
"""The runs of every optimizer in both ways."""


def emitted(name: str, ranks: int) -> str:
    """The file of an optimizer whose schedule is proved."""
    program, steps = ((files("p2smt.schedule") / "examples" / each).read_text("utf-8") for each in SCHEDULES[name])
    return emit_optimizer(check_schedule(parse_program(program), parse_schedule(steps), ranks))


def seats(system: System, stack: ExitStack, *, lab: bool) -> Sequence[Seat]:
    """Every rank on this machine, or on its host of a laboratory that is up meanwhile."""
    if not lab:
        return [Seat()] * prod(level.size for level in system.levels)
    from p2smt.run.lab.laboratory import Laboratory
    from p2smt.run.lab.seats import lab_seats
    from p2smt.run.lab.shape import lab_shape

    return lab_seats(stack.enter_context(Laboratory(lab_shape(system))))


def trained(given: argparse.Namespace, system: str) -> tuple[int, Found]:
    """The number of ranks, and the runs of every optimizer in both ways."""
    kinds = [(name, who) for name in SCHEDULES for who in WHO]
    settings = {name: getattr(given, name) for name in ("width", "layers", "length", "rows", "steps")}
    found: Found = {kind: [] for kind in kinds}
    with ExitStack() as stack:
        placed = seats(find_system(system), stack, lab=given.lab)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        paths = {name: folder / f"{name}.py" for name in SCHEDULES}
        for name, path in paths.items():
            path.write_text(emitted(name, len(placed)), encoding="utf-8")
        texts = {name: str(path) for name, path in paths.items()}
        ranks = stack.enter_context(CallRanks(placed, timeout_s=given.timeout))
        for _ in range(given.runs):
            answers = ranks.call(RANK, "train", texts, kinds, settings, timeout_s=given.timeout)
            for number, kind in enumerate(kinds):
                found[kind].append([each[number] for each in answers])
    return len(placed), found


def step_seconds(runs: Sequence[Run]) -> float:
    """The median step, each as slow as its slowest rank."""
    steps = [each for run in runs for each in list(zip(*(rank["seconds"] for rank in run), strict=True))[WARM:]]
    return median(map(max, steps))


def apart(runs: Sequence[Run], others: Sequence[Run]) -> float:
    """How far losses of the same step are apart, relative to their size."""
    pairs = zip(runs[0][0]["losses"], others[0][0]["losses"], strict=True)
    return max(abs(one - other) / abs(other) for one, other in pairs)


def head(given: argparse.Namespace) -> str:
    """The beginning of the report."""
    return (
        "# A small BERT, trained by emitted optimizers and by DDP\n\n"
        f"Made by `.venv/bin/python scripts/train_bert.py {' '.join(sys.argv[1:])}`;\n"
        f"{counted(given.runs, 'run')} of each, in turns, of {given.steps} steps with {given.rows} texts "
        f"of {given.length} words for each rank.\n"
    )


def table(given: argparse.Namespace, system: str, ranks: int, found: Found) -> Iterator[str]:
    """Lines of Markdown on one system."""
    parameters = next(iter(found.values()))[0][0]["parameters"]
    where = f"{ranks} ranks of {system}{'' if given.lab else ' over loopback'}"
    yield from ("", f"{parameters} parameters in float32, {where}:", "", "```")
    yield f"{'':28} {'step':>8} {'bytes of states, per rank':>26} {'first loss':>11} {'last loss':>10} {'apart':>8}"
    for (name, who), runs in found.items():
        losses, kept = runs[0][0]["losses"], max(rank["state_bytes"] for rank in runs[0])
        far = apart(runs, found[name, "ddp"])
        label = f"{TITLES[name]}, {WHO[who]}"
        seconds = f"{step_seconds(runs) * 1e3:.1f} ms"
        yield f"{label:28} {seconds:>8} {kept:>26} {losses[0]:>11.5f} {losses[-1]:>10.5f} {far:>8.1e}"
    yield "```"


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="+", metavar="SYSTEM", help="whose ranks, and network in a laboratory")
    parser.add_argument("--lab", action="store_true", help="run on the hosts of a laboratory (root)")
    parser.add_argument("--runs", type=int, default=2, help="runs of each, in turns [2]")
    parser.add_argument("--steps", type=int, default=50, help="steps of a run [50]")
    parser.add_argument("--width", type=int, default=128, help="numbers of a word [128]")
    parser.add_argument("--layers", type=int, default=2, help="layers [2]")
    parser.add_argument("--length", type=int, default=32, help="words of a text [32]")
    parser.add_argument("--rows", type=int, default=4, help="texts per rank and step [4]")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for every run [600]")
    parser.add_argument("--report", type=Path, help="where the table is written, too")
    return parser.parse_args(given)


def main() -> int:
    """Train, and print the table."""
    given = arguments(sys.argv[1:])
    text, wrong = head(given), False
    try:
        for system in given.systems:
            ranks, found = trained(given, system)
            text += "\n".join(table(given, system, ranks, found)) + "\n"
            wrong |= any(apart(runs, found[name, "ddp"]) > CLOSE for (name, _), runs in found.items())
    except P2Error as error:
        print(f"train_bert: {error}", file=sys.stderr)
        return 2
    print(text, end="")
    if given.report is not None:
        given.report.write_text(text, encoding="utf-8")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
