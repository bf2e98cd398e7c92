"""Canonical form of scheduled programs that differ only in names and in the order of independent statements.

Method: global value numbering (Alpern, Wegman and Zadeck, "Detecting equality of variables in programs", POPL 1988).
    number(e) = the number of (operation, attributes, numbers of operands), a new one if that is unknown,
so two expressions share a number exactly if they are the same operations on the same sources. A form consists of sets
of such numbers (values, groups, loops, implementations), which contain neither names nor order.

Complexity: one lookup per expression; numbers are kept for all programs of a search.

Example: y = a + b; z = relu(y) and q = a + b; r = relu(q) have the same numbers, and the same form as equal
outputs.
"""

from dataclasses import dataclass, field

from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.program import Program, versions

Form = tuple[object, ...]


@dataclass(slots=True)
class Canonical:
    """Numbers expressions including their conversions; equal expressions of equal sources share a number."""

    _numbers: dict[object, int] = field(default_factory=dict)

    def form(self, scheduled: ScheduledProgram) -> Form:
        """Return the form.

        It is equal for programs that compute the same with the same kernels, loops and reduction programs.
        """
        program = scheduled.program
        known = self._values(program)
        layouts = tuple((source.name, source.layouts) for source in program.sources)
        outputs = tuple((output.name, known[output.name]) for output in program.outputs)
        last = tuple(sorted((name, known[version]) for name, version in versions(program).items()))
        groups = {group.name: frozenset(known[name] for name in group.members) for group in scheduled.groups}

        def unit(name: str) -> frozenset[int]:
            return groups[name] if name in groups else frozenset([known[name]])

        loops = frozenset((tuple(map(unit, loop.stages)), loop.chunks, loop.dimension) for loop in scheduled.loops)
        # Sets, not sequences: the order of independent statements is not part of what is computed.
        everything = frozenset(known[statement.name] for statement in program.statements)
        reduced = frozenset(
            (known[each.statement], each.program, each.levels, each.goal) for each in scheduled.implementations
        )
        return layouts, outputs, last, everything, frozenset(groups.values()), loops, reduced

    def _values(self, program: Program) -> dict[str, int]:
        known = {source.name: self._number(("source", source.name, source.layouts)) for source in program.sources}
        for statement in program.statements:
            known[statement.name] = self._of(statement.expression, known)
        return known

    def _of(self, expression: Expression, known: dict[str, int]) -> int:
        match expression:
            case Read(name):
                return known[name]
            case Number() | Ranks():
                return self._number(expression)
            case Call(operation, operands, attributes):
                return self._number((operation, attributes, tuple(self._of(each, known) for each in operands)))
            case Convert(conversion, operand, axis):
                return self._number((conversion, axis, self._of(operand, known)))

    def _number(self, key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))
