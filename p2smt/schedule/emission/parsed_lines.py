"""Lines of emitted Python, read again: what each assigns, and whether it only looks at tensors."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import dedent

from p2smt.schedule.emission.functions import names_in

_LOOKS = ("own_slice", "waited")
_METHODS = ("of", "block", "pop")


@dataclass(frozen=True, slots=True)
class Line:
    """A line; of one that assigns a name, or writes over it, which and what; the condition on ranks that have it."""

    text: str
    target: str = ""
    node: ast.expr | None = None
    overwrites: bool = False
    condition: str = ""

    @property
    def reads(self) -> set[str]:
        """The names that it reads."""
        return names_in([self.text])[0]


def parsed(text: str) -> Line:
    """A line, and what it assigns."""
    match ast.parse(dedent(text)).body:
        case [ast.Assign([ast.Name(target)], ast.IfExp(condition, node, ast.Constant(None)))]:
            return Line(text, target, node, condition=ast.unparse(condition))
        case [ast.Assign([ast.Name(target)], node)]:
            return Line(text, target, node)
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(target), "copy_"), [node]))]:
            return Line(text, target, node, overwrites=True)
        case _:
            return Line(text)


def with_comments(lines: Iterable[str]) -> list[str]:
    """Lines, with the comment before a line as a part of it."""
    found: list[str] = []
    comment = ""
    for line in lines:
        if line.lstrip().startswith("#"):
            comment += f"{line}\n"
        else:
            found.append(f"{comment}{line}")
            comment = ""
    return found


def indent_of(text: str) -> str:
    """The spaces that a line begins with."""
    return text[: len(text) - len(text.lstrip(" "))]


def functions_in(node: ast.expr) -> list[str]:
    """The names of functions and methods that an expression calls."""
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return [each.id if isinstance(each, ast.Name) else each.attr for each in calls
            if isinstance(each, ast.Name | ast.Attribute)]  # fmt: skip


def only_looks(line: Line) -> bool:
    """Whether a line only looks at tensors, waits for one, or works out a number."""
    match line.node:
        case ast.Subscript():
            return True
        case ast.Call(ast.Name(name)):
            return name in _LOOKS
        case ast.Call(ast.Attribute(_, name)):
            return name in _METHODS
        case _:
            return False
