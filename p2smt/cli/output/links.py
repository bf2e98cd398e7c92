"""Words for the links of a system."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2smt.problem.system.network import System


def links_of(system: "System") -> str:
    """Describe in a few words whose link parameters a system has."""
    from p2smt.problem.system.build import default_system
    from p2smt.problem.text import printable

    if system.name:
        return printable(system.name)
    return "default links" if system.network == default_system(system.levels).network else "links of its own"
