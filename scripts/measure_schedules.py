"""Measure schedules beside the program as it is, by turns, in laboratories on this machine.

For every setting of lab_schedules.py: the program as it is, the packaged schedules for it, and the fastest that the
tuner finds by prediction, with the rates of measure_rates.py; with --hierarchies, on hosts of several ranks each, sums
level by level too. Rows go to scripts/results/schedules.csv; settings that are there are left out. What is measured is
judged by judge_schedules.py, which predicts anew. Needs root, iproute2 and torch.
"""

import argparse
import hashlib
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from math import prod
from pathlib import Path
from statistics import median

from lab_schedules import HIERARCHIES, LIMIT_S, SETTINGS, Setting, lab_of, machine_of, program_of
from measure_rates import RATES
from result_table import read, write

from p2smt.errors import P2Error, ProgramError
from p2smt.run.lab.laboratory import ended_by_signals
from p2smt.run.lab.seats import lab_seats
from p2smt.run.local.calls import CallRanks
from p2smt.schedule.check import CheckedSchedule, check_schedule
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.rates_file import read_rates
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.measured import rank_file
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.text.printer import print_schedule
from p2smt.schedule.tuner.canonical import Canonical
from p2smt.schedule.tuner.search import tune
from p2smt.tensor.program import Program
from p2smt.verify.verdict import Proved

RESULTS = Path(__file__).parent / "results"
TABLE = RESULTS / "schedules.csv"
FEWEST, MOST_TURNS, SECONDS = 5, 96, 6.0
"""Turns of all schedules, as many of them as take so many seconds."""
FASTEST, DEPTH, MOST = 2, 4, 400
CHUNKS = (2, 16)
MOST_COMPARED = 2**18
"""Numbers of chunks of packaged loops beside their own, 8."""
P2P_SLICED = "sl, ag = split y slice-ag\nscSend, scZ, scPart = reorder ag past next, z, part\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One run of a schedule, in a turn: seconds of the slowest rank. `steps` are lines, `name` where they are from.

    `sent` are the bytes that the card of the busiest host sent in a run; `wrong` tensors were not the program's.
    """

    setting: str
    name: str
    steps: str
    turn: int
    seconds: float
    sent: int
    wrong: int


def candidates(setting: Setting, program: Program, machine: Machine) -> dict[str, CheckedSchedule]:
    """The program as it is, the packaged schedules in several numbers of chunks, and the tuner's fastest; each once."""
    canonical, known = Canonical(), set()
    found: dict[str, CheckedSchedule] = {}
    texts = [("untouched", ""), *packaged(setting)]
    listed = [(name, parse_schedule(text)) for name, text in texts]
    tuned = tune(program, machine, DEPTH, MOST, top=FASTEST, programs=False)
    listed += [(f"tuned {number}", each.schedule) for number, each in enumerate(tuned.found[:FASTEST], 1)]
    for name, steps in listed:
        checked = check_schedule(program, steps)
        form = canonical.form(checked.scheduled)
        if isinstance(checked.verdict, Proved) and form not in known:
            known.add(form)
            found[name] = checked
    return found


def packaged(setting: Setting) -> Iterator[tuple[str, str]]:
    """The packaged schedules of a setting's program."""
    if setting.program == "p2p":
        yield "p2p_sliced", P2P_SLICED
    if setting.per_host > 1:
        yield from by_levels(setting)
    for path in sorted((files("p2smt.schedule") / "examples").iterdir(), key=lambda each: each.name):
        text = path.read_text(encoding="utf-8") if path.name.endswith(".steps") else ""
        if not re.search(rf"Program: (?:\S*/)?{setting.program}\.tp", text):
            continue
        name = path.name.removesuffix(".steps")
        if "chunks 8" not in text:
            yield name, text
            continue
        for chunks in (8, *CHUNKS):
            yield f"{name} in {chunks}", text.replace("chunks 8", f"chunks {chunks}")


