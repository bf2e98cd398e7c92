"""What is said of chunks: of the plan that is asked about, or of the best one where chunks are worth it."""

from dataclasses import replace

import pytest
from support import problem

from p2smt.cost.network.cost import NetworkCost
from p2smt.cost.pipelining import Pipelines
from p2smt.cost.ranking import rank
from p2smt.reduction.synth.session import synthesize
from p2smt.report.content.collect_chunks import chunks_content


@pytest.fixture(scope="module")
def placement():
    asked = problem([2, 2], [4])
    (found,) = rank(synthesize(asked), NetworkCost(asked.system))
    return found, NetworkCost(asked.system)


def test_of_a_plan_in_one_piece_nothing_is_said_and_of_one_in_chunks_when_each_is_at_work(placement):
    ranked, cost = placement
    plan = ranked.programs[-1].plan
    assert chunks_content(ranked, cost, plan) is None
    for chunks in (2, 3):
        said = chunks_content(ranked, cost, replace(plan, chunks=chunks))
        assert (said.chunks, said.text, said.matrix) == (chunks, plan.program, plan.matrix)
        assert said.seconds == pytest.approx(Pipelines(cost).pipeline(replace(plan, chunks=chunks)).seconds)
        assert said.alone == ranked.programs[0].seconds
