"""Parsed lines of emitted Python: what each assigns, and whether it only views tensors."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import dedent

from p2smt.emit.torch.program.storage import IN_PLACE
from p2smt.schedule.emission.functions import names_in

_LOOKS = ("own_slice", "waited")
_METHODS = ("of", "block", "pop")
_SYMBOLS = {
    IN_PLACE["add"]: ast.Add(),
    IN_PLACE["sub"]: ast.Sub(),
    IN_PLACE["mul"]: ast.Mult(),
    IN_PLACE["div"]: ast.Div(),
}
"""In-place tensor methods, and the operators that they correspond to."""


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A line, with the name it assigns or overwrites, the value, and the condition on ranks that hold it."""

    text: str
    target: str = ""
    node: ast.expr | None = None
    overwrites: bool = False
    condition: str = ""

    @property
    def reads(self) -> set[str]:
        """The names that the line reads."""
        return names_in([self.text])[0]


def parsed(text: str) -> ParsedLine:
    """Parse a line."""
    match ast.parse(dedent(text)).body:
        case [ast.Assign([ast.Name(target)], ast.IfExp(condition, node, ast.Constant(None)))]:
            return ParsedLine(text, target, node, condition=ast.unparse(condition))
        case [ast.Assign([ast.Name(target)], node)]:
            return ParsedLine(text, target, node)
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(target), "copy_"), [node]))]:
            return ParsedLine(text, target, node, overwrites=True)
        case [ast.Expr(ast.Call() as call)]:
            target, node = _operated_on(call)
            return ParsedLine(text, target, node, overwrites=True) if target else ParsedLine(text)
        case _:
            return ParsedLine(text)


def _operated_on(node: ast.expr) -> tuple[str, ast.expr]:
    """Return the name overwritten in place, and its new value: for `p.mul_(a).add_(b)`, p and `p * a + b`.

    >>> target, made = _operated_on(ast.parse("p.mul_(0.9).add_(a * b)", mode="eval").body)
    >>> target, ast.unparse(made)
    ('p', 'p * 0.9 + a * b')
    """
    match node:
        case ast.Name(target):
            return target, node
        case ast.Call(ast.Attribute(changed, name), [operand], []) if name in _SYMBOLS:
            target, left = _operated_on(changed)
            return target, ast.BinOp(left, _SYMBOLS[name], operand)
        case _:
            return "", node


def with_comments(lines: Iterable[str]) -> list[str]:
    """Return the lines, with each comment joined to the line after it."""
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
    """Return the leading spaces of a line."""
    return text[: len(text) - len(text.lstrip(" "))]


def functions_in(node: ast.expr) -> list[str]:
    """Return the names of functions and methods that an expression calls."""
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return [
        each.id if isinstance(each, ast.Name) else each.attr
        for each in calls
        if isinstance(each, ast.Name | ast.Attribute)
    ]


def only_looks(line: ParsedLine) -> bool:
    """True if a line only views a tensor, awaits a collective, or takes a chunk from a table."""
    match line.node:
        case ast.Subscript():
            return True
        case ast.Call(ast.Name(name)):
            return name in _LOOKS
        case ast.Call(ast.Attribute(_, name)):
            return name in _METHODS
        case _:
            return False
