"""Collectives of schedules by reduction programs: what is found is what brute force finds, priced as its plan is."""

from itertools import product

import pytest

from p2smt.collective import Collective
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Grammar, Payload
from p2smt.problem.system.text import find_system
from p2smt.reduction.language.language import full_language
from p2smt.reduction.language.text import format_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PermuteStep
from p2smt.reduction.semantics.execution import machine as state_machine
from p2smt.reduction.synth.session import Synthesizer
from p2smt.schedule.apply import _without_its_program as without_its_program
from p2smt.schedule.check import check_schedule, on_ranks
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.scheduled import Implementation, ScheduledProgram
from p2smt.schedule.tuner.reductions import FASTEST_OF_A_PART, all_programs
from p2smt.schedule.tuner.search import tune
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved

TWO_LEVELS = "p2-v100:2x2"
ALONE = {
    "reduce-scatter": "input x : f32[N, 8] partial(+)\ny = ReduceScatter(x, 0)\noutput y sliced(0)\n",
    "all-gather": "input x : f32[N, 8] sliced(0)\ny = AllGather(x, 0)\noutput y\n",
}


def alone(name, length):
    """One collective and nothing else, on four ranks."""
    return on_ranks(parse_program(f"program alone\n{ALONE[name].replace('N', str(length))}"), 4)


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize("length", [3, 1 << 18])
def test_programs_for_a_scatter_or_a_gather_alone_are_those_of_brute_force(name, length):
    """Every program of the language of at most three steps, run on state matrices one by one."""
    on, goal = Machine.of(find_system(TWO_LEVELS)), Collective(name)
    plain = ScheduledProgram(alone(name, length))
    pricer = Pricer(plain, on)
    tuned = tune(plain.program, on, depth=1)
    levels = (("node", 2), ("gpu", 2))
    levels = tuple((each.name, size) for each, (_, size) in zip(on.cost.system.levels[-2:], levels, strict=True))
    language = full_language(2, Grammar.PAPER, goal)
    running = state_machine((2, 2), goal=goal)
    every = [steps for count in (2, 3) for steps in product(language.steps(), repeat=count) if running.is_valid(steps)]
    names = ["root", *(each for each, _ in levels)]
    texts = {format_program(language.program(steps), names) for steps in every}
    assert set(all_programs(levels, goal)) == texts
    prices = sorted(pricer.by_program("y", Implementation("y", text, levels, goal)).seconds for text in texts)
    found = [each.estimate.seconds for each in tuned.found if each.scheduled.implementations]
    own = pricer.as_it_is("y").seconds
    assert sorted(found) == pytest.approx([price for price in prices[:FASTEST_OF_A_PART] if price < own])
    assert found
    assert tuned.found[0].estimate.seconds == pytest.approx(min(prices[0], estimate(plain, on).seconds))
    for each in tuned.found:
        assert isinstance(check_schedule(plain.program, each.schedule).verdict, Proved)


def test_a_scatter_by_a_program_takes_what_its_plan_takes():
    """The same program on the same devices as the reduction room lowers it, with what devices permute."""
    system = find_system("dgx-h100:2x4")
    on, plain = (
        Machine.of(system),
        ScheduledProgram(on_ranks(parse_program(f"program alone\n{ALONE['reduce-scatter'].replace('N', '65536')}"), 8)),
    )
    problem = build_problem(
        system, [Axis("rank", 8)], [0], Payload(65536 * 8 * 4, "float32"), goal=Collective.REDUCE_SCATTER
    )
    lowering = Lowering(problem, ParallelismMatrix(((2, 4),)))
    programs = Synthesizer().programs(problem, lowering.hierarchy).items
    levels, seen = tuple((each.name, each.size) for each in system.levels), 0
    pricer = Pricer(plain, on)
    for program in programs:
        steps = [(lowering.language.grouping(each), each.collective) for each in program]
        text = format_program(full_language(2).program(tuple(steps)), ["root", *(name for name, _ in levels)])
        price = pricer.by_program("y", Implementation("y", text, levels, Collective.REDUCE_SCATTER))
        assert price.seconds == pytest.approx(on.cost.plan_seconds(lowering.plan(program)))
        seen += any(isinstance(each, PermuteStep) for each in lowering.plan(program).steps)
    assert 0 < seen < len(programs)


@pytest.mark.parametrize("goal", Collective)
def test_a_reduction_program_is_lost_where_its_collective_is_another_or_gone(goal):
    text = """program p
input x : f32[8] partial(+)
input z : f32[8] sliced(0)
sum = AllReduce(x)
part = ReduceScatter(x, 0)
whole = AllGather(z, 0)
cut = Slice(sum, 0)
y = sum + whole
output y
output part
output cut
"""
    program = on_ranks(parse_program(text), 4)
    does = {
        "sum": Collective.ALL_REDUCE,
        "part": Collective.REDUCE_SCATTER,
        "whole": Collective.ALL_GATHER,
        "cut": None,
        "y": None,
        "gone": None,
    }
    for name, collective in does.items():
        noted = ScheduledProgram(program, implementations=(Implementation(name, "", (("gpu", 4),), goal),))
        assert without_its_program(noted) == ("" if collective is goal else name)
