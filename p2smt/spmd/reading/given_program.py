"""A user's program for comparison: sharded if it is for one device, else priced as it is."""

from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.problem.system.network import System
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.in_buckets import gains, in_buckets
from p2smt.spmd.account.instruction import Account
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import Mesh
from p2smt.spmd.devices.meshes import meshes
from p2smt.spmd.devices.network import NetworkModel
from p2smt.spmd.devices.shares import even
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.model.number_type import dtype_of
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.tensor.buckets import BUCKET
from p2smt.tensor.conversion import Broadcast, Reduce, Send
from p2smt.tensor.expression import Convert
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Refused
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.tensor.verification.erasure import erased


@dataclass(frozen=True, slots=True)
class GivenProgram:
    """A distributed program, and the devices that it is priced on."""

    candidate: Candidate
    cluster: Cluster


def given_program(program: Program, system: System, request: ShardingRequest) -> GivenProgram:
    """Return the sharding of a single-device program, or a distributed program with its time and memory.

    A distributed program is priced with the request's speed, backend and buckets only, on the fastest placement of
    its mesh. Raises ProblemError as `shard_program` does, if layout inference fails, if the mesh does not match the
    system, and for Send, Broadcast and Reduce, which no sharding has.
    """
    if not program.is_distributed:
        found = shard_program(program, system, request)
        return GivenProgram(found.answer, found.cluster)
    _refuse(program, system)
    cluster = cluster_of(
        system, request.backend, request.speed, dtype_of(erased(program)), programs=request.programs, tf32=request.tf32
    )
    shares = even(len(cluster.devices))
    if len(program.mesh) == 1:
        return GivenProgram(Candidate(shares, program, _account(program, cluster, (), request.buckets)), cluster)
    sizes, names = tuple(axis.size for axis in program.mesh), tuple(axis.name for axis in program.mesh)
    placed = meshes(system, cluster, request.backend, sizes, names)
    priced = [(_account(program, each.cluster, each.networks, request.buckets), each.cluster) for each in placed]
    best, cluster = min(priced, key=lambda each: each[0].time)
    return GivenProgram(Candidate(shares, program, best), cluster)


def account_on(program: Program, mesh: Mesh, buckets: int | None) -> Candidate:
    """Return a program with its account on a mesh, with even ratios as its name for shares."""
    taken = _account(program, mesh.cluster, mesh.networks, buckets)
    return Candidate(even(len(mesh.cluster.devices)), program, taken)


def _refuse(program: Program, system: System) -> None:
    inferred = infer(program)
    if isinstance(inferred, Refused):
        raise ProblemError(
            f"program {program.name} is not a valid distributed program: {inferred}; p2smt verify shows the mistake"
        )
    if not program.mesh or world(program.mesh) != system.devices:
        mesh = ", ".join(f"{axis.name}={axis.size}" for axis in program.mesh) or "no mesh"
        raise ProblemError(
            f"program {program.name} has {mesh}, but {system.name or 'the system'} has {system.devices} devices; "
            "the two must be equal"
        )
    for each in program.expressions():
        if isinstance(each, Convert) and isinstance(each.conversion, Send | Broadcast | Reduce):
            name = type(each.conversion).__name__
            raise ProblemError(
                f"program {program.name} has a {name}, which p2smt shard does not price; use p2smt schedule"
            )


def _account(program: Program, cluster: Cluster, networks: tuple[NetworkModel, ...], buckets: int | None) -> Account:
    """Return the account with buckets of at most `buckets` bytes; None: of 25 MiB if that is faster."""
    apart = account(program, cluster, networks)
    together = in_buckets(program, cluster, BUCKET if buckets is None else buckets, networks)
    return together if buckets is not None or gains(apart, together, cluster) else apart
