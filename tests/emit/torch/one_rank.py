"""Emitted statements of programs without collectives, run rank by rank in this process."""

from functools import cache

import numpy as np
import torch

from p2smt.emit.template import filled
from p2smt.emit.torch.program.source import compute_text, cuts_literal, emit_program
from p2smt.emit.torch.program.statements import StatementWriter
from p2smt.tensor.comparison import split
from p2smt.tensor.dtype import DType
from p2smt.tensor.placing import coordinates, world
from p2smt.tensor.text.parser import parse_program

TYPES = {DType.I64: torch.int64, DType.I32: torch.int32, DType.BOOL: torch.bool}
PLAIN = "program plain\nmesh r=3\ninput x : f32[3] sliced(0)\ny = x + 1\noutput y\n"


@cache
def defined():
    """What stands in every emitted file, and all functions for operations, loaded once."""
    names = {"__name__": "emitted"}
    operations = filled("torch/templates/program/operations.py.in")
    exec(compile(emit_program(parse_program(PLAIN)), "emitted", "exec"), names)
    begin = "from __future__ import annotations\nimport math\nfrom functools import lru_cache\n"
    exec(compile(f"{begin}{operations}", "operations", "exec"), names)
    return names


def written(program, together=False):
    """The code of a program's cuts and its function `compute`."""
    writer = StatementWriter(program, frozenset(defined()), {}, together=together)
    text = compute_text(program, writer)
    return cuts_literal(writer) + text


def loaded(program, together=False):
    """The names of a program's emitted file that `compute` uses."""
    names = {**defined(), "MESH_SIZES": tuple(axis.size for axis in program.mesh), "math": __import__("math")}
    exec(compile(written(program, together), "compute", "exec"), names)
    return names


def place(names, program, rank):
    """A rank's place in the mesh, without process groups."""
    position = coordinates(program.mesh, rank)
    at = names["OneDevice"](torch.device("cpu"), torch.float64)
    lines = zip(program.mesh, position, strict=True)
    at._axes = tuple(names["Axis"](tuple(range(axis.size)), here, at.device) for axis, here in lines)
    at.part = lambda cut, depth=None: names["Ranks"].part(at, cut, depth)
    return at


def given_to(program, arrays, meaning):
    """What every rank is given, as the interpreter takes it."""
    sources = {each.name: each for each in program.sources}
    return {name: split(sources[name], array, program, meaning) for name, array in arrays.items()}


def computed(program, given, step=1, together=False):
    """The outputs and new versions that the emitted statements compute on each rank."""
    names = loaded(program, together)
    types = {each.name: TYPES.get(each.dtype, torch.float64) for each in program.sources}
    found = []
    for rank in range(world(program.mesh)):
        parts = {name: torch.tensor(np.array(each[rank].array)).to(types[name]) for name, each in given.items()}
        outputs, new = names["compute"](place(names, program, rank), parts, step)
        found.append(outputs | new)
    return found
