"""Why no program fits a sketch, placement by placement."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.problem.system.tree import Tree
from p2smt.reduction.synth.completion import Completion, Explanation, explain
from p2smt.reduction.synth.session import PlacedPrograms


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why no program fits on a placement; None where time was up before anything was known."""

    placed: PlacedPrograms
    explanation: Explanation | None


def conflicts(completion: Completion, deadline: float | None = None) -> tuple[Conflict, ...]:
    """Why no program fits, for every placement that has none; the same levels, and trees, are explained once."""
    known: dict[tuple[Sequence[tuple[str, bool, bool]], Tree | None], Explanation | None] = {}
    found = []
    for placed in completion.synthesis.placements:
        hierarchy = placed.hierarchy
        levels = tuple((level.name, level.reduces, level.reduces_some) for level in hierarchy.levels)
        key = levels, hierarchy.tree
        if key not in known:
            known[key] = explain(completion.synthesis.problem, completion.sketch, hierarchy, deadline)
        found.append(Conflict(placed, known[key]))
    return tuple(found)
