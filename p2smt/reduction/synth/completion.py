"""Completion of sketches: all programs on all placements that fit a sketch, or the reason why none does."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2smt.errors import EngineError, ProgramError
from p2smt.placement.hierarchy import SynthesisHierarchy
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.build import MAX_LIMIT
from p2smt.problem.model import Engine, Problem
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.hierarchy import language_of
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.language.language import Language
from p2smt.reduction.language.outline import Outline, condition_text, outline_of
from p2smt.reduction.language.sketch import Sketch, least_length, most_length, parse_sketch
from p2smt.reduction.synth.engines import MAX_BITVEC_DEVICES, MAX_LEVELS, check_size
from p2smt.reduction.synth.session import Progress, Synthesis, Unfit, over_placements, replayed
from p2smt.smt.answer import Enumeration, Stop

if TYPE_CHECKING:
    from p2smt.smt.cores import Minimality


@dataclass(frozen=True, slots=True)
class Completion:
    """The programs that fit a sketch.

    `unfit` lists the placements on which the sketch is undefined, with the reason.
    """

    synthesis: Synthesis
    sketch: Sketch
    unfit: tuple[Unfit, ...]


@dataclass(frozen=True, slots=True)
class ConflictExplanation:
    """Conditions, in the terms of the sketch, that no valid program of up to `most_steps` steps on a hierarchy meets.

    `without[i]` is the first of the shortest programs that meet all but number `i`; None if it was not found in time.
    """

    conditions: tuple[str, ...]
    minimality: "Minimality"
    most_steps: int
    without: tuple[Program | None, ...]


def limit_for(sketch: Sketch, limit: int, given: bool) -> int:
    """Return the length limit: `limit` if given, else at least the sketch's length with its bounded gaps full.

    Raises ProgramError if a given limit is smaller than the sketch's number of steps.
    """
    least = least_length(sketch)
    if given and limit < least:
        raise ProgramError(f"the sketch has {least} steps, but the limit is {limit}; give --limit {least} or more")
    return limit if given else max(limit, min(most_length(sketch), MAX_LIMIT))


def problem_for(sketch: Sketch, problem: Problem, *, limited: bool) -> Problem:
    """Return the problem with the limit of `limit_for`; `limited`: the problem's own limit was given by the user."""
    limit = limit_for(sketch, problem.search.limit, limited)
    return replace(problem, search=replace(problem.search, limit=limit))


class Completer:
    """Completes sketches; results are reused for placements with the same levels."""

    def __init__(self) -> None:
        self._known: dict[tuple[Language, Tree | None, Outline, int], Enumeration[Program]] = {}

    def complete(
        self,
        problem: Problem,
        sketch: Sketch,
        deadline: float | None = None,
        on_progress: Progress | None = None,
        only: ParallelismMatrix | None = None,
    ) -> Completion:
        """Return all programs that fit, on all placements or `only` on one; `deadline` is a time of `time.monotonic`.

        At the deadline or on Ctrl-C, returns the results so far with the reason. Raises ProgramError if the sketch's
        levels exist on no placement, EngineError for an engine other than `levels` or too large a tree.
        """
        if problem.search.engine is not Engine.LEVELS:
            raise EngineError(
                f"engine {problem.search.engine} cannot complete sketches; leave --engine out, or give --engine levels"
            )

        def find(hierarchy: SynthesisHierarchy, on_programs: Callable[[int], None] | None) -> Enumeration[Program]:
            return self._programs(problem, hierarchy, outline_of(sketch, hierarchy), deadline, on_programs)

        synthesis, unfit = over_placements(problem, find, deadline, on_progress, only)
        if unfit and not synthesis.placements:
            raise ProgramError(unfit[0].reason)
        return Completion(synthesis, sketch, unfit)

    def _programs(
        self,
        problem: Problem,
        hierarchy: SynthesisHierarchy,
        outline: Outline,
        deadline: float | None,
        on_programs: Callable[[int], None] | None,
    ) -> Enumeration[Program]:
        """Return all programs on one hierarchy that fit, each checked by replay in the concrete semantics."""
        from p2smt.reduction.rules.completion import completions

        language = language_of(hierarchy, problem.search.grammar, problem.goal)
        if language.levels > MAX_LEVELS:
            raise EngineError(
                f"{language.levels} levels to reduce over are too many; the engines support at most {MAX_LEVELS}"
            )
        if hierarchy.tree is not None:
            check_size(Engine.BITVEC, hierarchy.tree, MAX_BITVEC_DEVICES)
        key = language, hierarchy.tree, outline, problem.search.limit
        if key in self._known:
            return self._known[key]
        steps = completions(outline, language, problem.search.limit, deadline, on_programs, hierarchy.tree)
        programs = replayed(steps, language, hierarchy)
        if programs.complete:
            self._known[key] = programs
        return programs


def complete(
    problem: Problem,
    sketch: Sketch | str,
    deadline: float | None = None,
    on_progress: Progress | None = None,
    only: ParallelismMatrix | None = None,
) -> Completion:
    """Return all programs that fit a sketch, which may be given as text; see `Completer.complete`.

    The problem's own limit applies; `problem_for` raises it to what a sketch needs.
    """
    pieces = parse_sketch(sketch) if isinstance(sketch, str) else sketch
    return Completer().complete(problem, pieces, deadline, on_progress, only)


def explain(
    problem: Problem, sketch: Sketch, hierarchy: SynthesisHierarchy, deadline: float | None = None
) -> ConflictExplanation | None:
    """Explain why no program on a hierarchy fits a sketch; None if nothing was found out in time."""
    from p2smt.reduction.rules.conflict import explain_conflict

    search = problem.search
    language = language_of(hierarchy, search.grammar, problem.goal)
    conflict = explain_conflict(outline_of(sketch, hierarchy), language, search.limit, deadline, hierarchy.tree)
    if conflict is None:
        return None
    found = tuple(steps for steps in conflict.without if steps is not None)
    replayed(Enumeration(found, Stop.EXHAUSTED), language, hierarchy)
    return ConflictExplanation(
        tuple(condition_text(condition, sketch, hierarchy, search.limit) for condition in conflict.conditions),
        conflict.minimality,
        conflict.most_steps,
        tuple(None if steps is None else language.program(steps) for steps in conflict.without),
    )
