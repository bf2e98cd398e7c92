"""Where a search of prices, proofs or chunks ends early, nothing is claimed of what it did not come to."""

from dataclasses import replace
from functools import cache

import pytest
from support import problem

from p2smt.cost import certificate, cheapest_chunks
from p2smt.cost.any_length import Cheaper, Reach
from p2smt.cost.any_length_proof import AnyLength, DistanceProver
from p2smt.cost.certificate import certify
from p2smt.cost.cheapest import cheapest_plan
from p2smt.cost.cheapest_chunks import SearchedChunks, cheapest_chunked
from p2smt.cost.crossovers import crossovers
from p2smt.cost.network.backend import cost_of
from p2smt.cost.plan_explanation import explain_plan
from p2smt.cost.ranking import Ranker, rank, searched_in_time
from p2smt.cost.step_prices import scale_of
from p2smt.errors import ProblemError, TimeUpError
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Search
from p2smt.reduction.language.language import full_language
from p2smt.reduction.semantics.state_graph import MAX_LEVELS
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop

STOPS = list(Stop)
ASKED = replace(problem([2, 2, 2], [8]), search=Search(limit=2))
COST = cost_of(ASKED.system)


@cache
def whole():
    return Synthesizer().synthesize(ASKED)


def ended(stop, *, empty=False):
    """The search as if it had ended so; with nothing found."""
    placements = tuple(replace(each, programs=()) if empty else each for each in whole().placements)
    return replace(whole(), placements=placements, stop=stop)


@pytest.mark.thorough  # what is claimed after each ending is tested beside it
@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("empty", [False, True])
def test_a_plan_is_the_cheapest_of_all_just_after_a_whole_search(stop, empty, monkeypatch):
    given = ended(stop, empty=empty)
    monkeypatch.setattr(Synthesizer, "synthesize", lambda *_, **__: given)
    monkeypatch.setattr("p2smt.cost.ranking.cheaper_program", lambda *_: Cheaper(None, Reach.ALL))
    for found in (cheapest_plan(ASKED, COST), cheapest_chunked(ASKED, COST)):
        assert found.complete is (stop is Stop.EXHAUSTED)
        assert (found.plan is None) is empty
    if empty or stop is not Stop.EXHAUSTED:
        assert (found.every, found.least_s) == (False, None)


def test_longer_programs_that_were_not_looked_for_in_time_leave_a_plan_that_may_not_be_the_cheapest(monkeypatch):
    monkeypatch.setattr("p2smt.cost.ranking.cheaper_program", lambda *_: Cheaper(None, Reach.LATE))
    assert not searched_in_time(rank(whole(), COST))
    cheapest = cheapest_plan(ASKED, COST)
    assert not cheapest.complete
    found = cheapest_chunked(ASKED, COST)
    assert (found.complete, found.every, found.least_s) == (False, False, None)
    assert cheapest.plan is not None
    explained = explain_plan(cheapest.plan, COST, ASKED.search)
    assert (explained.complete, explained.reach) == (False, Reach.LATE)


@cache
def known_in_chunks():
    return cheapest_chunked(ASKED, COST)


@pytest.mark.thorough  # what is claimed after each ending is tested beside it
@pytest.mark.parametrize("answer", [TimeUpError, None])
def test_without_a_bound_nothing_is_claimed_of_all_chunks(answer, monkeypatch):
    """Of the placements one has a bound that is not worked out in time, or not at all."""
    known = known_in_chunks()
    assert known.every
    assert known.least_s is not None

    def given(*_, **__):
        if answer is not None:
            raise answer
        return Reach.LEVELS

    monkeypatch.setattr(cheapest_chunks, "chunks_bound", lambda *_: given() and None)
    found = cheapest_chunked(ASKED, COST)
    assert (found.complete, found.every, found.least_s) == (True, True, None)
    monkeypatch.setattr(cheapest_chunks, "graph_of", given)
    found = cheapest_chunked(ASKED, COST)
    assert (found.complete, found.every, found.weighed_least_s, found.least_s) == (True, False, None, None)
    assert found.seconds >= known.seconds


def test_with_no_bound_of_one_placement_nothing_is_claimed_of_all(monkeypatch):
    """The time is up for the placement whose links take longest."""
    asked = problem((2, 4), (4, 2), (1,))
    cost = cost_of(asked.system)
    known, whole_search = cheapest_chunked(asked, cost), cheapest_chunks.searched_chunks
    slowest = max(each.wire_seconds for each in rank(Synthesizer().synthesize(asked), cost))

    def late(placement, *given):
        return SearchedChunks() if placement.wire_seconds == slowest else whole_search(placement, *given)

    monkeypatch.setattr(cheapest_chunks, "searched_chunks", late)
    found = cheapest_chunked(asked, cost)
    assert (known.every, known.weighed_least_s is None) == (True, False)
    assert (found.complete, found.every, found.weighed_least_s) == (True, False, None)


@pytest.mark.parametrize("search", [cheapest_plan, cheapest_chunked])
def test_no_plan_is_made_on_what_is_no_placement(search):
    with pytest.raises(ProblemError, match="matrix 1x8x1"):
        search(ASKED, COST, only=ParallelismMatrix(((1, 8, 1),)))


def test_an_interruption_while_a_proof_is_written_leaves_a_bound_of_nothing(monkeypatch):
    ranked, asked = rank(whole(), COST), []

    def interrupted(*_):
        asked.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(certificate, "build_obligation", interrupted)
    found = certify(whole(), ranked, COST)
    assert found is not None
    assert len(asked) == 1
    assert (found.proved, found.certain, found.lower_bound_s, found.script) == (False, False, 0.0, None)
    assert {proof.reason for proof in found.proofs} == {"interrupted"}


def test_one_payload_that_was_not_looked_at_in_time_leaves_no_crossovers(monkeypatch):
    placed, every = whole().placements[0], Ranker.placement
    assert crossovers(Ranker(COST), COST, ASKED, placed)

    def late(ranker, asked, *given, **named):
        found = every(ranker, asked, *given, **named)
        is_one_byte = asked.payload.bytes == 1
        return found if is_one_byte else replace(found, cheaper=replace(found.cheaper, reach=Reach.LATE))

    monkeypatch.setattr(Ranker, "placement", late)
    assert crossovers(Ranker(COST), COST, ASKED, placed) is None


def test_over_too_many_levels_distances_are_not_tried_and_without_levels_there_is_nothing_to_prove():
    lowering = rank(whole(), COST)[0].programs[0].lowering
    prover = DistanceProver(scale_of(1.0), COST, None)
    beyond = prover.proof(lowering, full_language(MAX_LEVELS + 1), {})
    assert beyond.missing == f"the reduction is over more than {MAX_LEVELS} levels"
    assert (beyond.tried, beyond.states, beyond.places) == (False, 0, 0)
    assert prover.proof(lowering, full_language(0), {}) == AnyLength()
