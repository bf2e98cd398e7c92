"""Reapply the layouts of a sharding to the same step with another batch size, without searching again.

The step has to be captured with its batch size (`p2smt capture --batch`, or another capture), because means divide by
it. Every value that both programs name is computed, and every source stored, in the layout of the sharding; outputs and
unnamed values take the cheapest compatible layout. The program is built from the step alone, so it computes the step.
"""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from p2smt.errors import ProblemError
from p2smt.problem.spellings import system_given
from p2smt.problem.system.network import System
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import Mesh, one_axis
from p2smt.spmd.devices.meshes import meshes
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.engines.problem import Best
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.model.batch import Batch, batch_of
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.divisions import Rules
from p2smt.spmd.model.gradient_sums import marked
from p2smt.spmd.model.graph import Graph, Node, graph_of
from p2smt.spmd.model.layouts import layout_of, without_sizes
from p2smt.spmd.model.number_type import dtype_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import in_even_shares
from p2smt.spmd.reading.comparison import lacking
from p2smt.spmd.reading.given_program import GivenProgram, given_program
from p2smt.spmd.request import ShardingRequest, prepared_step
from p2smt.tensor.expression import Source, SourceKind
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Layouts
from p2smt.tensor.layout import Sliced
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program

_KEPT = (SourceKind.PARAMETER, SourceKind.STATE)


@dataclass(frozen=True, slots=True)
class ReappliedSharding:
    """The program for another batch with its time and memory, and the batch that its layouts were found for.

    `missing` is the number of bytes by which the worst device exceeds its memory; 0 if all fit.
    """

    answer: Candidate
    cluster: Cluster
    before: Batch
    batch: Batch
    missing: int


def shard_like(
    program: Program, system: System | str, like: Program, request: ShardingRequest | None = None
) -> ReappliedSharding:
    """Return the step sharded as `like`, a sharding of the same step with another batch.

    Of the request, the backend, speed, buckets, precision, checkpoints, and the engine for open layouts apply. Raises
    ProblemError if more than the batch differs, if the layouts' divisor does not divide the batch, if the sharding is
    uneven, or if the layouts are infeasible.
    """
    system, asked = system_given(system), request or ShardingRequest()
    inferred = infer(like)
    if not isinstance(inferred, Inferred) or not like.mesh:
        raise ProblemError(
            f"program {like.name} is not a sharded program: "
            f"{'it has no mesh' if not like.mesh else inferred}; give an output of p2smt shard"
        )
    before = batch_of(like)
    if before is None:
        raise ProblemError(
            f"program {like.name} has no input with dimensions, so no batch to change; leave --search like out"
        )
    step = prepared_step(program, asked)
    _check(step.program, like, before)
    graph = marked(graph_of(step.program), step.sums)
    mesh = _mesh(step.program, system, asked, like)
    layouts = _layouts(graph, inferred)
    sharding = build(OptionCache(in_even_shares(graph, classes_of(graph), mesh)), KnownLayouts(layouts))
    best = JointSolver.aside(asked.search).solve(sharding.problem).answer
    if not isinstance(best, Best):
        raise ProblemError(f"the layouts of {like.name} are inconsistent in this step; shard it without --search like")
    made = with_whole_outputs(emit(sharding, best.assignment))
    _check_parts(made, like, inferred)
    given = given_program(made, system, asked)
    batch = batch_of(made)
    assert batch is not None
    return ReappliedSharding(
        given.candidate, given.cluster, before, batch, lacking(given.cluster, given.candidate.account.memory)
    )


def shard_beside(
    program: Program,
    system: System,
    beside: Program,
    request: ShardingRequest | None = None,
    fixed: Collection[str] = (),
) -> GivenProgram:
    """Return the fastest program of a step whose parameters and states are sharded as in `beside`.

    The step may have other inputs than `beside`, and may be a part of it, such as the forward pass. The search is
    free except for the layouts of parameters, states and the values named in `fixed`. Raises ProblemError if `beside`
    has other parameters and states, or shards them unevenly.
    """
    system, asked = system_given(system), request or ShardingRequest()
    inferred = infer(beside)
    assert isinstance(inferred, Inferred)
    step = prepared_step(program, asked)
    kept = {each.name for each in step.program.sources if each.kind in _KEPT}
    if unknown := sorted(kept - {each.name for each in beside.sources}):
        raise ProblemError(
            f"{unknown[0]} of {program.name} is not in {beside.name}, with which it shares the parts "
            "of parameters and states; give a step with the same ones"
        )
    graph = marked(graph_of(step.program), step.sums)
    layouts = {graph.named[name]: tuple(map(without_sizes, inferred.layouts[name])) for name in {*kept, *fixed}}
    mesh = _mesh(step.program, system, asked, beside)
    sharding = build(OptionCache(in_even_shares(graph, classes_of(graph), mesh)), KnownLayouts(layouts))
    best = JointSolver.aside(asked.search).solve(sharding.problem).answer
    if not isinstance(best, Best):
        raise ProblemError(
            f"no sharding of {program.name} keeps the parts of parameters and states of {beside.name}; "
            "shard it on its own"
        )
    made = with_whole_outputs(emit(sharding, best.assignment))
    after = infer(made)
    assert isinstance(after, Inferred)
    for name in sorted(kept):
        if after.layouts[name] != inferred.layouts[name]:
            raise ProblemError(
                f"{beside.name} cuts {name} by uneven sharding ratios, which another step cannot use; "
                "shard with --shares even"
            )
    return given_program(made, system, asked)


