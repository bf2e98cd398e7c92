"""Helpers that several rooms' tests share."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import pytest

from p2smt.cache_folder import user_folder
from p2smt.collective import Collective
from p2smt.errors import P2Error
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Engine, Grammar, Payload, Problem, Search
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.reduction.language.language import Language, Step, full_language
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import LevelState
from p2smt.reduction.synth.disk_cache import DiskCache
from p2smt.reduction.synth.engines import find_programs
from p2smt.smt import all_answers, deadlines
from p2smt.smt.answer import Stop

Steps = tuple[Step, ...]


def problem(
    sizes: Sequence[int],
    axes: Sequence[int],
    reduce: Sequence[str | int] = (0,),
    goal: Collective = Collective.ALL_REDUCE,
    **search: Any,
) -> Problem:
    """A problem with levels level0, level1, ... and axes axis0, axis1, ..."""
    levels = [Level(f"level{i}", size) for i, size in enumerate(sizes)]
    named = [Axis(f"axis{i}", size) for i, size in enumerate(axes)]
    payload = Payload(1 << 20, "float32")
    return build_problem(default_system(levels), named, reduce, payload, Search(**search), goal)


def level_start(levels: int, goal: Collective = Collective.ALL_REDUCE) -> LevelState:
    """What the classes of devices hold at first."""
    return level_goal(goal, levels).start


def level_end(levels: int, goal: Collective = Collective.ALL_REDUCE) -> LevelState:
    """What they hold in the end, all alike."""
    return (level_goal(goal, levels).end,) * (1 << levels)


@cache
def programs(
    engine: Engine,
    sizes: tuple[int, ...],
    limit: int = 5,
    grammar: Grammar = Grammar.FULL,
    goal: Collective = Collective.ALL_REDUCE,
) -> frozenset[Steps]:
    """All programs over reduction levels of these sizes; the engine must say that it found everything."""
    found = find_programs(engine, full_language(len(sizes), grammar, goal), sizes, limit)
    assert found.stop is Stop.EXHAUSTED
    assert len(set(found.items)) == len(found.items)
    return frozenset(found.items)


@lru_cache(maxsize=64)
def solved(language: Language, limit: int) -> tuple[Steps, ...]:
    """All programs of a language by the solver, which does not look at sizes; for tests about other things."""
    kept = DiskCache(user_folder())  # of all parts of a run
    if (known := kept.load(language, limit)) is not None:
        return known
    found = find_programs(Engine.LEVELS, language, (2,) * language.levels, limit)
    assert found.complete
    kept.keep(language, limit, found.items)
    return found.items


@lru_cache(maxsize=32)
def plans(asked: Problem) -> tuple[Plan, ...]:
    """All programs on all placements of a problem."""
    found: list[Plan] = []
    for matrix in all_placements(asked).items:
        lowering = Lowering(asked, matrix)
        programs = solved(lowering.language, asked.search.limit)
        found += [lowering.plan(lowering.language.program(steps)) for steps in programs]
    return tuple(found)


def refused(call: Callable[[], object], kind: type[P2Error] = P2Error) -> str:
    """The message of the error for users that a call ends in: one line of moderate length."""
    with pytest.raises(kind) as caught:
        call()
    text = str(caught.value)
    assert text
    assert "\n" not in text
    assert len(text) < 1000
    return text


class GivesUp(all_answers._AnswerList):
    """A search that ends after `most` answers for `reason`; z3 itself gives up where that is UNKNOWN."""

    most, reason = 0, Stop.UNKNOWN

    def __init__(self, solver, *given):
        self._solver = solver
        super().__init__(solver, *given)

    def _noted(self, code):
        first_bits = super()._noted(code)
        if len(self.codes) == self.most:
            self._give_up()
        return first_bits

    def _give_up(self):
        match self.reason:
            case Stop.INTERRUPTED:
                raise KeyboardInterrupt
            case Stop.UNKNOWN:
                self._solver.interrupt()
            case Stop.DEADLINE:
                self._deadline = 0.0


def let_searches_give_up(monkeypatch: pytest.MonkeyPatch, most: int, reason: Stop = Stop.UNKNOWN) -> None:
    """Every search for all answers ends after so many of them."""
    monkeypatch.setattr(GivesUp, "most", most)
    monkeypatch.setattr(GivesUp, "reason", reason)
    monkeypatch.setattr(all_answers, "_AnswerList", GivesUp)
    if reason is Stop.DEADLINE:
        monkeypatch.setattr(deadlines, "has_ended", lambda _: True)
