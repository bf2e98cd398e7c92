"""No program on a mesh of unlike devices is faster than the bound, where blocks are as unlike as devices are."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from spmd.joint_problems import MOMENTUM
from spmd.mesh.meshes import mesh, options
from spmd.mesh.test_two_axes import TRAINED
from tensor.random_programs import single_program
from tiers import is_full, sample

from p2smt.cost.network.backend import Gloo, Nccl
from p2smt.errors import EngineError
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.effort import PLAIN, Efforts
from p2smt.spmd.devices.meshes import meshes
from p2smt.spmd.devices.shares import parts_of
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.model.restriction import FREEDOM
from p2smt.spmd.search.mesh import relaxation
from p2smt.spmd.search.mesh import search as search_module
from p2smt.spmd.search.mesh import turns as turns_module
from p2smt.spmd.search.mesh.choice import meshes_of
from p2smt.spmd.search.mesh.relaxation import DividedNetwork, Optima
from p2smt.spmd.search.mesh.search import MeshSearch
from p2smt.spmd.search.mesh.sharding import shard_on
from p2smt.spmd.search.mesh.turns import Folder, Turns, start_alone
from p2smt.tensor.text.parser import parse_program

HEAVY = Efforts(1000, (("map", Fraction(7, 2)), ("transpose", Fraction(3))))
SLOW, FAST = 10**6, 16 * 10**5


def test_the_bound_is_below_the_time_of_what_is_found(monkeypatch):
    rng = random.Random(3)
    programs = [single_program(rng) for _ in range(9 if is_full() else 2)]
    programs.append(parse_program(MOMENTUM.replace("4096", "3").replace("64", "5")))
    seen = 0
    for number, single in enumerate(programs):
        sizes = rng.choice(((2, 2), (3, 2), (2, 3)))
        count = sizes[0] * sizes[1]
        # Odd lengths leave the last ranks less: slow ones there have least to do.
        where = mesh(sizes, (FAST,) * (count // 2) + (SLOW,) * (count - count // 2), (1, 1))
        where = replace(where, cluster=replace(where.cluster, efforts=HEAVY if number % 2 else PLAIN))
        for most in (search_module.MOST_PAIRS, 0):
            monkeypatch.setattr(search_module, "MOST_PAIRS", most)
            found = MeshSearch(options(single, where)).search(FREEDOM)
            assert found.bound <= found.fastest.candidate.account.time
            seen += found.exact
    assert 0 < seen < 2 * len(programs)


def test_operations_whose_slowest_devices_are_others_take_less_together_than_apart():
    """Fast devices have two of three rows, slow ones one; what cannot be cut the slow ones do for longest."""
    single = parse_program("""program unlike
input x : f32[3, 64]
parameter w : f32[64, 64]
parameter v : f32[1, 4096]
parameter u : f32[4096, 1]
y = matmul(x, w)
q = matmul(v, u)
output y
output q
""")
    where = mesh((2, 2), (FAST, FAST, SLOW, SLOW), (10**6, 10**6))
    found = MeshSearch(options(single, where)).search(FREEDOM)
    assert found.exact
    assert found.bound <= found.fastest.candidate.account.time < found.fastest.candidate.account.apart


def test_an_axis_is_charged_with_work_that_it_does_not_divide():
    """1/2 + 1/2 - 1/4 of it is in the bound where neither does; all of it is what the step takes."""
    single = parse_program("""program narrow
input x : f32[1, 64]
parameter w : f32[64, 1]
y = matmul(x, w)
output y
""")
    # To sum up four bytes takes far longer than to compute everything everywhere.
    search = MeshSearch(options(single, mesh((2, 2), 10**6, (10**9, 10**9))))
    whole = 2 * 64 * 10**12 // 10**6
    assert search.search(FREEDOM).fastest.candidate.account.time == whole
    assert search.alone.bound == whole * 3 // 4


def test_kernels_count_in_the_bound_of_all_axes_as_long_as_they_take(monkeypatch):
    """A part of a kernel takes longer than its part of the work: launches are divided by nothing."""
    narrow = "program narrow\ninput x : f32[1, 64]\nparameter w : f32[64, 1]\ny = matmul(x, w)\noutput y\n"
    system = find_system("dgx-h100:1x4")
    where = list(meshes_of("2,2", system, cluster_of(system, Nccl()), Nccl()))
    for text in (narrow, MOMENTUM.replace("4096", "512")):
        found = []
        for most in (10**6, 0):
            monkeypatch.setattr(search_module, "MOST_PAIRS", most)
            found.append(shard_on(parse_program(text), where, certify=True, beside=False))
        exact, bounded = found
        assert 0.99 * exact.account.time < bounded.lower_bound <= exact.account.time


def test_every_optimum_is_proved_and_not_the_first_alone():
    """What another problem's certificate says of one is refused behind one that was proved."""
    known = options(parse_program(MOMENTUM.replace("4096", "64")), mesh((2, 4), 10**8, (3, 1)))
    axes = MeshSearch(known, certify=True).alone
    first, second = axes.alone(0), axes.alone(1)
    optima = Optima()
    optima.prove(first)
    spoiled = replace(second.eliminated, certificate=first.eliminated.certificate)
    with pytest.raises(EngineError):
        optima.prove(replace(second, eliminated=spoiled))
    optima.prove(second)


