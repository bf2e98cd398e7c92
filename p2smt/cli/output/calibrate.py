"""Output of `p2smt calibrate`: parameters before and after, measured and predicted times, unidentified parameters."""

import os
from collections.abc import Sequence
from itertools import count, groupby
from pathlib import Path

import click

from p2smt.cli.output.aside import say_aside
from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.files import write_and_say
from p2smt.cli.output.screen import say
from p2smt.cli.output.table import print_table
from p2smt.cost.calibration.answer import answer
from p2smt.cost.calibration.doubts import Doubt
from p2smt.cost.calibration.fit import Figure, Fit
from p2smt.cost.calibration.table_fit import TableFit
from p2smt.errors import CalibrationError
from p2smt.problem.quantity import format_seconds
from p2smt.problem.system.network import System
from p2smt.problem.typed import names_file
from p2smt.wording import counted

MOST_ALIKE = 3
"""The most warnings of one kind that are printed; a file with a hundred tables could give hundreds."""


def fit_document(fit: Fit, before: System | None = None, doubtful: Sequence[Doubt] = ()) -> Document:
    """Return the JSON document of `p2smt calibrate`."""
    return {
        "version": VERSION,
        "answer": _answer(fit, before),
        "protocols": _protocols_document(fit),
        "doubts": [{"kind": str(doubt.kind), "text": doubt.text} for doubt in doubtful],
        "mean_abs_log_error": fit.mean_abs_log_error,
        "mean_abs_log_error_left_out": fit.unseen_mean_abs_log_error,
        "figures": [
            {
                "name": figure.name,
                "before": figure.before,
                "after": figure.after,
                "log_error": figure.error,
                "identified": figure.identified,
            }
            for figure in fit.figures
        ],
        "rows": [
            {
                "place": row.measurement.place,
                "group": row.measurement.group,
                "algorithm": str(row.measurement.backend),
                "bytes": row.measurement.size or None,
                "busbw_bytes_per_s": row.measurement.busbw or None,
                "measured_s": row.measurement.seconds,
                "predicted_s": row.predicted,
                "predicted_left_out_s": row.unseen,
            }
            for row in fit.rows
        ],
    }


def _protocols_document(fit: Fit) -> Document | None:
    """Return the fit's errors for small messages with and without NCCL's protocols; None if not compared."""
    if not isinstance(fit, TableFit) or fit.small is None:
        return None
    with_protocols, simple = fit.small
    return {"small_mean_abs_log_error": with_protocols, "small_mean_abs_log_error_simple": simple}


def print_fit(fit: Fit, before: System | None = None) -> None:
    """Print the fit's summary, a table of parameters and a table of rows."""
    said = _answer(fit, before)
    if said:
        say(said)
    left_out = fit.unseen_mean_abs_log_error
    seen = "one group of rows, none left out" if left_out is None else f"{left_out:.3f} with the row's group left out"
    say(f"{counted(len(fit.rows), 'row')}, mean |ln(predicted / measured)| {fit.mean_abs_log_error:.3f}, {seen}\n")
    rows = [
        [
            figure.name,
            _figure_text(figure.name, figure.before),
            _figure_text(figure.name, figure.after),
            _identified(figure),
        ]
        for figure in fit.figures
    ]
    print_table("figures", ("figure", "before", "after", "error"), rows, right=(1, 2))
    rates = any(row.measurement.busbw for row in fit.rows)
    lines = [
        [
            row.measurement.place,
            row.measurement.group,
            str(row.measurement.backend),
            *([f"{row.measurement.busbw / 1e9:.4g}"] if rates else []),
            format_seconds(row.measurement.seconds),
            format_seconds(row.predicted),
            f"{row.predicted / row.measurement.seconds:.2f}",
            "" if row.unseen is None else f"{row.unseen / row.measurement.seconds:.2f}",
        ]
        for row in fit.rows
    ]
    busbw = ("busbw GB/s",) if rates else ()
    columns = ("row", "group", "algorithm", *busbw, "measured", "predicted", "ratio", "left out")
    print_table("rows", columns, lines, right=tuple(range(3, len(columns))))


