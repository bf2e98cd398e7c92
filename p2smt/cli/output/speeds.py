"""Output of `p2smt calibrate --speeds`: device kinds, operation weights, programs and collectives."""

from dataclasses import asdict

from p2smt.cli.output.calibrate import fit_document, print_fit
from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.screen import say
from p2smt.cli.output.table import print_table
from p2smt.collective import Collective, Exchange
from p2smt.cost.bus_bandwidth import HEAD, bus_bandwidth, rate_cell
from p2smt.cost.calibration.fit import Fit
from p2smt.cost.calibration.speeds import SpeedFit
from p2smt.problem.quantity import format_seconds
from p2smt.problem.system.devices import Effort
from p2smt.problem.system.timings import Timings
from p2smt.wording import counted


def speeds_document(speeds: SpeedFit, network: Fit) -> Document:
    """Return the JSON document of `p2smt calibrate --speeds`."""
    effort = _effort(speeds)
    return {
        "version": VERSION,
        "speeds": {
            "mean_abs_log_error": speeds.mean_abs_log_error,
            "kinds": [{"name": kind.name, "quota": kind.quota, "speed": kind.speed} for kind in speeds.system.kinds],
            "effort": {"start": effort.start, "weights": dict(effort.weights)},
            "rows": [
                {"program": row.program, "kind": row.kind, "measured_s": row.seconds, "predicted_s": row.predicted}
                for row in speeds.rows
            ],
        },
        "network": fit_document(network),
        "all_to_all_launch_s": speeds.system.network.exchange_launch,
        "timings": None if speeds.system.timings is None else asdict(speeds.system.timings),
    }


def print_speeds(speeds: SpeedFit, network: Fit) -> None:
    """Print the fitted speeds of the device kinds, and the network's fit."""
    effort = _effort(speeds)
    say(f"{counted(len(speeds.rows), 'program')}, mean |ln(predicted / measured)| {speeds.mean_abs_log_error:.3f}\n")
    rows = [
        [kind.name, "" if kind.quota is None else f"{kind.quota:g}", f"{kind.speed / 1e9:.4g} Gflop/s"]
        for kind in speeds.system.kinds
    ]
    print_table("devices", ("kind", "quota", "speed"), rows, right=(1, 2))
    weights = [["begin any", f"{effort.start:.4g}"], *([name, f"{weight:.4g}"] for name, weight in effort.weights)]
    print_table("operations", ("operation", "counts as"), weights, right=(1,))
    lines = [
        [
            row.program,
            row.kind,
            format_seconds(row.seconds),
            format_seconds(row.predicted),
            f"{row.predicted / row.seconds:.2f}",
        ]
        for row in speeds.rows
    ]
    print_table("programs", ("program", "kind", "measured", "predicted", "ratio"), lines, right=(2, 3, 4))
    print_fit(network)
    say(f"\nan all-to-all begins in {format_seconds(speeds.system.network.exchange_launch)}\n")
    if speeds.system.timings is not None:
        print_timings(speeds.system.timings, speeds.system.devices)


def print_timings(timings: Timings, ranks: int) -> None:
    """Print the times and bus bandwidths of collectives among all devices, by payload size."""
    rows = [
        ["" if place else name, str(count), format_seconds(seconds), _rate(name, ranks, count, seconds)]
        for name, timing in asdict(timings).items()
        for place, (count, seconds) in enumerate(timing)
    ]
    columns = ("collective", "bytes of the whole", "time", HEAD)
    print_table("timings among all devices", columns, rows, right=(1, 2, 3))


def _rate(name: str, ranks: int, count: int, seconds: float) -> str:
    """Return the bus bandwidth of a timed collective; an all-to-all's whole is what all devices hold together."""
    if name == Exchange.ALL_TO_ALL.underscored:
        return rate_cell(bus_bandwidth(Exchange.ALL_TO_ALL, ranks, count / ranks, seconds))
    return rate_cell(bus_bandwidth(Collective(name.removesuffix("_exchanged")), ranks, count, seconds))


def speeds_provenance(speeds: SpeedFit, network: Fit) -> dict[str, object]:
    """Return the origin and the errors of the fitted parameters, for the system file."""
    return {
        "programs": len(speeds.rows),
        "programs_mean_abs_log_error": round(speeds.mean_abs_log_error, 4),
        "collectives": len(network.rows),
        "collectives_mean_abs_log_error": round(network.mean_abs_log_error, 4),
    }


def _effort(speeds: SpeedFit) -> Effort:
    return speeds.system.effort or Effort()
