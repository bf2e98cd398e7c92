"""When all is known that an explanation speaks of."""

from dataclasses import replace
from itertools import count, product

import pytest
from support import problem

from p2smt.cost.any_length import Reach
from p2smt.cost.explanation import explain
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.ranking import rank
from p2smt.cost.ten_digits import ten_digits
from p2smt.problem.model import Payload
from p2smt.reduction.synth.session import synthesize
from p2smt.smt.answer import Stop


@pytest.fixture(scope="module")
def explanation():
    asked = problem([2, 2], [4])
    synthesis, cost = synthesize(asked), NetworkCost(asked.system)
    (placed,) = rank(synthesis, cost)
    return explain(placed.programs[-1].plan, synthesis, cost)


def test_an_explanation_is_complete_where_programs_longer_ones_and_payloads_are_known(explanation):
    assert explanation.complete
    for stop, reach, crossovers in product(Stop, Reach, ((), None)):
        known = replace(explanation, stop=stop, reach=reach, crossovers=crossovers)
        assert known.complete == (stop is Stop.EXHAUSTED and reach is not Reach.LATE and crossovers is not None)


def test_a_program_in_chunks_is_named_where_it_is_faster_alone(explanation):
    """A few bytes are faster in one piece; the last of all programs is slower than a faster one in chunks."""
    assert explanation.chunked[1] < explanation.seconds
    asked = replace(problem([2, 2], [4]), payload=Payload(4096, "float32"))
    synthesis, cost = synthesize(asked), NetworkCost(asked.system)
    (placed,) = rank(synthesis, cost)
    assert explain(placed.programs[0].plan, synthesis, cost).chunked is None


def test_the_last_of_all_programs_has_all_others_before_it_and_the_first_none(explanation):
    assert explanation.rank == explanation.programs > 1
    assert explanation.listed
    assert explanation.seconds == pytest.approx(sum(explanation.causes.values()))
    assert explanation.bottleneck == max(explanation.causes, key=explanation.causes.get)
    assert explanation.runner_up_seconds <= explanation.seconds


def test_nothing_is_before_the_first_program_though_its_time_is_rounded_up():
    """Ranks go by ten digits, of which the last may be one too many or too few."""
    asked = problem([2, 2], [4])
    synthesis, cost = synthesize(asked), NetworkCost(asked.system)
    sized = (replace(synthesis, problem=replace(asked, payload=Payload(4 * size, "float32"))) for size in count(2**18))
    firsts = ((each, rank(each, cost)[0].programs[0]) for each in sized)
    rounded_up, first = next((each, one) for each, one in firsts if ten_digits(one.seconds) > one.seconds)
    assert explain(first.plan, rounded_up, cost).rank == 1
