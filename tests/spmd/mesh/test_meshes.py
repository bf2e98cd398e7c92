"""Which meshes are searched and told, and what is said of a program that was found on one of them."""

from dataclasses import replace
from itertools import product

import pytest
from looped import looped
from spmd.joint_problems import MOMENTUM, RoundNetwork
from spmd.mesh.meshes import mesh, options
from spmd.test_programs import is_right

from p2smt.cost.network.backend import Nccl
from p2smt.errors import ProblemError
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.engines.engine import EngineOptions, HapRestriction, ShardingEngine
from p2smt.spmd.search.mesh import search as search_module
from p2smt.spmd.search.mesh.choice import meshes_of, refuse_on_mesh
from p2smt.spmd.search.mesh.relaxation import DividedNetwork
from p2smt.spmd.search.mesh.sharding import shard_on
from p2smt.tensor.layout import Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.text.parser import parse_program


@pytest.mark.parametrize("text", ["node:2,gpu:2", "node:3,gpu:4", "node:1,gpu:2", "node:2,gpu:8"])
def test_auto_is_one_axis_and_every_two_sizes_that_make_all_devices(text):
    system = find_system(text)
    found = [mesh.sizes for mesh in meshes_of(" auto ", system, cluster_of(system, Nccl()), Nccl())]
    devices = system.devices
    both = {(one, other) for one, other in product(range(2, devices), repeat=2) if one * other == devices}
    assert set(found) == {(devices, 1), *both}
    assert found[0] == (devices, 1)
    square = [abs(one - other) for one, other in dict.fromkeys(found[1:])]
    assert square == sorted(square)
    for sizes in {*both, (devices, 1), (1, devices)}:
        given = meshes_of("{},{}".format(*sizes), system, cluster_of(system, Nccl()), Nccl())
        assert {mesh.sizes for mesh in given} == {sizes}


@looped(
    ("text", "said"),
    [
        ("2,3", "mesh 2,3 has 6 devices, but the system has 4; the two must be equal"),
        ("2,2,2", "mesh 2,2,2 has 8 devices, but the system has 4; the two must be equal"),
        ("1,2,2,1,1", "does not parse; write the sizes of at most 4 axes"),
        ("5", "mesh 5 has 5 devices"),
        ("0,4", "does not parse"),
        ("-2,-2", "does not parse"),
        ("²,2", "does not parse"),
        ("1000000000,1", "does not parse"),
        ("100000000,1", "mesh 100000000,1 has 100000000 devices"),
    ],
)
def test_sizes_that_are_no_mesh_are_refused(text, said):
    system = find_system("node:2,gpu:2")
    with pytest.raises(ProblemError, match=said):
        list(meshes_of(text, system, cluster_of(system, Nccl()), Nccl()))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"search": EngineOptions(ShardingEngine.ASTAR)}, "engine astar searches one axis"),
        ({"search": EngineOptions(published=frozenset({HapRestriction.ONE_COLLECTIVE}))}, "--published restricts"),
        ({"more": 1}, "--next-best works on one axis"),
        ({"twice": 1}, "--twice works on one axis"),
    ],
)
def test_what_is_of_one_axis_is_refused_of_two_for_that_reason_alone(asked, said):
    plain = {"search": EngineOptions(ShardingEngine.ILP, certify=True), "more": 0, "twice": 0}
    refuse_on_mesh(**plain)
    with pytest.raises(ProblemError, match=said):
        refuse_on_mesh(**(plain | asked))


def test_a_tensor_is_a_summand_of_one_reduction_and_cut_twice_where_blocks_can_be_cut():
    forms = options(parse_program("program p\ninput x : f32[4, 6]\ny = relu(x)\noutput y\n"), mesh((4, 2))).forms
    layouts = [Replicated(), Sliced(0), Sliced(1), *map(Partial, ReductionOp)]
    for pair in product(layouts, repeat=2):
        unlike = all(isinstance(each, Partial) for each in pair) and pair[0] != pair[1]
        # Four rows by four ranks leave blocks of one; six columns some of two.
        assert forms.is_layout(0, pair) is not (unlike or pair == (Sliced(0), Sliced(0))), pair


def test_collectives_of_a_bound_are_of_what_an_even_cut_by_the_other_axis_leaves():
    whole = RoundNetwork(7, 4)
    network, quarters = DividedNetwork(whole, 3, 4), (0.25,) * 4
    uneven = (0.5, 0.25, 0.25, 0)
    assert network.all_reduce(240) == whole.all_reduce(80)
    assert network.all_gather(240, uneven) == whole.all_gather(80, quarters)
    assert network.reduce_scatter(240, uneven) == whole.reduce_scatter(80, quarters)
    assert network.all_to_all(240, uneven, quarters) == whole.all_to_all(80, quarters, quarters)


SMALL = MOMENTUM.replace("4096", "64")


def test_conditions_are_kept_though_a_way_of_the_trade_without_them_is_faster():
    """Parts of w have to be gathered, which takes longer than all else."""
    single = parse_program("""program one
input x : f32[64, 8]
parameter w : f32[8, 8]
y = matmul(x, w)
new = update(w, w * 0.5)
output y
""")
    where = [mesh((2, 2), 10**9, (10**6, 10**6))]
    found = shard_on(single, where, conditions=("w sliced(0)",))
    assert min(each.account.time for _, each in found.baselines) < found.account.time
    assert Sliced(0) in dict(found.stored)["w"]


def test_a_mesh_on_which_all_fits_is_taken_before_a_faster_one_on_which_nothing_does(monkeypatch):
    monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    single = parse_program(SMALL)
    full = mesh((2, 2), 10**12, (1, 1), 16_384 * 2)
    roomy = replace(mesh((2, 2), 10**11, (1, 1)), placement="roomy")
    alone = shard_on(single, [full], beside=False)
    assert alone.lacks
    found = shard_on(single, [full, roomy], beside=False)
    assert found.scope.placement == "roomy"
    assert not found.lacks
    assert found.account.time > alone.account.time


def test_no_source_is_given_as_summands_unless_a_condition_says_so():
    """A bias can be added before sums are: one rank has it, others have zeros, made of it whole."""
    single = parse_program("program bias\ninput x : f32[64]\ninput b : f32[]\ny = sum(x) + b\noutput y\n")
    where = mesh((2, 2), 10**6, (10**9, 10**9))
    for said in ((), ("b partial",)):
        found = shard_on(single, [where], conditions=said, beside=False)
        is_right(found.program, single)
        assert any(isinstance(placed.layout, Partial) for placed in found.program.outputs[0].layouts)
        summands = [
            each.name
            for each in found.program.sources
            if any(isinstance(placed.layout, Partial) for placed in each.layouts)
        ]
        assert summands == [name.partition(" ")[0] for name in said]
