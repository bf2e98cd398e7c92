"""The three engines: from a language and a length to all valid programs; they must agree.

`levels` asks z3 about the level algebra and needs no sizes. `bitvec` asks z3 about k x k state matrices as
bit-vectors at the real sizes. `explicit` walks over concrete states at the real sizes and needs no solver.
"""

from collections.abc import Callable, Sequence
from math import prod

from p2smt.errors import EngineError
from p2smt.problem.model import Engine
from p2smt.reduction.language.language import Language, Step
from p2smt.reduction.synth.explicit import walk
from p2smt.smt.answer import Enumeration

MAX_BITVEC_DEVICES = 16
MAX_EXPLICIT_DEVICES = 128
MAX_LEVELS = 8

Steps = tuple[Step, ...]
Progress = Callable[[int], None]


def find_programs(
    engine: Engine,
    language: Language,
    sizes: Sequence[int],
    limit: int,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> Enumeration[Steps]:
    """All valid programs of at most `limit` steps over reduction levels of these sizes, shortest first.

    Raises EngineError when the hierarchy is larger than the engine is built for.
    """
    devices = prod(sizes)
    if language.levels > MAX_LEVELS:
        raise EngineError(f"{language.levels} levels to reduce over are too many; engines go up to {MAX_LEVELS}")
    match engine:
        case Engine.EXPLICIT:
            _bound(engine, devices, MAX_EXPLICIT_DEVICES)
            found = walk(language, sizes, limit, deadline, progress)
        case Engine.LEVELS:
            found = _solve_levels(language, limit, deadline, progress)
        case Engine.BITVEC:
            _bound(engine, devices, MAX_BITVEC_DEVICES)
            found = _solve_matrices(language, sizes, limit, deadline, progress)
    return Enumeration(tuple(sorted(found.items, key=_order)), found.stop, found.reason)


def _solve_levels(
    language: Language, limit: int, deadline: float | None, progress: Progress | None
) -> Enumeration[Steps]:
    from p2smt.reduction.rules.level_rules import LevelRules
    from p2smt.reduction.rules.programs import all_programs

    return all_programs(LevelRules(language), language, limit, deadline, progress)


def _solve_matrices(
    language: Language, sizes: Sequence[int], limit: int, deadline: float | None, progress: Progress | None
) -> Enumeration[Steps]:
    from p2smt.reduction.rules.matrix_rules import MatrixRules
    from p2smt.reduction.rules.programs import all_programs

    return all_programs(MatrixRules(language, sizes), language, limit, deadline, progress)


def _bound(engine: Engine, devices: int, most: int) -> None:
    if devices > most:
        raise EngineError(
            f"engine {engine} keeps a state matrix of {devices} x {devices} bits per device; "
            f"it goes up to reduction groups of {most} devices, use --engine levels for larger ones"
        )


def _order(steps: Steps) -> tuple[int, Steps]:
    return len(steps), steps
