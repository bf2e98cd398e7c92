"""Emitted mesh files: names that try to break out of them, what their constants say, their style."""

import ast
import subprocess
import sys
from pathlib import Path

from p2smt.placement.matrix import parse_matrix
from p2smt.problem.model import Axis
from p2smt.problem.network import Level

ROOT = Path(__file__).parents[2]


def constants(text):
    """What the file's assignments say."""
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    return {node.targets[0].id: ast.literal_eval(node.value) for node in nodes}


HOSTILE = [
    '"""; import os #',
    "\\",
    "{0}{devices}%s$x",
    "a\r\n\x00\u2028\u202eb",
    "<b>&'é\U0001f600",
    '"',
    "'" * 3,
    "\ud800",
    "n" * 500,
]


def hostile(name, emit):
    axes, levels = [Axis(name, 8), Axis(f"{name}2", 2)], [Level(f"{name}3", 4), Level(f"{name}4", 4)]
    return emit(axes, levels, parse_matrix("4x2/1x2"), (1, 0))


def ruff(*arguments: str, folder: Path) -> str:
    command = [sys.executable, "-m", "ruff", *arguments, "--no-cache", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def check_style(folder):
    config = ("--config", str(ROOT / "pyproject.toml"))
    assert ruff("check", *config, folder=folder) == ""
    assert ruff("check", "--isolated", "--select", "F,I,B,UP,S102,S307", folder=folder) == ""
    assert ruff("format", "--check", *config, folder=folder) == ""


def many_axes(emit):
    axes = [Axis(f"an_axis_with_a_long_name_{number}", 2) for number in range(16)]
    levels = [Level("node", 256), Level("gpu", 256)]
    rows = "/".join("2x1" if number % 2 else "1x2" for number in range(16))
    return emit(axes, levels, parse_matrix(rows), tuple(reversed(range(16))))
