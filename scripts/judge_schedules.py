"""Judge what the model says of schedules by what was measured: scripts/results/schedules.csv.

Predictions are made anew, with the rates of measure_rates.py, which were measured on other programs. Of a setting every
schedule that was run is a point: its seconds, the median over turns, beside those predicted. Printed: how far off they
are; how often what is predicted to be fastest is measured to be so, or within 5 %; what overlapping hides of what it is
predicted to hide; sliced messages, and sharded optimizers, against the program as it is; and bytes on the cards.
`--json`, `--report FILE.md`, `--settings` for every setting, `--loops` for those with matrix products, `--all` for
every point.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import mean, median

from lab_schedules import HIERARCHIES, SETTINGS, Setting, machine_of, program_of
from measure_rates import RATES
from measure_schedules import TABLE, Row
from result_table import read
from schedules_report import NOTES, text

from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.rates import RatesByRanks
from p2smt.schedule.cost.rates_file import read_rates
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.text.parser import parse_schedule

NEAR = 1.05
"""What takes no longer than this times the fastest is taken for as fast."""
KNOWN = {str(setting): setting for setting in (*SETTINGS, *HIERARCHIES)}
LARGE = 2**18
OPTIMIZERS = ("adam", "lamb")
PRODUCTS = ("attention_tail", "mlp_tail")
"""Programs whose loops multiply matrices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A schedule of a setting: seconds, and bytes that the busiest card sends, measured and predicted.

    `in_chunks`: it has a loop over chunks; `in_halves`: its sums are a ReduceScatter and an AllGather.
    """

    setting: Setting
    name: str
    measured: float
    predicted: float
    sent: int
    payload: float
    wrong: int
    in_chunks: bool
    in_halves: bool = False

    @property
    def off(self) -> float:
        """By how much the prediction is off, as a logarithm."""
        return log(self.predicted / self.measured)


def points(rows: Sequence[Row], rates: RatesByRanks) -> list[Point]:
    """Every schedule of every setting, in the order of the table."""
    runs: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        runs[row.setting, row.name].append(row)
    found = []
    for (where, name), taken in runs.items():
        setting = KNOWN[where]
        machine = machine_of(setting.ranks, setting.rate, rates.of(setting.ranks), setting.per_host)
        scheduled = check_schedule(program_of(setting), parse_schedule(taken[0].steps)).scheduled
        found.append(
            Point(
                setting=setting,
                name=name,
                measured=median(row.seconds for row in taken),
                predicted=estimate(scheduled, machine).seconds,
                sent=taken[0].sent,
                payload=payload(scheduled, machine),
                wrong=taken[0].wrong,
                in_chunks=bool(scheduled.loops),
                in_halves=" rs-ag" in taken[0].steps,
            )
        )
    return found


def payload(scheduled: ScheduledProgram, machine: Machine) -> float:
    """The bytes that the model puts on the busiest card, without headers, in one step."""
    pricer = Pricer(scheduled, machine)
    stages = [pricer.stage((statement.name,)) for statement in scheduled.program.statements]
    sent: dict[int, float] = defaultdict(float)
    for wire in (wire for stage in stages for wire in stage.wires):
        for rank in wire.senders:
            sent[rank] += wire.links * wire.bandwidth
    return max(sent.values(), default=0.0)


def by_setting(found: Sequence[Point]) -> dict[Setting, list[Point]]:
    """The points of every setting."""
    settings: dict[Setting, list[Point]] = defaultdict(list)
    for point in found:
        settings[point.setting].append(point)
    return settings


@dataclass(frozen=True, slots=True)
class Choice:
    """Of a setting what is predicted and what is measured to be fastest."""

    chosen: Point
    best: Point
    untouched: Point

    @property
    def is_right(self) -> bool:
        """Whether what was chosen is as fast as the fastest."""
        return self.chosen.measured <= self.best.measured * NEAR


def choices(found: Sequence[Point]) -> list[Choice]:
    """One for each setting."""
    return [
        Choice(min(of, key=_rounded), min(of, key=lambda point: point.measured), of[0])
        for of in by_setting(found).values()
    ]


def _rounded(point: Point) -> float:
    """What is predicted, without the last digits: of what takes the same, the first is chosen, "leave it" at first."""
    return float(f"{point.predicted:.9g}")


def right_of(found: Sequence[Point], first: int) -> float:
    """In what part of the settings one of the `first` that are predicted to be fastest is as fast as any."""
    return mean(
        min(point.measured for point in sorted(of, key=_rounded)[:first]) <= min(point.measured for point in of) * NEAR
        for of in by_setting(found).values()
    )


@dataclass(frozen=True, slots=True)
class Pair:
    """A schedule beside another: how many times as fast it is, measured and predicted, and what was hoped for."""

    point: Point
    other: Point
    hoped: float = 1.0

    @property
    def measured(self) -> float:
        """The gain that was measured."""
        return self.other.measured / self.point.measured

    @property
    def predicted(self) -> float:
        """The gain that was predicted."""
        return self.other.predicted / self.point.predicted


def overlaps(found: Sequence[Point]) -> Iterator[Pair]:
    """Every loop over chunks that is predicted to gain more than 5 % over the same collectives one after the other.

    Loops are the packaged ones, and what the tuner found, which may cut another dimension. Beside those with sums in
    halves stands the packaged schedule of these, beside others the program as it is.
    """
    for setting, of in by_setting(found).items():
        ends = "_rs_opt_ag" if setting.program in OPTIMIZERS else "_rs_ag"
        halves = {point.name: point for point in of}.get(setting.program.removesuffix("_tail") + ends)
        for point in of:
            other = halves if point.in_halves else of[0]
            if other is not None and point.in_chunks:
                pair = Pair(point, other)
                if pair.predicted > NEAR:
                    yield pair


def hidden(pair: Pair) -> float:
    """The part of the seconds that were to be hidden which was."""
    return (pair.other.measured - pair.point.measured) / (pair.other.predicted - pair.point.predicted)


def slices(found: Sequence[Point]) -> Iterator[Pair]:
    """Sliced messages between groups of k ranks, beside whole ones; k times as fast is what bytes say."""
    for of in by_setting(found).values():
        for point in of:
            if point.name == "p2p_sliced":
                yield Pair(point, of[0], point.setting.ranks / 2)


def sharded(found: Sequence[Point]) -> Iterator[Pair]:
    """Optimizers that update slices, fastest first, beside those that update everything, for large tensors."""
    for setting, of in by_setting(found).items():
        names = [point for point in of if "_rs_opt_ag" in point.name or "_fused" in point.name]
        if setting.program in OPTIMIZERS and dict(setting.sizes)["N"] >= LARGE and names:
            yield Pair(min(names, key=lambda point: point.measured), of[0])


def summary(found: Sequence[Point]) -> dict[str, object]:
    """The figures over all points."""
    chosen = choices(found)
    programs = sorted({point.setting.program for point in found})
    headers = [point.sent / point.payload for point in found if point.payload > 1e5]
    loops = list(overlaps(found))
    products = [pair for pair in loops if pair.point.setting.program in PRODUCTS]
    return {
        "settings": len(chosen),
        "points": len(found),
        "wrong": sum(point.wrong for point in found),
        "mean_ln": mean(abs(point.off) for point in found),
        "mean_ln_of": {
            name: mean(abs(each.off) for each in found if each.setting.program == name) for name in programs
        },
        "mean_ln_in_chunks": _mean(abs(each.off) for each in found if each.in_chunks),
        "mean_ln_whole": _mean(abs(each.off) for each in found if not each.in_chunks),
        "right": mean(choice.is_right for choice in chosen),
        "behind": exp(mean(log(choice.chosen.measured / choice.best.measured) for choice in chosen)),
        "lost": max(choice.chosen.measured / choice.best.measured for choice in chosen),
        "right_of": [right_of(found, first) for first in (2, 3)],
        "left": sum(choice.best is choice.untouched for choice in chosen),
        "left_right": sum(choice.is_right for choice in chosen if choice.best is choice.untouched),
        "overlaps": _gains(loops) | _hidden(loops),
        "products": _gains(products) | _hidden(products),
        "slices": _gains(list(slices(found)))
        | {"enough": sum(pair.measured >= 0.8 * pair.hoped for pair in slices(found))},
        "sharded": _gains(list(sharded(found))) | {"faster": sum(pair.measured > 1 for pair in sharded(found))},
        "frames": [min(headers), median(headers), max(headers)] if headers else [],
    }


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return mean(listed) if listed else None


def _hidden(pairs: Sequence[Pair]) -> dict[str, object]:
    """How many hide half of what they are to hide, and what part of all these seconds is hidden."""
    won = sum(pair.other.measured - pair.point.measured for pair in pairs)
    predicted = sum(pair.other.predicted - pair.point.predicted for pair in pairs)
    return {"half": sum(hidden(pair) >= 0.5 for pair in pairs), "hidden": won / predicted if pairs else None}


def _gains(pairs: Sequence[Pair]) -> dict[str, object]:
    def middle(gain: Callable[[Pair], float]) -> float | None:
        return exp(mean(log(gain(pair)) for pair in pairs)) if pairs else None

    return {
        "pairs": len(pairs),
        "measured": middle(lambda pair: pair.measured),
        "predicted": middle(lambda pair: pair.predicted),
    }


def settings_text(found: Sequence[Point]) -> str:
    """A line for every setting: what is predicted to be fastest, and what was measured to be."""
    lines = [f"{'setting':47} {'untouched':>9} {'chosen':>8} {'best':>8}  best is"]
    for choice in choices(found):
        mark = " " if choice.is_right else "*"
        lines.append(
            f"{str(choice.best.setting)[:47]:47} {choice.untouched.measured * 1e3:7.2f}ms "
            f"{choice.chosen.measured * 1e3:6.2f}ms{mark}{choice.best.measured * 1e3:6.2f}ms  {choice.best.name}"
        )
    return "\n".join(lines)


def loops_text(found: Sequence[Point]) -> str:
    """A line for every loop that multiplies matrices: its seconds beside those of stages in turn, and what it hides."""
    lines = [f"{'loops with matrix products':44} {'measured':>8} {'predicted':>9} {'hidden':>6}  loop"]
    for pair in overlaps(found):
        point = pair.point
        if point.setting.program in PRODUCTS:
            where = str(point.setting).replace("_tail B=1", "")
            lines.append(
                f"{where:44} {pair.measured:7.2f}x {pair.predicted:8.2f}x {hidden(pair):6.0%}  "
                f"{point.name.partition('_overlapped ')[2] or point.name}"
            )
    return "\n".join(lines)


def points_text(found: Sequence[Point]) -> str:
    """A line for every point."""
    return "\n".join(
        f"{point.setting!s:45} {point.name:27} {point.measured * 1e3:9.3f} {point.predicted * 1e3:9.3f} "
        f"{point.off:+.2f} {point.sent / max(1.0, point.payload):.3f}"
        for point in found
    )


def main() -> int:
    """Print what the table says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=TABLE)
    parser.add_argument("--rates", type=Path, default=RATES)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--settings", action="store_true")
    parser.add_argument("--loops", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    rows = read(given.file, Row)
    if not rows or any(row.setting not in KNOWN for row in rows):
        print(
            f"judge_schedules: {given.file} has no rows of a setting; measure first: scripts/measure_schedules.py",
            file=sys.stderr,
        )
        return 2
    found = points(rows, read_rates(given.rates))
    figures = summary(found)
    print(json.dumps(figures, indent=2) if given.json else text(figures))
    for wanted, words in (
        (given.settings, settings_text),
        (given.loops, loops_text),
        (given.all, points_text),
    ):
        if wanted and not given.json:
            print(f"\n{words(found)}")
    if given.report is not None:
        given.report.write_text(
            "# Schedules, judged in the laboratory\n\n"
            f"Made by `.venv/bin/python scripts/judge_schedules.py --report scripts/results/{given.report.name}`.\n\n"
            f"```\n{text(figures)}\n\n{settings_text(found)}\n\n{loops_text(found)}\n```\n\n{NOTES}",
            encoding="utf-8",
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
