"""From a problem to all programs of all placements; what was found for one placement is reused for the next."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from p2smt.placement.enumeration import all_placements
from p2smt.placement.hierarchy import SynthesisHierarchy, synthesis_hierarchy
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Engine, Problem
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.language.language import Language
from p2smt.reduction.synth.engines import find_programs
from p2smt.reduction.synth.replay import invalid_programs, replay_sizes
from p2smt.smt.answer import Enumeration, Stop


@dataclass(frozen=True, slots=True)
class PlacedPrograms:
    """One placement, the hierarchy that carries its reduction, and its programs, shortest first."""

    matrix: ParallelismMatrix
    hierarchy: SynthesisHierarchy
    programs: tuple[Program, ...]
    stop: Stop


@dataclass(frozen=True, slots=True)
class Synthesis:
    """The programs of every placement of a problem; only with `stop` EXHAUSTED are these all there are."""

    problem: Problem
    placements: tuple[PlacedPrograms, ...]
    stop: Stop
    reason: str
    elapsed_s: float

    @property
    def complete(self) -> bool:
        """Whether every placement and every program up to the limit was found."""
        return self.stop is Stop.EXHAUSTED

    @property
    def total_programs(self) -> int:
        """Number of programs, summed over the placements."""
        return sum(len(placed.programs) for placed in self.placements)


class Synthesizer:
    """Finds programs; keeps them per language and limit, for all placements and problems it is used for."""

    def __init__(self) -> None:
        self._known: dict[tuple[Engine, Language, tuple[int, ...], int], Enumeration[Program]] = {}

    def synthesize(
        self,
        problem: Problem,
        deadline: float | None = None,
        progress: Callable[[int, int, int], None] | None = None,
        only: ParallelismMatrix | None = None,
    ) -> Synthesis:
        """All programs of all placements, or of `only` one; `deadline` is a time of `time.monotonic`.

        `progress` is told the placements done, their number, and the programs of the one under way. After the
        deadline or Ctrl-C comes back what was found, with the reason. Raises EngineError where the engine
        cannot take a placement's hierarchy.
        """
        began = time.monotonic()
        matrices = Enumeration((only,), Stop.EXHAUSTED) if only else all_placements(problem, deadline)
        stop, reason = matrices.stop, matrices.reason
        placed: list[PlacedPrograms] = []
        try:
            for done, matrix in enumerate(matrices.items if stop is not Stop.INTERRUPTED else ()):
                told = None if progress is None else _telling(progress, done, len(matrices.items))
                hierarchy = synthesis_hierarchy(problem, matrix)
                found = self.programs(problem, hierarchy, deadline, told)
                placed.append(PlacedPrograms(matrix, hierarchy, found.items, found.stop))
                if not found.complete:
                    stop, reason = found.stop, found.reason
                if found.stop is Stop.INTERRUPTED:
                    break
        except KeyboardInterrupt:
            stop, reason = Stop.INTERRUPTED, ""
        return Synthesis(problem, tuple(placed), stop, reason, time.monotonic() - began)

    def programs(
        self,
        problem: Problem,
        hierarchy: SynthesisHierarchy,
        deadline: float | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Enumeration[Program]:
        """All programs over one hierarchy, each replayed in the concrete semantics."""
        search = problem.search
        language = language_of(hierarchy, search.grammar)
        sizes = tuple(level.size for level in hierarchy.carrying)
        key = (search.engine, language, () if search.engine is Engine.LEVELS else sizes, search.limit)
        if key in self._known:
            return self._known[key]
        found = find_programs(search.engine, language, sizes, search.limit, deadline, progress)
        wrong = invalid_programs(found.items, replay_sizes(sizes))
        assert not wrong, f"engine {search.engine} found an invalid program: {wrong[0]}"
        programs = Enumeration(tuple(map(language.program, found.items)), found.stop, found.reason)
        if programs.complete:
            self._known[key] = programs
        return programs


def _telling(progress: Callable[[int, int, int], None], done: int, total: int) -> Callable[[int], None]:
    return lambda programs: progress(done, total, programs)
