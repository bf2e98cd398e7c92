"""What `p2smt shard` is asked to search: one axis over all devices, or a mesh of several."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING

import click

from p2smt.cli.options.buckets import PROGRAMS, buckets_of
from p2smt.cli.options.values import Command, choice, several, take, with_options
from p2smt.cost.network.backend import Backend
from p2smt.errors import ProblemError
from p2smt.spmd.engine import ALL, Engine, Heuristic, Published, Search

if TYPE_CHECKING:
    from p2smt.problem.system.network import System
    from p2smt.spmd.cluster import Cluster
    from p2smt.spmd.sharding import Sharded
    from p2smt.tensor.program import Program


MOST_NEXT = 20

_OPTIONS = (
    click.option(
        "--shares",
        "shares",
        default="vertices",
        show_default=True,
        metavar="SHARES",
        help="vertices (the best of one for each speed), even, proportional, alternate (HAP's loop), or 0.5/0.25/0.25.",
    ),
    click.option(
        "--mesh",
        "mesh",
        metavar="SIZES",
        help="Sizes of at most 4 axes, such as 8,8; auto: two, of all sizes. Their place on the levels is searched.",
    ),
    click.option(
        "--segments",
        "segments",
        metavar="SEGMENTS",
        help="Shares apart, as in HAP: layers, a number (minimum cuts of balanced work), or parameters as w1,b1/w2,b2.",
    ),
    click.option(
        "--virtual",
        "virtual",
        metavar="LEVEL",
        help="Machines, the units of a level such as node, as devices, data parallel inside, as in HAP.",
    ),
    choice("--engine", Engine, default=Engine.ELIMINATION, help="What searches; all find the same optimum."),
    several("--without", Heuristic, help="Engine astar: a way of searching less that is left out; repeatable."),
    several("--published", Published, help="A restriction of HAP's published code; repeatable."),
    click.option(
        "--condition",
        "conditions",
        multiple=True,
        metavar="TEXT",
        help='Such as "w1 replicated", "x sliced(0)" or "at most 30GB".',
    ),
    click.option(
        "--next-best",
        "more",
        type=click.IntRange(0, MOST_NEXT),
        default=0,
        metavar="N",
        help="Also the N next best programs, which store a tenth of all bytes otherwise (needs scipy).",
    ),
    click.option(
        "--twice",
        type=click.IntRange(0, MOST_NEXT),
        default=0,
        metavar="N",
        help="Compute up to N values twice where that is faster than communicating them; the bound is computing alone.",
    ),
    click.option(
        "--recompute",
        type=click.IntRange(0, MOST_NEXT),
        default=0,
        metavar="N",
        help="Where memory is short, compute results of up to N kinds of operations again in the backward pass.",
    ),
    click.option(
        "--buckets",
        metavar="SIZE",
        help="Bytes of collectives that are one call once emitted [25MiB where that gains anything]; off for none.",
    ),
    PROGRAMS,
    click.option(
        "--search-memory",
        "search_memory",
        default="4GB",
        show_default=True,
        metavar="SIZE",
        help="Memory for the tables of elimination; where they take more, HiGHS searches, and the answer says so.",
    ),
    click.option("--certify", is_flag=True, help="Have the bound's certificate checked by code of its own."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Texts of shares, a mesh (None: one axis), segments (None: one), a level of machines, conditions, and buckets."""

    shares: str
    mesh: str | None
    segments: str | None
    virtual: str | None
    conditions: tuple[str, ...]
    search: Search
    more: int
    twice: int
    recompute: int
    buckets: str | None
    programs: bool


def sharding_options(command: Command) -> Command:
    """Give a command `asked`: what is searched, and how."""

    @wraps(command)
    def asking(**values: object) -> int:
        return command(asked=take(Asked, values, search=take(_search, values)), **values)

    return with_options(asking, _OPTIONS)


def _search(
    engine: Engine, without: Sequence[Heuristic], published: Sequence[Published], certify: bool, search_memory: str
) -> Search:
    from p2smt.problem.quantity import parse_bytes

    if without and engine is not Engine.ASTAR:
        raise ProblemError(f"--without {without[0]} is of the engine astar; give --engine astar as well")
    return Search(engine, ALL - set(without), frozenset(published), certify, parse_bytes(search_memory))


