"""Strict reading of users' CSV files with a heading; error messages give the line number."""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager

from p2smt.errors import P2Error

Row = dict[str, str]


class CsvTable:
    """A CSV text with a heading row; columns have the heading's names, without surrounding spaces.

    `place` is the file's name for messages. Malformed CSV, such as an unclosed quote, raises `error` with the
    line on which the row begins.
    """

    def __init__(self, text: str, place: str, error: type[P2Error]) -> None:
        """Read the heading."""
        self._reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        self._place, self._error, self._line = place, error, 1
        with self._named():
            self.heading = tuple(name.strip() for name in next(self._reader, ()))

    def rows(self) -> Iterator[tuple[int, Row]]:
        """Yield every non-empty row by column, with the line on which it begins; missing cells are empty strings."""
        while True:
            self._line = self._reader.line_num + 1
            with self._named():
                cells = next(self._reader, None)
            if cells is None:
                return
            if len(cells) > len(self.heading):
                raise self._error(
                    f"{self._place} line {self._line}: {len(cells)} cells for {len(self.heading)} columns; put "
                    "quotes around cells that contain commas"
                )
            if cells:
                given = (*cells, *[""] * (len(self.heading) - len(cells)))
                yield self._line, dict(zip(self.heading, given, strict=True))

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except csv.Error as cause:
            raise self._error(f"{self._place} line {self._line}: {cause}; close every quote") from cause
