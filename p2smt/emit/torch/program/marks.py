"""Lines of emitted code with marked names; two lines are alike if they differ only in marks."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from p2smt.emit.torch.program.lines import WIDTH, broken

NUMBER = "# a number"
"""The comment after a Python number, in place of a layout."""
_DROPPING = ("dropped", "kept_dropped")


class MarkRole(StrEnum):
    """The role of a mark: a name that is read or assigned, or a number that may differ between repetitions."""

    READ = "read"
    MADE = "made"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Mark:
    """A name or number, and its position in the line."""

    start: int
    end: int
    text: str
    role: MarkRole


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A statement on one line of any length, and the layout comment that follows it.

    An `early` statement follows the statements that make its operands, wherever they move.
    """

    text: str
    comment: str
    early: bool = False


@dataclass(frozen=True)
class MarkedLine:
    """A statement with its marks in the order of evaluation: the assigned name comes last."""

    written: StatementLine
    marks: tuple[Mark, ...]

    @cached_property
    def skeleton(self) -> str:
        """The line with a placeholder for each mark."""
        return f"{self.renamed([f'<{mark.role}>' for mark in self.marks])}  {self.written.comment}"

    def renamed(self, texts: Sequence[str]) -> str:
        """Return the statement with other texts for its marks."""
        pieces, text = [], self.written.text
        end = 0
        for mark, other in sorted(zip(self.marks, texts, strict=True), key=lambda pair: pair[0].start):
            pieces += [text[end : mark.start], other]
            end = mark.end
        return "".join([*pieces, text[end:]])


def marked(lines: Sequence[StatementLine], given: Iterable[str]) -> tuple[MarkedLine, ...]:
    """Return lines with their marks; names that no line assigns are marked only if they are in `given`.

    Marked numbers are the seeds of dropout, which must differ between layers.
    """
    trees = [ast.parse(line.text) for line in lines]
    nodes = [[node for node in ast.walk(tree) if isinstance(node, ast.Name)] for tree in trees]
    local = {node.id for each in nodes for node in each if isinstance(node.ctx, ast.Store)} | {*given}
    found = []
    for line, tree, names in zip(lines, trees, nodes, strict=True):
        marks = [_mark(node, node.id, _role(node)) for node in names if node.id in local]
        marks += [_mark(seed, ast.unparse(seed), MarkRole.NUMBER) for seed in _seeds(tree)]
        marks.sort(key=lambda mark: (mark.role is MarkRole.MADE, mark.start))
        found.append(MarkedLine(line, tuple(marks)))
    return tuple(found)


def names_in(lines: Iterable[str]) -> set[str]:
    """Return the names that statements read or assign."""
    trees = [ast.parse(line.strip()) for line in lines]
    return {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}


def commented(text: str, comment: str) -> list[str]:
    """Return the lines of a statement, with its comment at the end if it fits, else before it."""
    together = f"    {text}  {comment}"
    return [together] if len(together) <= WIDTH else [f"    {comment}", broken(f"    {text}")]


def _role(node: ast.Name) -> MarkRole:
    return MarkRole.MADE if isinstance(node.ctx, ast.Store) else MarkRole.READ


def _mark(node: ast.expr, text: str, role: MarkRole) -> Mark:
    assert node.end_col_offset is not None
    return Mark(node.col_offset, node.end_col_offset, text, role)


def _seeds(tree: ast.Module) -> list[ast.expr]:
    """Return the seeds in calls of `dropped(x, share, seed, step, starts)` and the like, and in `seed=` arguments."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    placed = [call.args[2] for call in calls if isinstance(call.func, ast.Name) and call.func.id in _DROPPING]
    return [*placed, *(each.value for call in calls for each in call.keywords if each.arg == "seed")]
