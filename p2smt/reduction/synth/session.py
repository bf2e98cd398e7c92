"""Synthesis of all programs on all placements; placements with the same language share results."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from p2smt.argument_types import require
from p2smt.cache_folder import user_folder
from p2smt.display import MOST_ROWS, html_table, one_line
from p2smt.errors import ProgramError
from p2smt.placement.enumeration import all_placements
from p2smt.placement.hierarchy import SynthesisHierarchy, synthesis_hierarchy
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.tree import Shape
from p2smt.problem.model import Engine, Problem, Search
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.language.language import Language, Steps
from p2smt.reduction.synth.disk_cache import DiskCache
from p2smt.reduction.synth.engines import find_programs
from p2smt.reduction.synth.replay import invalid_programs, replay_shape
from p2smt.smt.answer import Enumeration, Stop
from p2smt.wording import counted

Progress = Callable[[int, int, int], None]
"""A callback with the number of placements done, their total, and the number of programs of the current one."""

Find = Callable[[SynthesisHierarchy, Callable[[int], None] | None], Enumeration[Program]]
"""A function that returns the programs on a hierarchy; raises ProgramError if the request does not apply to it."""


@dataclass(frozen=True, slots=True)
class PlacedPrograms:
    """A placement, the hierarchy for its reduction, and its programs, shortest first."""

    matrix: ParallelismMatrix
    hierarchy: SynthesisHierarchy
    programs: tuple[Program, ...]
    stop: Stop

    def __repr__(self) -> str:
        return one_line(self, f"{self.matrix}: {counted(len(self.programs), 'program')}")


@dataclass(frozen=True, slots=True)
class Synthesis:
    """The programs of every placement of a problem; the list is complete only if `stop` is EXHAUSTED."""

    problem: Problem
    placements: tuple[PlacedPrograms, ...]
    stop: Stop
    reason: str
    elapsed_s: float

    @property
    def complete(self) -> bool:
        """True if every placement and every program up to the limit was found."""
        return self.stop is Stop.EXHAUSTED

    @property
    def total_programs(self) -> int:
        """Return the number of programs, summed over the placements."""
        return sum(len(placed.programs) for placed in self.placements)

    def __repr__(self) -> str:
        programs, placements = counted(self.total_programs, "program"), counted(len(self.placements), "placement")
        return one_line(self, f"{programs} on {placements}, {'all' if self.complete else f'stopped: {self.stop}'}")

    def _repr_html_(self) -> str:
        """Return an HTML table of the placements."""
        rows = [(str(placed.matrix), str(len(placed.programs))) for placed in self.placements[:MOST_ROWS]]
        more = max(0, len(self.placements) - MOST_ROWS)
        return html_table(repr(self)[1:-1], ("placement", "programs"), rows, more)


@dataclass(frozen=True, slots=True)
class Unfit:
    """A placement to which the request does not apply, and the reason."""

    matrix: ParallelismMatrix
    reason: str


_MOST_KEPT = 256


class Synthesizer:
    """Finds programs, and caches recent results by language and limit across placements and problems."""

    def __init__(self, cache: DiskCache | None = None) -> None:
        """Create a synthesizer; `cache` is the disk cache, by default one in the user's cache folder."""
        self._cache = cache or DiskCache(user_folder())
        self._known: dict[tuple[Engine, Language, Shape, int], Enumeration[Program]] = {}

    def synthesize(
        self,
        problem: Problem,
        deadline: float | None = None,
        on_progress: Progress | None = None,
        only: ParallelismMatrix | None = None,
    ) -> Synthesis:
        """Return all programs on all placements, or on `only` one; `deadline` is a time of `time.monotonic`.

        At the deadline or on Ctrl-C, returns the results so far with the reason. Raises EngineError if the engine does
        not support a placement's hierarchy.
        """

        def find(hierarchy: SynthesisHierarchy, on_programs: Callable[[int], None] | None) -> Enumeration[Program]:
            return self.programs(problem, hierarchy, deadline, on_programs)

        synthesis, _ = over_placements(problem, find, deadline, on_progress, only)
        return synthesis

    def programs(
        self,
        problem: Problem,
        hierarchy: SynthesisHierarchy,
        deadline: float | None = None,
        on_programs: Callable[[int], None] | None = None,
    ) -> Enumeration[Program]:
        """Return all programs on one hierarchy, each checked by replay in the concrete semantics."""
        search, shape = _served(problem.search, hierarchy.shape), hierarchy.shape
        language = language_of(hierarchy, search.grammar, problem.goal)
        # Engine `levels` needs no sizes, so placements that differ in them alone share one result.
        # The engine is part of the key although all agree: asking for another engine must run that
        # engine.
        key = (search.engine, language, () if search.engine is Engine.LEVELS else shape, search.limit)
        known = self._known.pop(key, None)
        if known is not None:
            self._known[key] = known  # the last to be dropped
            return known
        programs = replayed(self._steps(search, language, shape, deadline, on_programs), language, hierarchy)
        # An answer that a deadline cut short is not kept; with more time there could be more
        # programs.
        if programs.complete:
            self._known[key] = programs
            # Dictionaries keep the order of insertion: the first key is the one asked for longest ago.
            if len(self._known) > _MOST_KEPT:
                del self._known[next(iter(self._known))]
        return programs

    def _steps(
        self,
        search: Search,
        language: Language,
        shape: Shape,
        deadline: float | None,
        on_programs: Callable[[int], None] | None,
    ) -> Enumeration[Steps]:
        """Return the step sequences that an engine finds.

        Those of `levels`, which needs no sizes, are cached on disk.
        """
        if search.engine is not Engine.LEVELS:
            return find_programs(search.engine, language, shape, search.limit, deadline, on_programs)
        kept = self._cache.load(language, search.limit, deadline)
        if kept is not None:
            return Enumeration(kept, Stop.EXHAUSTED)
        steps = find_programs(search.engine, language, shape, search.limit, deadline, on_programs)
        if steps.complete:
            self._cache.keep(language, search.limit, steps.items)
        return steps


