"""Parallelism matrices: the factor of every axis on every level (paper, section 3.1)."""

import re
from dataclasses import dataclass

from p2smt.errors import ProblemError

_TEXT = re.compile(r"[1-9][0-9]{0,9}(x[1-9][0-9]{0,9})*(/[1-9][0-9]{0,9}(x[1-9][0-9]{0,9})*)*")


@dataclass(frozen=True, slots=True, order=True)
class ParallelismMatrix:
    """A placement; `rows[i][j]` >= 1 is the factor of axis `i` on level `j`.

    For a problem with level sizes `h` and axis sizes `p`: `prod(rows[i]) == p[i]` and `prod(row[j] for row in
    rows) == h[j]` (paper, equations 1 and 2).
    """

    rows: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        """Return the rows separated by slashes.

        >>> str(ParallelismMatrix(((1, 4), (4, 4))))
        '1x4/4x4'
        """
        return "/".join("x".join(map(str, row)) for row in self.rows)


def parse_matrix(text: str) -> ParallelismMatrix:
    """Parse a matrix written by `str`.

    >>> parse_matrix("1x4/4x4").rows
    ((1, 4), (4, 4))
    """
    if not _TEXT.fullmatch(text):
        raise ProblemError(f"matrix {text[:80]!r} does not parse; write one row per axis such as 1x4/4x4")
    return ParallelismMatrix(tuple(tuple(map(int, row.split("x"))) for row in text.split("/")))
