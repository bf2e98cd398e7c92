"""Bounds by parts that repeat: below the optimum, near it, and only what the parts' places prove is accepted."""

import random
from dataclasses import replace

from tiers import sample

from p2smt.spmd.engines import message_passing
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.engine import MEMORY
from p2smt.spmd.engines.message_passing import relax
from p2smt.spmd.engines.parts import relax_parts
from p2smt.spmd.engines.parts_check import ProvedPart, bound_of_parts
from p2smt.spmd.engines.problem import Best, Choice, Compatibility, JointProblem
from p2smt.spmd.engines.repetition import repetition
from p2smt.spmd.engines.table import Table


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
        links += [
            Compatibility(before, a, inside[0]),
            Compatibility(a, b, inside[1]),
            Compatibility(b, c, inside[2]),
            Compatibility(1, b, inside[3]),
        ]
        before = c
    choices.append(Choice("last", costs[5]))
    links.append(Compatibility(before, len(choices) - 1, inside[4]))
    return JointProblem(tuple(choices), tuple(links))


def tangled(rng):
    """Layers with cycles, links to the next layer and the one after it, and a hub; one choice at an end is unlike."""
    size, wide, layers = rng.choice((2, 3)), rng.choice((2, 3)), rng.randrange(7, 12)
    costs = [tuple(rng.randrange(100) for _ in range(size)) for _ in range(wide)]
    kinds = [(0, left, right, mask(rng, size)) for left in range(wide) for right in range(left + 1, wide)]
    kinds += [(1, left, right, mask(rng, size)) for left in range(wide) for right in range(wide) if rng.random() < 0.4]
    kinds += [(1, wide - 1, 0, mask(rng, size))]
    kinds += [(2, rng.randrange(wide), 0, mask(rng, size))] * (rng.random() < 0.3)
    choices = [Choice("hub", costs[0])]
    hub, links = mask(rng, size), []
    for layer in range(layers):
        start = 1 + (layer * wide)
        choices += [Choice(f"{layer}.{number}", each) for number, each in enumerate(costs)]
        links += [Compatibility(0, start, hub)]
        links += [
            Compatibility(start - (back * wide) + left, start + right, allowed)
            for back, left, right, allowed in kinds
            if back <= layer
        ]
    unlike = rng.choice((0, 1, len(choices) - 1))
    choices[unlike] = Choice("unlike", tuple(rng.randrange(100) for _ in range(size)))
    return JointProblem(tuple(choices), tuple(links))


def spoiled(rng, parts):
    """The parts with one number changed: of a cost, a link, a message, a table, a shift, a bound or a place."""
    number = rng.randrange(len(parts))
    part = parts[number]
    problem, certificate = part.problem, part.certificate
    more = rng.choice((-1, 1, 7, -(2**59), 2**59, -(2**60), 2**60, 2**62))

    def one_of(items, change):
        at = rng.randrange(len(items))
        return tuple([change(each) if position == at else each for position, each in enumerate(items)])

    def added(items):
        return one_of(items, lambda each: each + more)

    def of_certificate(**changes):
        bound = certificate.bound + rng.choice((0, more))
        return replace(part, certificate=replace(certificate, **({"bound": bound} | changes)))

    match rng.randrange(7):
        case 0:
            costs = one_of(problem.choices, lambda each: each._replace(costs=added(each.costs)))
            changed = replace(part, problem=replace(problem, choices=costs))
        case 1 if problem.links:
            field = rng.choice(("left", "right"))
            links = one_of(problem.links, lambda each: each._replace(**{field: getattr(each, field) + more}))
            changed = replace(part, problem=replace(problem, links=links))
        case 2 if certificate.messages:
            messages = one_of(
                certificate.messages,
                lambda each: each._replace(**{each._fields[-1]: each[-1] + more}),  # the shift, or the loss
            )
            changed = of_certificate(messages=messages)
        case 3 if certificate.tables:
            tables = one_of(certificate.tables, lambda each: Table(each.codes, each.costs + more))
            changed = of_certificate(tables=tables)
        case 4 if certificate.shifts:
            shifts = one_of(certificate.shifts, lambda each: each._replace(amounts=one_of(each.amounts, added)))
            changed = of_certificate(shifts=shifts)
        case 5:
            changed = replace(part, places=one_of(part.places, lambda place: (added(place[0]), place[1])))
        case _:
            changed = of_certificate(bound=certificate.bound + more)
    return [changed if position == number else each for position, each in enumerate(parts)]


def test_nothing_above_the_optimum_is_accepted_of_spoiled_parts(monkeypatch):
    """One number is changed at a time; what is wrong is said, and nothing is thrown."""
    rng, seen, accepted = random.Random(9), 0, 0
    for number in sample(range(150), 12):
        monkeypatch.setattr(message_passing, "_STAGES", ((1, 2), (1, 4), (2**10, 2**14))[number % 3])
        problem = tangled(rng)
        answer, found = eliminate(problem).answer, relax_parts(problem, MEMORY)
        if found is None or not isinstance(answer, Best):
            continue
        proved = bound_of_parts(problem, found.parts)
        assert isinstance(proved, int)
        assert proved <= answer.cost
        for _ in range(30):
            bound = bound_of_parts(problem, spoiled(rng, found.parts))
            assert isinstance(bound, str) or bound <= answer.cost
            accepted += isinstance(bound, int)
            seen += 1
    assert seen > 100
    assert 0 < accepted < seen / 2


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
