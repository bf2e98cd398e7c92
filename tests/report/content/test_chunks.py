"""What is said of chunks: of the plan that is asked about, or of the best one where chunks are worth it."""

from dataclasses import replace

import pytest
from support import problem

from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pipelining import WORTH, Pipelines
from p2smt.cost.ranking import rank
from p2smt.problem.model import Payload
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


@pytest.mark.parametrize(
    ("ratio", "payload", "said"),
    [(WORTH, 1 << 20, True), (WORTH - 1e-6, 1 << 20, False), (3.0, 1 << 20, True), (3.0, 1 << 10, False)],
)
def test_without_a_plan_the_best_chunks_of_all_programs_are_said_where_they_gain(monkeypatch, ratio, payload, said):
    """Not below the payloads from which on figures are known."""
    asked = replace(problem([2, 2], [4]), payload=Payload(payload, "float32"))
    cost = NetworkCost(asked.system)
    (ranked,) = rank(synthesize(asked), cost)
    programs = [replace(one, seconds=WORTH) for one in ranked.programs]
    assert (payload < asked.system.known_from) == (payload == 1 << 10)
    chosen, looked_at = replace(programs[1].plan, chunks=4), []

    def best(_, plans):
        looked_at.extend(plans)
        return chosen, WORTH / ratio

    monkeypatch.setattr(Pipelines, "best", best)
    found = chunks_content(replace(ranked, programs=tuple(programs)), cost, None)
    if payload == 1 << 20:
        assert looked_at == [one.plan for one in programs]
    assert (found is not None) == said
    if found is not None:
        assert (found.text, found.chunks, found.alone) == (chosen.program, 4, WORTH)


def test_without_a_program_or_better_chunks_nothing_is_said(placement, monkeypatch):
    ranked, cost = placement
    assert chunks_content(replace(ranked, programs=()), cost, None) is None
    monkeypatch.setattr(Pipelines, "best", lambda *_: None)
    assert chunks_content(ranked, cost, None) is None
