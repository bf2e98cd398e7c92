"""Judge what the model says of plans in chunks by what was measured: scripts/results/chunks.csv.

A gain is the time in one piece over that in chunks, of the same program, measured by turns: the median over the turns.
Figures of the model were fitted to other programs, on other laboratories. Printed: every setting with its gain,
measured and predicted, in the measured chunks with the largest predicted gain and in those with the largest measured
one; how far off predicted gains and times are; how often the model is right about whether chunks gain or lose by more
than 5 %.
`--json`, `--report FILE.md`.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from statistics import mean, median

from measure_chunks import RESULTS, Row
from result_table import read

from p2smt.cost.bursts import SURE

CLEAR = 1.05
"""Gains and losses below this are taken for none."""


@dataclass(frozen=True, slots=True)
class Gain:
    """A program of a setting in some chunks: its gain over one piece, and seconds, measured and predicted."""

    setting: str
    chunks: int
    measured: float
    predicted: float
    measured_s: float
    predicted_s: float

    @property
    def agrees(self) -> bool:
        """Whether it gains, loses or does neither in both."""
        return _side(self.measured) == _side(self.predicted) or abs(log(self.measured / self.predicted)) < log(CLEAR)


def gains(rows: Sequence[Row]) -> list[Gain]:
    """Every program in chunks, beside itself in one piece."""
    taken: dict[tuple[str, str, int], dict[int, Row]] = defaultdict(dict)
    for row in rows:
        taken[row.setting, row.program, row.chunks][row.turn] = row
    found = []
    for (setting, program, chunks), turns in taken.items():
        if chunks > 1:
            whole = taken[setting, program, 1]
            measured = median(whole[turn].seconds / row.seconds for turn, row in turns.items())
            first, one = next(iter(turns.values())), next(iter(whole.values()))
            seconds = median(row.seconds for row in turns.values())
            predicted = one.predicted / first.predicted
            found.append(Gain(setting, chunks, measured, predicted, seconds, first.predicted))
    return found


def summary(found: Sequence[Gain]) -> dict[str, object]:
    """The figures over all settings, and a row for each."""
    by_setting: dict[str, list[Gain]] = defaultdict(list)
    for gain in found:
        by_setting[gain.setting].append(gain)
    rows = []
    for setting, of in by_setting.items():
        chosen = max(of, key=lambda gain: gain.predicted)
        best = max(of, key=lambda gain: gain.measured)
        rows.append({"setting": setting, "chosen": asdict(chosen), "best": asdict(best)})
    return {
        "settings": len(by_setting),
        "points": len(found),
        "mean_ln_gain": mean(abs(log(gain.measured / gain.predicted)) for gain in found),
        "mean_ln_seconds": mean(abs(log(gain.measured_s / gain.predicted_s)) for gain in found),
        "right_side": mean(gain.agrees for gain in found),
        "losses_foretold": _share([gain.predicted < 1 for gain in found if gain.measured < 1 / CLEAR]),
        "gains_foretold": _share([gain.predicted > 1 for gain in found if gain.measured > CLEAR]),
        "proposed_gain": _share([gain.measured > CLEAR for gain in found if gain.predicted >= SURE]),
        "proposed_lose": _share([gain.measured < 1 / CLEAR for gain in found if gain.predicted >= SURE]),
        "rows": rows,
    }


def text(found: dict[str, object]) -> str:
    """The table and the figures, as they are printed."""
    lines = [f"{'setting':41} chunks measured predicted  best measured"]
    for row in found["rows"]:
        chosen, best = row["chosen"], row["best"]
        lines.append(
            f"{row['setting']:41} {chosen['chunks']:6} {chosen['measured']:7.2f}x {chosen['predicted']:8.2f}x"
            f"  {best['measured']:.2f}x in {best['chunks']}"
        )
    lines += [
        "",
        f"{found['points']} points of {found['settings']} settings",
        f"mean |ln(predicted / measured)|: gain {found['mean_ln_gain']:.3f}, seconds {found['mean_ln_seconds']:.3f}",
        f"gain, loss or neither, as foretold: {found['right_side']:.0%}; of {found['losses_foretold'][1]} losses "
        f"{found['losses_foretold'][0]}, of {found['gains_foretold'][1]} gains {found['gains_foretold'][0]}",
        f"proposed, as predicted {SURE}x or more: {found['proposed_gain'][1]} points, of which "
        f"{found['proposed_gain'][0]} gain and {found['proposed_lose'][0]} lose",
    ]
    return "\n".join(lines)


def report(path: Path, found: dict[str, object]) -> str:
    """The page of a table; what was written behind its block stays."""
    said = path.read_text(encoding="utf-8") if path.exists() else ""
    return (
        "# Plans in chunks, judged in the laboratory\n\n"
        f"Made by `.venv/bin/python scripts/judge_chunks.py --report scripts/results/{path.name}`.\n\n"
        f"```\n{text(found)}\n```\n" + said.rpartition("```\n")[2]
    )


def main() -> int:
    """Print what the table says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=RESULTS / "chunks.csv")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    rows = read(given.file, Row)
    if not rows:
        print(f"judge_chunks: {given.file} has no rows; measure first: scripts/measure_chunks.py", file=sys.stderr)
        return 2
    found = summary(gains(rows))
    print(json.dumps(found, indent=2) if given.json else text(found))
    if given.report is not None:
        given.report.write_text(report(given.report, found), encoding="utf-8")
    return 0


def _side(gain: float) -> int:
    return (gain > CLEAR) - (gain < 1 / CLEAR)


def _share(right: Sequence[bool]) -> tuple[int, int]:
    return sum(right), len(right)


if __name__ == "__main__":
    sys.exit(main())
