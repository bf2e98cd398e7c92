"""An enumeration says why it stopped, and never calls a part everything."""

import time
from itertools import count
from math import inf
from types import SimpleNamespace

import pytest
from support import let_searches_give_up, problem

from p2smt.placement import exponents
from p2smt.placement.enumeration import all_placements, every_table
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.model import Engine
from p2smt.reduction.language.language import full_language
from p2smt.reduction.rules import programs
from p2smt.reduction.synth import explicit
from p2smt.reduction.synth.engines import find_programs
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt import deadlines
from p2smt.smt.answer import Enumeration, Stop


@pytest.mark.parametrize("engine", Engine)
def test_a_deadline_already_past_gives_no_program_and_says_so(engine):
    found = find_programs(engine, full_language(2), (2, 2), 5, time.monotonic() - 1)
    assert (found.items, found.stop, found.complete) == ((), Stop.DEADLINE, False)


@pytest.mark.parametrize("engine", [Engine.LEVELS, Engine.EXPLICIT])
def test_a_small_deadline_on_four_levels_gives_a_part(engine):
    found = find_programs(engine, full_language(4), (2, 2, 2, 2), 12, time.monotonic() + 0.1)
    assert (found.stop, found.complete) == (Stop.DEADLINE, False)


def test_placements_stop_at_the_deadline():
    found = all_placements(problem([4, 16], [8, 2, 4]), time.monotonic() - 1)
    assert (found.stop, found.complete) == (Stop.DEADLINE, False)


@pytest.mark.parametrize("engine", [Engine.LEVELS, Engine.BITVEC])
def test_a_deadline_that_passes_while_a_query_is_built_gives_no_program(monkeypatch, engine):
    looks = count()
    monkeypatch.setattr(deadlines, "time", SimpleNamespace(monotonic=lambda: next(looks)))
    monkeypatch.setattr(programs, "all_answers", lambda *_: pytest.fail("the query was asked"))
    assert find_programs(engine, full_language(2), (2, 2), 5, 3).stop is Stop.DEADLINE
    assert next(looks) == 4, "the clock is looked at once per instruction"
    looks = count()
    part = Synthesizer().synthesize(problem([2, 2], [4], engine=engine), 3, only=parse_matrix("2x2"))
    assert (part.total_programs, part.stop, part.complete) == (0, Stop.DEADLINE, False)
    assert [placed.stop for placed in part.placements] == [Stop.DEADLINE]


@pytest.mark.parametrize("stop", [Stop.DEADLINE, Stop.INTERRUPTED])
def test_placements_stop_while_primes_are_combined(monkeypatch, stop):
    asked = problem([6, 6], [6, 6])
    whole = all_placements(asked)
    assert (len(whole.items), whole.complete) == (4, True)
    looks = count()

    def look():
        if next(looks) < 3:
            return -inf
        if stop is Stop.INTERRUPTED:
            raise KeyboardInterrupt
        return inf

    monkeypatch.setattr("p2smt.placement.enumeration.time", SimpleNamespace(monotonic=look))
    part = all_placements(asked, time.monotonic() + 1000)
    assert (len(part.items), part.stop, part.complete) == (3, stop, False)
    assert [matrix for matrix in whole.items if matrix in part.items] == list(part.items)


@pytest.mark.parametrize(("searches", "tables", "some"), [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 1)])
def test_placements_of_a_part_of_the_tables(monkeypatch, searches, tables, some):
    """There are two tables of exponents of 2, and two of 3: a search each, of which the last one finds a part."""
    asked = problem([6, 6], [6, 6])
    whole = all_placements(asked)
    every_table.cache_clear()
    search, begun = exponents.all_answers, count()

    def interrupted(*given):
        found = search(*given)
        return found if next(begun) < searches else Enumeration(found.items[:tables], Stop.INTERRUPTED)

    monkeypatch.setattr(exponents, "all_answers", interrupted)
    part = all_placements(asked)
    assert (len(part.items), part.stop) == (some, Stop.INTERRUPTED)
    assert set(part.items) <= set(whole.items)
    assert next(begun) == searches + 1, "nothing is asked after Ctrl-C"


