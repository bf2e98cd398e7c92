"""One form for scheduled programs that differ in names and in the order of independent statements alone.

Method: global value numbering (Alpern, Wegman and Zadeck, "Detecting equality of variables in programs", POPL 1988).
    number(e) = the first free number for a new (operation, attributes, numbers of operands), the known one for an old,
so two expressions have one number exactly if they are the same operations of the same sources. A form is made of sets
of such numbers: values, groups, loops, implementations, in which neither names nor order remain.

Complexity: one look-up for each expression; numbers are kept for all programs of a search.

Example: y = a + b; z = relu(y) and q = a + b; r = relu(q) have the same numbers, and as outputs of one name one form.
"""

from dataclasses import dataclass, field

from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.program import Call, Convert, Expression, Number, Program, Ranks, Read, versions

Form = tuple[object, ...]


@dataclass(slots=True)
class Canonical:
    """Numbers for expressions with their conversions; the same expression of the same sources has one number."""

    _numbers: dict[object, int] = field(default_factory=dict)

    def form(self, scheduled: ScheduledProgram) -> Form:
        """Equal for two scheduled programs that compute the same in the same kernels, loops and reduction programs."""
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