@pytest.mark.parametrize("refused", [1, 2])
def test_a_bound_is_certified_where_the_checker_takes_what_either_axis_does_alone(refused, monkeypatch):
    known, asked = options(parse_program(MOMENTUM.replace("4096", "64")), mesh((2, 4), 10**8, (3, 1))), []
    free = MeshSearch(known).alone.bound
    assert MeshSearch(known, certify=True).alone.bound == free
    monkeypatch.setattr(
        relaxation, "check_certificate", lambda *_: asked.append(1) or ("not so" if len(asked) == refused else None)
    )
    assert MeshSearch(known).alone.bound == free
    with pytest.raises(EngineError, match="; leave certify out, and please report this defect of p2smt"):
        _ = MeshSearch(known, certify=True).alone.bound
    assert len(asked) == refused


@pytest.mark.thorough  # the screens and documents of meshes are golden
def test_the_order_in_which_placements_are_given_is_that_in_which_they_are_told_alone(monkeypatch):
    """Those with the least bounds are searched first, whatever the order."""
    monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    single = parse_program(TRAINED.replace("B = 8, H = 4, F = 8", "B = 64, H = 256, F = 1024"))
    where = [mesh((2, 4), 10**9, units) for units in sample(((20, 1), (2, 7), (1, 90), (40, 50)), 2)]
    there, back = (shard_on(single, given, beside=False) for given in (where, where[::-1]))
    tried = there.scope.tried
    assert tried == back.scope.tried[::-1]
    assert (there.account.time, there.lower_bound) == (back.account.time, back.lower_bound)
    assert there.account.time == min(each.time for each in tried if each.time is not None)
    assert there.lower_bound == min(each.bound for each in tried)
    assert len({each.bound for each in tried}) >= min(len(where), 3)


def begun(known):
    """The program of the first axis alone."""
    alone = MeshSearch(known).alone.alone(0)
    return start_alone(0, alone.sharding, alone.eliminated.answer, known)


def test_what_stays_dearer_than_what_is_known_is_not_turned_further(monkeypatch):
    """Both axes have their turn first: one alone knows nothing of the other."""
    monkeypatch.setattr(turns_module, "_WORTHWHILE", 2)
    known = options(parse_program(MOMENTUM.replace("4096", "64")), mesh((2, 4), 10**8, (3, 1)))
    turns = Turns(known, FREEDOM, Folder())
    start = begun(known)
    far = turns.after(start, 4)
    assert len(far) == 4
    assert turns.after(start, 4, least=far[-1].cost) == far
    assert turns.after(start, 4, least=far[-1].cost // 2) == far[:2]


def test_what_the_other_axis_may_share_is_sent_for_a_part_of_the_bytes():
    """The bound of an axis counts each collective as if the other axis had cut the tensor, and slices were even."""
    (network, _) = mesh((2, 4), 10**8, (3, 1)).networks
    divided, even = DividedNetwork(network, 4, 2), (Fraction(1, 2),) * 2
    uneven = (Fraction(3, 4), Fraction(1, 4))
    assert divided.all_reduce(4096) == network.all_reduce(1024) != network.all_reduce(4096)
    assert divided.all_gather(4096, uneven) == network.all_gather(1024, even)
    assert divided.reduce_scatter(4096, uneven) == network.reduce_scatter(1024, even)
    assert divided.all_to_all(4096, uneven, uneven) == network.all_to_all(1024, even, even)


@pytest.mark.parametrize("backend", [Nccl(), Gloo()])
def test_no_parts_are_sent_faster_than_the_bound_counts(backend):
    """Where ranks have nothing, calls in a group are fewer: a single broadcast has less latency than a ring."""
    rng, system, below = random.Random(6), find_system("dgx-h100:2x4"), 0
    for where in meshes(system, cluster_of(system, backend), backend, (2, 4)):
        for axis in where.axes:
            evenly, any_parts = (DividedNetwork(axis.network, 1, axis.size, empty) for empty in (False, True))
            for number in range(20):
                choices = (0, 0, 1, 5) if number else (0,)  # at first one rank has everything
                one, other = ([rng.choice(choices) for _ in range(axis.size - 1)] + [1] for _ in range(2))
                before, after = parts_of(one), parts_of(other)
                bound = any_parts if 0 in (*one, *other) else evenly
                for count in (4, 10**6, 10**9):
                    for name, parts in (
                        ("all_gather", [before]),
                        ("reduce_scatter", [before]),
                        ("all_to_all", [before, after]),
                    ):
                        price = getattr(axis.network, name)(count, *parts).time
                        assert getattr(bound, name)(count, *parts).time <= price, (name, count, parts)
                        below += price < getattr(evenly, name)(count, *parts).time
    assert below > 0


def test_axes_are_searched_by_turns(monkeypatch):
    fixed, searched = [], Turns._searched
    monkeypatch.setattr(turns_module, "_WORTHWHILE", 2)
    monkeypatch.setattr(Turns, "_searched", lambda self, one: fixed.append(one.free) or searched(self, one))
    known = options(parse_program(MOMENTUM.replace("4096", "64")), mesh((2, 4), 10**8, (3, 1)))
    Turns(known, FREEDOM, Folder()).after(begun(known), 4)
    assert fixed == [1, 0, 1, 0]
