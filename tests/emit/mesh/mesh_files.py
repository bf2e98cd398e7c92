"""Emitted mesh files: names that try to break out of them, what their constants say, their style."""

import ast

from p2smt.placement.matrix import parse_matrix
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level


def constants(text):
    """What the file's assignments say."""
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    return {node.targets[0].id: ast.literal_eval(node.value) for node in nodes}


def hostile(name, emit):
    axes, levels = [Axis(name, 8), Axis(f"{name}2", 2)], [Level(f"{name}3", 4), Level(f"{name}4", 4)]
    return emit(axes, levels, parse_matrix("4x2/1x2"), (1, 0))


def many_axes(emit):
    axes = [Axis(f"an_axis_with_a_long_name_{number}", 2) for number in range(16)]
    levels = [Level("node", 256), Level("gpu", 256)]
    rows = "/".join("2x1" if number % 2 else "1x2" for number in range(16))
    return emit(axes, levels, parse_matrix(rows), tuple(reversed(range(16))))
