"""What `p2smt shard` is asked to search: one axis over all devices, or a mesh of two."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2smt.cost.network.backend import Backend
from p2smt.errors import ProblemError
from p2smt.spmd.engine import Search

if TYPE_CHECKING:
    from p2smt.problem.system.network import System
    from p2smt.spmd.cluster import Cluster
    from p2smt.spmd.sharding import Sharded
    from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Texts of shares, a mesh (None: one axis) and conditions; how to search; how many next best ones and copies."""

    shares: str
    mesh: str | None
    conditions: tuple[str, ...]
    search: Search
    more: int
    twice: int


def searched(program: "Program", system: "System", backend: Backend, speed: str | None, asked: Asked) -> "Sharded":
    """The fastest program of the shares, or on the meshes, of a text. ProblemError for texts that are none."""
    from p2smt.problem.quantity import parse_speed
    from p2smt.spmd.cluster import capped
    from p2smt.spmd.conditions import split_caps
    from p2smt.spmd.mesh.choice import meshes_of, refuse_on_mesh
    from p2smt.spmd.mesh.sharding import shard_on
    from p2smt.spmd.system import cluster_of, dtype_of

    if asked.mesh is not None:
        refuse_on_mesh(asked.shares, asked.search, asked.more, asked.twice)
    said = None if speed is None else parse_speed(speed)
    cap, layouts = split_caps(asked.conditions)
    cluster = capped(cluster_of(system, backend, said, dtype_of(program)), cap)
    if asked.mesh is None:
        return _on_one_axis(program, cluster, layouts, asked)
    meshes = meshes_of(asked.mesh, system, cluster, backend)
    return shard_on(program, meshes, asked.search.engine, layouts, certify=asked.search.certify)


def _on_one_axis(program: "Program", cluster: "Cluster", layouts: tuple[str, ...], asked: Asked) -> "Sharded":
    """The fastest program of the shares of a text."""
    from p2smt.cli.output.infeasible import minimality_text
    from p2smt.spmd.alternation import alternate
    from p2smt.spmd.clash import clashing
    from p2smt.spmd.sharding import shard
    from p2smt.spmd.share_choice import ALTERNATE, parse_shares
    from p2smt.spmd.shares import even

    search = asked.search
    given = None if asked.shares.strip() == ALTERNATE else parse_shares(asked.shares, cluster.speeds)
    try:
        engine, heuristics, published = search.engine, search.heuristics, search.published
        if given is None:
            given = alternate(program, cluster, engine, layouts, heuristics=heuristics, published=published).shares
        return shard(
            program, cluster, given, engine, layouts,
            certify=search.certify, heuristics=heuristics, published=published, more=asked.more, twice=asked.twice,
        )  # fmt: skip
    except ProblemError as cause:
        clash = clashing(program, cluster, even(len(cluster.devices)), layouts) if layouts else None
        if clash is None:
            raise
        few = minimality_text(clash.minimality)
        raise ProblemError(f"{cause}; conditions, {few}: {', '.join(clash.conditions)}") from cause
