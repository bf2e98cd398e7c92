"""Lexer of program text: words with their lines and columns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from p2smt.errors import ProgramError

MAX_TEXT = 4 * 2**20
MAX_WORD = 200


class Token(StrEnum):
    """Kinds of words."""

    NAME = "a name"
    NUMBER = "a number"
    TEXT = "a text in quotes"
    SIGN = "a sign"
    LINE = "the end of the line"


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its position; lines and columns count from 1."""

    token: Token
    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return "the end of the line" if self.token is Token.LINE else repr(self.text)


_WORDS = re.compile(
    r"(?P<space>[ \t\r]+|\#[^\n]*)|(?P<line>\n)|(?P<name>[A-Za-z_][A-Za-z0-9_.]*)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<text>\"[^\"\n]*\")|(?P<sign>[-+*/=:,()\[\]])"
)


def words(text: str) -> Iterator[Word]:
    """Yield the words of a text; every line ends with a LINE.

    ProgramError for characters that begin no word, and for texts of more than 4 MiB.
    """
    if len(text) > MAX_TEXT:
        raise ProgramError(f"the text has {len(text)} characters; the limit is {MAX_TEXT}, so split it")
    position, line, start = 0, 1, 0
    while position < len(text):
        column = position - start + 1
        match = _WORDS.match(text, position)
        if match is None:
            raise ProgramError(
                f"line {line}, column {column}: unexpected character {text[position]!r}; statements have names, "
                "numbers, texts in double quotes, + - * / = : , ( ) [ ], and comments behind #"
            )
        if match.end() - position > MAX_WORD and match.lastgroup in ("name", "number"):
            raise ProgramError(
                f"line {line}, column {column}: the word has more than {MAX_WORD} characters, the limit; shorten it"
            )
        match match.lastgroup:
            case "line":
                yield Word(Token.LINE, "", line, column)
                line, start = line + 1, match.end()
            case "name" | "number" | "sign":
                yield Word(Token[match.lastgroup.upper()], match.group(), line, column)
            case "text":
                yield Word(Token.TEXT, match.group()[1:-1], line, column)
            case _:
                pass
        position = match.end()
    yield Word(Token.LINE, "", line, position - start + 1)
