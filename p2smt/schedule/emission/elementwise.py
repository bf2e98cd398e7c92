"""Translation of torch expressions in emitted lines to Triton kernel expressions, where kernels support them.

Python numbers are computed before the kernel starts, and passed to it. Floating-point elements are computed in the
kernel's `wide` type, and rounded at the program's casts and when results are stored. Integers have 64 bits.
"""

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from p2smt.emit.torch.program.value import Value
from p2smt.schedule.emission.spaces import Space, space_of, together
from p2smt.tensor.dtype import DType


class Sort(StrEnum):
    """The kind of a term: a Python number, an integer literal, or tensor elements."""

    NUMBER = "number"
    LITERAL = "literal"
    FLOAT = "floating-point"
    WHOLE = "whole"
    TRUTH = "truth"


@dataclass(frozen=True, slots=True)
class Term:
    """The text of a term, its kind, and whether it can stand next to an operator without brackets."""

    text: str
    sort: Sort
    space: Space = ()
    is_atom: bool = True

    @property
    def operand(self) -> str:
        """The text as an operand, in brackets if needed."""
        return self.text if self.is_atom else f"({self.text})"

    @property
    def is_number(self) -> bool:
        """True if the term is not an element of a tensor."""
        return self.sort in (Sort.NUMBER, Sort.LITERAL)


class NotElementwiseError(Exception):
    """An expression cannot be computed by an elementwise kernel."""


