"""The bounds of one placement of a mesh, or of two mirrored ones, computed once."""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.spmd.engines.engine import EngineOptions
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.restriction import AxisRestriction, Restriction
from p2smt.spmd.search.mesh.joint import MOST_TOGETHER, MeshBound, mesh_bound, mesh_start
from p2smt.spmd.search.mesh.relaxation import AxesAlone
from p2smt.spmd.search.mesh.turns import StartProgram


class PlacementBounds:
    """Lower bounds on the programs of a placement, or of two mirrored placements (`mirrored.py`)."""

    def __init__(
        self, known: OptionCache, each_axis: Sequence[AxisRestriction], alone: AxesAlone, search: EngineOptions
    ) -> None:
        """Take the prices (`known`, `alone`) of one placement or a mirrored pair, and each axis's restriction."""
        self._known = known
        self._each_axis = each_axis
        self._alone = alone
        self._search = search
        self._bounded: tuple[Restriction, MeshBound] | None = None

    def of(self, restriction: Restriction, enough: int | None) -> MeshBound:
        """Return the bound within a restriction, cached; once it reaches `enough`, it is not raised further."""
        if self._bounded is None or self._bounded[0] is not restriction:
            found = mesh_bound(self._known, restriction, self._each_axis, self._alone, self._search, enough)
            self._bounded = restriction, self._with_alone(found)
        return self._bounded[1]

    def regrouped(self, restriction: Restriction) -> int:
        """Return the bound within a restriction with the axes in other groups; for more axes than one group has."""
        found = mesh_bound(self._known, restriction, self._each_axis, self._alone, self._search, again=True)
        return self._with_alone(found).bound

    def _with_alone(self, found: MeshBound | None) -> MeshBound:
        """Return the larger of a bound and that of single axes, which is no larger if all axes are bounded together."""
        if found is None:
            return MeshBound(self._alone.bound)
        several = sum(size > 1 for size in self._known.pricing.mesh.sizes)
        return found if several <= MOST_TOGETHER else replace(found, bound=max(found.bound, self._alone.bound))

    def start(self, restriction: Restriction) -> StartProgram | None:
        """Return the program to start from within a restriction; None if there is none. It computes no bound."""
        if self._bounded is not None and self._bounded[0] is restriction:
            return self._bounded[1].start
        return mesh_start(self._known, restriction, self._each_axis, self._alone, self._search)
