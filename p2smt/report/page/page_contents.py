"""The contents in which pages differ: the answer, the chapters, and data for each selectable placement."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from p2smt.report.content.content import ProgramContent


@dataclass(frozen=True, slots=True)
class PlacementText:
    """Text on a placement besides its drawing: a sentence, and the rows of a table."""

    sentence: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PageContents:
    """The subject, heading, lead sentences and chapters of a page; each chapter has a name for the contents list.

    `answer` is an unnamed section before all others; None if there is no answer. `programs` and `texts` have an
    entry for each placement shown; `texts` may be empty. `reading` adds paragraphs on how to read the page.
    """

    subject: str
    heading: str
    lead: tuple[str, ...]
    answer: Element | None
    chapters: tuple[tuple[str, Element], ...]
    programs: tuple[tuple[ProgramContent, ...], ...]
    texts: tuple[PlacementText, ...] = ()
    reading: tuple[str, ...] = ()
