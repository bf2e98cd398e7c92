"""Measure a step of emitted optimizers over many tensors beside one of as many elements, in laboratories.

    .venv/bin/python scripts/measure_tensors.py --report scripts/results/tensors.md

Gradients are there already: a step sums them up over the ranks, and updates parameters. Beside the emitted optimizer,
whose states lie in slices: all_reduce of every tensor, or of one bucket that gradients are views of, and an optimizer
on whole tensors (torch.optim's AdamW, in the bucket by foreach; LAMB as its paper has it). All take turns. Rows go to
scripts/results/tensors.csv; settings that are there are left out. Needs root, iproute2 and torch. Takes some minutes.
Exit code: 0 when all have made the same parameters, 1 when not.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import exp, log
from pathlib import Path
from statistics import mean, median

from lab_schedules import LIMIT_S, lab_of
from result_table import read, write
from train_bert import RANK as BERT
from train_bert import SCHEDULES, TITLES, emitted

from p2smt.errors import P2Error
from p2smt.run.lab.laboratory import ended_by_signals
from p2smt.run.lab.seats import lab_seats
from p2smt.run.local.calls import CallRanks
from p2smt.wording import counted

RESULTS = Path(__file__).parent / "results"
RANK = str(Path(__file__).with_name("measure_tensors_rank.py"))
WHO = {"emitted": "emitted, slices", "bucket": "one bucket, whole", "each": "every tensor, whole"}
TURNS, CLOSE = 3, 1e-3
PAPER = 33.89 / 33.21
"""CoCoNet's times of 360 tensors that are scattered, and of one buffer."""


@dataclass(frozen=True, slots=True)
class Setting:
    """So many tensors of some elements each, on hosts with a rank each, whose cards have a rate in Mb/s."""

    ranks: int
    rate: int
    tensors: int
    elements: int

    def __str__(self) -> str:
        return f"{self.ranks} ranks, {self.rate} Mb/s, {self.tensors} x {self.elements}"


