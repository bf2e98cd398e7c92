"""Convert stored values to safe text for terminals and spreadsheets; some text comes from users' files."""

from math import isfinite

from p2smt.problem.text import printable

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")

Value = str | int | float | bytes | None


def spreadsheet_cell(value: Value) -> str | int | float:
    """Return a value for a CSV file; text that a spreadsheet would run as a formula gets an apostrophe.

    Line ends are kept, as CSV quotes them; other control characters are escaped.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("4x16"), spreadsheet_cell(0.5), spreadsheet_cell(None)
    ("'=1+1", '4x16', 0.5, '')
    """
    match value:
        case None:
            return ""
        case bytes():
            return value.hex()
        case str():
            text = "\n".join(map(printable, value.replace("\r\n", "\n").split("\n")))
            return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
        case _:
            return value


def json_value(value: Value) -> str | int | float | None:
    """Return a value for JSON; bytes become hexadecimal, and infinite numbers become text."""
    match value:
        case bytes():
            return value.hex()
        case float() if not isfinite(value):
            return str(value)
        case _:
            return value
