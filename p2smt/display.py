"""The display of values in an interactive session: one line where printed, a table of HTML in a notebook."""

from collections.abc import Iterable, Sequence
from html import escape

MOST_ROWS = 20
_LONGEST = 160


def one_line(value: object, facts: str) -> str:
    """The type of a value and facts about it, cut to what fits a line.

    >>> one_line(1, "4 nodes")
    '<int 4 nodes>'
    """
    text = " ".join(facts.split())
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    return f"<{type(value).__name__} {text}>"


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], more: int = 0) -> str:
    """A table for a notebook; `more` rows are left out, which its last one says.

    >>> html_table("links", ["name"], [["<nic>"]])
    '<table><caption>links</caption><tr><th>name</th></tr><tr><td>&lt;nic&gt;</td></tr></table>'
    """
    lines = [_row("th", head), *(_row("td", row) for row in rows)]
    if more:
        lines.append(f'<tr><td colspan="{len(head)}">and {more} more</td></tr>')
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
