"""The parts around a page's chapters: heading, contents and footer."""

import shlex
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from p2smt.report.page.element import Content, element, html
from p2smt.report.page.head import head_element


def document(title: str, *parts: Element) -> str:
    """Return the text of a page that loads nothing and runs no script."""
    body = element("body", *parts)
    return f"<!DOCTYPE html>\n{html(element('html', head_element(title), body, lang='en'))}\n"


def heading(subject: str, text: str, lead: Sequence[Content]) -> Element:
    """Return the top of a page: its subject, heading and lead sentences."""
    return element(
        "header",
        element("p", f"p2smt report · {subject}", class_="kicker"),
        element("h1", text),
        *(element("p", line, class_="lead") for line in lead),
    )


def contents_list(chapters: Sequence[tuple[str, Element]]) -> Element:
    """Return links to the chapters."""
    links = (element("li", element("a", name, href=f"#{chapter.get('id')}")) for name, chapter in chapters)
    return element("nav", element("ul", *links), aria_label="Contents")


def footer(versions: Sequence[tuple[str, str]], command: Sequence[str]) -> Element:
    """Return the command that produced the page and the versions of the software."""
    written = ", ".join(f"{name} {version}" for name, version in versions)
    made = element("p", "Made by ", element("code", shlex.join(command), class_="take"))
    said = element("p", f"Written by p2smt report ({written}). This file is complete in itself.")
    return element("footer", *([made] if command else []), said)
