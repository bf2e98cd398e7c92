"""The layouts that a function says of its parameters, in the words of tensor programs; and how the mesh is written."""

import re

from p2smt.errors import ProgramError, VerifyError
from p2smt.tensor.program import Axis, Placed
from p2smt.tensor.text.cursor import Cursor
from p2smt.tensor.text.layouts import LAYOUTS, MAX_RANKS, read_layouts

_TYPE = re.compile(r"[A-Za-z_][\w.]*")


def layouts_of(name: str, annotation: object) -> tuple[Placed, ...]:
    """The layouts of `x: "sliced(0)"`; a type says nothing, so that every rank has it whole. VerifyError for others."""
    if not isinstance(annotation, str):
        return ()
    text = annotation.strip("'\"")
    if not text or (_TYPE.fullmatch(text) and text not in LAYOUTS):
        return ()
    try:
        cursor = Cursor(text)
        found = read_layouts(cursor)
        cursor.end_line()
    except ProgramError as cause:
        said = f"the layout of parameter {name}, {text[:80]!r}: {cause}"
        raise VerifyError(f"{said}; write it as in x: 'sliced(0)'") from cause
    return found


def mesh_of(text: str) -> tuple[Axis, ...]:
    """The axes of `data=2,model=4`. VerifyError if it does not parse."""
    axes = []
    for part in text.split(","):
        name, sign, size = part.strip().partition("=")
        if not (sign and re.fullmatch(r"[A-Za-z_]\w*", name) and size.isdigit() and 1 <= int(size) <= MAX_RANKS):
            raise VerifyError(f"--mesh {text[:80]!r} does not parse; write axes and their ranks, as in data=2,model=4")
        axes.append(Axis(name, int(size)))
    if len({axis.name for axis in axes}) < len(axes):
        raise VerifyError(f"--mesh {text[:80]!r} names an axis twice")
    return tuple(axes)
