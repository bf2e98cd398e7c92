"""The frame of pages around their chapters: a heading, links to the chapters, a foot."""

import shlex
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from p2smt.report.page.element import Content, element, html
from p2smt.report.page.head import head_element


def document(title: str, *parts: Element) -> str:
    """The text of a page that can reach nothing and runs nothing."""
    body = element("body", *parts)
    return f"<!DOCTYPE html>\n{html(element('html', head_element(title), body, lang='en'))}\n"


def heading(subject: str, text: str, lead: Sequence[Content]) -> Element:
    """The top of a page."""
    return element(
        "header",
        element("p", f"p2smt report · {subject}", class_="kicker"),
        element("h1", text),
        *(element("p", line, class_="lead") for line in lead),
    )


def contents_list(chapters: Sequence[tuple[str, Element]]) -> Element:
    """Links to the chapters."""
    links = (element("li", element("a", name, href=f"#{chapter.get('id')}")) for name, chapter in chapters)
    return element("nav", element("ul", *links), aria_label="Contents")


def footer(versions: Sequence[tuple[str, str]], command: Sequence[str]) -> Element:
    """The command that made the page, and the version that wrote it."""
    written = ", ".join(f"{name} {version}" for name, version in versions)
    made = element("p", "Made by ", element("code", shlex.join(command), class_="take"))
    said = element("p", f"Written by p2smt report ({written}). This file is complete in itself.")
    return element("footer", *([made] if command else []), said)
