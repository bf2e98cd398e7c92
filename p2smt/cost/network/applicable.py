"""The algorithms, besides rings and trees, that a group can use, and the error for an algorithm that a system lacks."""

from collections.abc import Sequence
from math import prod

from p2smt.cost.network.switching import collected, switched
from p2smt.errors import ProblemError
from p2smt.problem.system.algorithm import ADDING, COLLNET, Algorithm, Auto, Choice, flow_key
from p2smt.problem.system.link import Wiring
from p2smt.problem.system.network import System


def applicable(system: System, members: Sequence[int]) -> frozenset[Algorithm]:
    """Return the algorithms, besides rings and trees, for a group with `members[j]` units per parent at level j."""
    found = switched(system, members) | collected(system, members)
    return found | {Algorithm.PAT} if has_parallel_trees(system, members) else found


def has_parallel_trees(system: System, members: Sequence[int]) -> bool:
    """True for a group that spans several machines with one device in each."""
    crossed = [level for level, count in enumerate(members) if count > 1]
    if not crossed or crossed[-1] > system.machine:
        return False
    names = [system.levels[level].name for level in crossed]
    return not any(link.wiring is Wiring.RING for name in names for link in system.network.at(name))


def check_applies(system: System, choice: Choice) -> None:
    """Raise ProblemError for an algorithm that no group of the system can use."""
    if isinstance(choice, Auto):
        return
    rates = {algorithm for link in system.network.links for algorithm in link.flow}
    if choice in ADDING and choice not in rates:
        where = "between machines" if choice in COLLNET else "inside machines"
        raise ProblemError(
            f"algorithm {choice} needs switches that reduce (in-network reduction) {where}, and "
            f"{system.name or 'the system'} has none: no link has {flow_key(choice)}; write "
            f'{flow_key(choice)} = "...GB/s" into a link of a system file, or choose auto'
        )
    if choice is Algorithm.PAT and prod(system.sizes[: system.machine + 1]) == 1:  # only: the others need no machines
        raise ProblemError(
            f"algorithm {choice} is for groups across machines, but all devices of "
            f"{system.name or 'the system'} are in one machine; choose auto, or a system of several "
            "machines"
        )
