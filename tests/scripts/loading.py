"""Scripts as modules, which find their neighbours while they are imported."""

import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from typing import NamedTuple

import pytest
from paths import ROOT

SCRIPTS = ROOT / "scripts"


def script_module(name):
    sys.path.insert(0, str(SCRIPTS))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(SCRIPTS))


class Ran(NamedTuple):
    """What a script returned and printed."""

    returncode: int
    stdout: str
    stderr: str


def ran(name, *arguments):
    """A script, run in this process: a Python of its own would import for a second."""
    module, out, err = script_module(name), StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", [f"{name}.py", *map(str, arguments)])
        code = module.main()
    return Ran(code, out.getvalue(), err.getvalue())
