"""The parser's position among the words, and errors at that position."""

from collections.abc import Iterable
from difflib import get_close_matches

from p2smt.errors import ProgramError
from p2smt.tensor.text.lexer import Token, Word, words

MAX_NUMBER = 2**40


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name most similar to this one, as a hint after an error; empty if none is similar.

    >>> nearest("sofmax", ["softmax", "sum"])
    '; did you mean softmax?'
    """
    alike = get_close_matches(name[:60], [each for each in known if len(each) < 100][:20000], 1)
    return f"; did you mean {alike[0]}?" if alike else ""


class Cursor:
    """A cursor over the words of a text."""

    def __init__(self, text: str) -> None:
        self._words = words(text)
        self._next: list[Word] = []

    def peek(self, ahead: int = 0) -> Word:
        """Return the word `ahead` positions after the next one, without consuming it.

        After the end of the text this is LINE.
        """
        while len(self._next) <= ahead:
            last = Word(Token.LINE, "", 0, 0)
            self._next.append(next(self._words, last))
        return self._next[ahead]

    def take(self) -> Word:
        """Consume and return the next word."""
        word = self.peek()
        del self._next[0]
        return word

    @property
    def ended(self) -> bool:
        """True at the end of the text."""
        return self.peek().line == 0

    def skips(self, text: str) -> bool:
        """True if the next word is this sign, which is then consumed."""
        if self.peek().token is Token.SIGN and self.peek().text == text:
            self.take()
            return True
        return False

    def expect(self, text: str) -> Word:
        """Consume the next word, which must be this sign."""
        if self.peek().token is not Token.SIGN or self.peek().text != text:
            raise self.error(f"expected {text!r}, found {self.peek()}")
        return self.take()

    def name(self, what: str) -> Word:
        """Consume the next word, which must be a name."""
        if self.peek().token is not Token.NAME:
            raise self.error(f"expected {what}, found {self.peek()}")
        return self.take()

    def end_line(self) -> None:
        """Consume the end of the line, which must come next."""
        if self.peek().token is not Token.LINE:
            raise self.error(f"expected the end of the line, found {self.peek()}")
        self.take()

    def whole(self, what: str, least: int = 0, most: int = MAX_NUMBER) -> int:
        """Consume the next word, which must be an integer in this range."""
        word = self.peek()
        if word.token is not Token.NUMBER or not word.text.isdigit() or len(word.text) > 15:
            raise self.error(f"expected {what}, found {word}")
        if not least <= int(word.text) <= most:
            raise self.error(f"{what} is {word.text}; it must be {least} to {most}")
        return int(self.take().text)

    def error(self, message: str, word: Word | None = None) -> ProgramError:
        """Return an error at a word, by default the next one."""
        at = word or self.peek()
        return ProgramError(f"line {at.line}, column {at.column}: {message}" if at.line else f"at the end: {message}")
