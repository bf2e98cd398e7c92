"""Sketches, which are programs with holes, and their text syntax.

A sketch is a list of pieces separated by `;`. A piece is a gap, or a step whose collective and grouping may each be
left open:

    (node, InsideGroup, ReduceScatter)   as p2smt prints it; (node, InsideGroup, ??) leaves the collective open
    ReduceScatter local                  along the innermost level; `global`: along all of them
    AllReduce along node                 along named levels, `along node,gpu`; `among masters` may follow
    AllReduce ??, ?? local, ??           any grouping, any collective, any one step
    ??*3, ...                            up to three steps, any number of steps

The sketch without pieces is `skip`. Parsing the text of a sketch returns an equal sketch.
Reference: Solar-Lezama, "Program synthesis by sketching", 2008.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.problem.build import MAX_LIMIT
from p2smt.problem.typed import read_bounded

MAX_SKETCH_CHARACTERS = 64_000
_EMPTY, _HOLE, _REST = "skip", "??", "..."
_NAME = r"[\w.-]+"
_GAP = re.compile(r"\?\?\s*\*\s*([0-9]{1,9})")
_FULL = re.compile(rf"\(\s*(?:\?\?|({_NAME})\s*,\s*(\w+)(?:\(\s*({_NAME})\s*\))?)\s*,\s*(\w+|\?\?)\s*\)")
_SHORT = re.compile(r"(\w+|\?\?)\s+(\S.*)")
_ALONG = re.compile(rf"along\s+({_NAME}(?:\s*,\s*{_NAME})*)(\s+among\s+masters)?")


@dataclass(frozen=True, slots=True)
class WrittenGrouping:
    """A grouping given by a slice and a form; `ancestor` only for the forms that have one."""

    slice: str
    form: str
    ancestor: str | None = None


@dataclass(frozen=True, slots=True)
class InnermostLevel:
    """A grouping along the innermost level: devices that agree on all other levels form a group."""


@dataclass(frozen=True, slots=True)
class AllLevels:
    """A grouping along all levels: every reduction group is one group."""


@dataclass(frozen=True, slots=True)
class LevelSpan:
    """A grouping along consecutive levels, outermost first.

    With `masters`, members have digit 0 on all levels below.
    """

    levels: tuple[str, ...]
    masters: bool = False


Where = WrittenGrouping | InnermostLevel | AllLevels | LevelSpan


@dataclass(frozen=True, slots=True)
class SketchStep:
    """Exactly one step; a field that is None is a hole."""

    where: Where | None = None
    collective: Collective | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap for up to `most` steps, or for any number if `most` is None."""

    most: int | None = None


Piece = SketchStep | Gap
Sketch = tuple[Piece, ...]


def least_length(sketch: Sketch) -> int:
    """Return the length of the shortest program that can fit, with all gaps empty."""
    return sum(isinstance(piece, SketchStep) for piece in sketch)


def most_length(sketch: Sketch) -> int:
    """Return the length of the longest program that can fit; an unbounded gap counts as empty."""
    return sum((piece.most or 0) if isinstance(piece, Gap) else 1 for piece in sketch)


def format_where(where: Where | None) -> str:
    """Format a grouping.

    >>> format_where(LevelSpan(("node", "gpu"))), format_where(WrittenGrouping("node", "Parallel", "root"))
    ('along node,gpu', '(node, Parallel(root))')
    """
    match where:
        case None:
            return _HOLE
        case WrittenGrouping(name, form, ancestor):
            return f"({name}, {form if ancestor is None else f'{form}({ancestor})'})"
        case InnermostLevel():
            return "local"
        case AllLevels():
            return "global"
        case LevelSpan(levels, masters):
            return f"along {','.join(levels)}{' among masters' * masters}"
        case _:
            assert_never(where)


def format_sketch(sketch: Sketch) -> str:
    """Format a sketch; `parse_sketch` is the inverse.

    >>> format_sketch((SketchStep(InnermostLevel(), Collective.REDUCE_SCATTER), Gap(2), SketchStep()))
    'ReduceScatter local; ??*2; ??'
    """
    return "; ".join(map(format_piece, sketch)) or _EMPTY


