"""The first section: where each axis goes, what else there is, what to take away."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.quantity import format_seconds
from p2smt.report.content.answer import Answer, ratio_text
from p2smt.report.content.naming import PlacementNames
from p2smt.report.figures.palette import axis_paint
from p2smt.report.page.element import Content, element, table


def headline(answer: Answer, naming: PlacementNames) -> str:
    """The levels of the axes, as a heading."""
    words = naming.words(answer.best.matrix)
    return f"Put {words}" if any(naming.places(answer.best.matrix)) else "One device: there is nothing to place"


def answer_section(answer: Answer, naming: PlacementNames, *, claimed: bool) -> Element:
    """The answer without its heading, which the page's own is; `claimed`: ratios of times may be believed."""
    content: list[Content] = [_places(answer.best.matrix, naming)]
    if len(answer.contenders) > 1:
        content.append(_contenders(answer, naming, claimed=claimed))
    content += [_take_away(answer)] if answer.calls or answer.code else []
    title = element("h2", "The answer", id="answer-title", class_="spoken")
    return element("section", title, *content, id="answer", aria_labelledby="answer-title")


def named(matrix: ParallelismMatrix, naming: PlacementNames) -> Element:
    """A placement in words, and its matrix."""
    words = naming.words(matrix)
    return element("span", words, " ", element("code", str(matrix), class_="matrix"), class_="named-placement")


def _places(matrix: ParallelismMatrix, naming: PlacementNames) -> Element:
    """An axis beside where it lies, in its colour."""
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
    """The words of a text such that lines end between words alone, not after the hyphens of an option."""
    parts: list[Content] = []
    for word in text.split(" "):
        parts += [" "] * bool(parts) + [element("span", word, class_="word")]
    return parts


def _take_away(answer: Answer) -> Element:
    """Order strings, calls and code, each to be selected with a click."""
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
