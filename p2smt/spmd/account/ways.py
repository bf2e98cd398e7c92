"""The fastest implementation of each collective of a distributed program on a cluster."""

from dataclasses import dataclass, field

from p2smt.errors import ProgramError
from p2smt.reduction.plan.model import Plan
from p2smt.spmd.account.in_buckets import best_bucket, in_buckets
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.programmed_network import ProgrammedNetwork
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Refused
from p2smt.tensor.program import Program
from p2smt.tensor.tidying import without_unused
from p2smt.tensor.way import Way


@dataclass(frozen=True, slots=True)
class CollectiveWays:
    """Implementations of collectives, by the statements that they stand in, and the size of buckets.

    `programs` are the plans of those that reduction programs do; `library`: whether a ReduceScatter in these is the
    library's, and no exchange of blocks.
    """

    ways: dict[str, Way]
    buckets: int
    programs: dict[str, Plan] = field(default_factory=dict)
    library: bool = False


def carried(program: Program, cluster: Cluster, buckets: int | None = None) -> CollectiveWays:
    """The fastest ways of a program's collectives in buckets of this size, None for the best (`best_bucket`).

    Those of a bucket have one way. ProgramError for a program that does not infer, or whose mesh is not one axis over
    all devices of the cluster.
    """
    devices = len(cluster.devices)
    if len(program.mesh) != 1 or program.mesh[0].size != devices:
        mesh = ", ".join(f"{axis.name}={axis.size}" for axis in program.mesh) or "none"
        raise ProgramError(
            f"program {program.name} is for the mesh {mesh}, and {cluster.name} has {devices} devices; ways are chosen "
            "for one axis over all of them; without a system all are padded"
        )
    inferred = infer(program)
    if isinstance(inferred, Refused):
        raise ProgramError(f"program {program.name} has no layouts: {inferred}; see p2smt verify")
    program = without_unused(program)
    most = best_bucket(program, cluster) if buckets is None else buckets
    instructions = in_buckets(program, cluster, most).instructions
    sent = [(name, each) for each in instructions for name in each.bucket or (each.statement,)]
    return CollectiveWays(
        ways={name: each.way for name, each in sent if each.way is not None},
        buckets=most,
        programs={name: each.plan for name, each in sent if each.plan is not None},
        library=isinstance(cluster.network, ProgrammedNetwork) and cluster.network.programs.library,
    )
