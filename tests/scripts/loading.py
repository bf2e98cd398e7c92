"""Scripts as modules, which find their neighbours while they are imported."""

import sys
from importlib import import_module

from paths import ROOT

SCRIPTS = ROOT / "scripts"


def script_module(name):
    sys.path.insert(0, str(SCRIPTS))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(SCRIPTS))
