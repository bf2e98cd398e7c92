"""Where no verdict can be given, none is: no answer of the solver, too large a plan, two ways that disagree."""

import time
from fractions import Fraction

import pytest
from command_line import output
from paths import TESTS

from p2smt.collective import Collective
from p2smt.frontend.importers import read_any
from p2smt.smt import answer
from p2smt.verify import check, judge
from p2smt.verify.check import verify
from p2smt.verify.difference import Difference, difference
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.verdict import Proved, Refuted, Unknown

RIGHT, WRONG = (TESTS / "plans" / name for name in ("reduce_scatter_gather.toml", "figure_4_b.toml"))
PLEASE = "one of the two is a mistake in p2smt: please report it, with the plan"


def test_without_the_solvers_answer_a_right_plan_is_unknown_and_a_wrong_one_is_wrong(monkeypatch):
    monkeypatch.setattr(check, "difference", lambda plan, deadline: answer.NoAnswer("timeout"))
    assert verify(read_any(RIGHT)) == Unknown("solver: timeout")
    assert isinstance(verify(read_any(WRONG)), Refuted)


def test_a_plan_with_too_many_terms_for_the_solver_is_unknown_if_it_is_right(monkeypatch):
    plan = read_any(RIGHT)
    summed = sum(len(group) * step.source.length for step in plan.steps for group in step.groups)
    terms = plan.devices * plan.goal.source.length + summed
    monkeypatch.setattr(check, "MOST_TERMS", terms - 1)
    assert verify(plan) == Unknown(f"more than {terms - 1} terms for the solver")
    assert isinstance(verify(read_any(WRONG)), Refuted)
    monkeypatch.setattr(check, "MOST_TERMS", terms)
    assert isinstance(verify(plan), Proved)


def test_a_plan_that_takes_too_much_memory_is_unknown_right_or_wrong(monkeypatch):
    monkeypatch.setattr(judge, "MOST_MEMORY", 1)
    for path in (RIGHT, WRONG):
        verdict = verify(read_any(path))
        assert isinstance(verdict, Unknown)
        assert verdict.reason.endswith("devices with so many chunks take more than 1 bytes to follow")


@pytest.mark.parametrize("json", [(), ("--json",)])
def test_unknown_is_printed_and_ends_with_3(json, monkeypatch, capsys):
    monkeypatch.setattr(check, "difference", lambda plan, deadline: answer.NoAnswer("canceled"))
    text = output(["verify", str(RIGHT), *json], capsys, 3)
    assert ('"verdict": "unknown"' in text) if json else (text == "unknown: solver: canceled\n")


def test_where_execution_and_the_solver_disagree_there_is_no_verdict(monkeypatch):
    found = Difference(device=0, chunk=0, contributions={(0, 0): 1}, got=2, wanted=1, bits=32)
    monkeypatch.setattr(check, "difference", lambda plan, deadline: answer.Sat(found))
    verdict = verify(read_any(RIGHT))
    assert isinstance(verdict, Unknown)
    assert verdict.reason == f"direct execution finds the plan right, the solver finds {found}; {PLEASE}"
    monkeypatch.undo()
    monkeypatch.setattr(check, "evaluated", lambda *_: (Fraction(1), Fraction(1)))
    verdict = verify(read_any(WRONG))
    assert isinstance(verdict, Unknown)
    assert verdict.reason.startswith(
        "direct execution finds MistakeExample(contributor=0, chunk=0, device=0, at=0, got=2, "
    )
    assert verdict.reason.endswith(PLEASE)


@pytest.mark.parametrize("off", [(1, 0), (0, 1), None])
def test_numbers_that_show_a_mistake_are_confirmed_in_what_is_there_and_in_what_should_be(off, monkeypatch):
    plan = read_any(WRONG)
    example = verify(plan).counter_example.example
    numbers = None if off is None else (Fraction(example.got + off[0]), Fraction(example.wanted + off[1]))
    monkeypatch.setattr(check, "evaluated", lambda *_: numbers)
    found = verify(plan)
    assert isinstance(found, Unknown)
    assert found.reason.endswith(PLEASE)


def test_the_solver_is_asked(monkeypatch):
    asked = []
    monkeypatch.setattr(check, "difference", lambda plan, deadline: asked.append(plan) or answer.Unsat())
    assert isinstance(verify(read_any(RIGHT)), Proved)
    assert len(asked) == 1


def halved(right):
    """Twice the number is halved and zero added, which is right; unless all but device 0 only double it."""
    number, zero, all_alone = BufferRange("data", 0, 1), BufferRange("zero", 0, 1), ((0,), (1,), (2,), (3,))
    steps = (
        VerificationStep(Collective.ALL_REDUCE, ((0, 1), (2, 3)), number, number),
        VerificationStep(LocalOperation.COPY, all_alone, number, BufferRange("again", 0, 1)),
        VerificationStep(LocalOperation.ADD, all_alone, BufferRange("again", 0, 1), number),
        VerificationStep(LocalOperation.SCALE, all_alone if right else ((0,),), number, number, divisor=2),
        VerificationStep(LocalOperation.ADD, all_alone, zero, number),
    )
    goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1), (2, 3)), source=number, target=number)
    buffers = (("data", 1), ("again", 1), ("zero", 1))
    return VerificationPlan(devices=4, buffers=buffers, goal=goal, steps=steps, zeros=("zero",), integers=True)


def test_the_solver_looks_at_every_result_and_not_only_at_the_first_that_it_has_to_think_about():
    found = difference(halved(right=False))
    assert isinstance(found, answer.Sat)
    assert found.model.device == 1


@pytest.mark.parametrize("timeout", [(), ("--timeout", "7")])
def test_verify_ends_after_a_default_time_unless_another_is_given(timeout, monkeypatch, capsys):
    asked = []

    def unanswered(plan, deadline):
        asked.append(deadline - time.monotonic())
        return answer.NoAnswer("timeout", answer.Stop.DEADLINE)

    monkeypatch.setattr(check, "difference", unanswered)
    text = output(["verify", str(RIGHT), *timeout], capsys, 3)
    assert text == "unknown: the solver had no answer when the time was up; give it more (--timeout SECONDS)\n"
    assert 0 < asked[0] <= (7 if timeout else 300)
    assert timeout or asked[0] > 200
    assert "[300]" in output(["help", "verify"], capsys)


def test_time_that_is_up_is_unknown_for_every_plan_that_needs_the_solver():
    """Halves of sums, which only the solver can tell from sums of halves: no time, no verdict, right or wrong."""
    for right in (True, False):
        plan = halved(right)
        assert isinstance(verify(plan), Proved if right else Refuted)
        verdict = verify(plan, time.monotonic() - 1)
        assert isinstance(verdict, Unknown if right else Refuted)
