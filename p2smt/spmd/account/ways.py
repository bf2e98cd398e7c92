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
    """The implementations of collectives by statement name, and the bucket size in bytes.

    `programs` has the plans of collectives that run as reduction programs. `library` is True if a ReduceScatter in
    these is the library's call, and False if it is an all-to-all followed by local sums.
    """

    ways: dict[str, Way]
    buckets: int
    programs: dict[str, Plan] = field(default_factory=dict)
    library: bool = False


def carried(program: Program, cluster: Cluster, buckets: int | None = None) -> CollectiveWays:
    """Return the fastest implementations of a program's collectives, fused into buckets of `buckets` bytes.

    None picks the bucket size (`best_bucket`). All collectives of a bucket share one implementation. Raises
    ProgramError if layout inference fails, or if the mesh is not one axis over all devices of the cluster.
    """
    devices = len(cluster.devices)
    if len(program.mesh) != 1 or program.mesh[0].size != devices:
        mesh = ", ".join(f"{axis.name}={axis.size}" for axis in program.mesh) or "none"
        raise ProgramError(
            f"program {program.name} is for the mesh {mesh}, but {cluster.name} has {devices} devices; "
            "implementations are chosen for one axis of all devices, so leave --system out to pad "
            "everywhere"
        )
    inferred = infer(program)
    if isinstance(inferred, Refused):
        raise ProgramError(f"program {program.name} has no layouts: {inferred}; p2smt verify shows the mistake")
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
