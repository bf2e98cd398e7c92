"""Programs on a mesh that fit into memory, derived from one that does not: all axes but one keep its rules."""

from p2smt.spmd.model.build import build
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.restriction import FixedAxes, Restriction
from p2smt.spmd.search.memory import excess, fitted
from p2smt.spmd.search.searching import FoundProgram, made_of


def lacks(made: FoundProgram) -> bool:
    """True if the program's peak exceeds the memory of a device."""
    return any(excess(made.sharding, made.candidate.account.memory))


def fitting_programs(known: OptionCache, restriction: Restriction, fastest: FoundProgram) -> list[FoundProgram]:
    """Return programs that fit into every device's memory, one per axis on which the rules are searched again.

    The layouts of sources are free. Raises ProblemError if stored sources alone exceed a device's memory.
    """
    found = []
    for free in reversed(range(len(known.pricing.mesh.axes))):
        sharding = build(known, FixedAxes(free, fastest.chosen.rules, {}, restriction), narrow=True)
        fits = fitted(sharding)
        if fits is not None:
            found.append(made_of(sharding, fits.assignment))
    return found
