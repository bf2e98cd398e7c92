"""Layouts that a function declares for its parameters, and the notation of meshes."""

import inspect
import re
from collections.abc import Callable
from math import prod

from p2smt.errors import ProgramError, VerifyError
from p2smt.frontend.torch_ranks.messages import Request
from p2smt.tensor.expression import AxisLayout, ProgramAxis
from p2smt.tensor.text.cursor import Cursor
from p2smt.tensor.text.layouts import LAYOUTS, MAX_RANKS, read_layouts

_TYPE = re.compile(r"[A-Za-z_][\w.]*")


def layouts_of(name: str, annotation: object) -> tuple[AxisLayout, ...]:
    """Return the layouts in an annotation such as `x: "sliced(0)"`; a type annotation means a replicated tensor.

    VerifyError for any other annotation.
    """
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


def ranks_of(mesh: str | None, devices: int | None) -> tuple[ProgramAxis, ...]:
    """Return the axes of the ranks that run a function: those of `mesh`, or one axis of `devices`; else VerifyError."""
    if mesh is None:
        if devices is None:
            raise VerifyError("--run-python needs --devices, or --mesh: which ranks run the function")
        return (ProgramAxis("ranks", devices),)
    axes = mesh_of(mesh)
    ranks = prod(axis.size for axis in axes)
    if devices is not None and devices != ranks:
        raise VerifyError(f"--mesh {mesh} has {ranks} ranks, but --devices is {devices}; the two must be equal")
    return axes


def mesh_of(text: str) -> tuple[ProgramAxis, ...]:
    """The axes of `data=2,model=4`. VerifyError if it does not parse."""
    axes = []
    for part in text.split(","):
        name, sign, size = part.strip().partition("=")
        if not (sign and re.fullmatch(r"[A-Za-z_]\w*", name) and size.isdigit() and 1 <= int(size) <= MAX_RANKS):
            raise VerifyError(f"--mesh {text[:80]!r} does not parse; write axes and their ranks, as in data=2,model=4")
        axes.append(ProgramAxis(name, int(size)))
    if len({axis.name for axis in axes}) < len(axes):
        raise VerifyError(f"--mesh {text[:80]!r} names an axis twice; give each axis a name of its own")
    return tuple(axes)


def annotated(function: Callable[..., object], request: Request) -> tuple[dict[str, str], dict[str, str]]:
    """Return the layout text of each source, and the source that each parameter takes."""
    sources = {_word(given.name): given.name for given in request.sources}
    texts, taken = {}, {}
    for name, parameter in inspect.signature(function).parameters.items():
        source = sources.get(name)
        if source is None and parameter.default is inspect.Parameter.empty:
            raise VerifyError(
                f"{request.function} takes {name}, which is not a source of the program for one "
                f"device; its sources are {', '.join(sources)[:300]}"
            )
        if source is not None:
            taken[name] = source
            if layouts_of(name, parameter.annotation):
                texts[source] = str(parameter.annotation).strip("'\"")
    return texts, taken


def _word(name: str) -> str:
    """Return the name of a source as a Python identifier."""
    return "".join(each if each.isalnum() else "_" for each in name)