def by_levels(setting: Setting) -> Iterator[tuple[str, str]]:
    """Adam's sum, or its two halves around the update of slices, first inside of hosts."""
    levels = f"levels host={setting.ranks // setting.per_host}, rank={setting.per_host}"
    scattered = "(host, InsideGroup, ReduceScatter); (host, Parallel(root), ReduceScatter)"
    gathered = "(host, Parallel(root), AllGather); (host, InsideGroup, AllGather)"
    summed = "(host, InsideGroup, ReduceScatter); (host, Parallel(root), AllReduce); (host, InsideGroup, AllGather)"
    rooted = "(host, InsideGroup, Reduce); (host, Master(root), AllReduce); (host, InsideGroup, Broadcast)"
    yield "adam_by_levels", f'by = split avg "{summed}" {levels}\n'
    yield "adam_by_roots", f'by = split avg "{rooted}" {levels}\n'
    sliced = (files("p2smt.schedule") / "examples" / "adam_rs_opt_ag.steps").read_text(encoding="utf-8")
    halves = f'by = split rs "{scattered}" {levels}\nwhole = split agP "{gathered}" {levels}\n'
    yield "adam_rs_opt_ag_by_levels", sliced + halves


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is run for a setting: by the name of a schedule its steps, and the file that is emitted for it."""

    setting: Setting
    steps: dict[str, str]
    texts: dict[str, str]


def prepared(setting: Setting, folder: Path, rates: Path) -> Prepared:
    """What was prepared in a folder, or is now, with the rates of a file."""
    path = folder / f"{hashlib.sha256(str(setting).encode()).hexdigest()[:16]}.json"
    if not path.exists():
        machine = machine_of(setting.ranks, setting.rate, read_rates(rates).of(setting.ranks), setting.per_host)
        found = candidates(setting, program_of(setting), machine)
        steps = {name: print_schedule(checked.schedule) for name, checked in found.items()}
        texts = {}
        for name, checked in found.items():
            with suppress(ProgramError):  # dropout in loops of chunks that lie in several places is not emitted
                texts[name] = emit_schedule(checked, machine)
        path.write_text(json.dumps([steps, texts]), encoding="utf-8")
    steps, texts = json.loads(path.read_text(encoding="utf-8"))
    return Prepared(setting, steps, texts)


def measured(given: Prepared, running: CallRanks) -> list[Row]:
    """The rows of a setting."""
    paths, setting = [], given.setting
    for number, text in enumerate(given.texts.values()):
        path = running.folder / f"schedule{number}.py"
        path.write_text(text, encoding="utf-8")
        paths.append(str(path))
    runs = [(path, bool(number)) for number, path in enumerate(paths)]
    apart = [0] * len(paths)
    if prod(size for _, size in setting.sizes) <= MOST_COMPARED:
        wrong = running.call(rank_file(), "differing", paths[1:], timeout_s=LIMIT_S)
        apart[1:] = map(max, zip(*wrong, strict=True))
    sent = map(max, zip(*running.call(rank_file(), "sent", runs, timeout_s=LIMIT_S), strict=True))
    first = _slowest(running.call(rank_file(), "seconds", runs, 1, timeout_s=LIMIT_S))
    turns = min(MOST_TURNS, max(FEWEST, round(SECONDS / sum(map(median, first)))))
    slowest = _slowest(running.call(rank_file(), "seconds", runs, turns, timeout_s=LIMIT_S))
    return [
        Row(
            setting=str(setting),
            name=name,
            steps=given.steps[name],
            turn=turn,
            seconds=float(f"{seconds:.6g}"),
            sent=bytes_,
            wrong=bad,
        )
        for name, each, bytes_, bad in zip(given.texts, slowest, sent, apart, strict=True)
        for turn, seconds in enumerate(each, 1)
    ]


def _slowest(times: Sequence[Sequence[Sequence[float]]]) -> list[list[float]]:
    """Of every schedule and turn the slowest rank; given are those of every rank."""
    return [list(map(max, zip(*each, strict=True))) for each in zip(*times, strict=True)]


def missing(rows: Sequence[Row], settings: Sequence[Setting] = SETTINGS) -> list[Setting]:
    """The settings that are not in a table, those of one laboratory together."""
    there = {row.setting for row in rows}
    return sorted((each for each in settings if str(each) not in there), key=_laboratory)


def _laboratory(setting: Setting) -> tuple[int, int, int]:
    return setting.ranks, setting.rate, setting.per_host


def measure(path: Path, folder: Path, rates: Path, until: float, asked: Sequence[Setting] = SETTINGS) -> bool:
    """Add what is missing to the table, as long as there is time; whether every tensor was right."""
    rows = read(path, Row)
    for laboratory_of, settings in groupby(missing(rows, asked), key=_laboratory):
        with lab_of(*laboratory_of) as laboratory:
            for setting in settings:
                if time.monotonic() > until:
                    return not any(row.wrong for row in rows)
                ready = prepared(setting, folder, rates)
                with CallRanks(list(lab_seats(laboratory)), timeout_s=LIMIT_S) as running:
                    rows += measured(ready, running)
                write(path, rows, Row)
                print(f"{setting}: {len(ready.texts)} schedules", file=sys.stderr)
    return not any(row.wrong for row in rows)


def main() -> int:
    """Measure what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=TABLE)
    parser.add_argument("--rates", type=Path, default=RATES, help="what measure_rates.py wrote")
    parser.add_argument("--prepared", type=Path, help="a folder for what is searched and emitted before it is run")
    parser.add_argument("--prepare", action="store_true", help="search and emit, run nothing")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no setting after so many")
    parser.add_argument("--hierarchies", action="store_true", help="settings of several ranks on a host instead")
    given = parser.parse_args()
    asked = HIERARCHIES if given.hierarchies else SETTINGS
    try:
        with ended_by_signals(), tempfile.TemporaryDirectory() as temporary:
            folder = given.prepared or Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            if given.prepare:
                for setting in missing(read(given.out, Row), asked):
                    ready = prepared(setting, folder, given.rates)
                    print(f"{setting}: {len(ready.texts)} of {len(ready.steps)} schedules", file=sys.stderr)
                return 0
            return 0 if measure(given.out, folder, given.rates, time.monotonic() + given.seconds, asked) else 1
    except (P2Error, OSError) as error:
        print(f"measure_schedules: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("measure_schedules: interrupted; the same command goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
