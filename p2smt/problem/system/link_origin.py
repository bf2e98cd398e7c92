"""Describe the origin of a system's bandwidths: measured, from a preset, from a file, or defaults."""

from p2smt.problem.quantity import format_bytes, format_decimal
from p2smt.problem.system.build import default_system
from p2smt.problem.system.file import preset_names
from p2smt.problem.system.network import System


def links_text(system: System) -> str:
    """Return the line on a system's links: the origin of their parameters, and each bandwidth.

    >>> from p2smt.problem.system.text import find_system
    >>> links_text(find_system("node:2,gpu:4"))
    'default bandwidths, not yours: node 8 GB/s, gpu 270 GB/s; set them with --bandwidth or a system file'
    >>> links_text(find_system("dgx-h100:2x8"))
    'preset dgx-h100, not measured: nic 45 GB/s, nvswitch 405 GB/s'
    """
    rates = ", ".join(f"{link.name} {format_decimal(link.bandwidth)}B/s" for link in system.network.links)
    if system.measured_from is not None:
        return f"{system.name or 'the system'}, measured from {format_bytes(system.measured_from)} on: {rates}"
    if system.network.links == default_system(system.levels).network.links:
        return f"default bandwidths, not yours: {rates}; set them with --bandwidth or a system file"
    if system.name in preset_names():
        return f"preset {system.name}, not measured: {rates}"
    return f"{system.name or 'the system'}, as given: {rates}"
