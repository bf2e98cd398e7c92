"""Bounds by parts that repeat: below the optimum, near it, and only what the parts' places prove is accepted."""

import random
from dataclasses import replace

from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.engine import MEMORY
from p2smt.spmd.engines.message_passing import relax
from p2smt.spmd.engines.parts import relax_parts
from p2smt.spmd.engines.parts_check import ProvedPart, bound_of_parts
from p2smt.spmd.engines.problem import Choice, JointProblem, Link
from p2smt.spmd.engines.repetition import repetition


def mask(rng, size):
    """A random link between choices of so many options, in which every option has one that goes with it."""
    return tuple(rng.randrange(1, 1 << size) | 1 << (option % size) for option in range(size))


def layered(rng, layers, size=3):
    """A chain of layers of three choices that are alike, with a beginning, an end, and a hub that all layers read."""
    costs = [tuple(rng.randrange(100) for _ in range(size)) for _ in range(6)]
    inside = [mask(rng, size) for _ in range(5)]
    choices = [Choice("first", costs[3]), Choice("hub", costs[4])]
    links, before = [], 0
    for _ in range(layers):
        a, b, c = range(len(choices), len(choices) + 3)
        choices += [Choice(name, cost) for name, cost in zip("abc", costs[:3], strict=True)]
        links += [Link(before, a, inside[0]), Link(a, b, inside[1]), Link(b, c, inside[2]), Link(1, b, inside[3])]
        before = c
    choices.append(Choice("last", costs[5]))
    links.append(Link(before, len(choices) - 1, inside[4]))
    return JointProblem(tuple(choices), tuple(links))


def test_bounds_by_parts_are_below_the_optimum_and_near_it():
    """The optimum is that of elimination; the end of a chain costs the bound something."""
    rng = random.Random(5)
    gaps = []
    for _ in range(12):
        problem = layered(rng, rng.randrange(6, 10))
        optimum = eliminate(problem).answer.cost
        found = relax_parts(problem, MEMORY)
        assert found is not None
        bound = bound_of_parts(problem, found.parts)
        assert isinstance(bound, int)
        assert bound <= optimum
        gaps.append(1 - bound / optimum)
    assert sorted(gaps)[len(gaps) // 2] < 0.05


def test_layers_are_the_parts():
    """Choices a, b, c of one layer, or of two neighbours, are a part; the hub and the ends belong to the rest."""
    problem = layered(random.Random(2), 9)
    found = repetition(problem)
    assert found is not None
    assert found.home == 3
    assert len(found.choices) >= 6
    for choices in found.choices:
        assert sorted(problem.choices[each].name for each in choices[:3]) == ["a", "b", "c"]
    homes = [choice for choices in found.choices for choice in choices[:3]]
    assert len(homes) == len(set(homes))
    assert repetition(layered(random.Random(2), 2)) is None
    assert relax_parts(layered(random.Random(2), 2), MEMORY) is None


def test_whatever_parts_cost_what_is_accepted_is_below_the_optimum():
    """Costs of parts are changed at random, and bounded anew: the excess takes off again what they have too much."""
    rng = random.Random(8)
    for _ in range(6):
        problem = layered(rng, 6)
        optimum = eliminate(problem).answer.cost
        parts = list(relax_parts(problem, MEMORY).parts)
        number = rng.randrange(2)
        part = parts[number]
        choices = [
            each._replace(costs=tuple(cost + rng.randrange(200) for cost in each.costs))
            for each in part.problem.choices
        ]
        changed = replace(part.problem, choices=tuple(choices))
        parts[number] = ProvedPart(changed, relax(changed).certificate, part.places)
        assert bound_of_parts(problem, parts) <= optimum


def test_places_that_are_not_those_of_a_part_are_refused():
    problem = layered(random.Random(3), 6)
    first, rest = relax_parts(problem, MEMORY).parts
    (choices, links), *others = first.places

    def fault(place):
        return bound_of_parts(problem, [replace(first, places=(place, *others)), rest])

    assert fault((choices, (links[1], *links[1:]))).startswith("a part has a link that is not link")
    assert fault((choices, (-1, *links[1:]))) == "a part has link -1, which there is not"
    assert fault((choices[1:], links)) == "a part has other choices or links than its place"
    assert fault(((choices[1], *choices[1:]), links)) == "a part has other choices or links than its place"
    lost = replace(first.certificate, bound=first.certificate.bound + 1)
    assert "add up to" in bound_of_parts(problem, [replace(first, certificate=lost), rest])
    link = first.problem.links[0]
    narrow = replace(first.problem, links=(link._replace(allowed=(1,) * len(link.allowed)), *first.problem.links[1:]))
    fewer = replace(first, problem=narrow, certificate=relax(narrow).certificate)
    assert bound_of_parts(problem, [fewer, rest]).startswith("a part has a link that is not link")
    one_more = replace(first.problem, choices=(Choice("a", (0,)), *first.problem.choices[1:]))
    assert isinstance(bound_of_parts(problem, [replace(first, problem=one_more), rest]), str)
