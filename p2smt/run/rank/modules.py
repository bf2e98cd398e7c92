"""Loading the Python files that ranks run."""

import importlib.util
import sys
from types import ModuleType


def load_module(path: str) -> ModuleType:
    """The module in a file, loaded anew; nothing is written beside it."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("loaded", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