def synthesize(
    problem: Problem,
    deadline: float | None = None,
    on_progress: Progress | None = None,
    only: ParallelismMatrix | None = None,
) -> Synthesis:
    """Return all programs on all placements of one problem; use `Synthesizer.synthesize` for several problems."""
    require(problem, Problem, "problem", "build_problem makes one, read_problem reads a file")
    return Synthesizer().synthesize(problem, deadline, on_progress, only)


def over_placements(
    problem: Problem,
    find: Find,
    deadline: float | None = None,
    on_progress: Progress | None = None,
    only: ParallelismMatrix | None = None,
) -> tuple[Synthesis, tuple[Unfit, ...]]:
    """Apply `find` to every placement of a problem, or to `only` one.

    Also return the placements that it cannot express. At the deadline (a time of `time.monotonic`), on Ctrl-C or if the
    solver gives up, returns the results so far.
    """
    began = time.monotonic()
    matrices = Enumeration((only,), Stop.EXHAUSTED) if only else all_placements(problem, deadline)
    stop, reason = matrices.stop, matrices.reason
    placed: list[PlacedPrograms] = []
    unfit: list[Unfit] = []
    try:
        # Ctrl-C during the search for placements ends everything, not that search alone.
        for done, matrix in enumerate(matrices.items if stop is not Stop.INTERRUPTED else ()):
            on_programs = None if on_progress is None else _reporting(on_progress, done, len(matrices.items))
            hierarchy = synthesis_hierarchy(problem, matrix)
            try:
                programs = find(hierarchy, on_programs)
            except ProgramError as error:
                unfit.append(Unfit(matrix, str(error)))
                continue
            placed.append(PlacedPrograms(matrix, hierarchy, programs.items, programs.stop))
            if not programs.complete:
                stop, reason = programs.stop, programs.reason
            if programs.stop is Stop.INTERRUPTED:
                break
    except KeyboardInterrupt:
        stop, reason = Stop.INTERRUPTED, ""
    return Synthesis(problem, tuple(placed), stop, reason, time.monotonic() - began), tuple(unfit)


def replayed(steps: Enumeration[Steps], language: Language, hierarchy: SynthesisHierarchy) -> Enumeration[Program]:
    """Convert step sequences to programs, after checking that each reaches the goal in the concrete semantics."""
    wrong = invalid_programs(steps.items, replay_shape(hierarchy.shape), language.goal)
    assert not wrong, f"an engine found a program that does no {language.goal}: {wrong[0]}"
    return Enumeration(language.programs(steps.items), steps.stop, steps.reason)


def _served(search: Search, shape: Shape) -> Search:
    """Return the search with an engine that supports the shape.

    The level algebra does not apply to trees of unequal units, so EXPLICIT replaces LEVELS there.
    """
    unlike = search.engine is Engine.LEVELS and isinstance(shape, Tree)
    return replace(search, engine=Engine.EXPLICIT) if unlike else search


def _reporting(on_progress: Progress, done: int, total: int) -> Callable[[int], None]:
    return lambda programs: on_progress(done, total, programs)
