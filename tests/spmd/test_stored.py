"""Limits on what devices store say what the programs that come out store, device by device."""

import random
from dataclasses import replace
from math import prod

from spmd.joint_problems import MOMENTUM, cluster

from p2smt.spmd.build import build
from p2smt.spmd.classes import classes_of
from p2smt.spmd.elimination import eliminate
from p2smt.spmd.emission import emit
from p2smt.spmd.graph import graph_of
from p2smt.spmd.memory import stored_limits
from p2smt.spmd.pricing import Pricing
from p2smt.spmd.problem import Best
from p2smt.spmd.shares import even, proportional
from p2smt.tensor.inference import infer
from p2smt.tensor.placing import part_of
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
        sharding = build(Pricing(graph, classes_of(graph), cluster(SPEEDS), shares))
        for _ in range(8):
            drawn = tuple(each._replace(costs=tuple(rng.randrange(9) for _ in each.costs))
                          for each in sharding.problem.choices)  # fmt: skip
            answer = eliminate(replace(sharding.problem, choices=drawn)).answer
            assert isinstance(answer, Best)
            program = emit(sharding, answer.assignment)
            bytes_of = [stored(program, rank) for rank in range(len(SPEEDS))]
            for _ in range(4):
                most = [None if rng.random() < 0.2 else each + rng.randint(-1, 3) for each in bytes_of]
                limited = replace(sharding.problem, limits=stored_limits(sharding, most))
                fits = all(bound is None or each <= bound for each, bound in zip(bytes_of, most, strict=True))
                assert limited.allows(answer.assignment) is fits, (bytes_of, most)
                kept, broken = kept + fits, broken + (not fits)
    assert min(kept, broken) > 12
