"""Reduction programs for AllReduces among ranks that span levels: the fastest of all that are synthesised, by price."""

from collections.abc import Iterator
from functools import lru_cache
from math import prod

from p2smt.placement.order import SplitAxis, matrix_of_order
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.language import Language, all_groupings
from p2smt.reduction.language.text import format_program
from p2smt.reduction.synth.engines import find_programs
from p2smt.schedule.cost.estimate import Pricer
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.scheduled import Implementation, Scheduled
from p2smt.schedule.step import Synthesised
from p2smt.schedule.transforms.synthesised import MOST_RANKS
from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.placing import Mesh
from p2smt.tensor.program import Convert, parts

MOST_STEPS = 3
"""Programs have at most so many steps: reducing inside, across, and gathering inside."""
FASTEST = 2
"""So many programs are tried for each AllReduce."""

Levels = tuple[tuple[str, int], ...]


class Reductions:
    """Of one machine; what is synthesised and priced is kept."""

    def __init__(self, machine: Machine) -> None:
        self._system = machine.cost.system
        self._fastest: dict[tuple[Mesh, int, tuple[int, ...]], tuple[str, ...]] = {}

    def steps(self, scheduled: Scheduled, pricer: Pricer) -> Iterator[Synthesised]:
        """A split of every AllReduce by each of the fastest programs, where its ranks span levels.

        Nothing for what has a program, is in a kernel or a loop, or has another conversion inside.
        """
        settled = {each.statement for each in scheduled.implementations} | scheduled.bound
        program = scheduled.program
        for statement in program.statements:
            conversions = [part for part in parts(statement.expression) if isinstance(part, Convert)]
            reduces = len(conversions) == 1 and isinstance(conversions[0].conversion, AllReduce)
            if reduces and statement.name not in settled:
                yield from self._of(statement.name, program.mesh, program.axis(conversions[0].axis), pricer)

    def _levels(self, mesh: Mesh, axis: int) -> Levels:
        """The levels of the system that an axis spans, with how many units of each."""
        sizes = [level.size for level in self._system.levels]
        matrix = matrix_of_order(tuple(range(len(mesh))), [each.size for each in mesh], sizes)
        assert not isinstance(matrix, SplitAxis), "patterns of this mesh were found"
        row = matrix.rows[axis]
        return tuple((level.name, size) for level, size in zip(self._system.levels, row, strict=True) if size > 1)

    def _of(self, name: str, mesh: Mesh, axis: int, pricer: Pricer) -> Iterator[Synthesised]:
        levels = self._levels(mesh, axis)
        if len(levels) < 2 or prod(size for _, size in levels) > MOST_RANKS:
            return
        key = mesh, axis, pricer.brought(name)[0]
        if key not in self._fastest:
            texts = all_programs(levels)
            prices = {text: pricer.by_program(name, Implementation(name, text, levels)).seconds for text in texts}
            self._fastest[key] = tuple(sorted(texts, key=lambda text: prices[text])[:FASTEST])
        yield from (Synthesised(name, text, levels) for text in self._fastest[key])


@lru_cache(maxsize=16)
def all_programs(levels: Levels) -> tuple[str, ...]:
    """Every program of the paper's language of 2 to `MOST_STEPS` steps that ends with the sum on every rank."""
    language = Language(len(levels), all_groupings(len(levels)), Grammar.PAPER)
    found = find_programs(Engine.EXPLICIT, language, [size for _, size in levels], MOST_STEPS)
    names = ["root", *(name for name, _ in levels)]
    return tuple(format_program(language.program(steps), names) for steps in found.items if len(steps) > 1)
