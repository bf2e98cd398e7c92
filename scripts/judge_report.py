"""What the judgement says: numbers, text, Markdown and figures."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log
from pathlib import Path
from statistics import mean
from typing import Any

from judge_cases import Case, Timed
from scipy.stats import spearmanr

from p2smt.errors import CalibrationError

TOP = (1, 2, 3, 5, 6, 10)
PAPER = {
    "placement": 448.5,
    "share": 0.69,
    "mean": 1.27,
    "max": 2.04,
    "top": {1: 0.52, 2: 0.695, 3: 0.72, 5: 0.75, 6: 0.85, 10: 0.92},
}
FEWEST = 10
"""Of so few programs the fastest is among the first ten predicted in any case."""
SHAPES = {
    "Reduce-AllReduce-Broadcast": ("Reduce", "AllReduce", "Broadcast"),
    "ReduceScatter-AllReduce-AllGather": ("ReduceScatter", "AllReduce", "AllGather"),
    "AllReduce": ("AllReduce",),
}


def summary(cases: Sequence[Case]) -> dict[str, Any]:
    """Return everything that is said, as numbers; CalibrationError where no experiment has enough programs."""
    judged = [case for case in cases if len(case.programs) > FEWEST]
    if not judged:
        raise CalibrationError(
            f"no experiment has more than {FEWEST} programs measured; measure more, or --sample more"
        )
    ranks = [_rank_of_best(case) for case in judged]
    rows = [row for case in cases for row in case.rows]
    errors = [abs(log(row.predicted / row.result.seconds)) for row in rows]
    return {
        "experiments": len(cases),
        "pairs": len(rows),
        "wrong_numbers": sum(row.result.wrong for row in rows),
        "judged_experiments": len(judged),
        "top": {str(k): sum(rank <= k for rank in ranks) / len(ranks) for k in TOP},
        "mean_abs_log_error": mean(errors),
        "spearman": float(spearmanr([r.predicted for r in rows], [r.result.seconds for r in rows]).statistic),
        "mean_regret": mean(map(_regret, judged)),
        "max_regret": max(map(_regret, judged)),
        "placement_effect": _placement_effect(cases),
        "improved": _improved(cases),
        "winners": dict(Counter(_shape(_best(case)) for case in judged).most_common()),
        "duels": _duels(judged),
        "paper": {**PAPER, "top": {str(k): share for k, share in PAPER["top"].items()}},
    }


def _best(case: Case) -> Timed:
    return min(case.programs, key=lambda row: row.result.seconds)


def _rank_of_best(case: Case) -> int:
    """The place of the program measured fastest in the order of predicted times, from 1; ties in its favour."""
    best = _best(case)
    return 1 + sum(row.predicted < best.predicted * (1 - 1e-9) for row in case.programs)


def _regret(case: Case) -> float:
    chosen = min(case.programs, key=lambda row: row.predicted)
    return chosen.result.seconds / _best(case).result.seconds


def _placement_effect(cases: Sequence[Case]) -> dict[str, Any]:
    """The largest ratio between placements of one problem, for AllReduce and for the best programs."""
    problems: dict[tuple[object, ...], list[Case]] = defaultdict(list)
    for case in cases:
        problems[case.sizes, case.axes, case.reduce].append(case)
    several = [group for group in problems.values() if len(group) > 1]
    if not several:
        return {}
    slow, fast = max(((max(g, key=_all), min(g, key=_all)) for g in several), key=lambda p: _all(p[0]) / _all(p[1]))
    return {"slow": slow.name, "fast": fast.name, "ratio": _all(slow) / _all(fast)}


def _all(case: Case) -> float:
    return case.allreduce


def _improved(cases: Sequence[Case]) -> dict[str, Any]:
    """How many placements have a program that beats AllReduce by more than 1 %, and by how much."""
    gains = [case.allreduce / _best(case).result.seconds for case in cases]
    better = [gain for gain in gains if gain > 1.01]
    return {
        "placements": len(gains),
        "share": len(better) / len(gains),
        "mean_of_better": mean(better or [1.0]),
        "mean": mean(max(1.0, gain) for gain in gains),
        "max": max(gains),
    }


def _shape(row: Timed) -> str:
    steps = tuple(part.rsplit(", ", 1)[1].rstrip(")") for part in row.result.program.split("; "))
    return next((name for name, shape in SHAPES.items() if shape == steps), "-".join(steps))


def _duels(cases: Sequence[Case]) -> dict[str, int]:
    """Of the two classical programs, which is faster how often, where both were measured."""
    found: Counter[str] = Counter()
    names = list(SHAPES)[:2]
    for case in cases:
        best = {}
        for row in case.programs:
            shape = _shape(row)
            if shape in names:
                best[shape] = min(row.result.seconds, best.get(shape, row.result.seconds))
        if len(best) == 2:
            found[min(best, key=lambda name: best[name])] += 1
    return dict(found)


def text(found: dict[str, Any]) -> str:
    """For a terminal."""
    improved, effect = found["improved"], found["placement_effect"]
    lines = [
        f"{found['pairs']} (matrix, program) pairs of {found['experiments']} experiments measured, "
        f"{found['wrong_numbers']} elements wrong",
        f"{found['judged_experiments']} experiments with more than 10 programs are judged; here / the paper's Table 5",
        "  " + "   ".join(f"top-{k} {share:.0%} / {PAPER['top'][int(k)]:.0%}" for k, share in found["top"].items()),
        f"  mean |ln(predicted / measured)| {found['mean_abs_log_error']:.3f}, Spearman {found['spearman']:.3f}",
        f"  regret {found['mean_regret']:.3f} on average, {found['max_regret']:.3f} at most",
        f"  placements improved by more than 1 %: {improved['share']:.0%} of {improved['placements']} "
        f"(paper {PAPER['share']:.0%}), by {improved['mean_of_better']:.2f}x on average, at most "
        f"{improved['max']:.2f}x (paper {PAPER['mean']}x, {PAPER['max']}x)",
    ]
    if effect:
        lines.append(
            f"  placement changes AllReduce by {effect['ratio']:.1f}x (paper {PAPER['placement']}x): "
            f"{effect['slow']} against {effect['fast']}"
        )
    lines.append("  fastest: " + ", ".join(f"{name} {count}" for name, count in found["winners"].items()))
    lines.append("  of the two classical programs: " + ", ".join(f"{n} {c}" for n, c in found["duels"].items()))
    return "\n".join(lines)


def report(path: Path, cases: Sequence[Case], found: dict[str, Any], files: Sequence[Path]) -> None:
    """Write Markdown, and a figure of measured against predicted times beside it."""
    figure = path.with_suffix(".png")
    _plot(figure, cases)
    names = " ".join(f"scripts/results/{file.name}" for file in files)
    lines = [
        "# The simulator, judged in the laboratory",
        "",
        f"Made by `.venv/bin/python scripts/judge_simulator.py {names} --report scripts/results/{path.name}`.",
        "",
        "```",
        text(found),
        "```",
        "",
        f"![Measured and predicted times of every program]({figure.name})",
        "",
        "| experiment | programs | AllReduce | best | speed-up | rank of the best | regret | best program |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for case in cases:
        best = _best(case)
        cells = (
            case.name,
            len(case.programs),
            f"{1e3 * case.allreduce:.1f} ms",
            f"{1e3 * best.result.seconds:.1f} ms",
            f"{case.allreduce / best.result.seconds:.2f}x",
            _rank_of_best(case),
            f"{_regret(case):.3f}",
            best.result.program,
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _plot(path: Path, cases: Sequence[Case]) -> None:
    """Like the paper's Figure 11: programs in the order of their measured times, with the predicted ones."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    judged = [case for case in cases if len(case.programs) > 10]
    columns = 4
    rows = -(-len(judged) // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(4 * columns, 2.6 * rows), squeeze=False)
    for place, axis in enumerate(axes.flat):
        axis.set_visible(place < len(judged))
        if place < len(judged):
            ordered = sorted(judged[place].programs, key=lambda row: row.result.seconds)
            axis.plot([1e3 * row.result.seconds for row in ordered], ".", markersize=3, label="measured")
            axis.plot([1e3 * row.predicted for row in ordered], ".", markersize=3, label="predicted")
            axis.set_title(judged[place].name, fontsize=7)
            axis.tick_params(labelsize=6)
    axes[0][0].legend(fontsize=7)
    axes[0][0].set_ylabel("ms", fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)
