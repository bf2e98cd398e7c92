"""Reduction programs for collectives among ranks that span levels: of all that are synthesised those of least price."""

from collections.abc import Iterator
from functools import lru_cache
from math import prod

from p2smt.collective import Collective
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.language import Language, all_groupings
from p2smt.reduction.language.text import format_program
from p2smt.reduction.synth.engines import find_programs
from p2smt.schedule.cost.estimate import Pricer
from p2smt.schedule.cost.machine import Machine, placed
from p2smt.schedule.scheduled import Implementation, ScheduledProgram
from p2smt.schedule.step import UseProgram
from p2smt.schedule.transforms.synthesised import BY_PROGRAMS, MOST_RANKS
from p2smt.tensor.conversion import COMMUNICATION
from p2smt.tensor.placing import Mesh
from p2smt.tensor.program import Convert, Program, parts

MOST_STEPS = 3
"""The most steps of a program: reduce inside, across, gather inside."""
FASTEST = 2
"""The number of programs tried for each AllReduce."""
FASTEST_OF_A_PART = 1
"""The number of programs tried for a ReduceScatter or AllGather, if they beat the library's call."""

Levels = tuple[tuple[str, int], ...]


class Reductions:
    """Reduction programs on one machine; synthesised and priced ones are kept."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._fastest: dict[tuple[Mesh, int, Collective, tuple[int, ...]], tuple[str, ...]] = {}

    def steps(self, scheduled: ScheduledProgram, pricer: Pricer) -> Iterator[UseProgram]:
        """Every AllReduce, ReduceScatter and AllGather by each of the fastest programs, where its ranks span levels.

        Nothing for what has a program, is in a kernel or a loop, or has another conversion inside; and nothing on a
        machine with rates, which say what calls take that were measured one by one.
        """
        if self._machine.rates is not None:
            return
        settled = {each.statement for each in scheduled.implementations} | scheduled.bound
        program = scheduled.program
        for statement in program.statements:
            conversions = [part for part in parts(statement.expression) if isinstance(part, Convert)]
            if statement.name in settled or len(conversions) != 1:
                continue
            if isinstance(conversions[0].conversion, BY_PROGRAMS):
                yield from self._of(statement.name, program, conversions[0], pricer)

    def _levels(self, mesh: Mesh, axis: int) -> Levels:
        """The levels of the system that an axis spans, with how many units of each."""
        row = placed(mesh, self._machine).rows[axis]
        levels = self._machine.cost.system.levels
        return tuple((level.name, size) for level, size in zip(levels, row, strict=True) if size > 1)

    def _of(self, name: str, program: Program, convert: Convert, pricer: Pricer) -> Iterator[UseProgram]:
        axis, goal = program.axis(convert.axis), COMMUNICATION[type(convert.conversion)]
        levels = self._levels(program.mesh, axis)
        if len(levels) < 2 or prod(size for _, size in levels) > MOST_RANKS:
            return
        assert isinstance(goal, Collective)
        key = program.mesh, axis, goal, pricer.brought(name)[0]
        if key not in self._fastest:
            texts = all_programs(levels, goal)
            prices = {text: pricer.by_program(name, Implementation(name, text, levels, goal)).seconds for text in texts}
            ordered = sorted(texts, key=lambda text: prices[text])
            if goal.scatters or goal.gathers:
                own = pricer.as_it_is(name).seconds
                ordered = [text for text in ordered[:FASTEST_OF_A_PART] if prices[text] < own]
            self._fastest[key] = tuple(ordered[:FASTEST])
        yield from (UseProgram(name, text, levels) for text in self._fastest[key])


@lru_cache(maxsize=16)
def all_programs(levels: Levels, goal: Collective = Collective.ALL_REDUCE) -> tuple[str, ...]:
    """Every program of the paper's language of 2 to `MOST_STEPS` steps that does what a collective does."""
    language = Language(len(levels), all_groupings(len(levels)), Grammar.PAPER, goal)
    found = find_programs(Engine.EXPLICIT, language, [size for _, size in levels], MOST_STEPS)
    names = ["root", *(name for name, _ in levels)]
    return tuple(format_program(language.program(steps), names) for steps in found.items if len(steps) > 1)
