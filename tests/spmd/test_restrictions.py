"""Restrictions leave operations the same rules that they call alike: for those that are, a problem asks them once."""

import random

import pytest
from spmd.joint_problems import cluster
from spmd.mesh.meshes import mesh, options
from spmd.test_programs import SINGLE

from p2smt.spmd.devices.shares import even
from p2smt.spmd.engines.engine import HapRestriction
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.forms import Forms
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.published import linear
from p2smt.spmd.model.restriction import FREEDOM, FixedAxes, MixedPrograms, NoSums, PerAxis
from p2smt.spmd.search.baselines import BASELINES
from p2smt.spmd.search.mesh.baselines import combinations
from p2smt.spmd.search.sharding import shard

NAMES = ("mlp_step", "adamw", "moe_layer", "gpt_block")


def counted(forms, nodes, restrictions):
    """How many operations are asked for another, and how many kinds are told apart."""
    spared, apart = 0, 0
    for restriction in restrictions:
        groups = {}
        for node in nodes:
            key = (forms.kind(node), restriction.alike(node))
            groups.setdefault(key, []).append(forms.form(node, restriction).rules)
        assert all(each == left[0] for left in groups.values() for each in left)
        spared += len(nodes) - len(groups)
        apart += len(groups) - len({kind for kind, _ in groups})
    return spared, apart


@pytest.mark.parametrize("name", NAMES)
def test_operations_that_are_alike_are_left_the_same_rules_on_one_axis(name):
    graph = graph_of(SINGLE[name])
    classes = classes_of(graph)
    made = [PerAxis((maker(graph, classes),)) for _, maker in BASELINES]
    spared, _ = counted(Forms(graph, classes, (2,)), graph.nodes, [*made, NoSums(FREEDOM, linear(graph))])
    assert spared > 0


@pytest.mark.parametrize("name", NAMES)
def test_operations_that_are_alike_are_left_the_same_rules_on_two_axes(name):
    known = options(SINGLE[name], mesh((2, 2)))
    graph, rng = known.pricing.graph, random.Random(4)
    programs = [
        {node.result: rng.choice(known.forms.form(node, FREEDOM).rules) for node in graph.nodes} for _ in range(2)
    ]
    fixed = FixedAxes(0, programs[0], {}, FREEDOM)
    pairs = [each.restriction for each in combinations(graph, known.pricing.classes, (2, 2))]
    spared, apart = counted(known.forms, graph.nodes, [fixed, MixedPrograms(tuple(programs), FREEDOM), *pairs])
    assert spared > 0
    assert apart > 0


def test_a_way_of_the_trade_outside_of_the_published_space_is_no_answer_in_it():
    published, machines = frozenset({HapRestriction.NO_LINEAR_SUMS}), cluster((10**8, 10**8), 100)
    alone, beside = (
        shard(SINGLE["mlp_step"], machines, (even(2),), beside=each, published=published) for each in (False, True)
    )
    assert alone.program == beside.program
    assert min(each.account.time for _, each in beside.baselines) < beside.account.time