SETTINGS = (
    Setting(2, 400, 360, 2916),
    Setting(2, 400, 64, 16384),
    Setting(2, 400, 1000, 256),
    Setting(4, 400, 360, 2916),
    Setting(4, 400, 64, 16384),
    Setting(4, 400, 1000, 256),
    Setting(2, 100, 360, 2916),
    Setting(4, 100, 360, 2916),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Seconds of the slowest rank for a step in a turn, over `count` tensors that have the setting's elements together.

    `apart` is how far parameters are in the end from those of the optimizer on whole tensors, relative to their size.
    """

    setting: str
    optimizer: str
    who: str
    count: int
    turn: int
    seconds: float
    apart: float


def measured(settings: Sequence[Setting], turns: int) -> Iterator[list[Row]]:
    """The rows of every setting; all are of the same ranks and rate."""
    first = settings[0]
    with lab_of(first.ranks, first.rate) as laboratory, tempfile.TemporaryDirectory() as folder:
        paths = {name: str(Path(folder) / f"{name}.py") for name in SCHEDULES}
        for name, path in paths.items():
            Path(path).write_text(emitted(name, first.ranks), encoding="utf-8")
        with CallRanks(list(lab_seats(laboratory)), timeout_s=LIMIT_S) as ranks:
            for setting in settings:
                yield rows_of(setting, ranks, paths, turns)


def rows_of(setting: Setting, ranks: CallRanks, paths: dict[str, str], turns: int) -> list[Row]:
    """Every optimizer in every way, over many tensors and over one, in turns."""
    shapes = {count: [setting.tensors * setting.elements // count] * count for count in (setting.tensors, 1)}
    kinds = [(name, who, count) for name in SCHEDULES for who in WHO for count in shapes]
    runs = [(name, who, shapes[count]) for name, who, count in kinds]
    answers = ranks.call(RANK, "steps", runs, paths, BERT, turns, timeout_s=LIMIT_S)
    found = []
    for number, (name, who, count) in enumerate(kinds):
        mine = [each[number] for each in answers]
        far = max(each["apart"] for each in mine)
        for turn, taken in enumerate(zip(*(each["seconds"] for each in mine), strict=True), start=1):
            seconds = float(f"{max(taken):.6g}")
            found.append(
                Row(
                    setting=str(setting),
                    optimizer=name,
                    who=who,
                    count=count,
                    turn=turn,
                    seconds=seconds,
                    apart=float(f"{far:.2g}"),
                )
            )
    return found


def medians(rows: Sequence[Row]) -> dict[tuple[str, str, str], tuple[float, float]]:
    """For every setting, optimizer and way the median step over many tensors, and over one."""
    found = {}
    keys = dict.fromkeys((row.setting, row.optimizer, row.who) for row in rows)
    for key in keys:
        own = [row for row in rows if (row.setting, row.optimizer, row.who) == key]
        many, one = (median(row.seconds for row in own if (row.count == 1) is alone) for alone in (False, True))
        found[key] = many, one
    return found


def report(rows: Sequence[Row]) -> Iterator[str]:
    """Lines of Markdown: what many tensors take beside one, and the emitted optimizer beside the others."""
    found, turns = medians(rows), max((row.turn for row in rows), default=0)
    yield from (
        "# Many small tensors beside one",
        "",
        "Made by `.venv/bin/python scripts/measure_tensors.py --report scripts/results/tensors.md`: a step of an",
        f"optimizer, gradients there already, medians of {counted(turns, 'turn')}. By bucket or tensor: all_reduce,",
        f"then an optimizer on whole tensors. The paper's 360 tensors take {PAPER:.2f} times as long as one.",
        "",
        "```",
        f"{'setting':32} {'optimizer':10} {'by':20} {'many':>9} {'one':>9} {'many/one':>9}",
    )
    for (setting, name, who), (many, one) in found.items():
        times = f"{many * 1e3:>6.1f} ms {one * 1e3:>6.1f} ms"
        yield f"{setting:32} {TITLES[name]:10} {WHO[who]:20} {times} {many / one:>8.2f}x"
    yield from ("```", "", "```", f"{'geometric means':43} {'many/one':>9} {'emitted is':>15}")
    for name in SCHEDULES:
        for who, words in WHO.items():
            own = {setting: each for (setting, *key), each in found.items() if key == [name, who]}
            if own:
                against = _mean([own[setting][0] / found[setting, name, "emitted"][0] for setting in own])
                share = _mean([many / one for many, one in own.values()])
                yield f"{TITLES[name]:22} {words:20} {share:>8.2f}x {f'{against:.2f}x as fast':>15}"
    yield from (
        "```",
        "",
        f"Parameters are at most {max((row.apart for row in rows), default=0.0):.1e} apart in the end.",
    )


def _mean(values: Sequence[float]) -> float:
    return exp(mean(map(log, values)))


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS / "tensors.csv", help="the table")
    parser.add_argument("--report", type=Path, help="where what it says is written, too")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"turns of each [{TURNS}]")
    parser.add_argument("--only", metavar="TEXT", default="", help="only settings whose name has it, as '2 ranks, 400'")
    return parser.parse_args(given)


def main() -> int:
    """Measure what is missing, and print what the table says."""
    given = arguments(sys.argv[1:])
    try:
        rows = read(given.out, Row)
        done = {row.setting for row in rows}
        left = [each for each in SETTINGS if str(each) not in done and given.only in str(each)]
        with ended_by_signals():
            for _, settings in groupby(left, key=lambda each: (each.ranks, each.rate)):
                for more in measured(list(settings), given.turns):
                    rows += more
                    write(given.out, rows, Row)
                    print(f"{more[0].setting}: done", file=sys.stderr)
        text = "\n".join(report(rows)) + "\n"
        if given.report is not None:
            given.report.write_text(text, encoding="utf-8")
    except (P2Error, OSError) as error:
        print(f"measure_tensors: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("measure_tensors: interrupted; the same command goes on", file=sys.stderr)
        return 130
    print(text, end="")
    return int(any(row.apart > CLOSE for row in rows))


if __name__ == "__main__":
    sys.exit(main())
