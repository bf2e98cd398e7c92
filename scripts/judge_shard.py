"""Judge what is predicted of sharded training steps by what was measured: scripts/results/shard.csv.

A point is a program of a model on a setting of lab_shards.py; all programs of a model on a setting were timed by turns.
What is predicted comes from speeds and a network that were fitted to small programs on the same hosts, not to points.
Printed: every model on every setting with the choice (what is predicted to be fastest), its time, its gain over data
parallelism with even and with proportional shares and over expert parallelism, over torch's DistributedDataParallel
(DDP: even, and proportional rows of the batch), and how far it is from the fastest point measured; over all points
Pearson's correlation and the mean |ln(predicted / measured)|, also of half of the pairs of model and setting with two
factors (communication, computing) fitted to the other half; gains' geometric means. `--json`, `--report FILE.md`.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import exp, log
from pathlib import Path
from statistics import correlation, mean

from result_table import read
from shard_table import DDP, RESULTS, Row

from p2smt.wording import counted

CLOSE = 1.05
"""A choice is right where it takes at most so much of the fastest program's time."""

PAPER = 2.41
"""The largest gain over data parallelism that HAP's paper tells of (VGG19 on 32 GPUs)."""

OVER = {
    "even": "data parallelism, even",
    "proportional": "data parallelism, proportional",
    "ddp_even": "torch's DDP, even",
    "ddp_proportional": "torch's DDP, proportional",
}
"""What gains are over, in words."""