@dataclass(frozen=True, slots=True)
class KnownLayouts:
    """A restriction to the layouts of a known program, for sources and results of operations, by tensor number."""

    layouts: Mapping[int, Layouts]

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return the layouts in which the tensor was stored."""
        known = self.layouts.get(tensor)
        return layouts if known is None else tuple([each for each in layouts if each == known])

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """Return all layouts unchanged."""
        return layouts

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Return the rules that produce the known layout of the node's result."""
        known = self.layouts.get(node.result)
        if known is None:
            return rules
        return tuple([each for each in rules if tuple(layout_of(rule.result) for rule in each) == known])

    def alike(self, node: Node) -> Hashable:
        """Return a key that operations with the same known layout share."""
        return self.layouts.get(node.result)


def _layouts(graph: Graph, inferred: Inferred) -> dict[int, Layouts]:
    """Return the known layouts by tensor, without those of outputs, which are replicated after the step."""
    names = {name: tensor for name, tensor in graph.named.items() if name in inferred.layouts}
    outputs = set(graph.outputs)
    versions = {version.result for version in graph.versions}
    return {
        tensor: tuple(map(without_sizes, inferred.layouts[name]))
        for name, tensor in names.items()
        if tensor not in outputs | versions
    }


def _mesh(program: Program, system: System, request: ShardingRequest, like: Program) -> Mesh:
    cluster = cluster_of(
        system, request.backend, request.speed, dtype_of(program), programs=request.programs, tf32=request.tf32
    )
    sizes, names = tuple(axis.size for axis in like.mesh), tuple(axis.name for axis in like.mesh)
    ranks = world(like.mesh)
    if ranks != len(cluster.devices):
        raise ProblemError(
            f"program {like.name} is for {ranks} devices, but {system.name or 'the system'} has "
            f"{len(cluster.devices)}; the two must be equal"
        )
    return one_axis(cluster) if len(sizes) == 1 else next(meshes(system, cluster, request.backend, sizes, names))


def _check(program: Program, like: Program, before: Batch) -> None:
    """Raise ProblemError if more than the batch differs, or if the sharding cannot divide the batch."""
    ratio = _ratio(program, like)
    size = before.size * ratio
    if size % before.divisor:
        below = int(size // before.divisor) * before.divisor
        raise ProblemError(
            f"a batch of {size} is not a multiple of {before.divisor}, the number of parts into which "
            f"{like.name} cuts samples; choose {below or before.divisor} or {below + before.divisor}, "
            "or shard without --search like"
        )


def _ratio(program: Program, like: Program) -> Fraction:
    """Return the batch size as a multiple of that of `like`."""
    known = {each.name: each for each in like.sources}
    ratios: dict[Fraction, str] = {}
    for source in program.sources:
        other = known.get(source.name)
        if other is None or _kind(other) != _kind(source):
            there = "is not there" if other is None else f"{other.kind} {other.dtype}{list(other.shape)} there"
            raise ProblemError(
                f"{program.name} and {like.name} differ in more than the batch: {source.name} is "
                f"{source.kind} {source.dtype}{list(source.shape)} here, {there}; shard it without --search like"
            )
        for mine, theirs in zip(source.shape, other.shape, strict=True):
            if mine != theirs:
                ratios.setdefault(Fraction(mine, theirs), source.name)
    if len(ratios) > 1:
        named = ", ".join(f"{name} is {ratio} times as long" for ratio, name in ratios.items())
        raise ProblemError(
            f"{program.name} and {like.name} differ in more than the batch: {named}; shard it without --search like"
        )
    return next(iter(ratios), Fraction(1))


def _kind(source: Source) -> tuple[object, ...]:
    """Return the properties of a source that do not depend on the batch."""
    is_kept = source.kind in _KEPT
    return source.kind, source.dtype, source.shape if is_kept else len(source.shape)


def _check_parts(made: Program, like: Program, before: Inferred) -> None:
    """Raise ProblemError if the shards of a source are not scaled copies of those in the sharding (uneven ratios)."""
    after = infer(made)
    assert isinstance(after, Inferred)
    lengths = {each.name: each.shape for each in made.sources}
    for source in like.sources:
        for mine, theirs in zip(after.layouts[source.name], before.layouts[source.name], strict=True):
            # only Sliced: nothing else has parts
            if isinstance(mine, Sliced) and isinstance(theirs, Sliced) and mine.sizes and theirs.sizes:
                ratio = Fraction(lengths[source.name][mine.dimension], source.shape[theirs.dimension])
                if mine.sizes != tuple(size * ratio for size in theirs.sizes):
                    raise ProblemError(
                        f"{like.name} has the parts {'/'.join(map(str, theirs.sizes))} of {source.name}, but only "
                        "even ones can be reused; shard this batch without --search like"
                    )
