"""The first section of a page: the levels of each axis, the alternatives, and text to copy."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.quantity import format_seconds
from p2smt.report.content.answer import Answer, ratio_text
from p2smt.report.content.naming import PlacementNames
from p2smt.report.figures.palette import axis_paint
from p2smt.report.page.element import Content, element, table


def headline(answer: Answer, naming: PlacementNames) -> str:
    """Return the heading, which says on which levels each axis goes."""
    words = naming.words(answer.best.matrix)
    return f"Put {words}" if any(naming.places(answer.best.matrix)) else "One device: there is nothing to place"


def answer_section(answer: Answer, naming: PlacementNames, *, claimed: bool) -> Element:
    """Return the answer without a visible heading, as the page's heading states it.

    `claimed` is true if the model is reliable enough to show ratios of times.
    """
    content: list[Content] = [_places(answer.best.matrix, naming)]
    if len(answer.contenders) > 1:
        content.append(_contenders(answer, naming, claimed=claimed))
    content += [_take_away(answer)] if answer.calls or answer.code else []
    title = element("h2", "The answer", id="answer-title", class_="spoken")
    return element("section", title, *content, id="answer", aria_labelledby="answer-title")


def named(matrix: ParallelismMatrix, naming: PlacementNames) -> Element:
    """Return a placement in words, followed by its matrix."""
    words = naming.words(matrix)
    return element("span", words, " ", element("code", str(matrix), class_="matrix"), class_="named-placement")


def _places(matrix: ParallelismMatrix, naming: PlacementNames) -> Element:
    """Return a list of the axes, in their colours, with the levels on which they lie."""
    items = []
    for axis, where in naming.places(matrix):
        pill = element(
            "span", f"{naming.axes[axis]} {naming.axis_sizes[axis]}", class_=f"pill ground-{axis_paint(axis)}"
        )
        items.append(element("li", pill, " ", where))
    return element("ul", *items, class_="places") if items else element("p", "No axis has more than one part.")


def _contenders(answer: Answer, naming: PlacementNames, *, claimed: bool) -> Element:
    rows: list[Sequence[Content]] = []
    for one in answer.contenders:
        ratio = [ratio_text(one, answer.best)] if claimed else []
        name = element("span", element("strong", one.what), " ", named(one.matrix, naming))
        rows.append((name, format_seconds(one.seconds), *ratio))
    columns = ("Placement", "Time", *(["Of the fastest"] if claimed else []))
    caption = "Placements beside each other, each with its best programs"
    return table(caption, columns, rows, numbers=(1, 2), class_="contenders")


def _unbroken(text: str) -> list[Content]:
    """Return the text's words as elements, so that lines break at spaces only, not after hyphens of options."""
    parts: list[Content] = []
    for word in text.split(" "):
        parts += [" "] * bool(parts) + [element("span", word, class_="word")]
    return parts


def _take_away(answer: Answer) -> Element:
    """Return the program, order string, framework calls and code, each selectable with a click."""
    program = [("Program", answer.program)] if answer.program else []
    order = [("Order", answer.order)] if answer.order else []
    pairs = [
        element("div", element("dt", name), element("dd", element("code", *_unbroken(text), class_="take")))
        for name, text in [*program, *order, *answer.calls]
    ]
    code = element(
        "details",
        element("summary", "The code: one Python file that needs torch alone"),
        element("pre", element("code", answer.code, class_="take"), tabindex="0", role="region", aria_label="Code"),
    )
    return element(
        "div",
        element("h3", "To take away"),
        *([element("dl", *pairs, class_="calls")] if pairs else []),
        *([code] if answer.code else []),
        class_="take-away",
    )
