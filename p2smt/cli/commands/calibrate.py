"""`p2smt calibrate`."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.problem import JSON
from p2smt.problem.system.algorithm import Algorithm

MAX_DATA_BYTES = 64_000_000


@click.command("calibrate")
@click.argument("data", nargs=-1, type=click.Path(path_type=Path), metavar="[DATA...]")
@click.option("--system", required=True, metavar="SYSTEM", help="The system that was measured, as for synth.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the system with its fitted figures to this file.")
@click.option(
    "--algorithm",
    type=click.Choice([algorithm.value for algorithm in Algorithm]),
    help="What carried AllReduce in nccl-tests files that do not say.",
)
@click.option(
    "--collective",
    type=click.Choice(["all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce"]),
    help="What nccl-tests files measured that do not say.",
)
@click.option("--commands", is_flag=True, help="Print the nccl-tests commands that measure what the system needs.")
@JSON
def command(
    data: tuple[Path, ...],
    system: str,
    out: Path | None,
    algorithm: str | None,
    collective: str | None,
    commands: bool,
    as_json: bool,
) -> int:
    """Fit a system's bandwidths and latencies to measured times, and say how well they explain them.

    DATA are CSV tables (columns axes, reduce, matrix, program, algorithm, bytes, seconds; optional sizes, group), or
    what nccl-tests prints: text tables, or the JSON of its option -J (by the ending .csv, .json; all else is text).

    \b
    Example:
      p2smt calibrate --system dgx-h100:2x8 --commands
      p2smt calibrate --system dgx-h100:2x8 all_reduce.json measured.csv --out cluster.toml
      p2smt synth problem.toml --system cluster.toml
    """  # noqa: D301
    from p2smt.cli.main import FOUND
    from p2smt.cli.output.files import write_result
    from p2smt.cli.output.progress import fit_progress, print_json
    from p2smt.cost.calibration.commands import nccl_tests_commands
    from p2smt.errors import CalibrationError
    from p2smt.problem.system.file import system_text
    from p2smt.problem.system.text import find_system

    described = find_system(system)
    if commands:
        click.echo("\n".join(nccl_tests_commands(described)))
        return FOUND
    if not data:
        raise CalibrationError(
            "no DATA to fit to; give files with measured times, or --commands to see how to get them"
        )
    try:
        from p2smt.cost.calibration.fit import fit_system
    except ImportError as cause:
        raise CalibrationError(f"{cause.name} is missing; install it with: pip install 'p2smt[calibrate]'") from cause

    contents = {path: _content(path) for path in dict.fromkeys(data)}
    measured = [row for path in contents for row in _rows(path, contents[path], described, algorithm, collective)]
    with fit_progress() as progress:
        fit = fit_system(described, measured, progress)
    if out is not None:
        write_result(out, system_text(fit.system, _provenance(fit, contents)))
    if as_json:
        print_json(_document(fit))
    else:
        _print(fit)
    _warn(fit)
    return FOUND


def _content(path: Path) -> bytes:
    from p2smt.errors import CalibrationError
    from p2smt.problem.typed import read_bounded

    return read_bounded(path, MAX_DATA_BYTES, CalibrationError)


def _rows(path: Path, content: bytes, system: Any, algorithm: str | None, collective: str | None) -> Sequence[Any]:
    from p2smt.cost.calibration.nccl_tests import TESTS, read_nccl_json, read_nccl_text
    from p2smt.cost.calibration.table import read_measurements
    from p2smt.errors import CalibrationError

    kind = None if collective is None else TESTS[collective]
    carried = None if algorithm is None else Algorithm(algorithm)
    if path.suffix == ".json":
        return read_nccl_json(content, str(path), system, carried, kind)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise CalibrationError(f"{path} is not UTF-8 text; give a CSV table or what nccl-tests printed") from cause
    if path.suffix == ".csv":
        return read_measurements(text, str(path), system)
    return read_nccl_text(text, str(path), system, carried, kind)


def _provenance(fit: Any, contents: dict[Path, bytes]) -> dict[str, Any]:
    said = {
        "rows": len(fit.rows),
        "files": [{"name": path.name, "sha256": hashlib.sha256(data).hexdigest()} for path, data in contents.items()],
        "mean_abs_log_error": round(fit.mean_abs_log_error, 6),
        "not_identified": [figure.name for figure in fit.figures if not figure.identified],
    }
    unseen = fit.unseen_mean_abs_log_error
    return said if unseen is None else said | {"mean_abs_log_error_left_out": round(unseen, 6)}


def _document(fit: Any) -> dict[str, Any]:
    from p2smt.cli.output.progress import VERSION

    return {
        "version": VERSION,
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
                "measured_s": row.measurement.seconds,
                "predicted_s": row.predicted,
                "predicted_left_out_s": row.unseen,
            }
            for row in fit.rows
        ],
    }


def _print(fit: Any) -> None:
    from p2smt.cli.output.progress import print_table
    from p2smt.problem.quantity import format_seconds

    left_out = fit.unseen_mean_abs_log_error
    seen = "one group of rows, none left out" if left_out is None else f"{left_out:.3f} with the row's group left out"
    click.echo(f"{len(fit.rows)} rows, mean |ln(predicted / measured)| {fit.mean_abs_log_error:.3f}, {seen}\n")
    rows = [
        [
            figure.name,
            _figure_text(figure.name, figure.before),
            _figure_text(figure.name, figure.after),
            _said(figure),
        ]
        for figure in fit.figures
    ]
    print_table("figures", ("figure", "before", "after", "error"), rows, right=(1, 2))
    lines = [
        [
            row.measurement.place,
            row.measurement.group,
            str(row.measurement.backend),
            format_seconds(row.measurement.seconds),
            format_seconds(row.predicted),
            f"{row.predicted / row.measurement.seconds:.2f}",
            "" if row.unseen is None else f"{row.unseen / row.measurement.seconds:.2f}",
        ]
        for row in fit.rows
    ]
    columns = ("row", "group", "algorithm", "measured", "predicted", "ratio", "left out")
    print_table("rows", columns, lines, right=(3, 4, 5, 6))


def _warn(fit: Any) -> None:
    loose = [figure for figure in fit.figures if not figure.identified]
    for figure in loose:
        value = _figure_text(figure.name, figure.after)
        kept = (
            f"it stays {value}" if figure.after == figure.before else f"but its old value contradicts them; now {value}"
        )
        click.echo(f"p2smt: warning: the rows do not tell {figure.name}; {kept}", err=True)
    if loose:
        click.echo("p2smt: warning: `p2smt calibrate --commands` prints measurements that tell more", err=True)


def _said(figure: Any) -> str:
    if figure.identified:
        return f"+-{100 * figure.error:.2g} %"
    return "not identified, kept" if figure.after == figure.before else "not identified, old value contradicted"


def _figure_text(name: str, value: float) -> str:
    from p2smt.problem.quantity import format_seconds

    if name == "overlap":
        return f"{value:.2f}"
    return format_seconds(value) if name.endswith("latency") else f"{value / 1e9:.4g} GB/s"
