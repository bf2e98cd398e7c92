"""The reduction programs of a distributed program's collectives, as functions of its emitted file."""

from collections.abc import Iterable, Mapping

from p2smt.collective import Collective
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.program.program_text import ByProgram, Groups, ProgramText
from p2smt.emit.torch.program.ranks import groups_text
from p2smt.reduction.plan.model import Plan


class Programs:
    """One function per reduction program; `calls` maps statements to function names.

    Statements in `begun` call the function with prefix `begin_`, which only begins the collective. Programs run over
    all ranks, along the only axis of the mesh. With `library`, ReduceScatter steps are the library's, else exchanges of
    blocks. `reserved` names are not used.
    """

    def __init__(
        self, plans: Mapping[str, Plan], begun: Iterable[str], reserved: Iterable[str], *, library: bool
    ) -> None:
        scatter = "reduce_scatter" if library else "reduce_scatter_exchanged"
        names, begins = PythonNames(reserved), {*begun}
        self._inside: list[Groups] = []
        self._made: dict[tuple[Collective, str], tuple[str, ProgramText]] = {}
        self.calls: dict[str, str] = {}
        self.texts: list[str] = []
        forms: set[tuple[str, bool]] = set()
        for statement, plan in plans.items():
            key = plan.goal, plan.program
            if key not in self._made:
                text = ProgramText(_by(plan), self._inside, scatter, alone=True)
                self._made[key] = names.fresh(f"{plan.goal.underscored}_by_program"), text
            (name, text), begin = self._made[key], statement in begins
            if (name, begin) not in forms:
                self.texts.append(text.begun(name) if begin else text.whole(name))
            forms.add((name, begin))
            self.calls[statement] = name

    def constants(self) -> str:
        """Return the constants of the groups; "" if no statement has a program."""
        return groups_text([self._inside]) if self.calls else ""


def _by(plan: Plan) -> ByProgram:
    levels = tuple((digit.level, digit.size) for digit in plan.digits)
    return ByProgram(plan.program, plan, levels, tuple(name for name, _ in levels))