def format_piece(piece: Piece) -> str:
    """Format one piece."""
    match piece:
        case Gap(most):
            return _REST if most is None else f"{_HOLE}*{most}"
        case SketchStep(None, None):
            return _HOLE
        case SketchStep(WrittenGrouping() as where, collective):
            return f"{format_where(where)[:-1]}, {collective or _HOLE})"
        case SketchStep(where, collective):
            return f"{collective or _HOLE} {format_where(where)}"
        case _:
            assert_never(piece)


def parse_sketch(text: str) -> Sketch:
    """Parse a sketch; level names are resolved later, on a hierarchy.

    >>> parse_sketch("AllReduce along node; ...")
    (SketchStep(where=LevelSpan(levels=('node',), masters=False), collective=<Collective.ALL_REDUCE: 'AllReduce'>), \
Gap(most=None))
    """
    if len(text) > MAX_SKETCH_CHARACTERS:
        raise ProgramError(f"the sketch has {len(text)} characters; write at most {MAX_SKETCH_CHARACTERS}")
    if text.strip() == _EMPTY:
        return ()
    parts = text.split(";")
    if len(parts) > MAX_LIMIT:
        raise ProgramError(f"the sketch has {len(parts)} instructions; a program has at most {MAX_LIMIT}")
    return tuple(_piece(part.strip()) for part in parts)


def parse_sketch_lines(text: str) -> Sketch:
    """Parse the text of a sketch file, in which newlines also separate pieces and `#` begins a comment.

    >>> format_sketch(parse_sketch_lines("ReduceScatter local  # inside a node" + chr(10) + "??; AllGather local"))
    'ReduceScatter local; ??; AllGather local'
    """
    lines = (line.partition("#")[0].strip().removesuffix(";") for line in text.splitlines())
    return parse_sketch(";".join(line for line in lines if line.strip()))


def read_sketch(path: Path) -> Sketch:
    """Read a sketch file with `parse_sketch_lines`; raises ProgramError if it cannot be read or parsed."""
    data = read_bounded(path, MAX_SKETCH_CHARACTERS, ProgramError)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as cause:
        raise ProgramError(f"{path} is not UTF-8 text; write one sketch into it") from cause
    return parse_sketch_lines(text)


def _piece(text: str) -> Piece:
    if text == _REST:
        return Gap()
    if text == _HOLE:
        return SketchStep()
    if gap := _GAP.fullmatch(text):
        if not 1 <= int(gap[1]) <= MAX_LIMIT:
            raise ProgramError(f"gap {text!r} is out of range; write ??*1 to ??*{MAX_LIMIT}, or ... for any number")
        return Gap(int(gap[1]))
    if full := _FULL.fullmatch(text):
        name, form, ancestor, collective = full.groups()
        return SketchStep(None if name is None else _written(name, form, ancestor), _collective(collective))
    if short := _SHORT.fullmatch(text):
        collective, where = short.groups()
        return SketchStep(_where(where), _collective(collective))
    raise ProgramError(
        f"piece {text[:80]!r} does not parse; write ReduceScatter local, AllReduce along LEVEL, "
        "(slice, form, collective), ??, ??*3 or ..."
    )


def _collective(text: str) -> Collective | None:
    if text == _HOLE:
        return None
    if text not in set(Collective):
        raise ProgramError(f"collective {text[:80]!r} is unknown; choose one of {', '.join(Collective)}, or ??")
    return Collective(text)


def _written(name: str, form: str, ancestor: str | None) -> WrittenGrouping:
    # InsideGroup is the one form without an ancestor.
    if (form == "InsideGroup") != (ancestor is None) or form not in ("InsideGroup", "Parallel", "Master"):
        raise ProgramError(f"form {form[:80]!r} is unknown; write InsideGroup, Parallel(level) or Master(level)")
    return WrittenGrouping(name, form, ancestor)


def _where(text: str) -> Where | None:
    if text in (_HOLE, "local", "global"):
        return {_HOLE: None, "local": InnermostLevel(), "global": AllLevels()}[text]
    if along := _ALONG.fullmatch(text):
        names = tuple(name.strip() for name in along[1].split(","))
        return LevelSpan(names, along[2] is not None)
    raise ProgramError(
        f"grouping {text[:80]!r} does not parse; write local, global, along LEVEL,LEVEL (among masters) or ??"
    )
