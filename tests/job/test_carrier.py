"""What a schedule's collectives take on one placement: the fastest of all programs of the same payload and goal."""

import pytest
from job.by_force import SYNTHESIZER

from p2smt.collective import Collective
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.ranking import rank
from p2smt.job.carrier import JobContext, ProgramCarrier
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.build import build_problem, build_workload
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import Reduction
from p2smt.reduction.synth.session import synthesize

SYSTEM = find_system("dgx-a100:2x4")
AXES = [Axis("a", 4), Axis("b", 2), Axis("c", 1)]
SEARCH = Search(limit=2)
MATRIX = parse_matrix("2x2/1x2/1x1")


def carrier():
    reductions = [Reduction(name="r", axes=(0,), payload=Payload(2**20, "float32"))]
    job = build_workload(SYSTEM, AXES, reductions, search=SEARCH)
    return ProgramCarrier(JobContext(job, NetworkCost(SYSTEM), synthesizer=SYNTHESIZER), MATRIX)


def fastest(goal, axis, whole):
    """Of all programs of the problem by itself, with a payload of so many bytes."""
    cost = NetworkCost(SYSTEM)
    problem = build_problem(SYSTEM, AXES, [axis], Payload(whole, "int8"), SEARCH, goal)
    (placed,) = [one for one in rank(synthesize(problem), cost) if one.placed.matrix == MATRIX]
    best = placed.programs[0]
    return best.text, sum(cost.step_cost(best.plan, step).seconds for step in best.plan.steps)


def test_a_collective_takes_what_the_fastest_program_of_its_payload_takes():
    """Bytes are those that ranks begin with: of what is gathered the payload is as many times that as there are."""
    asked = carrier()
    for goal, axis, held in (
        (Collective.ALL_REDUCE, 0, 2**26),
        (Collective.ALL_GATHER, 0, 2**12),
        (Collective.ALL_GATHER, 1, 2**26),
    ):
        whole = held * AXES[axis].size if goal is Collective.ALL_GATHER else held
        text, seconds = fastest(goal, axis, whole)
        for price in (asked.price(goal, axis, held), asked.price(goal, axis, held + 0.25)):
            assert (price.way, price.seconds) == (text, pytest.approx(seconds, rel=1e-12))


def test_what_has_no_ranks_or_bytes_has_no_price():
    asked = carrier()
    assert asked.price(Collective.ALL_REDUCE, 2, 1024) is None
    assert asked.price(Collective.ALL_REDUCE, 0, 0) is None
    assert asked.price(Collective.ALL_GATHER, 0, 0.25) is None
