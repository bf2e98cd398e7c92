"""Explains why no program fits a sketch, placement by placement."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.problem.system.tree import Tree
from p2smt.reduction.synth.completion import Completion, ConflictExplanation, explain
from p2smt.reduction.synth.session import PlacedPrograms


@dataclass(frozen=True, slots=True)
class PlacementConflict:
    """The reason why no program fits on a placement; `explanation` is None if nothing was found out in time."""

    placed: PlacedPrograms
    explanation: ConflictExplanation | None


def conflicts(completion: Completion, deadline: float | None = None) -> tuple[PlacementConflict, ...]:
    """Explain why no program fits, for every placement without one.

    Placements with equal levels and trees share the result.
    """
    known: dict[tuple[Sequence[tuple[str, bool, bool]], Tree | None], ConflictExplanation | None] = {}
    found = []
    for placed in completion.synthesis.placements:
        hierarchy = placed.hierarchy
        levels = tuple((level.name, level.reduces, level.reduces_some) for level in hierarchy.levels)
        key = levels, hierarchy.tree
        if key not in known:
            known[key] = explain(completion.synthesis.problem, completion.sketch, hierarchy, deadline)
        found.append(PlacementConflict(placed, known[key]))
    return tuple(found)
