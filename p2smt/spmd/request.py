"""A request for a sharding, from the command line, `p2smt.shard` or `optimize`."""

from dataclasses import dataclass, field, replace
from types import NoneType

from p2smt.argument_types import require
from p2smt.cost.network.backend import Backend, Nccl
from p2smt.errors import ProblemError
from p2smt.problem.spellings import system_given
from p2smt.problem.system.network import System
from p2smt.smt.cores import minimality_text
from p2smt.spmd.devices.cluster import Cluster, capped
from p2smt.spmd.devices.shares import even
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.devices.virtual import machines_of
from p2smt.spmd.engines.engine import EngineOptions, ShardingEngine
from p2smt.spmd.model.checkpoint_treatment import CheckpointTreatment
from p2smt.spmd.model.checkpoints import regions
from p2smt.spmd.model.conditions import split_caps
from p2smt.spmd.model.gradient_sums import ANYWHERE, GradientSums
from p2smt.spmd.model.number_type import dtype_of
from p2smt.spmd.model.precision import PrecisionPolicy, in_mixed_precision
from p2smt.spmd.search.alternation import alternate
from p2smt.spmd.search.as_emitted import as_emitted
from p2smt.spmd.search.clash import clashing
from p2smt.spmd.search.mesh.choice import meshes_of, refuse_on_mesh
from p2smt.spmd.search.mesh.sharding import shard_on
from p2smt.spmd.search.segments.sharding import shard_in_segments
from p2smt.spmd.search.sharded import ShardingResult
from p2smt.spmd.search.sharding import shard
from p2smt.spmd.search.share_choice import ALTERNATE, parse_shares
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardingRequest:
    """A request for a sharding; each field is the option of `p2smt shard` with the same name.

    `shares`, `mesh`, `segments`, `virtual` and `conditions` are texts in that command's syntax; None means one axis
    over all devices, one segment, and single devices. `buckets` is the most bytes fused into one collective call: 0
    fuses none, None picks the best size. `speed` is in operations per second, None for the system's rooflines. `tf32`
    prices float32 matrix products in TF32. `precision` is a mixed-precision policy (`precision.py`), None for the
    program's dtypes. `checkpoints` says if checkpointed regions are kept (`checkpoints.py`). With `baselines`, usual
    strategies are priced as well, and one of them may be the answer.
    """

    shares: str = "vertices"
    mesh: str | None = None
    segments: str | None = None
    virtual: str | None = None
    conditions: tuple[str, ...] = ()
    search: EngineOptions = field(default_factory=EngineOptions)
    next_best: int = 0
    twice: int = 0
    recompute: int = 0
    buckets: int | None = None
    programs: bool = False
    backend: Backend = field(default_factory=Nccl)
    speed: float | None = None
    tf32: bool = False
    baselines: bool = True
    precision: PrecisionPolicy | None = None
    checkpoints: CheckpointTreatment = CheckpointTreatment.KEEP


def shard_program(program: Program, system: System | str, request: ShardingRequest | None = None) -> ShardingResult:
    r"""Return the distributed program that is fastest on a system as emitted, with its cost and a lower bound.

    Raises ProblemError for texts that do not parse, options that exclude each other, conditions that clash, and
    programs that exceed all memories; ProgramError for a program that is already distributed; EngineError if the
    engine fails.

    >>> from p2smt.problem.system.text import find_system
    >>> from p2smt.tensor.text.parser import parse_program
    >>> step = parse_program("program step\ninput x : f32[64, 32]\ny = relu(x)\noutput y\n")
    >>> request = ShardingRequest(mesh="2,2", conditions=("x sliced(0)",))
    >>> [axis.size for axis in shard_program(step, find_system("node:2,gpu:2"), request).program.mesh]
    [2, 2]
    """
    require(program, Program, "program", "read_program reads a file, capture makes one of a model")
    require(request, (ShardingRequest, NoneType), "request", "write ShardingRequest(mesh='2,2')")
    system, asked = system_given(system), request or ShardingRequest()
    _refuse_together(asked)
    step = prepared_step(program, asked)
    program, sums = step.program, step.sums
    cap, layouts = split_caps(asked.conditions)
    devices = cluster_of(
        system, asked.backend, asked.speed, dtype_of(program), programs=asked.programs, tf32=asked.tf32
    )
    cluster = capped(devices, cap)
    if asked.virtual is not None:
        cluster = machines_of(system, cluster, asked.virtual, asked.backend)
    if asked.mesh is None:
        found = _on_one_axis(program, cluster, layouts, asked, sums)
    else:
        search = asked.search
        found = shard_on(
            program,
            meshes_of(asked.mesh, system, cluster, asked.backend),
            search.engine,
            layouts,
            shares=asked.shares,
            certify=search.certify,
            beside=asked.baselines,
            memory=search.memory,
            sums=sums,
        )
    found = replace(found, notes=(*step.notes, *found.notes))
    return as_emitted(found, asked.buckets, baselines=not asked.search.published, conditions=layouts)


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """A step with checkpointed regions and precision applied, constraints on gradient sums, and notes."""

    program: Program
    sums: GradientSums
    notes: tuple[str, ...]


