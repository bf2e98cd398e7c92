"""Sets of layouts, asked for one by one, cost what all sets that can be had say."""

import random
from itertools import product

from spmd.mesh.test_two_axes import costs_of_sets, random_prices

from p2smt.spmd.model import availability
from p2smt.spmd.model.arborescences import Arborescences, needed_together
from p2smt.spmd.model.availability import ConversionGraph, mask_of


def bits(mask):
    return [number for number in range(mask.bit_length()) if (mask >> number) & 1]


def test_arborescences_cost_what_the_cheapest_set_of_layouts_does():
    rng = random.Random(11)
    for _ in range(40):
        count = rng.choice((4, 6))
        prices = random_prices(rng, count)
        found, every = Arborescences(prices), costs_of_sets(prices, None)
        for needed in rng.sample(range(1, 1 << count), 12):
            best = min((cost for there, cost in every.items() if not needed & ~there), default=None)
            assert found.cost(0, needed) == best
            if best is not None:
                origins = found.origins(0, needed)
                assert sum(prices[before][after] for after, before in origins.items()) == best
                for layout in bits(needed):
                    chain = [layout]
                    while chain[-1]:
                        chain.append(origins[chain[-1]])
                    assert len(chain) <= count


def test_what_readers_need_together_is_there_at_the_least_cost_where_sets_are_too_many(monkeypatch):
    rng = random.Random(12)
    for _ in range(40):
        prices = random_prices(rng, 6)
        readers = [rng.randrange(1, 64) for _ in range(rng.randint(1, 4))]
        every, wanted = costs_of_sets(prices, None), mask_of([each for mask in readers for each in bits(mask)])
        monkeypatch.setattr(availability, "_MOST_KEPT", 0)
        ways = ConversionGraph(prices).ways(0, wanted)
        options = ways.options(readers)
        for combination in product(*map(bits, readers)):
            needed = mask_of(combination)
            best = min((cost for there, cost in every.items() if not needed & ~there), default=None)
            assert min((cost for mask, cost in options if not needed & ~mask), default=None) == best
            assert ways.cost(needed) == best
        for mask, cost in options:
            assert min(least for there, least in every.items() if not mask & ~there) <= cost


def test_layouts_that_come_free_with_another_are_not_asked_for_beside_it():
    """Whole (0) becomes cut (1 or 2) at no cost, so that whole and cut are needed together as whole."""
    assert needed_together(((0, 1), (1, 2)), (0b111, 0b010, 0b100), 9) == {0b001, 0b010, 0b110}
    assert needed_together(((0, 1), (1, 2)), (0b111, 0b010, 0b100), 2) is None
