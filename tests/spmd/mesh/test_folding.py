"""A problem whose parts are folded has the optimum of the whole, in the whole's options."""

import random

import pytest
from spmd.joint_problems import random_problem
from spmd.mesh.meshes import mesh, options
from spmd.test_programs import SINGLE

from p2smt.spmd.engines.brute import brute
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.folding import ProblemFold, parts_of
from p2smt.spmd.engines.problem import Best, Choice, Compatibility, JointProblem
from p2smt.spmd.model.build import build
from p2smt.spmd.search.mesh.updates import choices_of_updates
from p2smt.tensor.expression import SourceKind


def twice(problem, inside):
    """The problem with a copy of what is inside beside it, that is joined to the same choices outside."""
    count = len(problem.choices)
    copy = {choice: count + number for number, choice in enumerate(inside)}
    choices = [*problem.choices, *[problem.choices[choice] for choice in inside]]
    links = [
        Compatibility(copy.get(link.left, link.left), copy.get(link.right, link.right), link.allowed)
        for link in problem.links
        if link.left in copy or link.right in copy
    ]
    return JointProblem(tuple(choices), (*problem.links, *links)), frozenset([*inside, *copy.values()])


def test_what_is_folded_costs_what_brute_force_finds():
    rng = random.Random(31)
    best = impossible = folded = 0
    for _ in range(120):
        problem = random_problem(rng, choices=5, options=3, density=rng.choice([0.4, 0.7, 0.9]))
        inside = sorted(rng.sample(range(5), rng.randint(0, 4)))
        doubled, hidden = twice(problem, inside)
        expected, found = brute(doubled), ProblemFold(doubled, hidden).cheapest(doubled)
        folded += len(parts_of(doubled, hidden)) > 1
        if isinstance(expected, Best):
            assert isinstance(found, Best)
            assert found.cost == expected.cost == doubled.cost(found.assignment)
            assert doubled.allows(found.assignment)
            best += 1
        else:
            assert found == expected
            impossible += 1
    assert best > 45
    assert impossible > 15
    assert folded > 60


def test_a_folding_takes_other_costs_and_options():
    rng = random.Random(32)
    problem, hidden = twice(random_problem(rng, choices=6, density=0.95), [1, 3, 4])
    folding = ProblemFold(problem, hidden)
    for _ in range(20):
        costs = [Choice(choice.name, tuple(rng.randrange(9) for _ in choice.costs)) for choice in problem.choices]
        other = JointProblem(tuple(costs), problem.links)
        found, expected = folding.cheapest(other), eliminate(other).answer
        assert isinstance(found, Best)
        assert found.cost == expected.cost == other.cost(found.assignment)


@pytest.mark.parametrize("name", ["momentum", "adamw"])
def test_an_optimizer_is_folded_and_the_optimum_is_the_same(name):
    sharding = build(options(SINGLE[name], mesh((2, 3))), narrow=True)
    hidden = choices_of_updates(sharding)
    folding = ProblemFold(sharding.problem, hidden)
    found = folding.cheapest(sharding.problem)
    assert found.cost == eliminate(sharding.problem).answer.cost == sharding.problem.cost(found.assignment)
    assert sharding.problem.allows(found.assignment)
    assert len(parts_of(sharding.problem, hidden)) == sum(
        each.kind is SourceKind.PARAMETER for each in SINGLE[name].sources
    )
    assert len(hidden) > len(sharding.problem.choices) // 3
