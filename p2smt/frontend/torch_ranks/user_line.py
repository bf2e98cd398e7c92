"""The user's line from which a traced operation is called."""

import sys
from pathlib import Path
from types import FrameType

import torch
import typing_extensions

_TORCH = str(Path(torch.__file__).parent)
_HERE = str(Path(__file__).parent)
# Torch's deprecated wrappers call from this file.
_DEPRECATED = typing_extensions.__file__


def user_line() -> str:
    """The innermost line outside of torch and p2smt, as path:number; empty if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith((_TORCH, _HERE, _DEPRECATED, "<")):
            return f"{path}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
