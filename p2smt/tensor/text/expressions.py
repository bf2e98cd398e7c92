"""Parsing of expressions: infix operators, calls of operations, conversions.

Method: recursive descent with one function for each level of precedence, and one word of look-ahead, two in front of
`=` (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 4.4). The grammar, where { } repeats and operators of one
level associate to the left:
    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = "-" factor | "(" sum ")" | number | name | name "(" arguments ")"
    arguments = [ argument { "," argument } ],   argument = sum | name "=" value | value
Nesting is limited by `MAX_DEPTH`, so the parser's own stack is bounded.
Complexity: linear in the number of words.

Example: a - b * c - d is read as (a - (b * c)) - d.
"""

from collections.abc import Callable, Mapping

from p2smt.errors import ProgramError
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.frame import Attribute
from p2smt.tensor.operation import Operation, Parameter, ParameterKind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.shapes import Whole, whole_of
from p2smt.tensor.text.conversions import CONVERSIONS, read_conversion
from p2smt.tensor.text.cursor import MAX_NUMBER, Cursor, nearest
from p2smt.tensor.text.lexer import Token, Word
from p2smt.tensor.text.sugar import SUGAR, resolved_sugar

MAX_DEPTH = 50
MAX_OPERANDS = 1000
_SUMS = {"+": "add", "-": "sub"}
_PRODUCTS = {"*": "mul", "/": "div"}


