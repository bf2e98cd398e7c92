"""The three engines, each of which finds all valid programs of a language up to a length; they must agree.

`levels` solves the level algebra with z3 and needs no sizes; it does not apply to irregular trees. `bitvec` solves
k x k state matrices as bit-vectors with z3, at the real sizes. `explicit` searches concrete states at the real sizes
without a solver.

Per step, with n levels and k devices: `levels` writes O(n 2^n) terms, and `bitvec` O(k^2) operations on rows of k bits
for each grouping and collective. `explicit` applies every step to every state that it reaches, each O(k^2) operations
on rows.

    programs(limit) = { steps : at most limit of them, all allowed, from the start to the goal, goal not earlier }.

Reference: Alur et al., "Syntax-guided synthesis", 2013.
"""

from collections.abc import Callable

from p2smt.errors import EngineError
from p2smt.placement.tree import Shape, numbers_of
from p2smt.problem.model import Engine
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.language import Language, Steps
from p2smt.reduction.synth.explicit import walk
from p2smt.smt.answer import Enumeration

# A state matrix has k rows of k bits on each of k devices: k^3 terms for the solver, k^2 machine
# words without it.
MAX_BITVEC_DEVICES = 16
MAX_EXPLICIT_DEVICES = 128
MAX_LEVELS = 8

Progress = Callable[[int], None]


def find_programs(
    engine: Engine,
    language: Language,
    shape: Shape,
    limit: int,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> Enumeration[Steps]:
    """Return all valid programs of at most `limit` steps on reduction levels of this shape, shortest first.

    Raises EngineError if the hierarchy is too large for the engine, or if it is irregular and the engine is LEVELS.
    """
    if language.levels > MAX_LEVELS:
        raise EngineError(
            f"{language.levels} levels to reduce over are too many; the engines support at most {MAX_LEVELS}"
        )
    match engine:
        case Engine.EXPLICIT:
            check_size(engine, shape, MAX_EXPLICIT_DEVICES)
            found = walk(language, shape, limit, deadline, progress)
        case Engine.LEVELS:
            if isinstance(shape, Tree):
                raise EngineError(
                    f"engine {engine} needs a regular hierarchy; on irregular ones use --engine "
                    f"{Engine.EXPLICIT} or {Engine.BITVEC}"
                )
            found = _solve_levels(language, limit, deadline, progress)
        case Engine.BITVEC:
            check_size(engine, shape, MAX_BITVEC_DEVICES)
            found = _solve_matrices(language, shape, limit, deadline, progress)
    # Engines find programs in orders of their own; sorted, equal sets are equal tuples.
    return Enumeration(tuple(sorted(found.items, key=_order)), found.stop, found.reason)


def _solve_levels(
    language: Language, limit: int, deadline: float | None, progress: Progress | None
) -> Enumeration[Steps]:
    from p2smt.reduction.rules.by_boundaries import level_programs

    return level_programs(language, limit, deadline, progress)


def _solve_matrices(
    language: Language, shape: Shape, limit: int, deadline: float | None, progress: Progress | None
) -> Enumeration[Steps]:
    from p2smt.reduction.rules.choices import ProgramCode
    from p2smt.reduction.rules.matrix_rules import MatrixRules
    from p2smt.reduction.rules.programs import all_programs

    return all_programs(MatrixRules(language, shape), ProgramCode(language, limit), (), deadline, progress)


def check_size(engine: Engine, shape: Shape, most: int) -> None:
    """Raise EngineError if there are more than `most` devices, for an engine that builds all state matrices."""
    devices = len(numbers_of(shape))
    if devices > most:
        larger = "there is no engine for larger trees of unlike sizes"
        raise EngineError(
            f"engine {engine} keeps a state matrix of {devices} x {devices} bits per device; it "
            f"supports reduction groups of at most {most} devices, "
            f"{larger if isinstance(shape, Tree) else 'use --engine levels for larger ones'}"
        )


def _order(steps: Steps) -> tuple[int, Steps]:
    return len(steps), steps
