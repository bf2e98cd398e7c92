"""Load the Python files that ranks run."""

import importlib.util
import sys
from types import ModuleType


def load_module(path: str) -> ModuleType:
    """Load and return the module in a file, without a cache; no bytecode is written."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("loaded", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
