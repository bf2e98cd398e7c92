"""All programs of a language up to a length as the text of a file, and back, believed only where they can be checked.

What a file says is held against the level algebra's own graph of states: every sequence of steps must be a walk from
the start that ends where it reaches the goal first, none may come twice, and there must be as many as there are walks.
So a file can be stale, damaged or somebody else's: either it says what is so, or it is not used.
"""

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np

from p2smt.reduction.language.language import Language, Step
from p2smt.reduction.semantics.state_graph import StateGraph, state_graph
from p2smt.smt.deadlines import Until

FORMAT = 1

Steps = tuple[Step, ...]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in a file; a step of a program is its number among those of the language in order."""

    p2smt_programs: int
    levels: int
    steps: int
    grammar: str
    goal: str
    limit: int
    programs: list[list[int]]


def written(language: Language, limit: int, programs: Sequence[Steps]) -> bytes:
    """The text of a file with all programs of at most `limit` steps, in their order."""
    numbers = {step: number for number, step in enumerate(sorted(language.steps()))}
    listed = [[numbers[step] for step in steps] for steps in programs]
    return msgspec.json.encode(_described(language, limit, listed))


def read(data: bytes, language: Language, limit: int, until: Until) -> tuple[Steps, ...] | None:
    """The programs of a file; None unless these are all programs of the language up to the limit, shortest first.

    Raises TimeUpError.
    """
    try:
        file = msgspec.json.decode(data, type=_File)
    except msgspec.DecodeError:
        return None
    if _described(language, limit, file.programs) != file:
        return None
    ordered = all((len(one), one) < (len(other), other) for one, other in pairwise(file.programs))
    steps, graph = sorted(language.steps()), state_graph(language, until)
    if not ordered or len(file.programs) != _count(graph, limit):
        return None
    walks = _Walks(graph, steps)
    if not all(len(numbers) <= limit and walks.ends(numbers) for numbers in file.programs):
        return None
    return tuple(tuple(steps[number] for number in numbers) for numbers in file.programs)


def _described(language: Language, limit: int, programs: list[list[int]]) -> _File:
    steps = len(tuple(language.steps()))
    return _File(FORMAT, language.levels, steps, str(language.grammar), str(language.goal), limit, programs)


def _count(graph: StateGraph, limit: int) -> float:
    """How many walks of at most `limit` steps lead from the start to a goal; exact up to 2^53."""
    ways, total = np.zeros(len(graph)), 0.0
    ways[:1] = 1
    for _ in range(limit + 1):
        total += float(ways[graph.goals].sum())
        further = np.zeros(len(graph))
        np.add.at(further, graph.target, ways[graph.source])
        ways = further
    return total


class _Walks:
    """Where the steps of a language lead on a graph; -1: nowhere."""

    def __init__(self, graph: StateGraph, steps: Sequence[Step]) -> None:
        numbers = {step: number for number, step in enumerate(steps)}
        charges = [numbers[charge.step] for charge in graph.charges]
        edges = zip(graph.source.tolist(), graph.charge.tolist(), graph.target.tolist(), strict=True)
        self._after = {(source, charges[charge]): target for source, charge, target in edges}
        self._goals = graph.goals.tolist()

    def ends(self, numbers: Sequence[int]) -> bool:
        """Whether these steps, by their numbers, are a walk from the start to a goal."""
        state = 0
        for number in numbers:
            state = self._after.get((state, number), -1)
            if state < 0:
                return False
        return bool(self._goals) and bool(self._goals[state])
