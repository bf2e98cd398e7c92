"""Parser of schedules; every error names line and column, the expected input, and the nearest known word.

Method: recursive descent with one function for each kind of step (Aho, Lam, Sethi and Ullman, "Compilers", 2006,
section 4.4). A line is
    [ names "=" ] word arguments,    where a step continues on the next line behind a comma.
The nearest word is the one with the most similar letters (`wording.py`).
Complexity: linear in the text.

Example: `s, whole = split p slice-ag` is the step split of p in the form slice-ag, with results s and whole.
"""

from collections.abc import Callable, Mapping

from p2smt.schedule.step import (
    AllReduceSplit,
    Dead,
    Fuse,
    Line,
    LossyCast,
    Merge,
    Overlap,
    Reorder,
    Schedule,
    SliceStates,
    SplitForm,
    Step,
    Through,
    UseProgram,
)
from p2smt.tensor.dtype import DType
from p2smt.tensor.text.cursor import Cursor, nearest
from p2smt.tensor.text.layouts import MAX_RANK, MAX_RANKS
from p2smt.tensor.text.lexer import Token, Word

MAX_STEPS = 10_000
MAX_NAMES = 10_000
MAX_CHUNKS = 4096


def parse_schedule(text: str) -> Schedule:
    """Parse a schedule. ProgramError if the text is malformed or exceeds the size limits."""
    return _Parser(text).schedule()


class _Parser:
    def __init__(self, text: str) -> None:
        self._cursor = Cursor(text)
        self._steps: Mapping[str, Callable[[], Step]] = {
            "split": self._split,
            "merge": self._merge,
            "reorder": lambda: Reorder(*self._moved()),
            "through": lambda: Through(*self._moved()),
            "fuse": lambda: Fuse(self._names("a statement or a group")),
            "overlap": self._overlap,
            "slice": lambda: SliceStates(self._names("a state")),
            "dead": lambda: Dead(self._names("a statement")),
            "lossy": self._lossy,
        }

    def schedule(self) -> Schedule:
        lines: list[Line] = []
        while not self._cursor.ended:
            if self._cursor.peek().token is Token.LINE:
                self._cursor.take()
                continue
            if len(lines) >= MAX_STEPS:
                raise self._cursor.error(f"the schedule has more than {MAX_STEPS} steps, the limit; split it")
            lines.append(self._line())
            self._cursor.end_line()
        return tuple(lines)

    def _line(self) -> Line:
        begin = self._cursor.peek()
        results: tuple[str, ...] = ()
        if self._cursor.peek(1).token is Token.SIGN and self._cursor.peek(1).text in (",", "="):
            results = self._names("the name of a result")
            self._cursor.expect("=")
            if len(set(results)) < len(results):
                raise self._cursor.error("two results of the step have the same name; give each its own", begin)
        word = self._cursor.name(f"a step ({', '.join(self._steps)})")
        if word.text not in self._steps:
            known = ", ".join(self._steps)
            raise self._cursor.error(f"{word.text!r} is not a step ({known}){nearest(word.text, self._steps)}", word)
        return Line(self._steps[word.text](), results, begin.line)

    def _names(self, what: str) -> tuple[str, ...]:
        names = [self._cursor.name(what).text]
        while self._cursor.skips(","):
            self._continue()
            names.append(self._cursor.name(what).text)
            if len(names) > MAX_NAMES:
                raise self._cursor.error(f"the step has more than {MAX_NAMES} names, the limit; split it")
        return tuple(names)

    def _continue(self) -> None:
        """Skip line ends; a step continues after a comma."""
        while self._cursor.peek().token is Token.LINE and not self._cursor.ended:
            self._cursor.take()

    def _word(self, text: str) -> Word:
        word = self._cursor.name(f"the word {text}")
        if word.text != text:
            raise self._cursor.error(f"expected the word {text}, found {word}{nearest(word.text, [text])}", word)
        return word

    def _split(self) -> Step:
        value = self._cursor.name("a statement").text
        word = self._cursor.peek()
        if word.token is Token.TEXT:
            program = self._cursor.take().text
            self._word("levels")
            return UseProgram(value, program, self._levels())
        form = self._form(self._cursor.name("a form"))
        if self._cursor.peek().token is not Token.NAME:
            return AllReduceSplit(value, form)
        rooted = form.is_rooted
        self._word("root" if rooted else "dim")
        return AllReduceSplit(
            value,
            form,
            self._cursor.whole("a rank" if rooted else "a dimension", most=MAX_RANKS if rooted else MAX_RANK),
        )

    def _form(self, word: Word) -> SplitForm:
        text = word.text
        while self._cursor.skips("-"):
            text += f"-{self._cursor.name('the rest of the form').text}"
        if text not in tuple(SplitForm):
            known = ", ".join(SplitForm)
            hint = nearest(text, SplitForm)
            raise self._cursor.error(f"{text!r} is not a form ({known}, or a reduction program in quotes){hint}", word)
        return SplitForm(text)

    def _levels(self) -> tuple[tuple[str, int], ...]:
        levels: list[tuple[str, int]] = []
        while not levels or self._cursor.skips(","):
            self._continue()
            word = self._cursor.name("a level")
            self._cursor.expect("=")
            if any(name == word.text for name, _ in levels):
                raise self._cursor.error(f"the level {word.text!r} already exists; give every level its own name", word)
            levels.append((word.text, self._cursor.whole("the size of a level", 1, MAX_RANKS)))
            if len(levels) > 16:
                raise self._cursor.error("the step has more than 16 levels, the limit; merge some", word)
        return tuple(levels)

    def _merge(self) -> Step:
        first = self._cursor.name("a statement").text
        self._cursor.expect(",")
        self._continue()
        return Merge(first, self._cursor.name("a statement").text)

    def _moved(self) -> tuple[str, tuple[str, ...]]:
        value = self._cursor.name("a conversion").text
        self._word("past")
        return value, self._names("a statement or a group")

    def _overlap(self) -> Step:
        stages = self._names("a statement or a group")
        self._word("chunks")
        chunks = self._cursor.whole("a number of chunks", 1, MAX_CHUNKS)
        self._word("dim")
        return Overlap(stages, chunks, self._cursor.whole("a dimension", most=MAX_RANK))

    def _lossy(self) -> Step:
        self._word("cast")
        value = self._cursor.name("a statement").text
        word = self._cursor.name("a type of elements")
        if word.text not in tuple(DType):
            raise self._cursor.error(f"{word.text!r} is not a type; write one of {', '.join(DType)}", word)
        return LossyCast(value, DType(word.text))
