"""Parsing of layouts and block sizes.

Recursive descent (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 4.4):
    layout = "replicated" [ "(" axis ")" ] | "sliced" "(" dimension { "," axis | sizes } ")" | ...
    sizes  = number { "/" number }
Complexity: linear in the text.

Example: `sliced(0, data)` is a slice of dimension 0 along the axis data.
"""

from p2smt.tensor.expression import AxisLayout
from p2smt.tensor.layout import Layout, Local, OnRank, Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.text.cursor import Cursor, nearest
from p2smt.tensor.text.lexer import Token

LAYOUTS = ("replicated", "sliced", "partial", "local", "on_rank")
MAX_RANKS = 2**16
MAX_RANK = 64


def read_layouts(cursor: Cursor) -> tuple[AxisLayout, ...]:
    """Read all layouts that follow."""
    found: list[AxisLayout] = []
    while cursor.peek().token is Token.NAME:
        word = cursor.peek()
        placed = _layout(cursor)
        if any(placed.axis == other.axis for other in found):
            raise cursor.error(f"the axis {placed.axis!r} has two layouts; give one", word)
        found.append(placed)
    return tuple(found)


def _layout(cursor: Cursor) -> AxisLayout:
    word = cursor.name("a layout")
    if word.text not in LAYOUTS:
        known = ", ".join(LAYOUTS)
        raise cursor.error(f"{word.text!r} is not a layout ({known}){nearest(word.text, LAYOUTS)}", word)
    if word.text in ("local", "replicated"):
        layout: Layout = Local() if word.text == "local" else Replicated()
        axis = _bracketed_axis(cursor)
        return AxisLayout(layout, axis)
    cursor.expect("(")
    match word.text:
        case "partial":
            layout, axis = Partial(read_reduction(cursor)), _axis(cursor)
        case "on_rank":
            layout, axis = OnRank(cursor.whole("a rank", most=MAX_RANKS)), _axis(cursor)
        case _:
            dimension = cursor.whole("a dimension", most=MAX_RANK)
            axis = _axis(cursor) if cursor.peek(2).text != "=" else ""
            layout = Sliced(dimension, _sizes(cursor))
    cursor.expect(")")
    return AxisLayout(layout, axis)


def _bracketed_axis(cursor: Cursor) -> str:
    if not cursor.skips("("):
        return ""
    axis = cursor.name("an axis").text
    cursor.expect(")")
    return axis


def _axis(cursor: Cursor) -> str:
    return cursor.name("an axis").text if cursor.skips(",") else ""


def _sizes(cursor: Cursor) -> tuple[int, ...] | None:
    if not cursor.skips(","):
        return None
    word = cursor.name("sizes=")
    if word.text != "sizes":
        raise cursor.error(f"expected sizes=, found {word}", word)
    cursor.expect("=")
    return read_sizes(cursor)


def read_sizes(cursor: Cursor) -> tuple[int, ...]:
    """Read block sizes such as 3/3/2."""
    sizes = [cursor.whole("the size of a block")]
    while cursor.skips("/"):
        sizes.append(cursor.whole("the size of a block"))
        if len(sizes) > MAX_RANKS:
            raise cursor.error(f"the layout has more than {MAX_RANKS} blocks, the limit")
    return tuple(sizes)


def read_reduction(cursor: Cursor) -> ReductionOp:
    """Read the reduction of partial values."""
    word = cursor.take()
    if word.text not in tuple(ReductionOp):
        raise cursor.error(f"expected one of {', '.join(ReductionOp)} to reduce with, found {word}", word)
    return ReductionOp(word.text)
