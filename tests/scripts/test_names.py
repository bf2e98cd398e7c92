"""Nothing that can come onto the path is called like a module of the standard library."""

import os
import subprocess
import sys

import pytest
from paths import ROOT


def importable(folder):
    """The names that can be imported where the folder is on the path."""
    return {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}


@pytest.mark.parametrize("folder", ["scripts", "tests", "."])
def test_no_name_is_that_of_a_standard_module(folder):
    names = importable(ROOT / folder)
    assert names, "nothing was looked at"
    assert not names & sys.stdlib_module_names


@pytest.mark.parametrize("folder", ["scripts", "tests", "."])
def test_python_starts_with_the_folder_on_its_path(folder):
    environment = os.environ | {"PYTHONPATH": str(ROOT / folder)}
    done = subprocess.run([sys.executable, "-c", ""], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
