"""Programs on two axes that fit into the memory of every device, by a search under limits on what is stored."""

from p2smt.spmd.instructions import Account, account
from p2smt.spmd.memory import Fitting, Stored, fit
from p2smt.spmd.mesh.build import MeshSharding, TensorPairs
from p2smt.spmd.mesh.emission import emit
from p2smt.tensor.program import Program


def fitted_on(sharding: MeshSharding) -> Fitting | None:
    """A program that fits; None if none of a few is found to fit.

    ProblemError where what is stored is too much for a device alone.
    """
    pricing = sharding.pricing
    sizes = []
    for choice, meaning in enumerate(sharding.meanings):
        if isinstance(meaning, TensorPairs) and pricing.graph.tensors[meaning.tensor].source is not None:
            held = [pricing.device_bytes(meaning.tensor, pair) for pair in meaning.layouts]
            sizes.append((choice, tuple(held[root] for root, _ in meaning.options)))

    def made(assignment: tuple[int, ...]) -> tuple[Program, Account]:
        program = emit(sharding, assignment)
        return program, account(program, pricing.mesh.cluster, pricing.mesh.networks)

    return fit(sharding.problem, Stored(pricing.mesh.cluster.devices, tuple(sizes)), made)