def prepared_step(program: Program, request: ShardingRequest) -> PreparedStep:
    """Return the step with checkpointed regions kept or dropped, in the request's precision.

    Raises ProblemError as `in_mixed_precision` does.
    """
    kept = regions(program, request.checkpoints)
    if request.precision is None:
        return PreparedStep(kept.program, ANYWHERE, kept.notes)
    mixed = in_mixed_precision(kept.program, request.precision)
    return PreparedStep(mixed.program, mixed.sums, (*request.precision.notes, *kept.notes))


def _refuse_together(asked: ShardingRequest) -> None:
    if asked.precision is not None:
        _refuse_in_precision(asked)
    if asked.segments is not None:
        _refuse_in_segments(asked)
    if asked.programs and (asked.mesh is not None or asked.virtual is not None):
        other = "--virtual" if asked.mesh is None else "--mesh"
        raise ProblemError(f"--programs works on one axis of all devices; leave out --programs or {other}")
    if asked.mesh is None:
        return
    if asked.virtual is not None:
        raise ProblemError(
            "--virtual makes one axis of machines, and --mesh several axes of devices; leave one of them out"
        )
    if asked.recompute:
        raise ProblemError("--recompute works on one axis of all devices; leave out --recompute or --mesh")
    refuse_on_mesh(asked.search, asked.next_best, asked.twice)


def _refuse_in_precision(asked: ShardingRequest) -> None:
    """Raise ProblemError for options that ignore the dtype in which gradients are reduced."""
    options = {
        "--segments": asked.segments is not None,
        "--virtual": asked.virtual is not None,
        "--twice": asked.twice > 0,
        "--engine astar": asked.search.engine is ShardingEngine.ASTAR,
    }
    given = next((option for option, is_given in options.items() if is_given), None)
    if given is not None:
        raise ProblemError(
            f"--precision sets the type in which gradients are summed, which {given} ignores; leave one of them out"
        )


def _refuse_in_segments(asked: ShardingRequest) -> None:
    if asked.mesh is not None:
        raise ProblemError(
            "--segments chooses sharding ratios per segment along one axis; leave out --segments or --mesh"
        )
    if asked.shares.strip() not in ("vertices", ALTERNATE):
        raise ProblemError(
            "--segments finds the sharding ratios of each segment by linear programming; leave out "
            f"--shares {asked.shares[:80]}"
        )
    if asked.next_best or asked.twice or asked.recompute:
        option = "--next-best" if asked.next_best else "--twice" if asked.twice else "--recompute"
        raise ProblemError(f"--segments keeps one program per round; leave out {option}")


def _on_one_axis(
    program: Program, cluster: Cluster, layouts: tuple[str, ...], asked: ShardingRequest, sums: GradientSums
) -> ShardingResult:
    """Return the fastest program on one axis over all devices, for the requested ratios."""
    search = asked.search
    given = None if asked.shares.strip() == ALTERNATE else parse_shares(asked.shares, cluster.speeds)
    try:
        if asked.segments is not None:
            return shard_in_segments(program, cluster, asked.segments, search, layouts)
        engine, heuristics, published = search.engine, search.heuristics, search.published
        if given is None:
            given = alternate(
                program,
                cluster,
                engine,
                layouts,
                heuristics=heuristics,
                published=published,
                memory=search.memory,
                sums=sums,
            ).shares
        return shard(
            program,
            cluster,
            given,
            engine,
            layouts,
            certify=search.certify,
            beside=asked.baselines,
            heuristics=heuristics,
            published=published,
            more=asked.next_best,
            twice=asked.twice,
            recompute=asked.recompute,
            memory=search.memory,
            sums=sums,
        )
    except ProblemError as cause:
        clash = clashing(program, cluster, even(len(cluster.devices)), layouts, search, sums) if layouts else None
        if clash is None:
            raise
        few = minimality_text(clash.minimality)
        raise ProblemError(f"{cause}; relax one of the conditions, {few}: {', '.join(clash.conditions)}") from cause
