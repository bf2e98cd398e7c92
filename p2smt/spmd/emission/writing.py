"""Statements of a program under construction, with fresh names.

    fresh(stem) = the first of stem, stem2, stem3, ... that is not taken;
an output that has to get the name of a value renames that value first, everywhere, so no name is captured (Pierce,
"Types and Programming Languages", 2002, section 5.3).
Complexity: O(statements) for each renaming, a look-up for each name that is tried.

Example: `h` is taken by a value and wanted for an output: the value becomes `h_local`.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from p2smt.tensor.expression import Call, Convert, Expression, Read, Statement


@dataclass(slots=True)
class StatementBuilder:
    """The statements written so far; `taken` are the names that a fresh name must avoid."""

    taken: set[str]
    statements: list[Statement] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def fresh(self, stem: str) -> str:
        """Return an unused name: the stem, followed by a number if it is taken."""
        # Names are never given back, so all numbers up to the last one of a stem stay taken.
        number = self._numbers.get(stem, 1)
        name = stem if number == 1 else f"{stem}{number}"
        while name in self.taken:
            number += 1
            name = f"{stem}{number}"
        self.taken.add(name)
        self._numbers[stem] = number
        return name

    def add(self, name: str, expression: Expression) -> None:
        """Append a statement."""
        self.statements.append(Statement(name, expression))

    def name_output(self, name: str, read: Expression, observed: Collection[str]) -> dict[str, str]:
        """Give a value the name of an output, and return the renaming {old name: new name} that this caused.

        A value that already has that name gets a fresh one; names in `observed` belong to outputs and are kept.
        """
        renamed = {}
        if any(each.name == name for each in self.statements):
            renamed[name] = self.fresh(f"{name}_local")
            self._rename(name, renamed[name])
            read = _reading(read, name, renamed[name])
            last = self.statements[-1]
            if isinstance(read, Read) and last.name == read.name and read.name not in observed:
                self.statements[-1] = Statement(name, last.expression)
                return {**renamed, read.name: name}
        self.add(name, read)
        return renamed

    def _rename(self, old: str, new: str) -> None:
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