def _answer(fit: Fit, before: System | None) -> str:
    return answer(fit, before) if isinstance(fit, TableFit) and before is not None else ""


def refuse_doubts(doubtful: Sequence[Doubt], *, force: bool) -> None:
    """Print all doubts about the fit as warnings; raises CalibrationError unless `force`."""
    # Sorted first, because `groupby` joins neighbours only.
    for kind, alike in groupby(sorted(doubtful, key=lambda doubt: doubt.kind), key=lambda doubt: doubt.kind):
        first, *others = alike
        for doubt in (first, *others[: MOST_ALIKE - 1]):
            click.echo(f"p2smt: warning: {kind}: {doubt.text}", err=True)
        if len(others) >= MOST_ALIKE:
            click.echo(f"p2smt: warning: {kind}: {len(others) + 1 - MOST_ALIKE} more like these (--json)", err=True)
    if doubtful and not force:
        raise CalibrationError(
            f"nothing is written, because of {counted(len(doubtful), 'warning')} "
            f"({', '.join(dict.fromkeys(str(doubt.kind) for doubt in doubtful))}); "
            "leave out the rows named, or give --force to write it anyway"
        )


def keep_fit(out: Path | None, text: str, system: str, *, force: bool) -> None:
    """Write the fitted system and report the file on stderr.

    Without `out`, the file gets the system's name, with a number if that name is taken.
    """
    path = _free_name(system or "system", text) if out is None else out
    write_and_say(path, text, "the system with its fitted figures", f"give --system {path} to any command", force=force)


def draw_fit(path: Path, fit: Fit, before: System, *, force: bool) -> None:
    """Write the plot of a fit to tables, even if there are doubts about the fit."""
    from p2smt.report.figures.calibration_chart import calibration_drawing
    from p2smt.report.figures.shapes import on_paper
    from p2smt.report.figures.svg import svg_text

    text = svg_text(on_paper(calibration_drawing(fit, before)))
    write_and_say(path, text, "the measured and fitted bus bandwidth", "open it in a browser", force=force)


def _free_name(system: str, text: str) -> Path:
    """Return a file name in the current folder that is free, or whose file already has this text."""
    plain = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in system).strip(".-") or "system"
    numbers = (f"-{number}" if number > 1 else "" for number in count(1))
    names = (Path(f"{plain}-calibrated{number}.toml") for number in numbers)
    return next(
        name for name in names if not os.path.lexists(name) or (names_file(name) and name.read_bytes() == text.encode())
    )


def print_warnings(fit: Fit) -> None:
    """Print on stderr which parameters the rows do not identify."""
    loose = [figure for figure in fit.figures if not figure.identified]
    if isinstance(fit, TableFit):
        for note in fit.notes:
            say_aside(f"p2smt: note: {note}")
        names = [figure.name for figure in loose if figure.after == figure.before]
        if names:
            say_aside(f"p2smt: note: the tables do not tell {', '.join(names)}; they keep their values")
        changed = [f"{one.name} {_figure_text(one.name, one.after)}" for one in loose if one.after != one.before]
        if changed:
            say_aside(f"p2smt: note: told only together with other figures: {', '.join(changed)}")
        return
    for figure in loose:
        value = _figure_text(figure.name, figure.after)
        kept = (
            f"it stays {value}" if figure.after == figure.before else f"but its old value contradicts them; now {value}"
        )
        click.echo(f"p2smt: warning: the rows do not tell {figure.name}; {kept}", err=True)
    if loose:
        click.echo("p2smt: warning: `p2smt calibrate --commands` prints measurements that tell more", err=True)


def _identified(figure: Figure) -> str:
    if figure.identified:
        return f"+-{100 * figure.error:.2g} %"
    return "not identified, kept" if figure.after == figure.before else "not identified, old value contradicted"


def _figure_text(name: str, value: float) -> str:
    if name == "overlap":
        return f"{value:.2f}"
    return format_seconds(value) if name.endswith(("latency", "launch")) else f"{value / 1e9:.4g} GB/s"
