"""What a step takes with its outputs made whole on every device, as emitted code gives them."""

from p2smt.spmd.cluster import Cluster
from p2smt.spmd.in_buckets import in_buckets
from p2smt.spmd.parts import Ranks
from p2smt.tensor.buckets import BUCKET
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Replicated
from p2smt.tensor.program import DType, Program
from p2smt.tensor.shapes import wholes


def observed(program: Program, cluster: Cluster, buckets: int = BUCKET) -> int:
    """Picoseconds of a step on a mesh of one axis over all devices, and of collectives of its outputs behind it.

    Collectives are in buckets of at most so many bytes, as emitted code has them; 0: none.
    """
    inferred, known = infer(program), wholes(program)
    assert isinstance(inferred, Inferred)
    ranks, total = Ranks(tuple(axis.size for axis in program.mesh)), in_buckets(program, cluster, buckets).time
    for output in program.outputs:
        layouts, whole = inferred.layouts[output.name], known[output.name]
        if layouts != (Replicated(),):
            size = (whole.dtype or DType.F32).bytes
            total += ranks.price(cluster.network, layouts, (Replicated(),), 0, whole.shape, size).time
    return total
