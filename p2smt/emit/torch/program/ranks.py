"""The classes of an emitted file for a rank's position in the mesh."""

from collections.abc import Sequence

from p2smt.emit.template import filled
from p2smt.emit.torch.program.lines import broken
from p2smt.emit.torch.program.program_text import Groups

_INSIDE = """\
# Groups of some of these ranks: of each kind that which this rank is in, or this rank alone.
inside: "tuple[Axis, ...]" = ()
"""
_MADE = """\
axes = [with_groups(*each, timeout) for each in zip(axes, STRIDES, INSIDE, strict=True)]
"""
_MEMORIES = """\
# What kernels of this rank share with other ranks.
self.memories: dict[tuple[object, ...], Memory] = {}
"""
_CLOSED = """\
for axis_inside in axis.inside:
    if axis_inside.group is not None:
        dist.destroy_process_group(axis_inside.group)
"""


def ranks_text(*, inside: bool = False, memories: bool = False) -> str:
    """Return the text of the classes of axes and ranks.

    With `inside` axes also have groups of some ranks (`INSIDE`); with `memories` ranks keep what kernels share.
    """
    places = {"inside": _INSIDE, "made": _MADE, "closed": _CLOSED}
    places = places if inside else dict.fromkeys(places, "")
    places["made"] += _MEMORIES if memories else ""
    return filled("torch/templates/program/ranks.py.in", **places)


def groups_text(inside: Sequence[Sequence[Groups]]) -> str:
    """Return the constants of the groups in which steps of reduction programs run, for every axis."""
    return (
        "Groups = tuple[tuple[int, ...], ...]\n"
        "# Groups of ranks in which steps of reduction programs run, for every axis, by positions along it.\n"
        + broken(f"INSIDE: tuple[tuple[Groups, ...], ...] = {tuple(map(tuple, inside))}")
        + "\n"
    )
