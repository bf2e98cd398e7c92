"""Shares: where the optimum lies, and how they are rounded."""

import random
from fractions import Fraction
from itertools import product

from tiers import is_full

from p2smt.spmd.devices.shares import Shares, even, given, proportional, vertices


def test_vertices_run_from_even_to_proportional():
    assert [shares.name for shares in vertices((3, 1, 2, 1))] == ["even", "capped at speed 2", "proportional"]
    assert vertices((5, 5, 5)) == (even(3),)
    assert vertices((3, 1))[-1].parts == proportional((3, 1)).parts
    assert all(sum(shares.parts) == 1 for shares in vertices((7, 3, 3, 2)))


def test_no_shares_are_better_than_the_best_vertex():
    """Costs V max B + W max B / speed, for random V, W and shares: exact rationals."""
    rng = random.Random(4)
    middle = 0
    count = 400 if is_full() else 60
    for _ in range(count):
        speeds = [rng.choice((1, 2, 3, 5)) for _ in range(rng.randint(2, 5))]
        v, w = Fraction(rng.randint(0, 30)), Fraction(rng.randint(0, 90))

        def cost(parts, speeds=speeds, v=v, w=w):
            slowest = max(part / speed for part, speed in zip(parts, speeds, strict=True))
            return (v * max(parts)) + (w * slowest)

        costs = [cost(shares.parts) for shares in vertices(speeds)]
        middle += len(costs) > 2 and min(costs[1:-1]) < min(costs[0], costs[-1])
        for _ in range(30):
            weights = [Fraction(rng.randint(0, 12)) for _ in speeds]
            if sum(weights):
                assert cost([weight / sum(weights) for weight in weights]) >= min(costs)
    assert middle > count / 40


def test_rounding_is_nearest_and_no_neighbour_is_nearer():
    rng = random.Random(5)
    for _ in range(200 if is_full() else 80):
        weights = [Fraction(rng.randint(0, 9)) for _ in range(rng.randint(1, 4))]
        if not sum(weights):
            continue
        shares = Shares("given", tuple(weight / sum(weights) for weight in weights))
        count = rng.randint(1, 9)
        rounded = shares.atoms(count)
        assert sum(rounded) == count

        def error(atoms, shares=shares, count=count):
            return sum(abs(each - (part * count)) for each, part in zip(atoms, shares.parts, strict=True))

        best = min(error(atoms) for atoms in product(range(count + 1), repeat=len(weights)) if sum(atoms) == count)
        assert error(rounded) == best


def test_heads_on_five_devices():
    assert even(5).atoms(12) == (3, 3, 2, 2, 2)
    assert even(4).atoms(2) == (1, 1, 0, 0)


def moved_one_by_one(parts, count):
    """HAP, section 5.1, as it is written: the smallest rounding error first, until the sum is right."""
    wanted = [part * count for part in parts]
    rounded = [-int(-(each - Fraction(1, 2)) // 1) for each in wanted]
    while (missing := count - sum(rounded)) != 0:
        step = 1 if missing > 0 else -1
        able = [number for number, atoms in enumerate(rounded) if atoms + step >= 0]
        rounded[max(able, key=lambda each: (step * (wanted[each] - rounded[each]), wanted[each], -each))] += step
    return tuple(rounded)


def test_atoms_move_one_by_one_from_where_the_rounding_error_is_least():
    rng = random.Random(9)
    moved = 0
    for _ in range(400):
        weights = [rng.choice((0, 1, 1, 2, 3, 5, 8)) for _ in range(rng.randint(1, 9))]
        if sum(weights):
            shares, count = given([Fraction(weight) for weight in weights]), rng.randrange(25)
            assert shares.atoms(count) == moved_one_by_one(shares.parts, count)
            moved += any(part * count % 1 for part in shares.parts)
    assert moved > 200
    assert even(512).atoms(200) == (1,) * 200 + (0,) * 312
