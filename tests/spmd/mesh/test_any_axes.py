"""Meshes of any number of axes: those that mean the same take the same, and small problems are those of brute force."""

import random
from dataclasses import replace

import pytest
from spmd.mesh.meshes import mesh_of
from spmd.mesh.test_two_axes import TRAINED
from spmd.test_programs import SINGLE, cheapest, is_right
from spmd.test_timed_network import TIMINGS
from tensor.random_programs import single_program
from tiers import is_full, sample

from p2smt.cost.network.backend import Gloo
from p2smt.errors import ProblemError
from p2smt.problem.system.build import build_system
from p2smt.problem.system.devices import SEND, DeviceKind, Effort
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.cluster import capped
from p2smt.spmd.devices.shares import even, proportional
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import Pricing
from p2smt.spmd.model.restriction import FREEDOM
from p2smt.spmd.search.as_emitted import as_emitted
from p2smt.spmd.search.mesh import search as search_module
from p2smt.spmd.search.mesh.choice import meshes_of, shares_on
from p2smt.spmd.search.mesh.search import MeshSearch
from p2smt.spmd.search.mesh.sharding import shard_on
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.layout import Replicated, Sliced
from p2smt.tensor.text.parser import parse_program

PLAIN = find_system("lab:2x2")
TIMED = build_system(replace(PLAIN, timings=TIMINGS))
HEAVY = build_system(replace(PLAIN, effort=Effort(weights=((SEND, 3e6),))))
MIXED = build_system(
    replace(
        PLAIN,
        kinds=(DeviceKind(name="fast", machines=1, speed=3e9), DeviceKind(name="slow", machines=1, speed=1e9)),
    )
)
SYSTEMS = {"plain": PLAIN, "timed": TIMED, "heavy": HEAVY}
ONE_LAYER = """program one_layer
input x : f32[64, 16]
input y : f32[64, 16]
parameter w : f32[16, 16]
e = matmul(x, w) - y
loss = sum(e * e)
w_new = update(w, w - matmul(transpose(x, 1, 0), e))
output loss
"""


def on(text, single, system, memory=None, **given):
    """The answer on a mesh, as emitted."""
    cluster = capped(cluster_of(system, Gloo(), given.pop("speed", 1e7)), memory)
    return as_emitted(shard_on(single, meshes_of(text, system, cluster, Gloo()), **given))


@pytest.mark.parametrize("name", SYSTEMS)
def test_meshes_with_one_axis_of_several_ranks_take_what_one_axis_takes(name):
    rng, system = random.Random(8), SYSTEMS[name]
    for number in sample(range(14), 2):
        single = single_program(rng) if number else SINGLE["momentum"]
        memory = rng.choice((None, 4000))
        cluster = capped(cluster_of(system, Gloo(), 1e7), memory)
        alone = as_emitted(shard(single, cluster, (even(4),)))
        for text in sample(("4,1", "4", "1,4", "1,1,1,4", "1,4,1"), 2):
            found = on(text, single, system, memory)
            assert found.account.time == alone.account.time, (number, text)
            assert found.account.memory == alone.account.memory, (number, text)
            assert found.lower_bound == alone.lower_bound, (number, text)
            assert sorted(each.account.time for _, each in found.baselines) == sorted(
                each.account.time for _, each in alone.baselines
            ), (number, text)


@pytest.mark.thorough  # meshes with one axis of several ranks are compared above
@pytest.mark.parametrize("name", ["plain", "heavy"])
def test_an_axis_of_one_rank_changes_nothing_among_several(name):
    rng, system = random.Random(9), SYSTEMS[name]
    for _ in sample(range(12), 1):
        single, memory = single_program(rng, count=3), rng.choice((None, 6000))
        two = on("2,2", single, system, memory)
        for text in ("2,2,1", "1,2,2", "2,1,2"):
            found = on(text, single, system, memory)
            assert (found.account.time, found.lower_bound) == (two.account.time, two.lower_bound), text


def test_what_was_timed_and_what_processors_carry_count_on_meshes(monkeypatch):
    """The timings of all devices are those of an axis over all; of groups they say nothing, which is refused."""
    monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    larger = TRAINED.replace("B = 8, H = 4, F = 8", "B = 64, H = 16, F = 16")
    single = parse_program(larger if is_full() else ONE_LAYER)
    answers = {name: on("4,1", single, system) for name, system in SYSTEMS.items()}
    sent = {name: dict(found.baselines)["data parallel"].account.communication for name, found in answers.items()}
    assert sent["heavy"] != sent["timed"] != sent["plain"] != sent["heavy"]
    assert answers["plain"].program != answers["timed"].program
    answers = {name: on("2,2", single, SYSTEMS[name]) for name in ("plain", "heavy")}
    sent = {name: dict(found.baselines)["data x data"].account.communication for name, found in answers.items()}
    assert sent["heavy"] > 2 * sent["plain"] > 0
    if is_full():
        assert answers["plain"].program != answers["heavy"].program
    with pytest.raises(ProblemError, match=r"has timed collectives among all devices alone.*--mesh 2,2"):
        on("2,2", single, TIMED)
    with pytest.raises(ProblemError, match="has timed collectives among all devices alone"):
        on("auto", single, TIMED)


