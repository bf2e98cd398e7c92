"""An enumeration says why it stopped, and never calls a part everything."""

import time

import pytest
from support import problem

from p2smt.problem.model import Engine
from p2smt.program.language import full_language
from p2smt.smt.answer import Stop, Unknown
from p2smt.smt.query import Query
from p2smt.synth import explicit
from p2smt.synth.engines import find_programs
from p2smt.synth.placements import all_placements
from p2smt.synth.session import Synthesizer


@pytest.mark.parametrize("engine", Engine)
def test_a_deadline_already_past_gives_no_program_and_says_so(engine):
    found = find_programs(engine, full_language(2), (2, 2), 5, time.monotonic() - 1)
    assert (found.items, found.stop, found.complete) == ((), Stop.DEADLINE, False)


@pytest.mark.parametrize("engine", [Engine.LEVELS, Engine.EXPLICIT])
def test_a_small_deadline_on_four_levels_gives_a_part(engine):
    found = find_programs(engine, full_language(4), (2, 2, 2, 2), 12, time.monotonic() + 0.3)
    assert (found.stop, found.complete) == (Stop.DEADLINE, False)


def test_placements_stop_at_the_deadline():
    found = all_placements(problem([4, 16], [8, 2, 4]), time.monotonic() - 1)
    assert (found.stop, found.complete) == (Stop.DEADLINE, False)


@pytest.mark.parametrize(
    ("reason", "stop"), [("(incomplete quantifiers)", Stop.UNKNOWN), ("interrupted from keyboard", Stop.INTERRUPTED)]
)
@pytest.mark.parametrize("engine", [Engine.LEVELS, Engine.BITVEC])
def test_unknown_is_never_exhausted(monkeypatch, engine, reason, stop):
    answers = Query.check
    asked = []

    def check(query, deadline=None):
        asked.append(query.name)
        return answers(query, deadline) if len(asked) <= 3 else Unknown(reason)

    monkeypatch.setattr(Query, "check", check)
    found = find_programs(engine, full_language(2), (2, 2), 5)
    assert (len(found.items), found.stop, found.complete) == (3, stop, False)
    told = f"programs of 2 levels up to length 5: {reason}"
    assert found.reason == (told if stop is Stop.UNKNOWN else "")


def test_unknown_among_placements_is_never_exhausted(monkeypatch):
    monkeypatch.setattr(Query, "check", lambda query, deadline=None: Unknown("gave up"))
    asked = problem([4, 16], [8, 2, 4])
    found = all_placements(asked)
    assert (found.stop, found.complete, found.reason) == (Stop.UNKNOWN, False, "exponents of 2: gave up")
    assert Synthesizer().synthesize(asked).stop is Stop.UNKNOWN


def test_ctrl_c_in_the_solver_keeps_what_was_found(monkeypatch):
    def stop_after_four(count):
        if count == 4:
            raise KeyboardInterrupt

    found = find_programs(Engine.LEVELS, full_language(2), (2, 2), 5, None, stop_after_four)
    assert (len(found.items), found.stop) == (4, Stop.INTERRUPTED)


def test_ctrl_c_in_the_walk_keeps_the_lengths_walked_through():
    def stop_at_once(count):
        if count:
            raise KeyboardInterrupt

    found = explicit.walk(full_language(2), (2, 2), 5, None, stop_at_once)
    assert (len(found.items), found.stop) == (1, Stop.INTERRUPTED)


def test_a_part_is_not_remembered_as_everything():
    asked, synthesizer = problem([2, 2], [2, 2]), Synthesizer()
    matrix = all_placements(asked).items[0]
    early = synthesizer.synthesize(asked, time.monotonic() - 1, only=matrix)
    assert (early.complete, early.total_programs) == (False, 0)
    later = synthesizer.synthesize(asked, only=matrix)
    assert (later.complete, later.total_programs) == (True, 3)
