"""Limits on what devices store say what the programs that come out store, device by device."""

import random
from dataclasses import replace
from math import prod

import pytest
from looped import looped
from spmd.joint_problems import MOMENTUM, cluster, random_problem

from p2smt.errors import ProblemError
from p2smt.spmd.account.instructions import account
from p2smt.spmd.account.last_reads import last_reads
from p2smt.spmd.devices.cluster import capped
from p2smt.spmd.devices.shares import even, proportional
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.brute import brute
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.engine import MEMORY
from p2smt.spmd.engines.problem import Best, Impossible, Limit
from p2smt.spmd.model.build import TensorChoice, build
from p2smt.spmd.model.chosen import is_whole
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.search.memory import _refuse_too_large as refuse_too_large
from p2smt.spmd.search.memory import priced, stored_limits
from p2smt.tensor.expression import Read, parts
from p2smt.tensor.inference import infer
from p2smt.tensor.placing import part_of
from p2smt.tensor.statement_form import FormReader
from p2smt.tensor.text.parser import parse_program

SPEEDS = (4, 4, 2, 2)


def stored(program, rank):
    """The bytes of what a device keeps of the sources of a program."""
    layouts = infer(program).layouts
    parts = ((each, part_of(layouts[each.name], program.mesh, each.shape, rank)) for each in program.sources)
    return sum(each.dtype.bytes * prod(interval.length for interval in part) for each, part in parts)


def test_a_choice_is_within_the_limits_just_where_every_device_has_room():
    rng = random.Random(7)
    graph = graph_of(parse_program(MOMENTUM.replace("4096", "24")))
    kept = broken = 0
    for shares in (even(4), proportional(SPEEDS)):
        sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), cluster(SPEEDS), shares)))
        for _ in range(12):
            drawn = tuple(
                each._replace(costs=tuple(rng.randrange(9) for _ in each.costs)) for each in sharding.problem.choices
            )
            answer = eliminate(replace(sharding.problem, choices=drawn)).answer
            assert isinstance(answer, Best)
            program = emit(sharding, answer.assignment)
            whole = {
                meaning.tensor
                for meaning, option in zip(sharding.meanings, answer.assignment, strict=True)
                if isinstance(meaning, TensorChoice) and is_whole(meaning.layouts[meaning.options[option][0]])
            }
            if any(each.layouts and graph.named[each.name] in whole for each in program.sources):
                continue  # it is given in the cut in which alone it is read, for which nothing is counted
            bytes_of = [stored(program, rank) for rank in range(len(SPEEDS))]
            for _ in range(4):
                most = [None if rng.random() < 0.2 else each + rng.randint(-1, 3) for each in bytes_of]
                limited = replace(sharding.problem, limits=stored_limits(sharding, most))
                fits = all(bound is None or each <= bound for each, bound in zip(bytes_of, most, strict=True))
                assert limited.allows(answer.assignment) is fits, (bytes_of, most)
                kept, broken = kept + fits, broken + (not fits)
    assert min(kept, broken) > 12


def test_prices_for_bytes_lead_to_what_fits_and_not_far_from_the_cheapest():
    rng = random.Random(41)
    found = {True: 0, False: 0}
    cheapest = total = 0
    for _ in range(30):
        problem = random_problem(rng, 6, 3, 0.9, 1.0)
        weights = tuple((c, tuple(22 - cost for cost in each.costs)) for c, each in enumerate(problem.choices))
        limited = replace(problem, limits=(Limit("memory", rng.randint(40, 90), weights),))
        best, assignment = brute(limited), priced(limited, MEMORY)
        found[assignment is not None] += 1
        if assignment is not None:
            assert limited.allows(assignment)
            cheapest, total = cheapest + best.cost, total + problem.cost(assignment)
        else:
            assert isinstance(best, Impossible)
    assert min(found.values()) > 3
    assert cheapest <= total <= 1.3 * cheapest


@pytest.mark.parametrize("memory", [None, 9, 10, 11])
def test_a_cap_never_gives_a_device_more_than_it_has(memory):
    machines = cluster(SPEEDS, memory=memory)
    assert capped(machines, None) == machines
    least = 10 if memory is None else min(10, memory)
    assert [device.memory for device in capped(machines, 10).devices] == [least] * len(SPEEDS)


@pytest.mark.parametrize(("most", "fits"), [(11, True), (12, True), (10, False)])
def test_what_just_fits_is_not_refused(most, fits):
    """Two sources of which the device has to store 5 and 6 bytes at least."""
    limit = Limit("device 1", most, ((0, (7, 5)), (1, (6, 9))))
    if fits:
        refuse_too_large(cluster(SPEEDS).devices, [limit])
    else:
        with pytest.raises(ProblemError, match="more; use more devices, other sharding ratios or fewer conditions"):
            refuse_too_large(cluster(SPEEDS).devices, [limit])


LIVES = """program lives
input x : f32[4]
parameter w : f32[4]
a = x * 2
b = a * 3
c = x + 1
d = a + c
e = b * d
f = c * c
g = update(w, f)
output b
output f
"""


def lives_on(buckets):
    """Statement by statement the values that are there behind it and read no more, told by who reads what."""
    program = parse_program(LIVES)
    order = [each.name for each in program.statements]
    bucket_of = {name: bucket for bucket in buckets for name in bucket}

    def when(name):
        return order.index(bucket_of[name][-1] if name in bucket_of else name)

    reads = {
        each.name: {part.name for part in parts(each.expression) if isinstance(part, Read)}
        for each in program.statements
    }
    ends = {name: max([when(name), *(when(other) for other in order if name in reads[other])]) for name in order}
    ends |= {name: max(ends[other] for other in bucket_of[name]) for name in bucket_of}
    found = [
        [name for name in order if ends[name] == number and name not in ("b", "f")] for number in range(len(order))
    ]
    return {number: names for number, names in enumerate(found) if names}


@pytest.mark.parametrize("buckets", [(), (("a", "c"),), (("b", "d"),), (("a", "c"), ("e", "f")), (("c", "b", "d"),)])
def test_a_value_is_there_to_its_last_reader_an_output_to_the_end_and_a_bucket_as_one(buckets):
    program = parse_program(LIVES)
    reads = [FormReader(program).form(each.expression)[1] for each in program.statements]
    found = last_reads(program, reads, buckets)
    assert {number: sorted(names) for number, names in found.items()} == lives_on(buckets)


@looped(
    ("made", "peak"),
    [
        # Beside x, 4 numbers: what is computed, and what a statement computes it from on the way.
        ("y = relu(x)\n", 4 + 4),
        ("y = exp(relu(x))\n", 4 + 4 + 4),
        ("y = relu(x) + exp(x)\n", 4 + 4 + 4 + 4),
        ("y = sum(relu(x))\n", 4 + 4 + 1),
        ("a = relu(x)\nb = exp(a)\ny = sum(b)\n", 4 + 4 + 4),
        ("a = relu(x)\nb = exp(a)\nz = exp(b)\ny = z + a\n", 4 + 4 + 4 + 4),
    ],
)
def test_a_peak_by_hand(made, peak):
    program = parse_program(f"program peak\nmesh device=1\ninput x : f32[4]\n{made}output y\n")
    assert account(program, cluster((10**9,))).memory == (4 * peak,)
