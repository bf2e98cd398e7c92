"""Random outlines, and what fits them by definition: programs as strings, outlines as regular expressions."""

import re
from collections.abc import Collection
from itertools import combinations
from random import Random

from support import Steps, programs

from p2smt.collective import Collective
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import full_language
from p2smt.reduction.language.outline import (
    CollectiveIs,
    Condition,
    GapAtMost,
    GoalCondition,
    GroupingIs,
    LengthAtMost,
    MastersReduceAll,
    Outline,
    OutlineStep,
)
from p2smt.reduction.language.sketch import Gap


def valid_programs(levels: int, limit: int, grammar: Grammar = Grammar.FULL) -> frozenset[Steps]:
    """By the walk over concrete states."""
    return programs(Engine.EXPLICIT, (2,) * levels, limit, grammar)


class Definition:
    """What it means to fit an outline, over the steps of grammar full."""

    def __init__(self, outline: Outline, levels: int, limit: int) -> None:
        self._steps = list(full_language(levels).steps())
        self._outline = outline
        self._limit = limit
        self._texts: dict[Steps, str] = {}
        self._patterns: dict[Collection[Condition], str] = {}

    def fits(self, steps: Steps, kept: Collection[Condition]) -> bool:
        """Whether a valid program meets the conditions that are kept."""
        if MastersReduceAll() in kept and any(g.masters and c is not Collective.ALL_REDUCE for g, c in steps):
            return False
        text = self._text(steps)
        parts = [text] if GoalCondition() in kept else [text[:end] for end in range(len(text) + 1)]
        most = self._limit if LengthAtMost() in kept else len(text)
        return any(len(part) <= most and re.fullmatch(self._pattern(frozenset(kept)), part) for part in parts)

    def _text(self, steps: Steps) -> str:
        if steps not in self._texts:
            self._texts[steps] = "".join(chr(256 + self._steps.index(step)) for step in steps)
        return self._texts[steps]

    def _pattern(self, kept: frozenset[Condition]) -> str:
        if kept not in self._patterns:
            self._patterns[kept] = "".join(self._piece(piece, n, kept) for n, piece in enumerate(self._outline))
        return self._patterns[kept]

    def _piece(self, piece: OutlineStep | Gap, place: int, kept: Collection[Condition]) -> str:
        if isinstance(piece, Gap):
            return ".*" if piece.most is None or GapAtMost(place) not in kept else f".{{0,{piece.most}}}"
        grouping = piece.grouping if GroupingIs(place) in kept else None
        collective = piece.collective if CollectiveIs(place) in kept else None
        allowed = [
            chr(256 + number)
            for number, step in enumerate(self._steps)
            if grouping in (None, step[0]) and collective in (None, step[1])
        ]
        return f"[{''.join(allowed)}]"


def smallest_core(
    definition: Definition, candidates: Collection[Steps], conditions: tuple[Condition, ...]
) -> tuple[Condition, ...]:
    """The first of the smallest sets of conditions that no candidate meets, by trying all sets in this order."""
    for size in range(len(conditions) + 1):
        for some in combinations(conditions, size):
            if not any(definition.fits(steps, some) for steps in candidates):
                return some
    raise AssertionError("the conditions go together")


def punched(random: Random, steps: Steps) -> Outline:
    """A program with holes of every kind."""
    pieces: list[OutlineStep | Gap] = []
    for grouping, collective in steps:
        match random.randrange(7):
            case 0:
                pieces.append(Gap(random.choice((1, 2, None))))
            case 1:
                pieces.append(OutlineStep(None, collective))
            case 2:
                pieces.append(OutlineStep(grouping, None))
            case 3:
                pieces.append(OutlineStep(None, None))
            case _:
                pieces.append(OutlineStep(grouping, collective))
    if random.random() < 0.3:
        pieces.insert(random.randrange(len(pieces) + 1), Gap(random.choice((1, 2, 3, None))))
    return tuple(pieces)


def random_steps(random: Random, groupings: tuple[Grouping, ...], length: int) -> Steps:
    return tuple((random.choice(groupings), random.choice(tuple(Collective))) for _ in range(length))
