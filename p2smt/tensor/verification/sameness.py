"""Whether two programs for one device are the same expressions of the same sources, whatever their parts are called."""

from typing import assert_never

from p2smt.tensor.frame import Attributes
from p2smt.tensor.program import Call, Convert, Expression, Number, Program, Ranks, Read, versions

_COMMUTATIVE = ("add", "mul", "maximum", "minimum")
_Key = tuple[str, Attributes, tuple[int, ...]]


class Expressions:
    """Numbers for expressions; two have one number if they are the same up to the order of sums and products of two.

    A new version of a state is the value that it is updated to.
    """

    def __init__(self) -> None:
        self._numbers: dict[_Key, int] = {}

    def observed(self, program: Program) -> dict[str, int]:
        """The number of every output, and of the last version of everything that is updated, by the name of both."""
        known = {source.name: self._number(("source", (source.name,), ())) for source in program.sources}
        for statement in program.statements:
            known[statement.name] = self._of(statement.expression, known)
        outputs = {f"output {output.name}": known[output.name] for output in program.outputs}
        return outputs | {f"version of {name}": known[last] for name, last in versions(program).items()}

    def _of(self, expression: Expression, known: dict[str, int]) -> int:
        match expression:
            case Read(name):
                return known[name]
            case Number(value):
                return self._number(("number", (float(value),), ()))
            case Call("update", (_, new)):
                return self._of(new, known)
            case Call(operation, operands, attributes):
                numbers = [self._of(operand, known) for operand in operands]
                ordered = sorted(numbers) if operation in _COMMUTATIVE else numbers
                return self._number((operation, attributes, tuple(ordered)))
            case Convert() | Ranks():
                raise AssertionError("a program for one device")
            case _:
                assert_never(expression)

    def _number(self, key: _Key) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def same_expressions(left: Program, right: Program) -> bool:
    """Whether all that is observed of two programs for one device is the same expressions."""
    expressions = Expressions()
    return expressions.observed(left) == expressions.observed(right)