class ExpressionReader:
    """Reads expressions over names defined so far and named sizes."""

    def __init__(self, cursor: Cursor, known: Mapping[str, Whole], sizes: Mapping[str, int]) -> None:
        self._cursor = cursor
        self._known = known
        self._sizes = sizes

    def read(self, depth: int = 0) -> Expression:
        """Read the next expression; `depth` is the nesting level of the enclosing one."""
        return self._chain(depth, _SUMS, lambda: self._chain(depth, _PRODUCTS, lambda: self._signed(depth)))

    def _chain(self, depth: int, signs: dict[str, str], operand: Callable[[], Expression]) -> Expression:
        left, links = operand(), 0
        while self._cursor.peek().token is Token.SIGN and self._cursor.peek().text in signs:
            word = self._cursor.take()
            left, links = Call(signs[word.text], (left, operand())), links + 1
            if links + depth > MAX_DEPTH:
                raise self._cursor.error(
                    f"the expression is more than {MAX_DEPTH} levels deep; assign its parts to names", word
                )
        return left

    def _signed(self, depth: int) -> Expression:
        word = self._cursor.peek()
        if depth > MAX_DEPTH:
            raise self._cursor.error(
                f"the expression is more than {MAX_DEPTH} levels deep; assign its parts to names", word
            )
        if self._cursor.skips("-"):
            if self._cursor.peek().token is Token.NUMBER:
                return Number(-self._number(self._cursor.take()))
            return Call("neg", (self._signed(depth + 1),))
        if self._cursor.skips("("):
            inner = self.read(depth + 1)
            self._cursor.expect(")")
            return inner
        match word.token:
            case Token.NUMBER:
                return Number(self._number(self._cursor.take()))
            case Token.NAME:
                return self._named(self._cursor.take(), depth)
            case _:
                raise self._cursor.error(f"expected an expression, found {word}")

    def _number(self, word: Word) -> int | float:
        if word.text.isdigit():
            if len(word.text) > 18:
                raise self._cursor.error("the whole number has more than 18 digits, the limit", word)
            return int(word.text)
        value = float(word.text)
        if value - value != 0:
            raise self._cursor.error(f"{word.text} is not a finite number", word)
        return value

    def _named(self, word: Word, depth: int) -> Expression:
        if word.text == "ranks":
            return Ranks(self._axis_of_ranks())
        if self._cursor.peek().token is Token.SIGN and self._cursor.peek().text == "(":
            return self._called(word, depth + 1)
        if word.text in self._sizes:
            return Number(self._sizes[word.text])
        if word.text not in self._known:
            hint = nearest(word.text, self._known)
            raise self._cursor.error(
                f"{word.text!r} is not defined before this line{hint or '; define it above'}", word
            )
        return Read(word.text)

    def _axis_of_ranks(self) -> str:
        if not self._cursor.skips("("):
            return ""
        axis = self._cursor.name("an axis").text
        self._cursor.expect(")")
        return axis

    def _called(self, word: Word, depth: int) -> Expression:
        if word.text in CONVERSIONS:
            self._cursor.expect("(")
            operand = self.read(depth)
            conversion, axis = read_conversion(self._cursor, word)
            return Convert(conversion, operand, axis)
        if word.text not in OPERATIONS and word.text not in SUGAR:
            hint = nearest(word.text, [*OPERATIONS, *CONVERSIONS, *SUGAR])
            raise self._cursor.error(f"{word.text!r} is not an operation{hint}", word)
        operation = OPERATIONS[SUGAR.get(word.text, word.text)]
        self._cursor.expect("(")
        operands, values = self._arguments(operation, depth, word)
        attributes = tuple(self._attribute(parameter, values, operation, word) for parameter in operation.parameters)
        call = Call(operation.name, operands, attributes)
        if word.text not in SUGAR:
            return call
        try:
            return resolved_sugar(word.text, call, whole_of(operands[0], self._known).shape)
        except ValueError as cause:
            raise self._cursor.error(f"{word.text}: {cause}", word) from cause

    def _arguments(
        self, operation: Operation, depth: int, word: Word
    ) -> tuple[tuple[Expression, ...], dict[str, Attribute]]:
        operands: list[Expression] = []
        values: dict[str, Attribute] = {}
        waiting = list(operation.parameters)
        while not self._cursor.skips(")"):
            if operands or values:
                self._cursor.expect(",")
            here = self._cursor.peek()
            if len(operands) + len(values) > MAX_OPERANDS:
                raise self._cursor.error(f"the call has more than {MAX_OPERANDS} arguments, the limit", here)
            if here.token is Token.NAME and self._cursor.peek(1).text == "=":
                parameter = self._parameter(operation, values)
                values[parameter.name] = self._value(parameter)
            elif here.token is Token.TEXT or _has_all(operation, len(operands), here):
                parameter = self._next(operation, waiting, values, here)
                values[parameter.name] = self._value(parameter)
            else:
                operands.append(self.read(depth))
        if not operation.takes(len(operands)):
            raise self._cursor.error(f"{operation.name} takes {_wanted(operation)}, {len(operands)} are given", word)
        return tuple(operands), values

    def _parameter(self, operation: Operation, values: dict[str, Attribute]) -> Parameter:
        word = self._cursor.take()
        self._cursor.expect("=")
        named = {parameter.name: parameter for parameter in operation.parameters}
        if word.text not in named or word.text in values:
            hint = nearest(word.text, named)
            what = "twice" if word.text in values else f"no parameter of {operation.name}"
            raise self._cursor.error(f"{word.text!r} is {what}{hint}", word)
        return named[word.text]

    def _next(
        self, operation: Operation, waiting: list[Parameter], values: dict[str, Attribute], here: Word
    ) -> Parameter:
        free = [parameter for parameter in waiting if parameter.name not in values]
        if here.token is Token.TEXT:
            free = [parameter for parameter in free if parameter.kind is ParameterKind.TEXT]
        if not free:
            raise self._cursor.error(
                f"this is one argument too many; {operation.name} takes {_wanted(operation)}", here
            )
        return free[0]

    def _value(self, parameter: Parameter) -> Attribute:
        word = self._cursor.peek()
        match parameter.kind:
            case ParameterKind.TEXT:
                if word.token is not Token.TEXT:
                    raise self._cursor.error(f"expected {parameter.name} in quotes, found {word}")
                return self._cursor.take().text
            case ParameterKind.DTYPE:
                if word.text not in tuple(DType):
                    hint = nearest(word.text, DType)
                    raise self._cursor.error(f"expected a type of elements, found {word}{hint}")
                return self._cursor.take().text
            case ParameterKind.WHOLE:
                return self._whole(parameter.name)
            case ParameterKind.REAL:
                return self._real(parameter.name)
            case ParameterKind.WHOLES:
                return self._wholes(parameter.name)

    def _real(self, what: str) -> float:
        sign = -1 if self._cursor.skips("-") else 1
        word = self._cursor.peek()
        if word.token is not Token.NUMBER:
            raise self._cursor.error(f"expected {what}, a number, found {word}")
        return float(sign * self._number(self._cursor.take()))

    def _wholes(self, what: str) -> tuple[int, ...]:
        numbers = [self._whole(what)]
        while self._cursor.skips(","):
            numbers.append(self._whole(what))
            if len(numbers) > MAX_DEPTH:
                raise self._cursor.error(f"the list has more than {MAX_DEPTH} numbers, the limit")
        return tuple(numbers)

    def _whole(self, what: str) -> int:
        word = self._cursor.peek()
        if word.token is Token.NAME and word.text in self._sizes:
            return self._sizes[self._cursor.take().text]
        return self._cursor.whole(what, most=MAX_NUMBER)

    def _attribute(
        self, parameter: Parameter, values: dict[str, Attribute], operation: Operation, word: Word
    ) -> Attribute:
        if parameter.name in values:
            return values[parameter.name]
        if parameter.default is None:
            error: ProgramError = self._cursor.error(f"{operation.name} needs {parameter.name}, {parameter.kind}", word)
            raise error
        return parameter.default


def _has_all(operation: Operation, count: int, here: Word) -> bool:
    """True if a parameter comes next: all operands are read, or a number follows where an operand is optional."""
    if operation.operands is None or count < operation.operands:
        return False
    return count == operation.operands + operation.optional or here.token is Token.NUMBER


def _wanted(operation: Operation) -> str:
    if operation.operands is None:
        return "operands"
    most = operation.operands + operation.optional
    return f"{operation.operands} to {most} operands" if operation.optional else f"{most} operands"
