"""Tokens of a compiler's text with their line numbers; comments are dropped.

Method: one regular expression splits the text, and a cursor walks over the tokens, for parsers by recursive descent
(Aho, Lam, Sethi and Ullman, "Compilers", 2006, chapter 3). Balanced brackets are taken by counting:
    depth += 1 at an opening, -= 1 at a closing bracket, until it is 0.
Complexity: linear in the text.

Example: `f32[4]{0} add(%a, %b)` is f32 [ 4 ] { 0 } add ( %a , %b ).
"""

import re
from collections.abc import Sequence
from typing import NoReturn

from p2smt.errors import VerifyError

MOST_WORDS = 1_000_000

# Possessive quantifiers (++, *+) keep the match linear on malformed texts of megabytes.
_WORD = re.compile(
    r"\s+|//[^\n]*|/\*(?s:.*?)\*/"
    r"|(?P<word>->|<=|@?\"(?:[^\"\\\n]++|\\[^\n])*+\"|'[^'\n]*'"
    r"|[%@^#!]?-?[A-Za-z0-9_](?:[A-Za-z0-9_.+$]++|-(?!>))*+(?:\#[0-9]+)?"
    r"|[()\[\]{}<>,:=?*+;|.-])"
)
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


class Words:
    """A cursor over the tokens of a text; errors name the line of the last token taken."""

    def __init__(self, texts: Sequence[str], lines: Sequence[int] = (), path: str = "") -> None:
        self._texts, self._lines, self._path, self._at = texts, lines, path, 0

    @classmethod
    def of(cls, data: bytes, path: str) -> "Words":
        """Tokenize a file. Raises VerifyError for text that is neither HLO nor MLIR."""
        try:
            text = data.decode()
        except UnicodeDecodeError as cause:
            raise VerifyError(
                f"{path} is not text: byte {cause.start} is not UTF-8; give the text that XLA prints"
            ) from cause
        texts: list[str] = []
        lines: list[int] = []
        line, at = 1, 0
        while at < len(text):
            match = _WORD.match(text, at)
            if match is None:
                raise VerifyError(f"{path}, line {line}: {text[at]!r} is an unexpected character in HLO or MLIR")
            if match["word"]:
                texts.append(match["word"])
                lines.append(line)
            if len(texts) > MOST_WORDS:
                raise VerifyError(f"{path}: more than {MOST_WORDS} words, the limit")
            line += match[0].count("\n")
            at = match.end()
        return cls(texts, lines, path)

    @property
    def line(self) -> int:
        """The line of the last token taken."""
        return self._lines[max(self._at - 1, 0)] if self._lines else 1

    @property
    def new_line(self) -> bool:
        """True if the next token is on a later line than the last."""
        return self._at >= len(self._lines) or self._lines[self._at] > self.line

    def has(self, *texts: str) -> bool:
        """True if any of these tokens occurs in the text."""
        return any(text in self._texts for text in texts)

    def since(self, at: int) -> tuple[str, ...]:
        """Return the tokens taken since `at` tokens had been taken."""
        return tuple(self._texts[at : self._at])

    @property
    def taken(self) -> int:
        """The number of tokens taken."""
        return self._at

    def peek(self, ahead: int = 0) -> str:
        """The next token, or one further ahead; empty at the end of the text."""
        return self._texts[self._at + ahead] if self._at + ahead < len(self._texts) else ""

    def take(self, what: str = "a word") -> str:
        """Take the next token; `what` names the expected token in the error message."""
        if self._at >= len(self._texts):
            self.fail(f"the text ends where {what} is expected; if it was cut off, give the whole of it")
        self._at += 1
        return self._texts[self._at - 1]

    def accept(self, *texts: str) -> bool:
        """Take these tokens if they come next; return True if they did."""
        if any(self.peek(ahead) != text for ahead, text in enumerate(texts)):
            return False
        self._at += len(texts)
        return True

    def expect(self, text: str) -> None:
        """Take this token, or raise VerifyError."""
        found = self.take(repr(text))
        if found != text:
            self.fail(f"{found[:60]!r} where {text!r} is expected")

    def balanced(self) -> tuple[str, ...]:
        """Take one token, or all tokens from an opening bracket to its match."""
        first, start = self.take(), self._at - 1
        open_ = [_CLOSING[first]] if first in _CLOSING else []
        while open_:
            word = self.take(repr(open_[-1]))
            if word in _CLOSING:
                open_.append(_CLOSING[word])
            elif word in _CLOSING.values() and word != open_.pop():
                self.fail(f"{word!r} closes a bracket that is not open")
        return tuple(self._texts[start : self._at])

    def fail(self, what: str) -> NoReturn:
        """Raise VerifyError with the line of the last token taken; texts without a file have no line."""
        raise VerifyError(f"{self._path}, line {self.line}: {what}" if self._path else what)


def whole(words: Words, most: int) -> int:
    """Take the next token, which must be an integer from 0 to `most`."""
    word = words.take(f"a whole number from 0 to {most}")
    value = number(word, most)
    if value is None:
        words.fail(f"{word[:60]!r} is not a whole number from 0 to {most}")
    return value


def listed(words: Words, opening: str, closing: str, most: int) -> tuple[int, ...]:
    """Parse integers from 0 to `most` between brackets, as `[2,4]`; -1 is allowed too."""
    words.expect(opening)
    values: list[int] = []
    while not words.accept(closing):
        if values:
            words.expect(",")
        values.append(-1 if words.accept("-1") else whole(words, most))
    return tuple(values)


def number(word: str, most: int) -> int | None:
    """Return the integer that a word spells, if it is from 0 to `most`; else None.

    >>> number("17", 100), number("1" * 5000, 100), number("-1", 100), number("x", 100)
    (17, None, None, None)
    """
    if not (word.isascii() and word.isdigit()) or len(word) > 18:
        return None
    return int(word) if int(word) <= most else None


def signed(word: str) -> int | None:
    """Return the integer that a word spells, if it has at most 18 digits; else None.

    >>> signed("-3"), signed("3"), signed("x")
    (-3, 3, None)
    """
    value = number(word.removeprefix("-"), 10**18)
    return -value if value is not None and word.startswith("-") else value
