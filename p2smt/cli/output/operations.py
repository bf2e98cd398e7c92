"""Output of `p2smt calibrate --operations`: parameters and errors by kind of operation."""

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.screen import say
from p2smt.cli.output.table import print_table
from p2smt.cost.calibration.judgement import Judgement
from p2smt.cost.calibration.operations import OperationFit
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.system.device_model import OperationFigures
from p2smt.wording import counted


def operations_document(fit: OperationFit, judgement: Judgement) -> Document:
    """Return the document of a fit: the device model, its errors on the fitted rows, and unidentified parameters."""
    model = fit.model
    return {
        **judgement_document(judgement),
        "device": {
            "name": model.name,
            "peaks": dict(model.peaks),
            "bandwidth": model.bandwidth,
            "launch": model.launch,
            "least": model.least,
            "overlap_loss": model.overlap_loss,
            "beside": fit.beside,
            "in_step": model.in_step,
            "operations": [
                {
                    "kind": str(kind),
                    "dtype": dtype,
                    "least": figures.least,
                    "launch": figures.launch,
                    "computing": figures.computing,
                    "memory": figures.memory,
                    "row": figures.row,
                    "unaligned": figures.unaligned,
                }
                for kind, dtype, figures in model.measured
            ],
        },
        "not_identified": [
            {"kind": str(kind), "dtype": dtype, "figure": name} for kind, dtype, name in fit.unidentified
        ],
    }


def judgement_document(judgement: Judgement) -> Document:
    """Return the document of a model's errors on a table of operations."""
    return {
        "version": VERSION,
        "rows": judgement.rows,
        "mean_abs_ln": judgement.mean_abs_ln,
        "kinds": dict(judgement.kinds),
    }


def print_operations(fit: OperationFit, judgement: Judgement) -> None:
    """Print the parameters by kind of operation and data type, and those that the rows do not identify."""
    model = fit.model
    say(
        f"device {model.name}: {counted(len(fit.rows), 'row')}, "
        f"mean |ln(predicted / measured)| {judgement.mean_abs_ln:.3f}"
    )
    peaks = ", ".join(f"{dtype} {peak / 1e12:.4g}" for dtype, peak in model.peaks)
    say(f"peaks in Tflop/s: {peaks}; memory {model.bandwidth / 1e9:.4g} GB/s")
    rows = [(str(kind), dtype, *_cells(figures)) for kind, dtype, figures in model.measured]
    heads = ("kind", "dtype", "least", "launch", "of the peak", "of bandwidth", "a row")
    print_table("what operations reach", heads, rows, (2, 3, 4, 5, 6))
    if fit.unidentified:
        names = [f"{kind} {dtype} {name}" for kind, dtype, name in fit.unidentified]
        say("not identified by the rows, near what is usual: " + ", ".join(names))
    kept = []
    if fit.beside:
        say(f"contractions take {model.overlap_loss:.1%} longer beside communication: {counted(fit.beside, 'row')}")
    else:
        kept.append(f"overlap_loss {model.overlap_loss:g}, which needs two devices (--torchrun)")
    kept.append(f"in_step {model.in_step:g}, which needs whole steps")
    if fit.assumes_memory:
        kept.append(f"memory {format_bytes(model.memory)}, which no time depends on")
    say(f"not measured, taken as they were: {'; '.join(kept)}. Set them in the [[model]] table if known")


def _cells(figures: OperationFigures) -> tuple[str, ...]:
    launch = "" if figures.launch is None else format_seconds(figures.launch)
    least = "" if figures.least is None else format_seconds(figures.least)
    row = format_seconds(figures.row) if figures.row > 1e-11 else ""
    return least, launch, f"{figures.computing:.2f}", f"{figures.memory:.2f}", row


def print_judgement(judgement: Judgement, name: str) -> None:
    """Print a model's error on a table of operations, overall and by kind."""
    say(f"{name} on {counted(judgement.rows, 'row')}: mean |ln(predicted / measured)| {judgement.mean_abs_ln:.3f}")
    rows = [(kind, f"{error:.3f}") for kind, error in judgement.kinds.items()]
    print_table("by kind", ("kind", "error"), rows, (1,))
