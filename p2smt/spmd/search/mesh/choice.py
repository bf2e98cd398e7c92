"""Parse meshes and sharding ratios: the options `--mesh` and `--shares`."""

import re
from collections.abc import Iterator, Sequence
from math import prod

from p2smt.cost.network.backend import Backend
from p2smt.errors import ProblemError
from p2smt.problem.system.network import System
from p2smt.problem.text import printable
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import Mesh
from p2smt.spmd.devices.meshes import meshes, refuse_groups
from p2smt.spmd.devices.shares import Shares, even
from p2smt.spmd.engines.engine import EngineOptions, ShardingEngine
from p2smt.spmd.search.share_choice import parse_shares
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.placing import coordinates

AUTO = "auto"
_NAME = re.compile(r"[A-Za-z_]\w{0,39}", re.ASCII)
MOST_AXES = 4
_FEW = ("vertices", "even", "proportional")
"""The names of ratios that are available on a mesh."""


def meshes_of(text: str, system: System, cluster: Cluster, backend: Backend) -> Iterator[Mesh]:
    """Yield the meshes of a text such as `8,8` or `data=8,tensor=8` in all placements.

    For `auto`, yield the one-dimensional mesh, then two axes of all sizes. Raises ProblemError if the text does not
    parse or does not fit the system.
    """
    devices = len(cluster.devices)
    if text.strip() != AUTO:
        names, sizes = _named_sizes(text, devices)
        yield from meshes(system, cluster, backend, sizes, names)
        return
    others = [(size, devices // size) for size in range(2, devices) if devices % size == 0]
    for sizes in others:
        refuse_groups(system, sizes)
    for sizes in ((devices, 1), *sorted(others, key=lambda pair: (abs(pair[0] - pair[1]), pair))):
        yield from meshes(system, cluster, backend, sizes)


def _named_sizes(text: str, devices: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the names of all axes, or none, and their sizes."""
    pairs = [part.rpartition("=") for part in text.split(",")]
    names, parts = tuple(name.strip() for name, sign, _ in pairs if sign), [part for _, _, part in pairs]
    well_named = all(_NAME.fullmatch(name) for name in names) and len(set(names)) == len(names)
    if len(parts) > MOST_AXES or not all(_is_size(part.strip()) for part in parts) or len(names) not in (0, len(parts)):
        raise ProblemError(
            f"mesh {text[:40]!r} does not parse; write the sizes of at most {MOST_AXES} axes such as 8,8 or "
            f"data=8,tensor=8, or {AUTO}"
        )
    if not well_named:
        raise ProblemError(
            f"mesh {printable(text[:80])!r}: give every axis its own name of at most 40 letters, digits and _"
        )
    sizes = tuple(int(part) for part in parts)
    if prod(sizes) != devices:
        raise ProblemError(
            f"mesh {','.join(map(str, sizes))} has {prod(sizes)} devices, but the system has {devices}; "
            "the two must be equal"
        )
    return names, sizes


def _is_size(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) < 10 and int(text) > 0


def shares_on(mesh: Mesh, text: str) -> Iterator[tuple[Shares, ...]]:
    """Yield the requested ratios for every axis: even on all axes, or uneven on one axis along which speeds differ.

    A rank of an axis is as fast as the slowest device with its coordinate. Raises ProblemError if the text does not
    parse.
    """
    if text.strip() not in _FEW:
        raise ProblemError(f"--shares {text[:40]} is not supported on a mesh; write one of {', '.join(_FEW)}")
    evenly = tuple(even(size) for size in mesh.sizes)
    found = {evenly: None} if text.strip() != "proportional" else {}
    for axis in range(len(mesh.sizes)):
        speeds = _speeds(mesh, axis)
        if len(set(speeds)) > 1:
            for shares in parse_shares(text, speeds):
                found.setdefault((*evenly[:axis], shares, *evenly[axis + 1 :]))
    yield from found or {evenly: None}


def _speeds(mesh: Mesh, axis: int) -> Sequence[int]:
    ranks = tuple(ProgramAxis(each.name, each.size) for each in mesh.axes)
    slowest: dict[int, int] = {}
    for rank, device in enumerate(mesh.cluster.devices):
        place = coordinates(ranks, rank)[axis]
        slowest[place] = min(device.speed, slowest.get(place, device.speed))
    return [slowest[place] for place in range(mesh.sizes[axis])]


def refuse_on_mesh(search: EngineOptions, more: int, twice: int) -> None:
    """Raise ProblemError for options that a search on several axes does not support."""
    if search.engine is ShardingEngine.ASTAR:
        raise ProblemError("engine astar searches one axis; use --engine elimination with --mesh")
    if search.published:
        raise ProblemError("--published restricts searches on one axis; leave out --mesh or --published")
    if more or twice:
        option = "--next-best" if more else "--twice"
        raise ProblemError(f"{option} works on one axis; leave it out with --mesh")
