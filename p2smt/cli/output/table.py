"""Tables for people: no word of a cell is broken, no cell and no heading left out, at any width."""

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from p2smt.cli.output.screen import GLUE, screen_width, show, shown_width, wrapped

_MARGIN = "  "
_BETWEEN = "  "


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> None:
    """Print a table, and an empty line; `right` lists the columns that are aligned right, which never fold."""
    width = screen_width()
    heading = [line for part in title.split("\n") for line in wrapped(part, width)] if title else []
    show([*heading, *table_lines(columns, rows, right, width), ""])


def print_panels(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int]) -> None:
    """Print a table whose first column are labels, as several below each other where its other columns do not fit."""
    width, begin = screen_width(), 1
    show(wrapped(title, width))
    while begin < len(columns):
        # As many of the remaining columns as fit, with the labels repeated in front.
        parts = [[0, *range(begin, end)] for end in range(len(columns), begin, -1)]
        part = next((one for one in parts if _fits(columns, rows, right, one, width)), parts[-1])
        shown, cells = _picked(columns, part), [_picked(row, part) for row in rows]
        aligned = [number for number, index in enumerate(part) if index in right]
        show([*table_lines(shown, cells, aligned, width), ""])
        begin = part[-1] + 1


def _picked(cells: Sequence[str], part: Sequence[int]) -> list[str]:
    return [cells[index] for index in part]


def _fits(
    columns: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int], part: Sequence[int], width: int
) -> bool:
    kept = [[_kept(cell) if index in right else cell for index, cell in enumerate(row)] for row in rows]
    return _widths([_picked(row, part) for row in (columns, *kept)], width) is not None


def table_lines(
    columns: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int], width: int
) -> Iterator[str]:
    """The lines of a table at most this wide, or a block of lines per row if no table fits.

    Cells fold at blanks. A line is longer only where a word does not fit on one by itself.
    """
    table = [[_kept(cell) if index in right else cell for index, cell in enumerate(row)] for row in rows]
    widths = _widths([columns, *table], width)
    if widths is None:
        return _blocks(columns, rows, width)
    return _folded(columns, table, right, widths)


def _kept(text: str) -> str:
    return text.replace(" ", GLUE)


def _widths(table: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """The widths of all columns; None if their longest words do not fit beside each other."""
    cells = list(zip(*table, strict=True))
    least = [max(shown_width(word) for cell in column for word in cell.split(" ")) for column in cells]
    most = [max(map(shown_width, column)) for column in cells]
    room = width - len(_MARGIN) - len(_BETWEEN) * (len(cells) - 1)
    if sum(least) > room:
        return None
    widths = list(least)
    # Spare width goes to the narrowest column that can use it, one character at a time.
    for _ in range(room - sum(least)):
        growing = [index for index, most_wide in enumerate(most) if widths[index] < most_wide]
        if not growing:
            break
        widths[min(growing, key=widths.__getitem__)] += 1
    # Folding may leave a column narrower than its share.
    folded = (max(_longest(cell, wide) for cell in column) for column, wide in zip(cells, widths, strict=True))
    return list(folded)


def _longest(cell: str, width: int) -> int:
    return max(map(shown_width, wrapped(cell, width)))


def _folded(
    columns: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int], widths: Sequence[int]
) -> Iterator[str]:
    """Headings, which stand on the line above the rows, and rows."""
    heads = [list(wrapped(head, width)) for head, width in zip(columns, widths, strict=True)]
    tall = max(map(len, heads))
    for line in zip(*([""] * (tall - len(head)) + head for head in heads), strict=True):
        yield _line(line, right, widths)
    for row in rows:
        cells = [list(wrapped(cell, width)) for cell, width in zip(row, widths, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            yield _line(line, right, widths)


def _line(cells: Sequence[str], right: Collection[int], widths: Sequence[int]) -> str:
    padded = []
    for index, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        blank = " " * (width - shown_width(cell))
        padded.append(blank + cell if index in right else cell + blank)
    return _MARGIN + _BETWEEN.join(padded)


def _blocks(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """A line for every cell, after its heading; an empty line between two rows."""
    label = max(map(shown_width, columns))
    for number, row in enumerate(rows):
        if number:
            yield ""
        for head, cell in zip(columns, row, strict=True):
            begin = f"{_MARGIN}{head}{' ' * (label - shown_width(head))}{_BETWEEN if label else ''}"
            for line in wrapped(cell, max(1, width - shown_width(begin))):
                yield f"{begin}{line}"
                begin = " " * shown_width(begin)
