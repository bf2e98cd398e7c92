"""Buffer layouts: the orders that are tried against all orders."""

from itertools import permutations

import pytest
from support import programs

from p2smt.problem.model import Engine
from p2smt.reduction.plan import schedule as room
from p2smt.reduction.plan.schedule import Permutation, schedule


def permutations_needed(sizes: tuple[int, ...]) -> dict[object, int]:
    schedule.cache_clear()
    numbers = tuple(range(1, len(sizes) + 1))
    found = {steps: schedule(steps, numbers) for steps in programs(Engine.EXPLICIT, sizes)}
    return {steps: sum(isinstance(move, Permutation) for move in one.moves) for steps, one in found.items() if one}


@pytest.mark.parametrize(("sizes", "worse"), [((2, 2), 0), ((2, 2, 2), 3)])
def test_the_orders_tried_are_nearly_always_the_best_of_all(monkeypatch, sizes, worse):
    tried = permutations_needed(sizes)
    monkeypatch.setattr(room, "_useful_orders", lambda levels, steps, significance: permutations(levels))
    best = permutations_needed(sizes)
    monkeypatch.undo()
    schedule.cache_clear()
    assert len(tried) == len(best) == len(programs(Engine.EXPLICIT, sizes))
    gaps = [tried[steps] - best[steps] for steps in best]
    assert set(gaps) <= {0, 1}
    assert sum(gaps) == worse


def test_most_programs_need_no_permutation():
    needed = list(permutations_needed((2, 2)).values())
    assert (needed.count(0), needed.count(1)) == (87, 6)
