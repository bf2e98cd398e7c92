"""The bound of two placements that mirror each other is below every program on either."""

import random
from dataclasses import replace

from spmd.mesh.meshes import mesh, options
from tensor.random_programs import single_program

from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.shares import proportional
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.model.build import build
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.spmd.search.mesh import search as search_module
from p2smt.spmd.search.mesh.mirrored import mirrored_pair
from p2smt.tensor.text.parser import parse_program

PRODUCT = "program p\ninput x : f32[8, 8]\nparameter w : f32[8, 8]\ny = relu(matmul(x, w))\noutput y\n"


def optimum(pricing):
    """The least cost of all choices of both axes."""
    return eliminate(build(OptionCache(pricing)).problem).answer.cost


def placements(program, speed=10**7):
    """The prices of two placements: the fast axis is the inner one in the first, the outer one in the second."""
    first = options(program, mesh((2, 2), speed, (10, 1))).pricing
    return first, options(program, mesh((2, 2), speed, (1, 10))).pricing


def test_no_program_on_either_placement_is_below_the_optimum_of_both():
    """Optima by all choices at once; somewhere each placement is the better one, so that neither alone would do."""
    rng = random.Random(4)
    better = set()
    for _ in range(6):
        one, other = placements(single_program(rng, count=3))
        pair = mirrored_pair(one, other)
        assert pair is not None
        both, first, second = optimum(pair), optimum(one), optimum(other)
        assert both <= min(first, second)
        better.add((first > second) - (first < second))
    assert {-1, 1} <= better


def test_what_is_not_mirrored_makes_no_pair():
    program = single_program(random.Random(1), count=3)
    one, other = placements(program)
    assert mirrored_pair(one, other) is not None
    assert mirrored_pair(one, one) is None
    uneven = replace(other, shares=(proportional([1, 2]), other.shares[1]))
    assert mirrored_pair(replace(one, shares=uneven.shares), uneven) is None
    assert mirrored_pair(*placements(program, (10**7, 10**7, 10**7, 10**6))) is None
    assert mirrored_pair(one, options(program, mesh((4, 2), 10**7, (1, 10))).pricing) is None


def test_mirrored_placements_have_one_bound(monkeypatch):
    """Searched axis by axis, the two placements of 2 x 2 devices on 2 machines are bounded once."""
    monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    program = parse_program(PRODUCT)
    request = ShardingRequest(mesh="2,2", baselines=False)
    found = shard_program(program, find_system("node:2,gpu:2"), request)
    assert [each.placement for each in found.scope.tried] == ["1x2/2x1", "2x1/1x2"]
    assert len({each.bound for each in found.scope.tried}) == 1
    named = shard_program(program, find_system("node:2,gpu:2"), replace(request, conditions=("x replicated",)))
    assert named.lower_bound >= found.lower_bound
