"""How the command line is built: a command a file, types in full, light until something is done."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from paths import ROOT

from p2smt.cli.main import COMMANDS

CLI = ROOT / "p2smt" / "cli"
FILES = sorted(CLI.rglob("*.py"))
HEAVY = {"z3", "torch", "numpy", "scipy", "matplotlib", "jax", "networkx", "rich"}


def test_commands_are_the_files_of_their_folder():
    assert {path.stem for path in (CLI / "commands").glob("*.py")} == {*COMMANDS, "__init__"}


def test_types_are_said_in_full():
    assert [path for path in FILES if re.search(r"\bAny\b", path.read_text(encoding="utf-8"))] == []


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield str(node.module)


def test_inside_imports_point_one_way():
    """main over commands over options over output over exit codes; commands are found by name."""
    for path in FILES:
        found = set(imports(path))
        assert path.name == "main.py" or "p2smt.cli.main" not in found, path
        room = path.parent.name
        if room in ("options", "output"):
            assert not {name for name in found if name.startswith("p2smt.cli.commands")}, path


LOADED = """
import sys
from p2smt.cli.main import COMMANDS, run
for command in COMMANDS:
    assert run([command, "--help"]) == 0
print("\\n", *sys.modules)
"""


def test_no_commands_help_loads_anything_heavy():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, encoding="utf-8", check=True)
    assert not HEAVY & set(done.stdout.splitlines()[-1].split())
