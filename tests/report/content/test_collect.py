"""What a report says beside its programs: figures of placements, what is left out, what there was no time for."""

from dataclasses import replace
from itertools import product

import pytest
from report_support import report, report_on
from support import problem

from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.ranking import rank
from p2smt.placement.matrix import parse_matrix
from p2smt.placement.reduction_tree import device_coordinates
from p2smt.problem.system.text import find_system
from p2smt.reduction.synth.session import Synthesizer
from p2smt.report.content import collect as collect_module
from p2smt.report.content.collect import collect
from p2smt.report.content.content import PlacementContent
from p2smt.report.content.selection import selection_of

ASKED = problem((2, 4), (4, 2), (1,))


@pytest.fixture(scope="module")
def found():
    return Synthesizer().synthesize(ASKED)


def test_figures_of_placements_are_those_of_synthesis_and_ranking(found):
    told = []
    said = collect(found, Nccl(), on_progress=lambda *now: told.append(now))
    ranked = {one.placed.matrix: one for one in rank(found, cost_of(ASKED.system, Nccl()))}
    assert said.total == sum(result.count for result in said.results) == found.total_programs
    assert (said.coloured, said.opened, said.others) == (1, 0, None)
    assert told == [(number, len(ranked), found.total_programs) for number in range(len(ranked))]
    for placement, result in zip(said.placements, said.results, strict=True):
        other = ranked[placement.matrix]
        assert (result.matrix, result.levels) == (placement.matrix, other.placed.hierarchy.sizes)
        assert (result.allreduce_seconds, result.wire_seconds) == (other.allreduce_seconds, other.wire_seconds)
        assert result.longer == other.programs[0].beyond_limit
        assert list(result.seconds) == sorted(set(result.seconds))
    assert any(result.allreduce_seconds != result.wire_seconds for result in said.results)


def test_programs_beyond_the_limit_are_shown_where_they_are_cheaper():
    said = report_on(problem((4, 4), (16,), limit=1))
    (result,) = said.results
    (other,) = rank(Synthesizer().synthesize(said.problem), cost_of(said.system, Nccl()))
    assert [one.text for one in result.programs] == [one.text for one in other.programs[: len(result.programs)]]
    assert result.longer
    assert (result.count, result.programs[0].text.count(";") > 0) == (1, True)


def test_a_placement_that_there_is_not_is_not_shown(found):
    assert collect(found, Nccl(), also=parse_matrix("1x4/2x3")) == collect(found, Nccl())


def test_others_are_placements_with_a_program(found, monkeypatch):
    """One placement is shown, one has no program."""
    monkeypatch.setattr(collect_module, "MOST_PLACEMENTS", 1)
    whole = collect(found, Nccl())
    slowest = max(rank(found, cost_of(ASKED.system, Nccl())), key=lambda one: one.programs[0].seconds).placed.matrix
    assert whole.others is not None
    assert whole.others[1] > whole.others[0] or len(found.placements) == 2
    bare = replace(
        found,
        placements=tuple(replace(one, programs=()) if one.matrix == slowest else one for one in found.placements),
    )
    monkeypatch.setattr("p2smt.cost.ranking.Ranker.placement", _without(slowest))
    left = collect(bare, Nccl()).others
    assert left is None or left[1] < whole.others[1]


def _without(matrix):
    from p2smt.cost.ranking import Ranker

    whole = Ranker.placement

    def placement(self, asked, placed, *arguments, **more):
        found = whole(self, asked, placed, *arguments, **more)
        return replace(found, programs=()) if placed.matrix == matrix else found

    return placement


def test_chunks_are_of_the_placement_that_is_opened(found, monkeypatch):
    seen = []
    monkeypatch.setattr(collect_module, "chunks_content", lambda ranked, *_: seen.append(ranked.placed.matrix))
    for one in found.placements:
        collect(found, Nccl(), also=one.matrix)
        assert seen.pop() == one.matrix


def test_without_time_chunks_are_said_of_a_plan_alone(found, monkeypatch):
    seen = []
    monkeypatch.setattr(collect_module, "chunks_content", lambda *given: seen.append(given[-1]))
    plan = object()
    for asked, deadline in product((None, plan), (None, 0.0)):
        collect(found, Nccl(), deadline=deadline, plan=asked)
    assert seen == [None, plan, plan]


@pytest.mark.parametrize(("why", "late", "crossed"), [*product(("", "deadline"), (0, 1), (True, False))])
def test_a_report_is_complete_where_nothing_was_left_out(why, late, crossed):
    whole = report((2, 4), (8,))
    made = replace(whole, why=why, late=late, crossovers=whole.crossovers if crossed else None)
    assert made.complete == (not why and not late and crossed)


def test_who_wins_when_is_told_of_all_placements_or_not_at_all(found, monkeypatch):
    """The time is up once the first placement is through."""
    assert collect(found, Nccl()).crossovers is not None
    first, whole = found.placements[0], collect_module.crossovers
    monkeypatch.setattr(
        collect_module, "crossovers", lambda *given: whole(*given) if given[3].matrix == first.matrix else None
    )
    said = collect(found, Nccl())
    assert [result.crossovers is None for result in said.results].count(False) == 1 < len(said.results)
    assert said.crossovers is None


def test_coordinates_are_of_the_devices_drawn_on_a_large_tree_too():
    tree = find_system(f"node:[{'8,' * 39}5]").tree
    content = PlacementContent(selection_of(parse_matrix("40x8"), (0,), tree))
    every = device_coordinates(tree, content.matrix)
    assert len(content.coordinates) == len(content.selection.devices) < len(every)
    assert content.coordinates == tuple(every[device] for device in content.selection.devices)
