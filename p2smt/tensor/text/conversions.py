"""Parsing of conversions: the arguments after the operand."""

from collections.abc import Callable, Mapping

from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Conversion,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.text.cursor import Cursor
from p2smt.tensor.text.layouts import MAX_RANKS, read_reduction, read_sizes
from p2smt.tensor.text.lexer import Token, Word


class _Rest:
    """The arguments after the operand; named ones in any order, each at most once."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self.sizes: tuple[int, ...] | None = None
        self.axis = ""
        self.reduction = ReductionOp.SUM
        self.numbers: list[int] = []
        self.next = False
        self._given: set[str] = set()

    def read(self) -> None:
        while not self._cursor.skips(")"):
            self._cursor.expect(",")
            word = self._cursor.peek()
            if word.token is Token.NUMBER:
                self.numbers.append(self._cursor.whole("a number", most=MAX_RANKS))
            elif word.token is Token.NAME and word.text == "sizes":
                self._named(word)
                self.sizes = read_sizes(self._cursor)
            elif word.token is Token.NAME and word.text == "axis":
                self._named(word)
                self.axis = self._cursor.name("an axis").text
            elif word.text == "next":
                self._once("next", word)
                self.next = bool(self._cursor.take())
            else:
                self.reduction = read_reduction(self._cursor)
                self._once("reduction", word)
            if len(self.numbers) > 2:
                raise self._cursor.error("a conversion takes at most two numbers after its operand")

    def _named(self, word: Word) -> None:
        self._once(word.text, word)
        self._cursor.take()
        self._cursor.expect("=")

    def _once(self, what: str, word: Word) -> None:
        """Refuse a repeated argument, which would otherwise silently replace the first."""
        if what in self._given:
            told = "is twice" if what == word.text else f"is a second {what}"
            raise self._cursor.error(f"{word.text!r} {told}", word)
        self._given.add(what)


def read_conversion(cursor: Cursor, word: Word) -> tuple[Conversion, str]:
    """Return the conversion of this name and its axis; the operand has already been read."""
    rest = _Rest(cursor)
    rest.read()
    count, made = _MADE[word.text]
    conversion = made(rest) if len(rest.numbers) == count else None
    if conversion is None or _said(rest) != _said_by(conversion):
        raise cursor.error(f"{word.text} is written {_WRITTEN[word.text]}", word)
    return conversion, rest.axis


_WRITTEN = {
    "AllReduce": "AllReduce(x), or with max or min behind x",
    "ReduceScatter": "ReduceScatter(x, dimension, sizes=a/b/...), sizes only where blocks are not torch.chunk's",
    "AllGather": "AllGather(x, dimension)",
    "AllToAll": "AllToAll(x, dimension that is cut, dimension to cut, sizes=a/b/...)",
    "Rebalance": "Rebalance(x, dimension, sizes=a/b/...)",
    "Reduce": "Reduce(x, rank)",
    "Broadcast": "Broadcast(x, rank)",
    "Send": "Send(x, next)",
    "Slice": "Slice(x, dimension, sizes=a/b/...)",
    "Keep": "Keep(x, rank)",
}


_MADE: Mapping[str, tuple[int, Callable[[_Rest], Conversion]]] = {
    "AllReduce": (0, lambda rest: AllReduce(rest.reduction)),
    "ReduceScatter": (1, lambda rest: ReduceScatter(rest.numbers[0], rest.sizes, rest.reduction)),
    "AllGather": (1, lambda rest: AllGather(rest.numbers[0])),
    "AllToAll": (2, lambda rest: AllToAll(rest.numbers[0], rest.numbers[1], rest.sizes)),
    "Rebalance": (1, lambda rest: Rebalance(rest.numbers[0], rest.sizes)),
    "Reduce": (1, lambda rest: Reduce(rest.numbers[0], rest.reduction)),
    "Broadcast": (1, lambda rest: Broadcast(rest.numbers[0])),
    "Send": (0, lambda rest: Send()),
    "Slice": (1, lambda rest: Slice(rest.numbers[0], rest.sizes)),
    "Keep": (1, lambda rest: Keep(rest.numbers[0])),
}
"""For each conversion, the count of numbers after the operand, and its constructor."""
CONVERSIONS = tuple(_MADE)


def _said(rest: _Rest) -> tuple[bool, bool, bool]:
    # only: the default reduction is not written
    return rest.sizes is not None, rest.reduction is not ReductionOp.SUM, rest.next


def _said_by(conversion: Conversion) -> tuple[bool, bool, bool]:
    """Return three flags of a conversion's text: it has sizes, a reduction other than +, the word `next`."""
    sizes = isinstance(conversion, ReduceScatter | AllToAll | Rebalance | Slice) and conversion.sizes is not None
    match conversion:
        case AllReduce(reduction) | Reduce(_, reduction) | ReduceScatter(_, _, reduction):
            return sizes, reduction is not ReductionOp.SUM, False  # only: the default reduction is not written
        case _:
            return sizes, False, isinstance(conversion, Send)
