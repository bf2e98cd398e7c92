"""A rank's place in the mesh, as classes of an emitted file."""

from p2smt.emit.template import filled

_INSIDE = """\
# Groups of some of these ranks: of each kind that which this rank is in, or this rank alone.
inside: "tuple[Axis, ...]" = ()
"""
_MADE = """\
axes = [with_groups(*each, timeout) for each in zip(axes, STRIDES, INSIDE, strict=True)]
"""
_CLOSED = """\
for axis_inside in axis.inside:
    if axis_inside.group is not None:
        dist.destroy_process_group(axis_inside.group)
"""


def ranks_text(*, inside: bool = False) -> str:
    """The classes; `inside`: axes have groups of some of their ranks, which `INSIDE` says and `with_groups` makes."""
    places = {"inside": _INSIDE, "made": _MADE, "closed": _CLOSED}
    return filled("torch/templates/program/ranks.py.in", **(places if inside else dict.fromkeys(places, "")))
