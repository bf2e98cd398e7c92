"""Statements of a program that is being written, and names that are not taken."""

from dataclasses import dataclass, field

from p2smt.tensor.program import Call, Convert, Expression, Read, Statement


@dataclass(slots=True)
class Writing:
    """`statements` so far; `taken` are names that a fresh one differs from."""

    taken: set[str]
    statements: list[Statement] = field(default_factory=list)

    def fresh(self, stem: str) -> str:
        """A name that nothing has: the stem, with a number if need be."""
        name, number = stem, 1
        while name in self.taken:
            number += 1
            name = f"{stem}{number}"
        self.taken.add(name)
        return name

    def add(self, name: str, expression: Expression) -> None:
        """Append a statement."""
        self.statements.append(Statement(name, expression))

    def rename(self, old: str, new: str) -> None:
        """Give a value another name in all statements."""
        self.statements = [
            Statement(new if each.name == old else each.name, _reading(each.expression, old, new))
            for each in self.statements
        ]


def _reading(expression: Expression, old: str, new: str) -> Expression:
    match expression:
        case Read(name) if name == old:
            return Read(new)
        case Call(operation, operands, attributes):
            return Call(operation, tuple(_reading(operand, old, new) for operand in operands), attributes)
        case Convert(conversion, operand, axis):
            return Convert(conversion, _reading(operand, old, new), axis)
        case _:
            return expression
