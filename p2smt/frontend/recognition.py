"""Recognition of a plan file's format by its beginning."""

import json
import re
from pathlib import Path

from p2smt.frontend.format import Format

OWN = ("p2smt-plan", "p2smt-exchange")
"""The format names in p2smt's own plans."""

# Spaces, and comments of all these languages; aliases of MLIR begin as comments of TOML do.
_FIRST = re.compile(rb"(?:\s++|//[^\n]*+|#[^\n]*+|/\*(?s:.*?)\*/)*+([{<%\[]|[A-Za-z_.]++)?(\s*+=)?")
_HLO = (b"HloModule", b"ENTRY", b"%")
_STABLEHLO = (b"module", b"builtin.module", b"func.func", b"func", b"sdy.mesh")


def format_of(path: Path, data: bytes) -> Format:
    """Return the format of a file: Python by its suffix, all others by the first token that is not a comment.

    If the token decides nothing, the suffix does; the default is the hand-written format.
    """
    if path.suffix == _suffix(Format.TORCH):
        return Format.TORCH
    match = _FIRST.match(data.removeprefix(b"\xef\xbb\xbf"))
    shown = _shown(match[1], match[2] is not None, data) if match else None
    return shown or next((form for form in Format if _suffix(form) == path.suffix), Format.HAND)


def _shown(first: bytes | None, is_key: bool, data: bytes) -> Format | None:
    """Return the format that the first token shows, if any; `is_key` tells if the token is a key with a value."""
    if is_key or first == b"[":
        return Format.HAND
    if first == b"<":
        return Format.MSCCL
    if first == b"{":
        return _of_json(data)
    if first == b"program":
        return Format.TENSOR
    if first in _HLO:
        return Format.HLO
    return Format.STABLEHLO if first in _STABLEHLO else None


def _suffix(form: Format) -> str | None:
    """Return the file name suffix of a format, or None if the format has none."""
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
        case Format.HAND | Format.P2SMT | Format.MSCCLPP:
            return None


def _of_json(data: bytes) -> Format:
    """The format of a JSON file: p2smt's plans name it, and execution plans have `gpus`."""
    try:
        table = json.loads(data)
    except (ValueError, RecursionError):
        is_own = re.match(rb'\s*\{\s*"format"\s*:\s*"(?:' + "|".join(OWN).encode() + b')"', data) is not None
        return Format.P2SMT if is_own else Format.HAND
    if isinstance(table, dict) and table.get("format") in OWN:
        return Format.P2SMT
    return Format.MSCCLPP if isinstance(table, dict) and "gpus" in table else Format.HAND