SORTS = {  # lacks LITERAL, NUMBER: a tensor's elements have a type
    DType.F16: Sort.FLOAT,
    DType.BF16: Sort.FLOAT,
    DType.F32: Sort.FLOAT,
    DType.F64: Sort.FLOAT,
    DType.I32: Sort.WHOLE,
    DType.I64: Sort.WHOLE,
    DType.BOOL: Sort.TRUTH,
}
_SYMBOLS: Mapping[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_FLOAT_MAPS = {
    "torch.exp": "tl.exp({0})",
    "torch.log": "tl.log({0})",
    "torch.sin": "tl.sin({0})",
    "torch.cos": "tl.cos({0})",
    "torch.erf": "tl.erf({0})",
    "torch.sqrt": "root({0}, wide)",
    "torch.rsqrt": "divided(1, root({0}, wide), wide)",
    "torch.sigmoid": "divided(1, 1 + tl.exp(-{0}), wide)",
    "torch.tanh": "hyperbolic_tangent({0})",
    "torch.nn.functional.silu": "divided({0}, 1 + tl.exp(-{0}), wide)",
    "torch.nn.functional.gelu": "{0} * normal_share({0}, {half_root})",
    "torch.ops.aten.gelu_backward": "{0} * (normal_share({1}, {half_root}) + {1} * normal_density({1}, {peak}))",
    "torch.ops.aten.tanh_backward": "{0} * (1 - {1} * {1})",
    "torch.ops.aten.sigmoid_backward": "{0} * {1} * (1 - {1})",
}
_ANY_MAPS = {
    "torch.relu": "larger({0}, 0)",
    "torch.maximum": "larger({0}, {1})",
    "torch.minimum": "smaller({0}, {1})",
    "torch.abs": "tl.abs({0})",
    "torch.sign": "sign({0})",
    "torch.ops.aten.threshold_backward": "tl.where({1} <= {2}, 0, {0})",
}
_INFIX = (
    "torch.nn.functional.gelu",
    "torch.ops.aten.gelu_backward",
    "torch.ops.aten.tanh_backward",
    "torch.ops.aten.sigmoid_backward",
)
_CONSTANTS = {"half_root": repr(math.sqrt(0.5)), "peak": repr(1 / math.sqrt(2 * math.pi))}
_FIRST_OF_ROWS, _FIRST_OF_COLUMNS = "0xE220A8397B1DCDAF", "0x910A2DEC89025CC1"
"""The results of splitmix64 for 0 and 1, into which indices are mixed."""
_NESTED = 64
_TYPES = {f"torch.{name}": f"tl.{name}" for name in ("float16", "bfloat16", "float32", "float64")}


class Translator:
    """Translates expressions over tensors; `table` has their values by name.

    `tensor` returns the text of a tensor's element, `number` that of a number computed outside the kernel (an
    integer if the flag is set), `index` that of an element's index, and `named` a name for a long text.
    NotElementwiseError for unsupported expressions.
    """

    def __init__(
        self,
        table: Mapping[str, Value],
        tensor: Callable[[str], str],
        number: Callable[[str, bool], str],
        index: Callable[[int], str],
        named: Callable[[str], str],
    ) -> None:
        self._table = table
        self._tensor = tensor
        self._number = number
        self._index = index
        self._named = named

    def term(self, node: ast.expr) -> Term:
        """Return the term of an expression."""
        return self._of_number(node) if self._is_number(node) else self._of_elements(node)

    def _of_elements(self, node: ast.expr) -> Term:
        match node:
            case ast.Name(name) if name in self._table and (dtype := self._table[name].dtype) is not None:
                return Term(self._tensor(name), SORTS[dtype], space_of(self._table[name]))
            case ast.UnaryOp(ast.USub(), operand):
                term = self._counted(self.term(operand))
                return Term(f"-{term.operand}", term.sort, term.space, is_atom=False)
            case ast.BinOp(left, ast.Div(), right):
                first, second = self._short(self.term(left), self.term(right))
                text = f"divided({self.wide(first)}, {self.wide(second)}, wide)"
                return Term(text, Sort.FLOAT, self._together(first, second))
            case ast.BinOp(left, symbol, right) if type(symbol) in _SYMBOLS:
                return self._infix(self.term(left), _SYMBOLS[type(symbol)], self.term(right))
            case ast.Compare(left, [symbol], [right]) if type(symbol) in _SYMBOLS:
                term = self._infix(self.term(left), _SYMBOLS[type(symbol)], self.term(right))
                return Term(term.text, Sort.TRUTH, term.space, is_atom=False)
            case ast.Call(function, arguments, keywords):
                return self._called(function, arguments, keywords)
            case _:
                raise NotElementwiseError(ast.unparse(node))

    def _is_number(self, node: ast.expr) -> bool:
        """True if Python computes the expression before the kernel starts."""
        if isinstance(node, ast.Call) and not _dotted(node.func).startswith(("math.", "max", "min", "abs")):
            return False
        names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
        return all(
            name in ("math", "step", "max", "min", "abs") or (name in self._table and self._table[name].dtype is None)
            for name in names
        )

    def _of_number(self, node: ast.expr) -> Term:
        text = ast.unparse(node)
        if text.lstrip("-").isdigit():
            return Term(text, Sort.LITERAL, is_atom=text.isdigit())
        return Term(self._number(text, False), Sort.NUMBER)

    def _together(self, *terms: Term) -> Space:
        space = together(term.space for term in terms)
        if space is None:
            raise NotElementwiseError("tensors that cannot be broadcast together")
        return space

    def _short(self, *terms: Term) -> list[Term]:
        """Return the terms, with the longest ones named if they are long together."""
        found = [*terms]
        # Long lines are split by giving the longest part a name, until only names are left.
        while sum(len(term.text) for term in found) > _NESTED:
            longest = max(
                range(len(found)), key=lambda each: (not found[each].text.isidentifier(), len(found[each].text))
            )
            if found[longest].text.isidentifier():
                break
            found[longest] = replace(found[longest], text=self._named(found[longest].text), is_atom=True)
        return found

    def wide(self, term: Term) -> str:
        """Return the text of a term as floating-point elements."""
        return term.text if term.is_number or term.sort is Sort.FLOAT else f"{term.operand}.to(wide)"

    def _counted(self, term: Term) -> Term:
        """Return booleans converted to 0 and 1."""
        if term.sort is not Sort.TRUTH:
            return term
        return Term(f"{term.operand}.to(tl.int64)", Sort.WHOLE, term.space)

    def _alike(self, *terms: Term) -> tuple[list[Term], Sort]:
        """Return the terms converted to one kind, apart from numbers, and that kind."""
        terms = tuple(map(self._counted, terms))
        if all(term.sort in (Sort.WHOLE, Sort.LITERAL) for term in terms):
            return [*terms], Sort.WHOLE
        return [
            Term(f"{term.operand}.to(wide)", Sort.FLOAT, term.space) if term.sort is Sort.WHOLE else term
            for term in terms
        ], Sort.FLOAT

    def _infix(self, left: Term, symbol: str, right: Term) -> Term:
        terms, sort = self._alike(*self._short(left, right))
        text = f"{terms[0].operand} {symbol} {terms[1].operand}"
        return Term(text, sort, self._together(*terms), is_atom=False)

    def _called(self, function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> Term:
        name = _dotted(function)
        match name, arguments:
            case "dropped", [x, share, seed, step, ast.Tuple(starts)]:
                key = f"dropout_key({ast.unparse(seed)}, {ast.unparse(step)})"
                return self._dropped(self.term(x), share, key, starts)
            case "at.number", [value, _]:
                return self._of_number(value)
            case "torch.where", [condition, then, otherwise]:
                chosen, *both = self._short(self.term(condition), self.term(then), self.term(otherwise))
                both, sort = self._alike(*both)
                text = f"tl.where({chosen.text}, {both[0].text}, {both[1].text})"
                return Term(text, sort, self._together(chosen, *both))
            case "torch.clamp", [x] if len(keywords) == 1:
                word = {"min": "larger", "max": "smaller"}[str(keywords[0].arg)]
                both, sort = self._alike(self.term(x), self.term(keywords[0].value))
                return Term(f"{word}({both[0].text}, {both[1].text})", sort, self._together(*both))
            case _ if isinstance(function, ast.Attribute) and function.attr == "to" and len(arguments) == 1:
                return self._cast(self.term(function.value), _dotted(arguments[0]))
            case _ if name in _FLOAT_MAPS or name in _ANY_MAPS:
                return self._mapped(name, [self.term(each) for each in arguments])
            case _:
                raise NotElementwiseError(name)

    def _mapped(self, name: str, terms: list[Term]) -> Term:
        terms = self._short(*terms)
        if name in _ANY_MAPS:
            terms, sort = self._alike(*terms)
            texts = [term.operand if "<=" in _ANY_MAPS[name] else term.text for term in terms]
            return Term(_ANY_MAPS[name].format(*texts), sort, self._together(*terms))
        pattern = _FLOAT_MAPS[name]
        constants = {key: self._number(text, False) for key, text in _CONSTANTS.items() if f"{{{key}}}" in pattern}
        texts = [
            f"({text})" if not term.is_atom and f"({{{number}}}" not in pattern else text
            for number, (term, text) in enumerate(zip(terms, map(self.wide, terms), strict=True))
        ]
        text = pattern.format(*texts, **constants)
        return Term(text, Sort.FLOAT, self._together(*terms), is_atom=name not in _INFIX)

    def _cast(self, term: Term, target: str) -> Term:
        """Return a term rounded to a type, then widened again."""
        match target:
            case "torch.bool":
                return Term(f"{self._counted(term).operand} != 0", Sort.TRUTH, term.space, is_atom=False)
            case "torch.int64" if not term.is_number:
                return Term(f"{term.operand}.to(tl.int64)", Sort.WHOLE, term.space)
            case "torch.int32" if not term.is_number:
                return Term(f"{term.operand}.to(tl.int32).to(tl.int64)", Sort.WHOLE, term.space)
            case _ if (target == "at.real" or target in _TYPES) and not term.is_number:
                text = f"{term.operand}.to({_TYPES.get(target, 'real')}).to(wide)"
                return Term(text, Sort.FLOAT, term.space)
            case _:
                raise NotElementwiseError(f"a cast to {target}")

    def _dropped(self, term: Term, share: ast.expr, key: str, starts: list[ast.expr]) -> Term:
        """Return a dropout term, whose bits depend on the global index in every dimension."""
        if not starts or len(starts) != len(term.space):
            raise NotElementwiseError("dropout of a number (apply it to a tensor)")
        rows, words = "", _FIRST_OF_ROWS
        for dimension, start in enumerate(starts, start=-len(starts)):
            text = ast.unparse(start)
            # What is repeated has the bits of its one element.
            index = f"{self._index(dimension)}{' * 0' if term.space[dimension].is_repeated else ''}"
            begun = index if text == "0" else f"{index} + {text if text.isdigit() else self._number(text, True)}"
            rows, words = words, self._named(f"next_word({words if dimension < -1 else _FIRST_OF_COLUMNS}, {begun})")
        numbers = ", ".join(self._number(f"{key}[{number}]", True) for number in range(3))
        least = math.ceil(float(ast.unparse(share)) * 2**32)
        kept = self._named(f"(random_word({rows}, {words}, {numbers}) >= {least}).to(wide)")
        scale = self._number(f"1 / (1 - {ast.unparse(share)})", False)
        (term,) = self._short(term)
        product = f"{self.wide(term) if term.is_atom else f'({self.wide(term)})'} * {kept}"
        return Term(f"{product} * {scale}", Sort.FLOAT, term.space, is_atom=False)


def _dotted(node: ast.expr) -> str:
    """Return a dotted name as text; empty for other expressions."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, name):
            return f"{before}.{name}" if (before := _dotted(value)) else ""
        case _:
            return ""
