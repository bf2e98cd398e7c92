"""Synthesised reduction programs for collectives among ranks that span several levels; the cheapest ones are tried.

    tried(collective) = the `FASTEST` cheapest of all programs of 2 to `MOST_STEPS` steps that do what it does,
by exhaustive enumeration (`reduction/synth/`), with the levels that the axis spans as the hierarchy. A ReduceScatter or
AllGather takes one, and only if it is faster than the library's call.
Complexity: one enumeration for each levels and collective, and one price for each program, axis and number of bytes.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022.

Example: an AllReduce along an axis over 2 nodes of 8 GPUs: ReduceScatter inside the nodes, AllReduce across them,
AllGather inside. The network carries an eighth of the bytes.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import prod

from p2smt.collective import Collective
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.language import Language, all_groupings
from p2smt.reduction.language.text import format_program
from p2smt.reduction.synth.engines import find_programs
from p2smt.schedule.cost.machine import Machine, placed
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.scheduled import Implementation, ScheduledProgram
from p2smt.schedule.step import UseProgram
from p2smt.schedule.transforms.synthesised import BY_PROGRAMS, MOST_RANKS
from p2smt.tensor.conversion import COMMUNICATION
from p2smt.tensor.expression import Convert, parts
from p2smt.tensor.placing import Mesh
from p2smt.tensor.program import Program

MOST_STEPS = 3
"""The largest number of steps of a program, such as reduce inside, across, gather inside."""
FASTEST = 2
"""The number of programs tried for each AllReduce."""
FASTEST_OF_A_PART = 1
"""The number of programs tried for a ReduceScatter or AllGather, if they are faster than the library's call."""

Levels = tuple[tuple[str, int], ...]


class Reductions:
    """Reduction programs on one machine; synthesis results and prices are cached."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._fastest: dict[tuple[Mesh, int, Collective, tuple[int, ...]], tuple[str, ...]] = {}

    def steps(self, scheduled: ScheduledProgram, pricer: Pricer) -> Iterator[UseProgram]:
        """Yield each collective with each of the fastest reduction programs, if its ranks span levels.

        Collectives are AllReduce, ReduceScatter and AllGather. Statements that have a program, are in a
        kernel or loop, or contain another conversion are skipped. A machine with measured rates gets none,
        because rates
        are measured for single calls.
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
        """Return the levels of the system that an axis spans, each with its number of units."""
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
    """Return all programs of the paper's language with 2 to `MOST_STEPS` steps that implement a collective."""
    language = Language(len(levels), all_groupings(len(levels)), Grammar.PAPER, goal)
    found = find_programs(Engine.EXPLICIT, language, [size for _, size in levels], MOST_STEPS)
    names = ["root", *(name for name, _ in levels)]
    return tuple(format_program(language.program(steps), names) for steps in found.items if len(steps) > 1)
