"""Emission of a schedule's reduction programs as functions that replace library collectives."""

from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.program.program_text import ByProgram, Groups, ProgramText
from p2smt.emit.torch.program.ranks import groups_text
from p2smt.schedule.emission.lowering import lowered
from p2smt.schedule.graph import statements
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.expression import Convert


class EmittedPrograms:
    """The functions of all reduction programs, and the rank groups of their steps.

    With `library`, ReduceScatter steps call the library, else they are block exchanges. Functions called in
    loops only start their communication. Statements with equal programs share a function. `calls` has the
    function names, by statement, conversion and axis.
    """

    def __init__(self, scheduled: ScheduledProgram, known: PythonNames, *, library: bool) -> None:
        scatter = "reduce_scatter" if library else "reduce_scatter_exchanged"
        inside: tuple[list[Groups], ...] = tuple([] for _ in scheduled.program.mesh)
        self.calls: dict[tuple[str, Conversion, int], str] = {}
        self.texts: list[str] = []
        expressions = statements(scheduled.program)
        looped = {name for loop in scheduled.loops for stage in loop.stages for name in scheduled.members(stage)}
        made: dict[tuple[object, ...], str] = {}
        for noted in scheduled.implementations:
            convert, plan = expressions[noted.statement], lowered(noted)
            assert isinstance(convert, Convert), "a step that takes the collective of a program away is refused"
            if plan is None:
                continue
            axis, begun = scheduled.program.axis(convert.axis), noted.statement in looped
            alike = (axis, noted.program, noted.levels, noted.goal, begun)
            if alike not in made:
                made[alike] = known.fresh(f"{noted.goal.underscored}_{noted.statement}")
                digits = tuple(name for name, size in noted.levels if size > 1)
                text = ProgramText(ByProgram(noted.program, plan, noted.levels, digits), inside[axis], scatter)
                self.texts.append(text.begun(made[alike]) if begun else text.whole(made[alike]))
            self.calls[noted.statement, convert.conversion, axis] = made[alike]
        self._is_needed = bool(scheduled.implementations)
        self._inside = tuple(map(tuple, inside))

    def constants(self) -> str:
        """Return the group constants of every axis; empty if no statement has a program."""
        return groups_text(self._inside) if self._is_needed else ""
