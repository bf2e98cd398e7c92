"""The origin of a system's bandwidths: measured, from a preset, from a file, or defaults."""

from collections.abc import Collection
from dataclasses import replace

from p2smt.problem.quantity import format_bytes, format_decimal
from p2smt.problem.system.build import default_system
from p2smt.problem.system.file import preset_names
from p2smt.problem.system.network import Network, System


def links_text(system: System) -> str:
    """Return the line on a system's links: the origin of their parameters, and each bandwidth.

    >>> from p2smt.problem.system.text import find_system
    >>> links_text(find_system("node:2,gpu:4"))
    'default bandwidths, not yours: node 8 GB/s, gpu 270 GB/s; set them with --bandwidth or a system file'
    >>> links_text(find_system("dgx-h100:2x8"))
    'preset dgx-h100, not measured: nic 45 GB/s, nvswitch 405 GB/s'
    """
    rates = _rates(system, [link.name for link in system.network.links])
    if system.measured_from is not None:
        return f"{system.name or 'the system'}, {_measured_text(system, system.measured_from)}"
    if system.network.links == default_system(system.levels).network.links:
        return f"default bandwidths, not yours: {rates}; set them with --bandwidth or a system file"
    if system.name in preset_names():
        return f"preset {system.name}, not measured: {rates}"
    return f"{system.name or 'the system'}, as given: {rates}"


def with_measured(system: System, network: Network, measured_from: int, bandwidths: Collection[str]) -> System:
    """Return the system with a network fitted to measurements, which determined the bandwidths of the links named.

    The other links keep their origin: an earlier fit, or none.
    """
    names = [link.name for link in network.links]
    others = [name for name in names if name not in bandwidths]
    unmeasured = names if system.measured_from is None else system.unmeasured
    return replace(
        system,
        network=network,
        measured_from=measured_from,
        unmeasured=tuple(name for name in others if name in unmeasured),
        measured_earlier=tuple(name for name in others if name not in unmeasured),
    )


def _measured_text(system: System, measured_from: int) -> str:
    """Return the bandwidths of a fitted system, by their origin."""
    apart = (*system.unmeasured, *system.measured_earlier)
    by_origin = {
        f"measured from {format_bytes(measured_from)} on": [
            link.name for link in system.network.links if link.name not in apart
        ],
        "kept from an earlier fit": system.measured_earlier,
        "not measured": system.unmeasured,
    }
    return "; ".join(f"{origin}: {_rates(system, names)}" for origin, names in by_origin.items() if names)


def _rates(system: System, names: Collection[str]) -> str:
    found = (link for link in system.network.links if link.name in names)
    return ", ".join(f"{link.name} {format_decimal(link.bandwidth)}B/s" for link in found)
