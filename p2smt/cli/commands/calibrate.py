"""`p2smt calibrate`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import DATA_TEXT, SYSTEM_TEXT, InputPath, OutputPath
from p2smt.cli.options.shared import JSON
from p2smt.cli.options.values import choice
from p2smt.cli.output.aside import say_aside
from p2smt.cost.calibration.nccl_factor import NcclTest
from p2smt.cost.calibration.nccl_which import PRICED
from p2smt.cost.network.backend import Gloo
from p2smt.errors import CalibrationError
from p2smt.problem.system.algorithm import CHOICES, Choice

MEASURE = "-"
"""The value that --operations has if it is given without a table."""

if TYPE_CHECKING:
    from p2smt.problem.system.network import System


@click.command("calibrate", cls=HelpPage)
@click.argument("data", nargs=-1, type=DATA_TEXT, metavar="[DATA...]")
@click.option("--system", type=SYSTEM_TEXT, metavar="SYSTEM", help="The system that was measured, as for synth.")
@click.option("--out", type=OutputPath(), help="The fitted system, as a file [SYSTEM-calibrated.toml].")
@click.option("--force", is_flag=True, help="Overwrite files, and write figures in spite of warnings.")
@choice(
    "--algorithm",
    CHOICES,
    help="What carried AllReduce in nccl-tests files that do not say; auto: what their times look like [auto].",
)
@choice(
    "--collective",
    PRICED,
    metavar="TEST",
    help=f"What nccl-tests files measured that do not say: {', '.join(PRICED)}.",
)
@click.option("--speeds", is_flag=True, help="Measure a laboratory of SYSTEM: how fast ranks compute, and its network.")
@click.option(
    "--operations",
    type=DATA_TEXT,
    is_flag=False,
    flag_value=MEASURE,
    metavar="[FILE.csv]",
    help="Fit what operations take to a table; without FILE.csv they are measured here, in about a minute.",
)
@click.option(
    "--torchrun", "on_ranks", is_flag=True, help="With --operations: also beside AllReduce of the ranks of torchrun."
)
@click.option(
    "--judge",
    type=InputPath(),
    metavar="ROWS.csv",
    help="Print how far off the device's model is on rows that it was not fitted to, by kind.",
)
@click.option(
    "--svg",
    type=OutputPath(),
    metavar="FILE",
    help="Draw bus bandwidth over message size: measured, fitted, and by SYSTEM as it is named.",
)
@click.option("--commands", is_flag=True, help="Print the nccl-tests commands that measure what the system needs.")
@JSON
def command(
    data: tuple[str, ...],
    system: str | None,
    out: Path | None,
    force: bool,
    algorithm: Choice | None,
    collective: NcclTest | None,
    speeds: bool,
    operations: str | None,
    on_ranks: bool,
    judge: Path | None,
    svg: Path | None,
    commands: bool,
    as_json: bool,
) -> ExitCode:
    """Fit a system's bandwidths and latencies to measured times, and say how well they explain them.

    DATA are CSV tables (columns axes, reduce, matrix, program, algorithm, bytes, seconds; optional sizes, group), or
    what nccl-tests and rccl-tests print, as text or JSON, or tables with size, time and bandwidth of other benchmarks.
    Logs are read as they are, and ranks checked by busbw / algbw. FILE:COLLECTIVE:ALGORITHM says what a table measured
    that does not say it; else a command above it or the file's name may (all_gather_4n.txt). Fewer ranks than devices
    are the first of the system. The fitted system is kept as a file; a doubtful one with --force.

    With --speeds programs run on the ranks of a laboratory, which tells the speeds of devices, and needs root.

    With --operations the model of a device is fitted: what kinds of operations reach of its peaks, by data type, and
    their launches. The table has the columns kind, dtype, shape, us, flops, bytes. With --system the peaks are those
    of its device, otherwise what the fastest rows nearly reach. With --torchrun, ranks of torchrun also measure what
    contractions lose beside communication (rows beside_matmul).

    \b
    Example:
      p2smt calibrate --system dgx-h100:2x8 --commands
      p2smt calibrate --system dgx-h100:2x8 all_reduce.json measured.csv --out cluster.toml
      p2smt calibrate --system dgx-h100:4x8 a.txt:all_reduce:ring all_gather_1n.txt
      p2smt calibrate --speeds --system lab:2x2@0.5/0.25 --out unlike.toml
      p2smt calibrate --operations --out mine.toml
      torchrun --nproc-per-node 8 --no-python p2smt calibrate --operations --torchrun
      p2smt calibrate --operations rows.csv --system dgx-h100 --judge others.csv --json
    """  # noqa: D301
    from p2smt.cost.calibration.commands import nccl_tests_commands

    if operations is not None or judge is not None or on_ranks:
        with _scipy_at_hand():
            from p2smt.cli.calibrated_operations import OperationsRequest, calibrate_operations
        beside = (*data, *(["--speeds"] * speeds), *(["--commands"] * commands), *(["--svg"] if svg else ()))
        asked = OperationsRequest(operations, judge, system, out, force, on_ranks, beside)
        calibrate_operations(asked, as_json=as_json)
        return ExitCode.FOUND
    described = _described(system)
    _refuse_beside(speeds=speeds, data=data, commands=commands, svg=svg)
    if commands:
        click.echo("\n".join(nccl_tests_commands(described)))
    elif speeds:
        _fit_ranks(described, out, force=force, as_json=as_json)
    elif data:
        _fit_tables(data, described, algorithm, collective, out, svg, force=force, as_json=as_json)
    else:
        raise CalibrationError("there is no DATA to fit to; give files with measured times (--commands lists commands)")
    return ExitCode.FOUND


@contextmanager
def _scipy_at_hand() -> Iterator[None]:
    """Raise CalibrationError, which says what to install, where the imports inside lack scipy, an extra."""
    try:
        yield
    except ImportError as cause:
        raise CalibrationError("scipy is missing; install it with: pip install scipy") from cause


def _described(system: str | None) -> "System":
    """Return the system named by --system, which is required except with --operations."""
    from p2smt.problem.system.text import find_system

    if system is None:
        raise click.UsageError("--system is missing; give a preset or a system file (`p2smt system` lists the presets)")
    return find_system(system)


def _refuse_beside(*, speeds: bool, data: tuple[str, ...], commands: bool, svg: Path | None) -> None:
    """Raise CalibrationError for arguments that cannot be combined."""
    if svg is not None and not data:
        raise CalibrationError("--svg draws a fit to tables; give DATA, files with measured times")
    if speeds and (data or commands):
        other = data[0] if data else "--commands"
        raise CalibrationError(f"--speeds takes its own measurements; leave out {other}, or --speeds to fit to tables")


def _fit_tables(
    data: tuple[str, ...],
    described: "System",
    algorithm: Choice | None,
    collective: NcclTest | None,
    out: Path | None,
    svg: Path | None,
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Fit the network's parameters to tables, draw the fit, and write the calibrated system."""
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.progress import progress
    from p2smt.cost.calibration.files import provenance
    from p2smt.problem.system.file import system_text

    with _scipy_at_hand():
        from p2smt.cost.calibration.calibrate import read_data
        from p2smt.cost.calibration.doubts import doubts
        from p2smt.cost.calibration.fit_measured import fit_measured
    from p2smt.cli.output.calibrate import draw_fit, fit_document, keep_fit, print_fit, print_warnings, refuse_doubts

    read = read_data(data, described, algorithm, collective)
    for note in read.notes:
        say_aside(f"p2smt: note: {note}")
    with progress("fits", remaining=False) as on_progress:
        fit = fit_measured(described, read.measurements, on_progress)
    doubtful = doubts(fit, described)
    if as_json:
        print_json(fit_document(fit, described, doubtful))
    else:
        print_fit(fit, described)
    print_warnings(fit)
    if svg is not None:
        draw_fit(svg, fit, described, force=force)
    refuse_doubts(doubtful, force=force)
    keep_fit(out, system_text(fit.system, provenance(fit, read.files)), described.name, force=force)


def _fit_ranks(described: "System", out: Path | None, *, force: bool, as_json: bool) -> None:
    """Measure device speeds and the network in a laboratory, fit both, and write the calibrated system."""
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import refuse_overwriting
    from p2smt.cli.output.progress import progress
    from p2smt.problem.system.file import system_text
    from p2smt.run.lab.laboratory import ended_by_signals
    from p2smt.run.lab.probing import probe

    with _scipy_at_hand():
        from p2smt.cli.output.calibrate import keep_fit
        from p2smt.cli.output.speeds import print_speeds, speeds_document, speeds_provenance
        from p2smt.cost.calibration.ranks import fit_ranks
        from p2smt.cost.calibration.speeds import check_kinds_there
    check_kinds_there(described)
    refuse_overwriting(out, force=force)
    with ended_by_signals(), progress("measures") as on_progress:
        measured = probe(described, on_progress=on_progress)
    speeds, network = fit_ranks(described, Gloo(), measured)
    if as_json:
        print_json(speeds_document(speeds, network))
    else:
        print_speeds(speeds, network)
    keep_fit(out, system_text(speeds.system, speeds_provenance(speeds, network)), described.name, force=force)
