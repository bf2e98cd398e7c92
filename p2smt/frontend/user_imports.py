"""Imports of users' files that are traced: their folder comes first, but never before Python's own modules.

A `random.py` or `queue.py` beside a traced file would otherwise be imported by torch and p2smt instead of Python's.
"""

import sys
import sysconfig
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

_STANDARD = [sysconfig.get_path("stdlib"), *(path for path in sys.path if Path(path).name == "lib-dynload")]


class StandardModules:
    """A finder for `sys.meta_path` that finds Python's own modules in Python's own folders alone."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module of the standard library in its own folder; None for all others."""
        return PathFinder.find_spec(name, _STANDARD) if path is None and name in sys.stdlib_module_names else None


def import_beside(file: str) -> None:
    """Let a user's file import what is beside it."""
    if StandardModules not in sys.meta_path:
        sys.meta_path.insert(0, StandardModules)
    sys.path.insert(0, str(Path(file).parent))


def source_of(file: str) -> bytes:
    """Return the text of a user's file; raises SyntaxError for null bytes, of which Python names no way out."""
    text = Path(file).read_bytes()
    if b"\0" in text:  # as a file in UTF-16 has them
        raise SyntaxError("the file has null bytes; save it as text in UTF-8")
    return text
