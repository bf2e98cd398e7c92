"""Constants of emitted meshes: the tensor of device numbers, and the matrix for checking it."""

import re
from collections.abc import Sequence
from math import prod

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order
from p2smt.placement.rank_tensor import rank_tensor
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level

_WIDTH = 120


def mesh_constants(axes: Sequence[Axis], levels: Sequence[Level], matrix: ParallelismMatrix, dims: Order) -> str:
    """Return NAMES, SHAPE, WORLD, FACTORS, PLACES and LEVELS of a mesh whose dimensions are the axes in order `dims`.

    Ranks are p2smt's device numbers, so the groups along an axis are those of a plan on this placement.
    """
    tensor = rank_tensor(matrix, dims)
    parts = [(quoted(axis.name), row) for axis, row in zip(axes, matrix.rows, strict=True)]
    of_level = [
        _broken(f"    {quoted(level.name)}: ", "{", [f"{name}: {row[j]}" for name, row in parts], "}", ",\n")
        for j, level in enumerate(levels)
    ]
    return "".join(
        [
            _broken("NAMES = ", "(", [quoted(axes[axis].name) for axis in dims], ")"),
            _tuple("SHAPE", tensor.shape),
            f"WORLD = {prod(tensor.shape)}\n",
            "# One digit of the device number per level and axis, most significant first, and where each stands.\n",
            _tuple("FACTORS", tensor.factors),
            _tuple("PLACES", tensor.places),
            "# The part of every axis on every level, outermost level first; what the mesh is checked against.\n",
            f"LEVELS = {{\n{''.join(of_level)}}}\n",
        ]
    )


def quoted(name: str) -> str:
    r"""Return a name as an ASCII Python string literal, with all special characters escaped, in ruff's style.

    >>> print(quoted('a"b\\ <ä>'))
    "a\x22b\x5c <\xe4>"
    """
    return '"' + re.sub(r"[^ !#-\[\]-~]", _escaped, name) + '"'


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _tuple(name: str, numbers: Sequence[int]) -> str:
    return _broken(f"{name} = ", "(", [str(number) for number in numbers], ")")


def _broken(head: str, opening: str, entries: Sequence[str], closing: str, end: str = "\n") -> str:
    """Return a collection on one line, or with one entry per line if it is too long."""
    comma = "," if len(entries) == 1 and opening == "(" else ""
    line = f"{head}{opening}{', '.join(entries)}{comma}{closing}{end}"
    if len(line) <= _WIDTH + 1:
        return line
    indent = " " * (len(head) - len(head.lstrip()) + 4)
    lines = "".join(f"{indent}{entry},\n" for entry in entries)
    return f"{head}{opening}\n{lines}{indent[4:]}{closing}{end}"
