"""Text and JSON output for systems: the list of presets, and single systems."""

from collections.abc import Sequence
from dataclasses import asdict

import click

from p2smt.cli.output.document import VERSION, Document
from p2smt.problem.quantity import format_decimal, format_seconds
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.device_models import computing_of, device_models
from p2smt.problem.system.devices import DeviceKind
from p2smt.problem.system.link import Link
from p2smt.problem.system.network import System
from p2smt.wording import option_text


def presets_document(systems: Sequence[System]) -> Document:
    """Return the JSON document of a list of systems."""
    return {"version": VERSION, "systems": [_entry(system) for system in systems]}


def system_document(system: System) -> Document:
    """Return the JSON document of one system."""
    return {"version": VERSION, "system": _entry(system)}


def print_presets(systems: Sequence[System]) -> None:
    """Print a line for each system, and how to save one as a file."""
    rows = [(system.name, option_text(system.levels), _memory(system), _links(system)) for system in systems]
    heads = ("preset", "levels", "memory", "links, outermost first, in GB/s")
    widths = [max(map(len, column)) for column in zip(*rows, heads, strict=True)]
    for row in (heads, *rows):
        click.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
    click.echo("\ndevices, and machines x devices where they differ:")
    for system in systems:
        devices = ", ".join(_kinds(system)) if system.kinds else device_models(system)[0].name
        click.echo(f"{system.name:<{widths[0]}}  {devices}")
    click.echo("\nwith other sizes: --system dgx-h100:16x8\nas a file to edit: p2smt system dgx-h100 > mine.toml")


def _links(system: System) -> str:
    return ", ".join(f"{link.name} {_rate(link)}" for link in system.network.links)


def _rate(link: Link) -> str:
    ports = f"{link.count}x " if link.count > 1 else ""
    return f"{ports}{link.bandwidth / 1e9:.4g}"


def _kinds(system: System) -> list[str]:
    inside = system.inside
    return [f"{kind.machines}x{kind.devices or inside} {kind.name}" for kind in system.kinds]


def _memory(system: System) -> str:
    return "" if system.network.memory is None else f"{format_decimal(system.network.memory)}B"


def _entry(system: System) -> Document:
    network = system.network
    return {
        "name": system.name,
        "levels": [{"name": level.name, "size": level.size} for level in system.levels],
        "links": [
            {
                "name": link.name,
                "level": link.level,
                "wiring": str(link.wiring),
                "count": link.count,
                "bandwidth": link.bandwidth,
                "latency": link.latency,
            }
            for link in network.links
        ],
        "memory": network.memory,
        "memory_bandwidth": network.memory_bandwidth,
        "launch": network.launch,
        "all_to_all_launch": network.exchange_launch,
        "protocols": network.protocols,
        "timings": None if system.timings is None else asdict(system.timings),
        "processors": None if network.processors is None else asdict(network.processors),
        "devices": system.devices,
        "kinds": [_kind(kind, system.inside) for kind in system.kinds],
        "computing": str(computing_of(system)),
        "models": [_model(model) for model in dict.fromkeys(device_models(system))] if _has_models(system) else [],
        "source": system.source,
    }


def _kind(kind: DeviceKind, inside: int) -> Document:
    return {
        "name": kind.name,
        "machines": kind.machines,
        "devices": kind.devices or inside,
        "speed": kind.speed,
        "speeds": dict(kind.speeds),
        "efficiency": kind.efficiency,
        "memory": kind.memory,
        "model": None if kind.model is None else kind.model.name,
    }


def _has_models(system: System) -> bool:
    return system.device is not None or all(kind.model is not None for kind in system.kinds)


def _model(model: DeviceModel) -> Document:
    return {
        "name": model.name,
        "peaks": dict(model.peaks),
        "memory": model.memory,
        "bandwidth": model.bandwidth,
        "launch": model.launch,
        "least": model.least,
        "overlap_loss": model.overlap_loss,
        "in_step": model.in_step,
        "operations": [
            {"kind": str(kind), "dtype": dtype, **asdict(model.figures(kind, dtype))}
            for kind, dtype in sorted({*model.operations})
        ],
        "source": model.source,
    }


def models_text(system: System) -> str:
    """Return the models of a system's devices, as comments for the end of its file; empty without a model."""
    if not _has_models(system):
        return ""
    return "".join(
        "\n" + "".join(f"# {line}\n" for line in _model_lines(model)) for model in dict.fromkeys(device_models(system))
    )


def _model_lines(model: DeviceModel) -> list[str]:
    """Return text lines with the peaks, memory, launch times and efficiencies by kind of operation."""
    peaks = ", ".join(f"{dtype} {peak / 1e12:.4g}" for dtype, peak in model.peaks)
    lines = [
        f"device {model.name}: peak in Tflop/s: {peaks}",
        f"memory {format_decimal(model.memory)}B at {model.bandwidth / 1e9:.4g} GB/s; launch on the host "
        f"{format_seconds(model.launch)}, a kernel takes at least {format_seconds(model.least)}",
        "operations reach, as parts of the peak and of the bandwidth:",
    ]
    for kind, dtype in model.operations:
        figures = model.figures(kind, dtype)
        lines.append(f"  {kind:<15} {dtype:<9} {figures.computing:4.2f}  {figures.memory:4.2f}")
    return lines
