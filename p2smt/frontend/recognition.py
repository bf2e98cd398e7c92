"""Which kind of plan a file is, by what it begins with."""

import json
import re
from pathlib import Path

from p2smt.frontend.format import Format

OWN = ("p2smt-plan", "p2smt-exchange")
"""What p2smt's own plans say of their format."""

# Spaces, and comments of all these languages; aliases of MLIR begin as comments of TOML do.
_FIRST = re.compile(rb"(?:\s++|//[^\n]*+|#[^\n]*+|/\*(?s:.*?)\*/)*+([{<%\[]|[A-Za-z_.]++)?(\s*+=)?")
_HLO = (b"HloModule", b"ENTRY", b"%")
_STABLEHLO = (b"module", b"builtin.module", b"func.func", b"func", b"sdy.mesh")


def format_of(path: Path, data: bytes) -> Format:
    """The kind of a file: of Python its name says it, of all others what stands first that is no comment.

    Where that says nothing, the name's ending does; what has none of them is taken for written by hand.
    """
    if path.suffix == _suffix(Format.TORCH):
        return Format.TORCH
    match = _FIRST.match(data.removeprefix(b"\xef\xbb\xbf"))
    shown = _shown(match[1], match[2] is not None, data) if match else None
    return shown or next((form for form in Format if _suffix(form) == path.suffix), Format.HAND)


def _shown(first: bytes | None, is_key: bool, data: bytes) -> Format | None:
    """What the first word shows, and whether it is a key that gets a value."""
    if is_key or first == b"[":
        return Format.HAND
    if first == b"<":
        return Format.MSCCL
    if first == b"{":
        return Format.P2SMT if _is_own(data) else Format.HAND
    if first == b"program":
        return Format.TENSOR
    if first in _HLO:
        return Format.HLO
    return Format.STABLEHLO if first in _STABLEHLO else None


def _suffix(form: Format) -> str | None:
    """How names of such files end, where that tells."""
    match form:
        case Format.TORCH:
            return ".py"
        case Format.HLO:
            return ".hlo"
        case Format.STABLEHLO:
            return ".mlir"
        case Format.MSCCL:
            return ".xml"
        case Format.TENSOR:
            return ".tp"
        case Format.HAND | Format.P2SMT:
            return None


def _is_own(data: bytes) -> bool:
    try:
        table = json.loads(data)
    except (ValueError, RecursionError):
        return re.match(rb'\s*\{\s*"format"\s*:\s*"(?:' + "|".join(OWN).encode() + b')"', data) is not None
    return isinstance(table, dict) and table.get("format") in OWN
