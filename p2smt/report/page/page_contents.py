"""Contents that tell one page from another: its answer, its chapters, and what follows the placement that is chosen."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from p2smt.report.content.content import ProgramContent


@dataclass(frozen=True, slots=True)
class PlacementText:
    """Texts about a placement besides its drawing: a sentence, and the rows of a table."""

    sentence: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PageContents:
    """A page's subject and heading, the answer in a few sentences, and its sections with their names in the contents.

    `answer` is the section that comes before all others, without a name. Of every placement shown: `programs` to step
    through, and `texts`, which may be missing for all of them. `reading` is what there is to say on how to read the
    page.
    """

    subject: str
    heading: str
    lead: tuple[str, ...]
    answer: Element | None
    chapters: tuple[tuple[str, Element], ...]
    programs: tuple[tuple[ProgramContent, ...], ...]
    texts: tuple[PlacementText, ...] = ()
    reading: tuple[str, ...] = ()
