from math import prod

import pytest
from support import problem

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Grammar
from p2smt.reduction.language.language import full_language
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.synth.halves import Halves
from p2smt.smt.answer import Stop


def every_program(sizes, start, goal, limit):
    """All sequences of steps of the rules from one state to another that do not pass the goal before."""
    one, language = machine(sizes), full_language(len(sizes), Grammar.FULL)
    paths = [((), start)]
    found = set()
    for _ in range(limit):
        after = [((*steps, step), one.apply(state, step)) for steps, state in paths for step in language.steps()]
        valid = [(steps, state) for steps, state in after if not isinstance(state, Violation)]
        found |= {steps for steps, state in valid if state == goal}
        paths = [(steps, state) for steps, state in valid if state != goal]
    return found


def scattered(sizes):
    devices = prod(sizes)
    everyone = (1 << devices) - 1
    return tuple(tuple(everyone if chunk == device else 0 for chunk in range(devices)) for device in range(devices))


def steps_of(found, levels):
    language = full_language(levels)
    return [tuple((language.grouping(i), i.collective) for i in program) for program in found.items]


@pytest.mark.parametrize(("sizes", "limit"), [((4,), 4), ((2, 2), 4), ((2, 3), 4), ((3, 2), 3), ((2, 2, 2), 3)])
def test_they_are_all_programs_of_the_rules(sizes, limit):
    """Walked over state matrices, from the start to blocks scattered over all devices and from there to the end."""
    one, asked = machine(sizes), problem(sizes, [prod(sizes)], limit=limit)
    matrix = ParallelismMatrix((sizes,))
    scatters, gathers = Halves().scatters(asked, matrix), Halves().gathers(asked, matrix)
    assert scatters.stop is gathers.stop is Stop.EXHAUSTED
    assert sorted(steps[:-1] for steps in steps_of(scatters, len(sizes))) == sorted(
        every_program(sizes, one.start, scattered(sizes), limit)
    )
    assert sorted(steps[1:] for steps in steps_of(gathers, len(sizes))) == sorted(
        every_program(sizes, scattered(sizes), one.goal, limit)
    )
