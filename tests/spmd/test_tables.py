"""Minima of sums of tables are what adding up every row gives, however the tables are joined."""

import random
from itertools import product

import numpy as np
import pytest
from tiers import is_full

from p2smt.spmd.engines import table
from p2smt.spmd.engines.table import Table, minimum


def random_tables(rng, sizes):
    """Tables over some of these choices and the last one, which together speak of all of them."""
    last, tables = len(sizes) - 1, []
    scopes = [rng.sample([number, last], 2) for number in range(last)]
    scopes += [[*rng.sample(range(last), rng.randint(0, min(2, last))), last] for _ in range(rng.randint(1, 2))]
    for scope in scopes:
        mine = [sizes[number] for number in scope]
        codes = [code for code in range(int(np.prod(mine))) if rng.random() < 0.75]
        costs = [rng.randrange(4) for _ in codes]
        made = Table(np.array(codes, dtype=np.int64), np.array(costs, dtype=np.int64))
        tables.append((tuple(scope), made))
    return tables


def by_definition(tables, sizes):
    """For each row of the other choices the least sum, and the first option of the last choice that has it."""
    found = {}
    for code, row in enumerate(product(*map(range, sizes[:-1]))):
        for option in range(sizes[-1]):
            total = 0
            for scope, each in tables:
                number = 0
                for choice in scope:
                    number = number * sizes[choice] + (*row, option)[choice]
                rows = dict(zip(each.codes.tolist(), each.costs.tolist(), strict=True))
                total = None if total is None or number not in rows else total + rows[number]
            if total is not None and (code not in found or total < found[code][0]):
                found[code] = total, option
    return found


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("block", [1, 6, 2**15])
def test_a_minimum_is_the_least_sum_and_the_first_option_that_has_it(sparse, block, monkeypatch):
    monkeypatch.setattr(table, "BLOCK", block)
    if sparse:
        monkeypatch.setattr(table, "WHOLE", 0)
        monkeypatch.setattr(table, "_most_rows", lambda _: 10**6)
    joined = []
    plain = table._sparse_minimum
    monkeypatch.setattr(table, "_sparse_minimum", lambda *given: joined.append(given) or plain(*given))
    rng = random.Random(12)
    ties = rows = 0
    tried = 60 if is_full() else 30
    for _ in range(tried):
        sizes = [rng.randint(1, 4) for _ in range(rng.randint(2, 4))]
        tables = random_tables(rng, sizes)
        expected, made = by_definition(tables, sizes), minimum(tables, sizes)
        costs = (made.table.costs + made.shift).tolist()
        found = dict(zip(made.table.codes.tolist(), zip(costs, made.taken.tolist(), strict=True), strict=True))
        assert found == expected
        assert made.table.codes.tolist() == sorted(expected)
        assert not rows or not len(costs) or min(made.table.costs) == 0
        rows += len(found)
        ties += len(set(costs)) < len(costs)
    assert rows > tried * 4
    assert ties > tried / 3
    assert len(joined) == (tried if sparse else 0)


def test_costs_that_leave_no_room_for_an_option_give_the_same_minimum(monkeypatch):
    monkeypatch.setattr(table, "BLOCK", 6)
    rng = random.Random(13)
    large = 2**57
    for _ in range(20):
        sizes = [rng.randint(1, 4) for _ in range(rng.randint(2, 4))]
        tables = random_tables(rng, sizes)
        larger = [(scope, Table(each.codes, each.costs * large // 4)) for scope, each in tables]
        small, made = minimum(tables, sizes), minimum(larger, sizes)
        assert made.table.codes.tolist() == small.table.codes.tolist()
        assert made.taken.tolist() == small.taken.tolist()
        assert made.table.costs.tolist() == (small.table.costs * (large // 4)).tolist()
