"""Values of a store, formatted for reading."""

from collections.abc import Callable

from p2smt.problem.text import printable
from p2smt.sweep.query import QueryResult, Value
from p2smt.wording import counted


def answer_title(answer: QueryResult) -> str:
    """Return a title with the number of rows."""
    return f"{counted(len(answer.rows), 'row')}{', there are more' if answer.more else ''}"


def formed(value: Value, form: Callable[[float], str]) -> str:
    """Format a number with `form`; other values become a dash."""
    return form(value) if isinstance(value, int | float) else "-"


def value_text(value: Value) -> str:
    """Format a value of a store on one line."""
    match value:
        case None:
            return "-"
        case float():
            return f"{value:.6g}"
        case bytes():
            return value.hex()
        case _:
            return printable(str(value))
