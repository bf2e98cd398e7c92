"""Text tables for any width: words are not broken, and no cell or heading is omitted."""

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from p2smt.cli.output.screen import GLUE, screen_width, show, shown_width, wrapped

_MARGIN = "  "
_BETWEEN = "  "


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> None:
    """Print a table and a blank line; `right` lists the right-aligned columns, which are not wrapped."""
    width = screen_width()
    heading = [line for part in title.split("\n") for line in wrapped(part, width)] if title else []
    show([*heading, *table_lines(columns, rows, right, width), ""])


def print_panels(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int]) -> None:
    """Print a table whose first column has labels; if it is too wide, split its other columns over several tables."""
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
    """Yield the lines of a table of at most this width, or a block of lines per row if no table fits.

    Cells wrap at blanks. A line exceeds the width only if a single word does.
    """
    table = [[_kept(cell) if index in right else cell for index, cell in enumerate(row)] for row in rows]
    widths = _widths([columns, *table], width)
    if widths is None:
        return _blocks(columns, rows, width)
    return _folded(columns, table, right, widths)


def _kept(text: str) -> str:
    return text.replace(" ", GLUE)


def _widths(table: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """Return the widths of all columns; None if the longest words do not fit side by side."""
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
    """Yield the heading lines, bottom-aligned, and the rows."""
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
    """Yield a line per cell, labelled with its heading, and a blank line between rows."""
    label = max(map(shown_width, columns))
    for number, row in enumerate(rows):
        if number:
            yield ""
        for head, cell in zip(columns, row, strict=True):
            begin = f"{_MARGIN}{head}{' ' * (label - shown_width(head))}{_BETWEEN if label else ''}"
            for line in wrapped(cell, max(1, width - shown_width(begin))):
                yield f"{begin}{line}"
                begin = " " * shown_width(begin)