_STEPS = [exp(step / 50) for step in range(-60, 61)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A model on a setting: what is predicted to be fastest, its gains, and its time over that of the fastest.

    Gains are over even and proportional data parallelism, emitted and torch's own, and the best expert parallelism,
    measured; None: none is.
    """

    setting: str
    model: str
    programs: int
    choice: str
    predicted: float
    seconds: float
    even: float | None
    proportional: float | None
    experts: float | None
    ddp_even: float | None
    ddp_proportional: float | None
    behind: float
    buckets: bool

    @property
    def is_right(self) -> bool:
        """Whether nothing is faster by more than 5 %."""
        return self.behind <= CLOSE


def judged(rows: Sequence[Row]) -> Judged:
    """The judgement of all programs of a model on a setting, of which DDP is none."""
    programs = [row for row in rows if not row.is_ddp]
    choice, best = min(programs, key=lambda row: row.predicted), min(programs, key=lambda row: row.seconds)

    def gain(*names: str) -> float | None:
        others = [row.seconds for row in rows if row.candidate in names]
        return min(others) / choice.seconds if others else None

    plain = ("data parallel", "data parallel, even")
    experts = [row.candidate for row in rows if row.candidate.startswith("expert parallel")]
    even = gain(*plain)
    return Judged(
        setting=choice.setting,
        model=choice.model,
        programs=len(programs),
        choice=choice.candidate,
        predicted=choice.predicted,
        seconds=choice.seconds,
        even=even,
        proportional=gain("data parallel, proportional"),
        experts=gain(*experts),
        ddp_even=gain(f"{DDP}, even"),
        ddp_proportional=gain(f"{DDP}, proportional"),
        behind=choice.seconds / best.seconds,
        buckets=choice.buckets > 0,
    )


def pairs(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of every pair of model and setting."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        found[row.setting, row.model].append(row)
    return list(found.values())


def accuracy(rows: Sequence[Row], sending: float = 1.0, computing: float = 1.0) -> tuple[float, float]:
    """Pearson's correlation and the mean |ln| of predicted and measured seconds, with factors for what is predicted."""
    predicted = [sending * row.communication + computing * (row.predicted - row.communication) for row in rows]
    measured = [row.seconds for row in rows]
    errors = (abs(log(mine / other)) for mine, other in zip(predicted, measured, strict=True))
    return correlation(predicted, measured), mean(errors)


def fitted(rows: Sequence[Row]) -> tuple[float, float]:
    """The factors for communication and computing that make the mean |ln| least, on a grid of 2 %."""
    sending, computing = 1.0, 1.0
    for _ in range(4):
        sending = min(_STEPS, key=lambda factor: accuracy(rows, factor, computing)[1])
        computing = min(_STEPS, key=lambda factor: accuracy(rows, sending, factor)[1])
    return sending, computing


def summary(measured: Sequence[Row]) -> dict[str, object]:
    """The figures over all points, and a row for each model on each setting."""
    groups, rows = pairs(measured), [row for row in measured if not row.is_ddp]
    judgements = [judged(group) for group in groups]
    one, other = ([row for group in groups[start::2] for row in group if not row.is_ddp] for start in (0, 1))
    factors = fitted(one) if one and other else (1.0, 1.0)
    return {
        "points": len(rows),
        "pairs": len(groups),
        "all": accuracy(rows),
        "other_half": accuracy(other) if other else accuracy(rows),
        "factors": factors,
        "other_half_fitted": accuracy(other, *factors) if other else accuracy(rows),
        "right": mean(each.is_right for each in judgements),
        "losses_agree": all(_agree([row.loss for row in group]) for group in groups),
        "gains": {name: gains(judgements, name) for name in OVER},
        "rows": [asdict(each) | {"right": each.is_right} for each in judgements],
    }


def gains(judgements: Sequence[Judged], over: str) -> tuple[int, float, float] | None:
    """How many there are, their geometric mean and the largest; None where there is none."""
    found = [gain for each in judgements if (gain := getattr(each, over)) is not None]
    return (len(found), exp(mean(map(log, found))), max(found)) if found else None


def _agree(losses: Sequence[float]) -> bool:
    return max(losses) - min(losses) <= 1e-4 * max(map(abs, losses))


def text(found: dict[str, object]) -> str:
    """The table and the figures, as they are printed."""
    lines = [
        "gain over data parallelism as emitted (even, prop.), torch's DDP (even, prop.),",
        "expert parallelism, of what is predicted to be fastest; how far that is behind",
        "(* by more than 5 %); + is emitted with collectives in buckets",
        "",
        f"  {'model':5} {'fastest':14} {'predict':>7} {'measure':>7} {'even':>6} {'prop.':>6} {'DDP':>6} {'DDP p.':>6} "
        f"{'expert':>6} {'behind':>6}",
        "",
    ]
    setting = ""
    for row in found["rows"]:
        if row["setting"] != setting:
            setting = row["setting"]
            lines.append(setting)
        model = f"{row['model']}{'+' if row['buckets'] else ''}"
        over = " ".join("     -" if row[name] is None else f"{row[name]:5.2f}x" for name in (*OVER, "experts"))
        lines.append(
            f"  {model:5} {row['choice'][:14]:14} {row['predicted']:6.3f}s {row['seconds']:6.3f}s {over}"
            f" {row['behind']:4.2f}x{'' if row['right'] else '*'}"
        )
    (every, error), (half, half_error), (own, own_error) = (
        found[name] for name in ("all", "other_half", "other_half_fitted")
    )
    lines += [
        "",
        f"{found['points']} points, {found['pairs']} pairs of model and setting",
        f"Pearson {every:.3f}, mean |ln(predicted / measured)| {error:.3f}",
        f"of half of the pairs: {half:.3f}, {half_error:.3f}; with communication x {found['factors'][0]:.2f} and",
        f"computing x {found['factors'][1]:.2f}, fitted to the other half: {own:.3f}, {own_error:.3f}",
        f"right, or within 5 % of the fastest: {found['right']:.0%} (* is not)",
        f"losses of the first step agree: {'yes' if found['losses_agree'] else 'no'}",
        f"gains, geometric mean and most (HAP's paper has up to {PAPER}x):",
    ]
    for name, words in OVER.items():
        if found["gains"][name] is not None:
            count, middle, most = found["gains"][name]
            lines.append(f"  over {words:30} {middle:5.2f}x, {most:5.2f}x, in {counted(count, 'pair')}")
    return "\n".join(lines)


def report(path: Path, found: dict[str, object]) -> str:
    """The page of a table; what was written behind its block stays."""
    said = path.read_text(encoding="utf-8") if path.exists() else ""
    return (
        "# Sharded training steps, judged in the laboratory\n\n"
        f"Made by `.venv/bin/python scripts/judge_shard.py --report scripts/results/{path.name}`.\n\n"
        f"```\n{text(found)}\n```\n" + said.rpartition("```\n")[2]
    )


def main() -> int:
    """Print what the table says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=RESULTS / "shard.csv")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    rows = read(given.file, Row)
    if not rows or not all(row.setting and row.model for row in rows):
        print(
            f"judge_shard: {given.file} has no rows of a setting; measure first: scripts/measure_shard.py",
            file=sys.stderr,
        )
        return 2
    found = summary(rows)
    print(json.dumps(found, indent=2) if given.json else text(found))
    if given.report is not None:
        given.report.write_text(report(given.report, found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
