"""A builder that adds statements to a program one by one, with unique names and checked shapes."""

from collections.abc import Iterable

from p2smt.tensor.expression import Convert, Expression, Output, Read, Source, Statement
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole, whole_of

_RESERVED = ("ranks",)


class ProgramBuilder:
    """Collects sources, statements and outputs; appends a number to names that are already taken."""

    def __init__(self, name: str, reserved: Iterable[str] = ()) -> None:
        self._name = name
        self._sources: list[Source] = []
        self._statements: list[Statement] = []
        self._outputs: list[Output] = []
        self._known: dict[str, Whole] = {}
        self._taken = {*_RESERVED, *reserved}
        self._counts: dict[str, int] = {}

    def source(self, source: Source) -> Read:
        """Add a source under its own name, which must be free."""
        assert source.name not in self._known, source.name
        self._sources.append(source)
        self._known[source.name] = Whole(source.shape, source.dtype)
        self._taken.add(source.name)
        return Read(source.name)

    def statement(self, name: str, expression: Expression) -> Read:
        """Add a statement under this name or one derived from it. Raises ProgramError if shapes or types do not fit."""
        whole = whole_of(expression, self._known)
        free = self.free(name)
        self._statements.append(Statement(free, expression))
        self._known[free] = whole
        return Read(free)

    def received(self, name: str, expression: Convert, whole: Whole) -> Read:
        """Add the result of a collective whose local shape is `whole`, under this name or one derived from it."""
        free = self.free(name)
        self._statements.append(Statement(free, expression))
        self._known[free] = whole
        return Read(free)

    def free(self, name: str) -> str:
        """Return the name, with a number appended if it is taken, and mark the result as taken."""
        found = name
        while found in self._taken:
            self._counts[name] = self._counts.get(name, 0) + 1
            found = f"{name}.{self._counts[name]}"
        self._taken.add(found)
        return found

    def whole(self, expression: Expression) -> Whole:
        """Return the shape and element type of an expression over the names added so far."""
        return whole_of(expression, self._known)

    def output(self, name: str) -> None:
        """Make a source or statement an output."""
        self._outputs.append(Output(name))

    def program(self) -> Program:
        """Return the program built so far."""
        return Program(
            name=self._name,
            sources=tuple(self._sources),
            statements=tuple(self._statements),
            outputs=tuple(self._outputs),
        )
