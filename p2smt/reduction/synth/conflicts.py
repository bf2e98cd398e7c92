"""Why no program fits a sketch, placement by placement."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.reduction.synth.completion import Completion, Explanation, explain
from p2smt.reduction.synth.session import PlacedPrograms


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why no program fits on a placement; None where time was up before anything was known."""

    placed: PlacedPrograms
    explanation: Explanation | None


def conflicts(completion: Completion, deadline: float | None = None) -> tuple[Conflict, ...]:
    """Why no program fits, for every placement that has none; the same levels are explained once."""
    known: dict[Sequence[tuple[str, bool, bool]], Explanation | None] = {}
    found = []
    for placed in completion.synthesis.placements:
        levels = tuple((level.name, level.reduces, level.reduces_some) for level in placed.hierarchy.levels)
        if levels not in known:
            known[levels] = explain(completion.synthesis.problem, completion.sketch, placed.hierarchy, deadline)
        found.append(Conflict(placed, known[levels]))
    return tuple(found)
