"""In which way each collective of a distributed program is fastest on a cluster."""

from p2smt.errors import ProgramError
from p2smt.spmd.cluster import Cluster
from p2smt.spmd.instructions import account
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Refused
from p2smt.tensor.program import Program
from p2smt.tensor.way import Way


def ways(program: Program, cluster: Cluster) -> dict[str, Way]:
    """The ways by the statements that the collectives stand in.

    ProgramError for a program that does not infer, or whose mesh is not one axis over all devices of the cluster.
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
    return {each.statement: each.way for each in account(program, cluster).instructions if each.way is not None}