def test_devices_of_unlike_speed_get_shares_of_unlike_size_along_the_axis_on_which_they_differ():
    single = parse_program("""program step
input x : f32[64, 256]
parameter w : f32[256, 256]
y = matmul(x, w)
loss = sum(y * y, 0, 1)
output loss
""")
    cluster = cluster_of(MIXED, Gloo())
    unlike = {
        mesh.placement: [tuple(each.name for each in one) for one in shares_on(mesh, "vertices")]
        for mesh in meshes_of("2,2", MIXED, cluster, Gloo())
    }
    assert set(map(tuple, unlike.values())) == {
        (("even", "even"), ("proportional", "even")),
        (("even", "even"), ("even", "proportional")),
    }
    evenly, best = (on("2,2", single, MIXED, speed=None, shares=text) for text in ("even", "vertices"))
    assert best.account.time < evenly.account.time * 0.75
    assert best.shares.name.startswith("proportional along")
    fast = [device.kind == "fast" for device in best.cluster.devices]
    assert [part == max(best.shares.parts) for part in best.shares.parts] == fast
    assert best.lower_bound <= best.account.time
    is_right(best.program, single)


@pytest.mark.parametrize("uneven", sample(range(3), 1))
def test_with_uneven_shares_on_any_axis_programs_are_right_and_cost_what_the_search_says(uneven, monkeypatch):
    monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    rng = random.Random(uneven)
    sizes = [2, 2, 2]
    sizes[uneven] = 3
    for _ in sample(range(6), 1):
        single = single_program(rng, count=3)
        where = mesh_of(sizes, 10**6, [rng.choice((1, 10, 100)) for _ in sizes])
        shares = [even(size) for size in sizes]
        shares[uneven] = proportional((3, 2, 1))
        graph = graph_of(single)
        known = OptionCache(Pricing(graph, classes_of(graph), where, tuple(shares)))
        found = MeshSearch(known, certify=True).search(FREEDOM)
        made = found.fastest
        is_right(made.candidate.program, single)
        assert account(made.candidate.program, where.cluster, where.networks).apart == made.cost
        assert found.bound <= made.time


TINY = (
    "input x : f32[4, 6]\ny = relu(x)\nz = sum(y, 0)\noutput z\n",
    "input x : f32[8]\ny = relu(x)\nz = sum(y)\noutput z\n",
)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (TINY[1], (2, 2)),
        pytest.param(TINY[0], (2, 2), marks=pytest.mark.thorough),  # larger, the same kinds of conversions
        pytest.param(TINY[1], (2, 2, 2), marks=pytest.mark.thorough),  # turns on three axes are compared above
    ],
)
def test_the_optimum_on_several_axes_is_that_of_every_program_tried_out(text, sizes):
    single = parse_program("program tiny\n" + text)
    graph = graph_of(single)
    found = set()
    for speed, units in ((10**7, (10, 1, 3)), (10**6, (1, 1000, 1))):
        where = mesh_of(sizes, speed, units)
        known = OptionCache(Pricing(graph, classes_of(graph), where, tuple(even(size) for size in sizes)))
        sharding = build(known)
        eliminated = eliminate(sharding.problem)
        assert eliminated.answer.cost == cheapest(known.pricing)
        assert check_certificate(sharding.problem, eliminated.certificate, eliminated.answer.assignment) is None
        assert account(emit(sharding, eliminated.answer.assignment), where.cluster, where.networks).apart == (
            eliminated.answer.cost
        )
        found.add(eliminated.answer.cost)
    assert len(found) > 1


def test_a_collective_along_an_inner_axis_is_of_the_largest_block_that_outer_axes_leave():
    """Three rows by two ranks are two and one; the two are halves of the inner axis, the whole would be two thirds."""
    single = parse_program("program p\ninput x : f32[3, 4]\ny = relu(x)\noutput y\n")
    graph = graph_of(single)
    where = mesh_of((2, 2), 10**7, (100, 7))
    pricing = Pricing(graph, classes_of(graph), where, (even(2), even(2)))
    rows, whole = Sliced(0), Replicated()
    gathered = pricing.conversion(graph.named["x"], (rows, rows), (rows, whole))
    assert gathered.time == 2 * 16 // 2 * 7  # bytes of two rows, of which a rank gets the other half
    assert pricing.conversion(graph.named["x"], (rows, rows), (whole, rows)) is None