def searched(program: "Program", system: "System", backend: Backend, speed: str | None, asked: Asked) -> "Sharded":
    """The program that is fastest as emitted, of the shares, or on the meshes, of a text.

    ProblemError for texts that are none.
    """
    from p2smt.problem.quantity import parse_speed
    from p2smt.spmd.as_emitted import as_emitted
    from p2smt.spmd.cluster import capped
    from p2smt.spmd.conditions import split_caps
    from p2smt.spmd.mesh.choice import meshes_of, refuse_on_mesh
    from p2smt.spmd.mesh.sharding import shard_on
    from p2smt.spmd.system import cluster_of, dtype_of
    from p2smt.spmd.virtual import machines_of

    if asked.segments is not None:
        _refuse_in_segments(asked)
    if asked.programs and (asked.mesh is not None or asked.virtual is not None):
        other = "--virtual" if asked.mesh is None else "--mesh"
        raise ProblemError(f"--programs are among all devices along one axis; drop it, or {other}")
    if asked.mesh is not None:
        if asked.virtual is not None:
            raise ProblemError("--virtual makes one axis of machines, --mesh several of all devices; drop one of them")
        if asked.recompute:
            raise ProblemError("--recompute is of one axis over all devices; drop it, or --mesh")
        refuse_on_mesh(asked.search, asked.more, asked.twice)
    said, buckets = None if speed is None else parse_speed(speed), buckets_of(asked.buckets)
    cap, layouts = split_caps(asked.conditions)
    cluster = capped(cluster_of(system, backend, said, dtype_of(program), programs=asked.programs), cap)
    if asked.virtual is not None:
        cluster = machines_of(system, cluster, asked.virtual, backend)
    if asked.mesh is None:
        found = _on_one_axis(program, cluster, layouts, asked)
    else:
        meshes = meshes_of(asked.mesh, system, cluster, backend)
        search = asked.search
        found = shard_on(program, meshes, search.engine, layouts, shares=asked.shares, certify=search.certify,
                         memory=search.memory)  # fmt: skip
    return as_emitted(found, buckets, baselines=not asked.search.published, conditions=layouts)


def _refuse_in_segments(asked: Asked) -> None:
    """ProblemError for what is not there in segments."""
    from p2smt.spmd.share_choice import ALTERNATE

    if asked.mesh is not None:
        raise ProblemError("--segments have shares of their own along one axis; drop it, or --mesh")
    if asked.shares.strip() not in ("vertices", ALTERNATE):
        raise ProblemError(
            f"--segments: the shares of each are found by a linear program; drop --shares {asked.shares[:80]}"
        )
    if asked.more or asked.twice or asked.recompute:
        option = "--next-best" if asked.more else "--twice" if asked.twice else "--recompute"
        raise ProblemError(f"--segments: the loop keeps one program of each round; drop {option}")


def _on_one_axis(program: "Program", cluster: "Cluster", layouts: tuple[str, ...], asked: Asked) -> "Sharded":
    """The fastest program of the shares of a text."""
    from p2smt.cli.output.infeasible import minimality_text
    from p2smt.spmd.alternation import alternate
    from p2smt.spmd.clash import clashing
    from p2smt.spmd.segments.sharding import shard_in_segments
    from p2smt.spmd.sharding import shard
    from p2smt.spmd.share_choice import ALTERNATE, parse_shares
    from p2smt.spmd.shares import even

    search = asked.search
    given = None if asked.shares.strip() == ALTERNATE else parse_shares(asked.shares, cluster.speeds)
    try:
        if asked.segments is not None:
            return shard_in_segments(program, cluster, asked.segments, search, layouts)
        engine, heuristics, published = search.engine, search.heuristics, search.published
        if given is None:
            given = alternate(program, cluster, engine, layouts, heuristics=heuristics, published=published,
                              memory=search.memory).shares  # fmt: skip
        return shard(
            program, cluster, given, engine, layouts,
            certify=search.certify, heuristics=heuristics, published=published, more=asked.more, twice=asked.twice,
            recompute=asked.recompute, memory=search.memory,
        )  # fmt: skip
    except ProblemError as cause:
        clash = clashing(program, cluster, even(len(cluster.devices)), layouts, search) if layouts else None
        if clash is None:
            raise
        few = minimality_text(clash.minimality)
        raise ProblemError(f"{cause}; conditions, {few}: {', '.join(clash.conditions)}") from cause
