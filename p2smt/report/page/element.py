"""Build HTML as a tree of elements, so that all text is escaped on output."""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from p2smt.report.content.text import printable

Content = str | Element

_LONG = 34
"""Texts of more letters may wrap to several lines."""


def element(tag: str, *content: Content, **attributes: str) -> Element:
    """Return an element; `_` in an attribute's name becomes `-`, and a trailing `_` is dropped (`class_`).

    >>> html(element("p", "1 < 2 ", element("b", "is true"), class_="a"))
    '<p class="a">1 &lt; 2 <b>is true</b></p>'
    """
    found = Element(tag, {name.rstrip("_").replace("_", "-"): printable(text) for name, text in attributes.items()})
    add(found, *content)
    return found


def add(parent: Element, *content: Content) -> None:
    """Append text and elements to an element."""
    for part in content:
        if isinstance(part, Element):
            parent.append(part)
        elif len(parent):
            parent[-1].tail = (parent[-1].tail or "") + printable(part)
        else:
            parent.text = (parent.text or "") + printable(part)


def html(root: Element) -> str:
    """Return an element as HTML text; the content of `style` and `script` elements is not escaped."""
    return tostring(root, encoding="unicode", method="html")


def table(
    caption: str,
    columns: Sequence[Content],
    rows: Iterable[Sequence[Content]],
    numbers: Sequence[int] = (),
    **names: str,
) -> Element:
    """Return a table in a box that scrolls if too wide; `numbers` are the columns to align right.

    The first cell of a row is its header. Columns with a long text get the width to wrap it in a few lines.
    `names` are attributes of the table.
    """
    rows = list(rows)
    sides = [_side(place, numbers, rows) for place in range(len(columns))]
    found = element("table", element("caption", caption), **names)
    head = SubElement(SubElement(found, "thead"), "tr")
    add(head, *(element("th", name, scope="col", **side) for name, side in zip(columns, sides, strict=True)))
    body = SubElement(found, "tbody")
    for first, *rest in rows:
        row = SubElement(body, "tr")
        row.append(element("th", first, scope="row", **sides[0]))
        add(row, *(element("td", cell, **side) for cell, side in zip(rest, sides[1:], strict=True)))
    # A table that scrolls must be reachable by keyboard and have a name.
    return element("div", found, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _side(place: int, numbers: Sequence[int], rows: Sequence[Sequence[Content]]) -> dict[str, str]:
    """Return the class of a column's cells: numbers, long texts, or none."""
    if place in numbers:
        return {"class": "number"}
    is_long = any(_letters(row[place]) > _LONG for row in rows)
    return {"class": "words"} if is_long else {}


def _letters(cell: Content) -> int:
    """Return the length of a cell's text; 0 for elements that have a width of their own."""
    if isinstance(cell, str):
        return len(cell)
    return len(cell.text or "") if cell.tag == "code" else 0
