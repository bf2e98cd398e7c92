"""The text of the package, each module parsed at most once, and the marks in its comments that tests of the text read.

A mark says why a rule is broken on purpose, where it is broken:

    if goal is Collective.ALL_REDUCE:  # only: the default goal is not written
    _INVERSE = {  # lacks ALL_REDUCE: it has no inverse
    # only Sliced: other kinds are printed as they are

The last one, above the import of the class, speaks for all `isinstance` of a file.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from paths import ROOT

PACKAGE = ROOT / "p2smt"
_MARK = re.compile(r"# (only|lacks)\b([\w ,]*): (.+)")
_BASES = re.compile(r"^class \w+\(([^)]*)\)", re.MULTILINE)
_HOME = re.compile(r"^ *from ([\w.]+) import ", re.MULTILINE)


@dataclass(frozen=True)
class Mark:
    """A comment that gives a reason; `names` are those between its first word and the colon."""

    file: str
    line: int
    word: str
    names: frozenset[str]
    is_alone: bool
    """Whether the line has nothing but the comment, which then is about the line below."""

    def __str__(self) -> str:
        return f"p2smt/{self.file}:{self.line}"


@cache
def texts() -> dict[str, str]:
    """The text of every module by its path inside the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))
    }


@cache
def tree(file: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(texts()[file])


def trees(*words: str) -> dict[str, ast.Module]:
    """Those of the modules whose text has one of these words; to parse all takes seconds."""
    return {file: tree(file) for file, text in texts().items() if any(word in text for word in words)}


@cache
def bases() -> dict[str, frozenset[str]]:
    """By file the names of what its classes are derived from."""
    return {file: frozenset(re.findall(r"\w+", " ".join(_BASES.findall(text)))) for file, text in texts().items()}


@cache
def homes() -> dict[str, frozenset[str]]:
    """By file the modules that it imports names from."""
    return {file: frozenset(_HOME.findall(text)) for file, text in texts().items()}


@cache
def marks() -> tuple[Mark, ...]:
    """All marks in the package."""
    return tuple(mark for file, text in texts().items() for mark in marks_in(file, text))


def marks_in(file: str, text: str) -> Iterator[Mark]:
    """The marks in a text."""
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _MARK.search(line):
            names = frozenset(found[2].replace(",", " ").split())
            yield Mark(file, number, found[1], names, line.lstrip().startswith("#"))


def with_statements(tree: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    """Every node below this one, with the line on which its statement, or its case of a match, begins."""
    left = [(tree, 0)]
    while left:
        node, line = left.pop()
        if isinstance(node, ast.stmt):
            line = node.lineno
        elif isinstance(node, ast.match_case):
            line = node.pattern.lineno
        yield node, line
        for name in node._fields:  # twice as fast as ast.iter_child_nodes
            part = getattr(node, name, None)
            if isinstance(part, list):
                left.extend((each, line) for each in part if isinstance(each, ast.AST))
            elif isinstance(part, ast.AST) and not isinstance(part, ast.expr_context):
                left.append((part, line))


def marks_of(known: tuple[Mark, ...], node: ast.expr, statement: int) -> list[Mark]:
    """The marks, of those of a file, of an expression whose statement begins on this line: in its lines, or above."""
    above = {mark.line for mark in known if mark.is_alone}
    first = statement
    while first - 1 in above:
        first -= 1
    assert node.end_lineno is not None
    return [mark for mark in known if first <= mark.line <= node.end_lineno]
