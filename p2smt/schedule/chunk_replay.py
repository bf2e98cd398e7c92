"""Counterexamples for misaligned chunks: a half of a result that changes when the other half of an input does.

A statement s can run in chunks along a dimension if chunk i of its result depends only on chunk i of its inputs.
Method: non-interference by two runs. The program runs once on small sizes; then s alone runs again on inputs x' that
agree with x in the first half,
    first half of x = first half of x',  but  first half of s(x) != first half of s(x')   refutes that s can.
Finding nothing proves nothing; what can run in chunks is decided in `chunks.py`.
Complexity: one run of the program, and one of each statement, for each small size.
Reference: Goguen and Meseguer, "Security policies and security models", 1982 (non-interference).

Example: s = softmax(x) along the chunked dimension: its first half is divided by a sum over both halves of x.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from p2smt.errors import ProgramError
from p2smt.schedule.graph import reads
from p2smt.schedule.outcome import StepCounterExample
from p2smt.schedule.shrink import sizes_text, small
from p2smt.tensor.comparison import split, whole_value
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Source, SourceKind, Statement
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import DoesNotRunError, Part, Parts
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.tensor.reals import Reals
from p2smt.tensor.shapes import wholes


def needs_other_chunks(program: Program, names: Sequence[str], dimension: int) -> StepCounterExample | None:
    """Return a small run that shows that half of a statement depends on the other half of its inputs.

    Halves are of every rank's part along `dimension`. None if no such dependence is found, or nothing can be
    run.
    """
    for _, one in small(program):
        try:
            detail = _changed(one, names, dimension)
        except (DoesNotRunError, ProgramError):
            continue
        if detail:
            return StepCounterExample(world(one.mesh), sizes_text(one), detail)
    return None


def _changed(program: Program, names: Sequence[str], dimension: int) -> str:
    meaning = Reals(0)
    given = {each.name: split(each, whole_value(each, meaning), program, meaning) for each in program.sources}
    values = run(program, given, meaning)
    for statement in program.statements:
        earlier = sorted(reads(statement.expression) & set(names))
        if statement.name not in names or not earlier:
            continue
        disturbed = values | {name: tuple(_disturbed(part, dimension) for part in values[name]) for name in earlier}
        made = run(_alone(program, statement), disturbed, meaning)[statement.name]
        where = _differs(values[statement.name], made, dimension, meaning)
        if where:
            return f"half of {statement.name} needs the other half of {' and '.join(earlier)}: {where}"
    return ""


def _alone(program: Program, statement: Statement) -> Program:
    """Return a program with only this statement; the other statements become sources."""
    known = wholes(program)
    made = tuple(
        Source(
            kind=SourceKind.STATE,
            name=each.name,
            dtype=known[each.name].dtype or DType.F32,
            shape=known[each.name].shape,
        )
        for each in program.statements
        if each != statement
    )
    return replace(program, sources=(*program.sources, *made), statements=(statement,), outputs=())


def _half(array: Array, dimension: int) -> tuple[slice, ...]:
    """Return the index of the first half along a dimension."""
    return (*(slice(None),) * dimension, slice(0, -(-array.shape[dimension] // 2)))


def _disturbed(part: Part | None, dimension: int) -> Part | None:
    """Return the part with its first half unchanged and other numbers in the rest."""
    if part is None or part.array.ndim <= dimension:
        return part
    # Flipped and one more: other numbers of the same size, so that nothing overflows that did not before.
    noise = np.flip(part.array).astype(part.array.dtype) + np.asarray(1, dtype=part.array.dtype)
    half = _half(part.array, dimension)
    noise[half] = part.array[half]
    return replace(part, array=noise)


def _differs(values: Parts, made: Parts, dimension: int, meaning: Reals) -> str:
    for rank, (old, new) in enumerate(zip(values, made, strict=True)):
        if old is None or new is None or old.array.ndim <= dimension:
            continue
        # The second half of an input was replaced; the first half of the result must not notice.
        half = _half(old.array, dimension)
        mine, theirs = old.array[half], new.array[half]
        for index in np.ndindex(mine.shape):
            one, other = np.asarray(mine[index]), np.asarray(theirs[index])
            if not meaning.equal(other, one):
                return f"rank {rank}, its element {list(index)} is {float(other):.6g}, not {float(one):.6g}"
    return ""
