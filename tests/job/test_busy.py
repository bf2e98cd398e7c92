"""How long steps keep links busy, against the loads themselves; programs summed alone, against all at once."""

from dataclasses import replace

import numpy as np
import pytest
from support import plans, problem

from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.program_table import PricedPrograms
from p2smt.job.busy import busy_seconds


def test_links_are_busy_with_what_steps_put_on_them():
    asked = problem([2, 4], [8])
    cost, links = NetworkCost(asked.system), asked.system.network.links
    steps = [cost.step_cost(plan, step) for plan in plans(asked)[::9] for step in plan.steps]
    found = busy_seconds(steps, asked.system.network)
    apart = tuple(replace(link) for link in links)
    assert (busy_seconds(steps, replace(asked.system.network, links=apart)) == found).all(), "equal links are one"
    assert found.shape == (len(steps), len(links) + 1)
    assert (found[:, :-1] > 0).any(axis=0).all()
    for row, step in zip(found.tolist(), steps, strict=True):
        used = [sum(load.bandwidth_bytes for load in step.loads if load.link == link) for link in links]
        assert row[:-1] == pytest.approx([most / link.bandwidth for most, link in zip(used, links, strict=True)])
        assert row[-1] == step.memory_s


def test_no_steps_keep_nothing_busy():
    network = problem([2, 4], [8]).system.network
    assert busy_seconds([], network).shape == (0, len(network.links) + 1)


def test_a_program_alone_has_the_bits_that_it_has_among_others():
    random = np.random.default_rng(1)
    asked = problem([2, 4], [8])
    cost = NetworkCost(asked.system)
    costs = tuple(cost.step_cost(plan, step) for plan in plans(asked)[::13] for step in plan.steps)
    of_step = random.integers(0, len(costs), 30)
    rows = np.array([[*random.integers(0, 30, length), *[30] * (12 - length)] for length in range(13)])
    every = PricedPrograms(costs, of_step, rows)
    seconds = every.of_all(lambda step: step.seconds)
    for place in range(len(rows)):
        (alone,) = every.one(place).of_all(lambda step: step.seconds)
        assert alone == seconds[place]
