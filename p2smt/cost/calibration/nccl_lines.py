"""Lines of a log without the decorations of launchers, terminals and web pages."""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import TypeAlias

from p2smt.cost.calibration.heading import parse_heading

_NOISE = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]"  # colours
    r"|\[[^\[\]\s]*\d+,\s*\d+\]<std\w*>:"  # mpirun --tag-output, in front of every piece that a rank prints
    r"|(?:\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4})?<std(?:out|err)>:?"  # mpirun --timestamp-output
    r"|\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d\b)?"  # nccl-tests -S, kubectl --timestamps
    r"|(?<![\w.])\[\d{1,6}\](?=\s)"  # the number of a rank
    r"|(?<=[\s\d])\[\d{1,6}\](?=\s+[\d.])"  # the same in the middle of a row
)
_LABEL = re.compile(r"^\s*\d{1,6}:(?=\s|$)")
"""The prefix of a line by srun --label."""

_TAG = re.compile(r"</?(?:br|code|div|li|p|pre|span|t[dhr])\b[^<>]*>", re.IGNORECASE)
_SEPARATED = re.compile(r"\d\s*[,;]\s*\d+\s*[,;]\s*[a-z]")
"""A row with cells separated by commas: size, count, type."""

_THOUSANDS = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,])")
_DECIMAL_COMMA = re.compile(r"(?<![\w.,])(\d+),(\d{1,2})(?![\w.,])")

_COLUMNS = str.maketrans(dict.fromkeys("|│¦\t", "  ") | {"\r": " ", "\xa0": " "})

_SIZE = re.compile("size|bytes|payload", re.IGNORECASE)
_ESCAPED = 8
"""The ratio of escaped to real line ends from which a text counts as escaped."""


Lines: TypeAlias = Sequence[tuple[int, str]]
"""Lines with their numbers, as `plain_lines` yields them."""


def plain_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield line numbers (from 1) and the test's output on them, without colours, tags, labels, times and table bars.

    >>> [line for _, line in plain_lines("[1,0]<stdout>: 8 2[1,0]<stdout>: float | sum")]
    ['8 2 float    sum']
    """
    if text.count("\\n") > _ESCAPED * (text.count("\n") + 1):
        text = text.replace("\\n", "\n").replace("\\t", " ")
    for number, raw in enumerate(_without_commas(text.split("\n")), 1):
        shown = _TAG.sub(" ", unescape(raw)) if "&" in raw or "</" in raw or "<br" in raw else raw
        line = _LABEL.sub("", _NOISE.sub("", shown.translate(_COLUMNS)))
        yield number, _plain_numbers(line.replace("**", "").replace("`", "").replace(" & ", "  ")).strip()


def _plain_numbers(line: str) -> str:
    """Return the line with machine-readable numbers: no thousands separators, no decimal commas, no CSV.

    >>> _plain_numbers("8,388,608 2,097,152 float"), _plain_numbers("64,16,float,sum"), _plain_numbers("8 2 float 3,12")
    ('8388608 2097152 float', '64 16 float sum', '8 2 float 3.12')
    """
    if "," not in line and ";" not in line:
        return line
    if _SEPARATED.search(line):
        return line.replace(",", " ").replace(";", " ").replace('"', " ")
    line = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), line)
    return _DECIMAL_COMMA.sub(r"\1.\2", line)


def _without_commas(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, with blanks for CSV separators under a heading that names a size and a time or rate."""
    known: tuple[str, int] | None = None
    for line in lines:
        separator = ";" if ";" in line else ","
        found = (separator, line.count(separator))
        if found[1] and found != known and _SIZE.search(line) and parse_heading(_wide(line, separator)) is not None:
            known = found
        yield _wide(line, separator) if found == known else line


def _wide(line: str, separator: str) -> str:
    """Return a line of CSV with blanks between its cells; with semicolons as separators, commas are decimal points.

    >>> _wide("1024;3,5", ";")
    '1024   3.5'
    """
    plain = line.replace('"', "")
    return (plain.replace(",", ".") if separator == ";" else plain).replace(separator, "   ")
