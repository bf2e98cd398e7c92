"""Programs on a mesh that fit into memory, made of one that does not: all axes but one compute as in it."""

from p2smt.spmd.model.build import build
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.restriction import FixedAxes, Restriction
from p2smt.spmd.search.memory import excess, fitted
from p2smt.spmd.search.searching import FoundProgram, made_of


def lacks(made: FoundProgram) -> bool:
    """True if a device has less memory than the program needs at its peak."""
    return any(excess(made.sharding, made.candidate.account.memory))


def fitting_programs(known: OptionCache, restriction: Restriction, fastest: FoundProgram) -> list[FoundProgram]:
    """Programs that fit into every device's memory: one axis computes otherwise, each once; all is stored as need be.

    ProblemError where what is stored is too much for a device alone.
    """
    found = []
    for free in reversed(range(len(known.pricing.mesh.axes))):
        sharding = build(known, FixedAxes(free, fastest.chosen.rules, {}, restriction), narrow=True)
        fits = fitted(sharding)
        if fits is not None:
            found.append(made_of(sharding, fits.assignment))
    return found
