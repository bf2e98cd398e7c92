"""`p2smt calibrate --operations` and `--judge`: fit a device model to operation timings, and evaluate it on others."""

from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from p2smt.cli.output.calibrate import keep_fit
from p2smt.cli.output.document import print_json
from p2smt.cli.output.files import refuse_overwriting
from p2smt.cli.output.operations import judgement_document, operations_document, print_judgement, print_operations
from p2smt.cli.output.progress import progress
from p2smt.cost.calibration.judgement import judge
from p2smt.cost.calibration.operation_table import OperationRow, parse_operations, read_operations
from p2smt.cost.calibration.operations import OperationFit, fit_operations
from p2smt.errors import CalibrationError
from p2smt.problem.system.build import build_system
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.device_models import device_models
from p2smt.problem.system.file import system_text
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2smt.run.measure.operations import MeasuredOperation

MEASURE = "-"
ONE_DEVICE = "device:1"
"""The system that is written if --system is not given."""


@dataclass(frozen=True, slots=True)
class DeviceMeasurement:
    """The rows of the local device, a description of it, and the bytes of its memory where it has its own."""

    rows: tuple[OperationRow, ...]
    source: str
    memory: int | None


@dataclass(frozen=True, slots=True)
class OperationsRequest:
    """The options of an operation calibration.

    `table` is a CSV file to fit to, `MEASURE` to time operations on this machine, or None to fit nothing. `judged` is a
    CSV file of held-out rows. With `torchrun`, this process is a rank of torchrun, and products are also timed beside
    communication. `beside` lists given arguments that do not apply to operations; any is an error.
    """

    table: str | None
    judged: Path | None
    system: str | None
    out: Path | None
    force: bool
    torchrun: bool = False
    beside: tuple[str, ...] = ()


def calibrate_operations(asked: OperationsRequest, *, as_json: bool) -> None:
    """Fit the device model, evaluate it, print the result and write the system file, as the options request."""
    _refuse(asked)
    refuse_overwriting(asked.out, force=asked.force)
    system = None if asked.system is None else find_system(asked.system)
    sheet = None if system is None else _only_device(system)
    if asked.table is None:
        if sheet is None or asked.judged is None:
            raise CalibrationError("--judge needs a model; give --operations FILE.csv to fit one, or --system SYSTEM")
        judgement = judge(sheet, read_operations(asked.judged))
        if as_json:
            print_json(judgement_document(judgement))
        else:
            print_judgement(judgement, sheet.name)
        return
    fit = _fit(asked.table, sheet, on_ranks=asked.torchrun)
    if fit is None:
        return
    held_out = None if asked.judged is None else judge(fit.model, read_operations(asked.judged))
    seen = judge(fit.model, fit.rows)
    if as_json and held_out is not None:
        print_json(judgement_document(held_out))
    elif as_json:
        print_json(operations_document(fit, seen))
    else:
        print_operations(fit, seen)
        if held_out is not None:
            print_judgement(held_out, fit.model.name)
    # A run that only judges other rows leaves no file unless --out names one.
    if asked.out is not None or held_out is None:
        text = system_text(_with_device(system, fit), _provenance(fit, seen.mean_abs_ln))
        keep_fit(asked.out, text, "operations" if system is None else system.name, force=asked.force)


def _refuse(asked: OperationsRequest) -> None:
    """Raise CalibrationError for arguments that cannot be combined."""
    if asked.beside:
        raise CalibrationError(
            f"--operations and --judge calibrate a device's operations, not its links; drop {asked.beside[0]}"
        )
    if asked.torchrun and asked.table != MEASURE:
        raise CalibrationError(
            "--torchrun measures operations on the ranks of torchrun; give --operations without a table beside it, or "
            "drop it"
        )


def _fit(table: str, sheet: DeviceModel | None, *, on_ranks: bool) -> OperationFit | None:
    """Return the fit to a table or to what is measured; None on a rank that only helped to measure."""
    if table == MEASURE:
        measured = _measured_on_ranks() if on_ranks else _measured()
        if measured is None:
            return None
        rows, source, memory, name = measured.rows, measured.source, measured.memory, "here"
    else:
        rows, source = read_operations(Path(table)), f"fitted to the operations of {Path(table).name}"
        name, memory = "measured", None
    if sheet is not None:
        name, source = f"{sheet.name}-measured", f"{source}; peaks: {sheet.source}"
    return fit_operations(rows, name, source, sheet, memory=memory)


def _measured() -> DeviceMeasurement:
    """Time PyTorch operations on the local GPU, or on the CPU if there is none."""
    measuring, torch = _imported("p2smt.run.measure.operations"), _imported("torch")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with progress("operations") as on_progress:
        measured = measuring.OperationTimer(device).run(on_progress)
    return DeviceMeasurement(_rows(measured), _described(device), _memory(device))


def _measured_on_ranks() -> DeviceMeasurement | None:
    """Time operations on the first rank of torchrun, then products beside AllReduce on all ranks.

    Return None on the other ranks, which wait while the first one measures alone.
    """
    joining, overlap = _imported("p2smt.run.measure.torchrun"), _imported("p2smt.run.measure.overlap")
    measuring = _imported("p2smt.run.measure.operations")
    with joining.TorchrunCluster() as ranks:
        timer = overlap.OverlapTimer(ranks.device)
        if ranks.rank:
            timer.run()
            ranks.follow()
            return None
        with progress("operations") as on_progress:
            measured = measuring.OperationTimer(ranks.device.type).run(on_progress)
        with progress("products beside AllReduce") as on_progress:
            measured += timer.run(on_progress)
        device = ranks.device.type
        source = f"{_described(device)}, beside AllReduce of {ranks.ranks} ranks"
        return DeviceMeasurement(_rows(measured), source, _memory(device))


def _imported(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as cause:
        raise CalibrationError("torch is missing; install it, or give --operations a table: FILE.csv") from cause


def _rows(measured: "Sequence[MeasuredOperation]") -> tuple[OperationRow, ...]:
    from p2smt.run.measure.operations import table_text

    return parse_operations(table_text(measured), "measured here")


def _described(device: str) -> str:
    torch = _imported("torch")
    what = torch.cuda.get_device_name() if device == "cuda" else f"a CPU, {torch.get_num_threads()} threads"
    return f"operations measured on {what}, torch {torch.__version__}"


def _memory(device: str) -> int | None:
    """Return the bytes of the GPU's memory; None of a CPU, whose memory is its host's and not a rank's own."""
    return int(_imported("torch").cuda.get_device_properties(0).total_memory) if device == "cuda" else None


def _only_device(system: System) -> DeviceModel:
    """Return the device model of a homogeneous system; raises CalibrationError if its devices differ."""
    models = dict.fromkeys(device_models(system))
    if len(models) > 1:
        names = ", ".join(model.name for model in models)
        raise CalibrationError(
            f"system {system.name} has several kinds of devices ({names}); give a system of the kind that was measured"
        )
    return next(iter(models))


def _with_device(system: System | None, fit: "OperationFit") -> System:
    """Return the system with the fitted device model; without a system, a system of one such device."""
    described = find_system(ONE_DEVICE) if system is None else system
    kinds = tuple(replace(kind, model=fit.model) for kind in described.kinds)
    return build_system(replace(described, device=fit.model, kinds=kinds))


def _provenance(fit: "OperationFit", error: float) -> dict[str, object]:
    return {
        "operations": len(fit.rows),
        "mean_abs_ln": round(error, 6),
        "not_identified": [f"{kind} {dtype} {name}" for kind, dtype, name in fit.unidentified],
    }
