"""The reproduction as text, in the order of the paper's tables, and as a plot like its Figure 11."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from p2_cases import ALGORITHMS, KINDS, Case


def text(cases: Sequence[Case], found: dict[str, Any]) -> str:
    return "\n".join([*_summary(found), *_table_3(cases), *_table_4(cases), *_appendix(cases)])


def _summary(found: dict[str, Any]) -> Iterator[str]:
    yield f"predicted by {found['predicted_by']}; AllReduce rows only are fitted to"
    yield "\nmean |ln(predicted / measured)|, and Spearman rank correlation"
    for kind, errors in found["mean_abs_log_error"].items():
        for name, values in errors.items():
            ranks = found["spearman"][kind][name]
            cells = [f"{what} {_figure(values[what])} / {_figure(ranks[what])}" for what in KINDS]
            yield f"  {kind} {name:5} " + "   ".join(cells)
    yield "\n(placement, algorithm) pairs whose best program beats AllReduce by more than 1 %"
    for which, gain in found["improved"].items():
        speedups = f"on average {_figure(gain['mean_speedup'])}, at most {_figure(gain['max_speedup'])} times as fast"
        yield f"  {which:9} {_figure(gain['share'])} of {gain['pairs']}, {speedups}"
    if effect := found["placement_effect"]:
        yield "\nlargest effect of the placement on AllReduce"
        yield (
            f"  {effect['slow']} against {effect['fast']}, {effect['algorithm']}: "
            f"measured {effect['measured']:.1f}x, predicted {effect['predicted']:.1f}x"
        )
    yield "\nfitted figures (relative standard error)"
    for kind, figures in found["figures"].items():
        for name, one in figures.items():
            said = f"+-{100 * one['error']:.0f} %" if one["identified"] else "not identified, kept"
            yield f"  {kind} {name:24} {one['value']:.4g}  {said}"


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _table_3(cases: Sequence[Case]) -> Iterator[str]:
    yield "\nAllReduce by placement (paper, Table 3): measured s, predicted s, ratio"
    yield from (line for case in cases if len(case.axes) == 2 for line in _lines(case, ("allreduce",)))


def _table_4(cases: Sequence[Case]) -> Iterator[str]:
    yield "\nbest program against AllReduce (paper, Table 4): measured and predicted speed-up"
    for case in cases:
        for algorithm in ALGORITHMS:
            if {(algorithm, what) for what in KINDS} <= case.measured.keys():
                gains = [
                    times[algorithm, "allreduce"] / times[algorithm, "best"]
                    for times in (case.measured, case.predicted)
                ]
                yield f"  {case.name:62} {algorithm:4}  {gains[0]:6.2f}x {gains[1]:6.2f}x"


def _appendix(cases: Sequence[Case]) -> Iterator[str]:
    yield "\nall rows (paper, appendix): measured s, predicted s, ratio"
    yield from (line for case in cases for line in _lines(case, KINDS))


def _lines(case: Case, kinds: Sequence[str]) -> Iterator[str]:
    for (algorithm, what), seconds in case.measured.items():
        if what in kinds:
            predicted = case.predicted[algorithm, what]
            yield f"  {case.name:62} {algorithm:4} {what:9} {seconds:8.2f} {predicted:8.2f} {predicted / seconds:6.2f}"


def draw(cases: Sequence[Case], path: Path) -> None:
    """Rows in ascending order of their measured time (dots), predictions as crosses, one colour per matrix."""
    from matplotlib.figure import Figure

    kinds = list(dict.fromkeys(case.system for case in cases))
    figure = Figure(figsize=(12, 4.5 * len(kinds)), layout="constrained")
    grid = figure.subplots(len(kinds), len(ALGORITHMS), squeeze=False)
    matrices = list(dict.fromkeys(str(case.matrix) for case in cases))
    for row, kind in enumerate(kinds):
        for axes, algorithm in zip(grid[row], ALGORITHMS, strict=True):
            points = sorted(
                (seconds, case.predicted[key], f"C{matrices.index(str(case.matrix)) % 10}")
                for case in cases
                for key, seconds in case.measured.items()
                if case.system == kind and key[0] is algorithm
            )
            for place, (measured, predicted, colour) in enumerate(points):
                axes.plot(place, measured, "o", color=colour, markersize=4)
                axes.plot(place, predicted, "x", color=colour, markersize=5, alpha=0.6)
            axes.set_yscale("log")
            axes.set_title(f"{kind}, {algorithm}")
            axes.set_xlabel("AllReduce and best programs in order of measured time")
            axes.set_ylabel("seconds: measured (dots), predicted (crosses)")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
