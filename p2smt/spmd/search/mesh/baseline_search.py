"""Find fast programs within a restriction of each axis, for comparison with the answer.

The first axis is searched alone, then each other axis given the previous ones.
"""

from p2smt.spmd.engines.problem import Best, Impossible
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.model.build import Sharding
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.restriction import FREEDOM, AxisRestriction, PerAxis
from p2smt.spmd.search.mesh.relaxation import AxesAlone
from p2smt.spmd.search.mesh.turns import Folder, Turn, Turns, start_alone


class BaselineSearch:
    """Searches of one program on one mesh within restrictions of each axis; nothing that they find is proved."""

    def __init__(self, known: OptionCache, alone: AxesAlone, solver: JointSolver) -> None:
        self._known = known
        self._alone = alone
        self._folder = Folder(solver)
        self._first: list[tuple[AxisRestriction, tuple[Sharding, Best | Impossible]]] = []

    def turn(self, restriction: PerAxis) -> Turn | None:
        """Return a cheap program within restrictions of each axis; None if there is none.

        Raises ProblemError if the restriction of the first axis leaves a tensor no layout.
        """
        axes = restriction.axes
        start = start_alone(0, *self._first_alone(axes[0]), self._known)
        if start is None:
            return None
        rules, stored, turn = start.rules, start.stored, None
        for axis in range(1, len(axes)):
            # axes that have not had their turn keep everything whole, whatever they may do later
            so_far = PerAxis((*axes[: axis + 1], *[FREEDOM] * (len(axes) - axis - 1)))
            turn = Turns(self._known, so_far, self._folder).given(axis, rules, stored)
            if turn is None:
                return None
            rules, stored = turn.chosen.rules, turn.stored
        return turn

    def _first_alone(self, restriction: AxisRestriction) -> tuple[Sharding, Best | Impossible]:
        """Return a cheap program of the first axis alone within a restriction, computed once."""
        known = next((one for mine, one in self._first if mine is restriction), None)
        if known is None:
            sharding = self._alone.problem(0, restriction)
            known = sharding, self._folder.cheapest(sharding)
            self._first.append((restriction, known))
        return known
