"""Which meshes are searched: `--mesh`."""

from collections.abc import Iterator

from p2smt.cost.network.backend import Backend
from p2smt.errors import ProblemError
from p2smt.problem.system.network import System
from p2smt.spmd.cluster import Cluster
from p2smt.spmd.engine import Engine, Search
from p2smt.spmd.mesh.mesh import Mesh
from p2smt.spmd.mesh.system import meshes

AUTO = "auto"
EVEN = ("vertices", "even")
"""What may be said of shares where all are even."""


def meshes_of(text: str, system: System, cluster: Cluster, backend: Backend) -> Iterator[Mesh]:
    """The meshes of a text such as `8,8` in all placements; of `auto` those of all sizes, one axis first.

    ProblemError where a text is none of these, or does not fit the system.
    """
    devices = len(cluster.devices)
    if text.strip() != AUTO:
        yield from meshes(system, cluster, backend, _sizes(text, devices))
        return
    others = [(size, devices // size) for size in range(2, devices) if devices % size == 0]
    for sizes in ((devices, 1), *sorted(others, key=lambda pair: (abs(pair[0] - pair[1]), pair))):
        yield from meshes(system, cluster, backend, sizes)


def _sizes(text: str, devices: int) -> tuple[int, int]:
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() and len(part) < 10 and int(part) for part in parts):
        raise ProblemError(f"mesh {text[:40]!r} does not parse; write the sizes of two axes such as 8,8, or {AUTO}")
    one, other = int(parts[0]), int(parts[1])
    if one * other != devices:
        raise ProblemError(
            f"mesh {one},{other} has {one * other} devices, but the system has {devices}; the two must be equal"
        )
    return one, other


def refuse_on_mesh(shares: str, search: Search, more: int, twice: int) -> None:
    """ProblemError for what a search on two axes cannot be asked for."""
    if shares.strip() not in EVEN:
        raise ProblemError(f"--shares {shares[:40]} is of one axis: on a mesh of two all shares are even; leave it out")
    if search.engine is Engine.ASTAR:
        raise ProblemError("engine astar searches one axis; take the engine elimination with --mesh")
    if search.published:
        raise ProblemError("--published restricts searches on one axis; leave out --mesh, or the restriction")
    if more or twice:
        option = "--next-best" if more else "--twice"
        raise ProblemError(f"{option} is of one axis; leave it out with --mesh")
