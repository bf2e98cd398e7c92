"""How groups are carried is worked out once for all costs of equal systems; others share nothing, and there is room."""

from dataclasses import replace
from itertools import combinations, product

from cost.network.random_systems import placed
from hypothesis import given
from hypothesis import strategies as st

from p2smt.collective import Collective
from p2smt.cost.network import nccl
from p2smt.cost.network.backend import CHOICES
from p2smt.cost.network.cost import Work
from p2smt.cost.network.levels import pattern_loads
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.text import find_system

PATTERNS = [
    Pattern((((one, 2),), ((other, 8),)))
    for one, other in product((Role.VARYING, Role.FREE), repeat=2)
    if Role.VARYING in (one, other)
]
WORKS = [Work(collective, pattern, 1e6) for collective in Collective for pattern in PATTERNS]


def counted(monkeypatch):
    asked = []
    monkeypatch.setattr(nccl, "pattern_loads", lambda *given: asked.append(given) or pattern_loads(*given))
    nccl._known_of.cache_clear()
    return asked


def test_costs_of_equal_systems_share_what_is_carried_how(monkeypatch):
    asked = counted(monkeypatch)
    one, other = (find_system("dgx-h100:2x8") for _ in range(2))
    assert one is not other
    first = [NetworkCost(one).work_cost(work) for work in WORKS]
    count = len(asked)
    assert count
    assert [NetworkCost(other).work_cost(work) for work in WORKS] == first
    assert len(asked) == count


def test_other_systems_and_other_algorithms_share_nothing(monkeypatch):
    counted(monkeypatch)
    system = find_system("dgx-h100:2x8")
    links = tuple(replace(link, bandwidth=link.bandwidth / 2) for link in system.network.links)
    slower = replace(system, network=replace(system.network, links=links))
    for choice, work in product(CHOICES, WORKS):
        fast, slow = (NetworkCost(each, choice).work_cost(work) for each in (system, slower))
        assert slow.links_s > fast.links_s
        nccl._known_of.cache_clear()
        assert NetworkCost(slower, choice).work_cost(work) == slow
    costs = [[NetworkCost(system, choice).work_cost(work).algorithm for work in WORKS] for choice in CHOICES]
    assert costs[0] != costs[1]


@given(st.lists(placed(), min_size=2, max_size=3), st.sampled_from(Collective), st.sampled_from(CHOICES))
def test_what_is_known_changes_no_price(cases, collective, choice):
    def price(pattern, system):
        return NetworkCost(system, choice).work_cost(Work(collective, pattern, 1e6))

    known = [price(*case) for case in (*cases, *cases)]
    for case, cost in zip((*cases, *cases), known, strict=True):
        nccl._known_of.cache_clear()
        assert price(*case) == cost


def test_only_so_much_is_kept(monkeypatch):
    counted(monkeypatch)
    cost = NetworkCost(find_system("dgx-h100:2x8"))
    every = [cost.work_cost(work) for work in WORKS]
    monkeypatch.setattr(nccl, "_MOST_WAYS", 4)
    nccl._known_of.cache_clear()
    small = NetworkCost(find_system("dgx-h100:2x8"))
    for work, wanted in zip(WORKS, every, strict=True):
        assert small.work_cost(work) == wanted
        assert len(small._known.ways) <= 4
        assert len(small._known.per_byte) <= 8
    every_known = [NetworkCost(find_system(f"dgx-h100:{nodes}x8"))._known for nodes in range(2, 30)]
    assert all(one is not other for one, other in combinations(every_known, 2))
    assert nccl._known_of.cache_info().currsize == nccl._known_of.cache_info().maxsize
