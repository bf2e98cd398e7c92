"""Reports of small problems, and pages read back."""

from collections import Counter
from collections.abc import Sequence
from html.parser import HTMLParser

from support import problem as problem_of

from p2smt.cost.algorithm import Algorithm
from p2smt.problem.model import Problem
from p2smt.report.collect import collect
from p2smt.report.content import Report
from p2smt.synth.session import Synthesizer

VOID = {"meta", "link", "br", "input", "hr", "img"}
_SYNTHESIZER = Synthesizer()


def report_on(problem: Problem, algorithm: Algorithm = Algorithm.RING, **more: object) -> Report:
    return collect([_SYNTHESIZER.synthesize(problem)], algorithm, **more)


def report(sizes: Sequence[int], axes: Sequence[int], reduce: Sequence[int] = (0,), **search: object) -> Report:
    return report_on(problem_of(sizes, axes, reduce, **search))


class Page(HTMLParser):
    """Tags with their attributes in order, the text of the page, and of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.raw: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        (self.raw if self.open and self.open[-1] in ("script", "style") else self.words).append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    @property
    def counts(self) -> Counter[str]:
        return Counter(tag for tag, _ in self.tags)

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [found for name, found in self.tags if name == tag]