@pytest.mark.parametrize("stop", [Stop.UNKNOWN, Stop.INTERRUPTED, Stop.DEADLINE])
@pytest.mark.parametrize("engine", [Engine.LEVELS, Engine.BITVEC])
def test_unknown_is_never_exhausted(monkeypatch, engine, stop):
    let_searches_give_up(monkeypatch, 2, stop)
    found = find_programs(engine, full_language(2), (2, 2), 5)
    whole = find_programs(Engine.EXPLICIT, full_language(2), (2, 2), 5)
    # Engine `levels` finds one program of a class, and rewrites it to the others.
    assert len(found.items) == 2 or (engine is Engine.LEVELS and len(found.items) > 2)
    assert set(found.items) < set(whole.items)
    assert (found.stop, found.complete) == (stop, False)
    reason = "programs of 2 levels up to length 5: canceled"
    assert found.reason == (reason if stop is Stop.UNKNOWN else "")


def test_unknown_among_placements_is_never_exhausted(monkeypatch):
    let_searches_give_up(monkeypatch, 1)
    asked = problem([4, 16], [8, 2, 4])
    found = all_placements(asked)
    assert (found.stop, found.complete, found.reason) == (Stop.UNKNOWN, False, "exponents of 2: canceled")
    assert Synthesizer().synthesize(asked).stop is Stop.UNKNOWN


def test_ctrl_c_in_the_solver_keeps_what_was_found(monkeypatch):
    def stop_after_four(count):
        if count == 4:
            raise KeyboardInterrupt

    found = find_programs(Engine.LEVELS, full_language(2), (2, 2), 5, None, stop_after_four)
    assert 4 <= len(found.items) < 93
    assert found.stop is Stop.INTERRUPTED


def test_ctrl_c_in_the_walk_keeps_the_lengths_walked_through():
    def stop_at_once(count):
        if count:
            raise KeyboardInterrupt

    found = explicit.walk(full_language(2), (2, 2), 5, None, stop_at_once)
    assert (len(found.items), found.stop) == (1, Stop.INTERRUPTED)


@pytest.mark.parametrize("replays", [0, 1])
def test_ctrl_c_outside_the_search_keeps_earlier_placements(monkeypatch, replays):
    """The levels 4x4 are replayed first, and not again for 2x8; the level 16 comes last."""
    asked = problem([4, 16], [4, 16], [1])
    whole = Synthesizer().synthesize(asked)
    assert [placed.hierarchy.sizes for placed in whole.placements] == [(4, 4), (2, 8), (16,)]
    left = count()

    def replay(*_):
        if next(left) == replays:
            raise KeyboardInterrupt
        return []

    monkeypatch.setattr("p2smt.reduction.synth.session.invalid_programs", replay)
    part = Synthesizer().synthesize(asked)
    assert (part.stop, part.reason, part.complete) == (Stop.INTERRUPTED, "", False)
    assert part.placements == whole.placements[: 2 * replays]


def test_ctrl_c_among_placements_starts_no_search(monkeypatch):
    monkeypatch.setattr(exponents, "all_answers", lambda *_: Enumeration((), Stop.INTERRUPTED))
    monkeypatch.setattr("p2smt.reduction.synth.session.find_programs", lambda *_: pytest.fail("a search was started"))
    part = Synthesizer().synthesize(problem([4, 16], [4, 16], [1]))
    assert (part.placements, part.stop, part.complete) == ((), Stop.INTERRUPTED, False)


def test_a_part_is_not_remembered_as_everything():
    asked, synthesizer = problem([2, 2], [2, 2]), Synthesizer()
    matrix = all_placements(asked).items[0]
    early = synthesizer.synthesize(asked, time.monotonic() - 1, only=matrix)
    assert (early.complete, early.total_programs) == (False, 0)
    later = synthesizer.synthesize(asked, only=matrix)
    assert (later.complete, later.total_programs) == (True, 3)
