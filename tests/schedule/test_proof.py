"""The last look at a rewritten program: it is the same expressions, whatever a transform has made of it."""

import pytest
from schedule.test_cases import CASES, read

from p2smt.errors import ProgramError
from p2smt.schedule import apply as apply_module
from p2smt.schedule import proof
from p2smt.schedule.apply import _refusal as refusal
from p2smt.schedule.check import check_schedule
from p2smt.schedule.check import on_ranks as ranks_of
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.proof import fault
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Dead, Line
from p2smt.schedule.why import Why
from p2smt.smt import answer as answers
from p2smt.smt.answer import Sat, Unsat
from p2smt.tensor.derivation import Fault
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.reason import Reason
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted, Unknown

TEXT = (CASES / "programs" / "chain.tp").read_text(encoding="utf-8")


def on_ranks(text):
    return parse_program(text).on(ProgramAxis("rank", 3))


@pytest.mark.parametrize("new", ["relu(sum - b)", "tanh(sum + b)", "relu(sum + b) + b", "relu(b + sum)"])
@pytest.mark.parametrize("rounds", [False, True])
def test_a_program_of_other_expressions_is_not_the_same(new, rounds):
    assert "relu(sum + b)" in TEXT
    made = Rewriting(scheduled=ScheduledProgram(on_ranks(TEXT.replace("relu(sum + b)", new))), rounds=rounds)
    other = new != "relu(b + sum)"
    said = "without its collectives the program is other expressions" if other and not rounds else ""
    assert fault(on_ranks(TEXT), made) == said


def remade(old, new):
    assert old in TEXT
    return Rewriting(scheduled=ScheduledProgram(on_ranks(TEXT.replace(old, new))))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("sum = AllReduce(layer)", "sum = layer", "out: "),
        ("sum = AllReduce(layer)", "sum = AllGather(layer, 0)", "sum: "),
        ("output side", "cut = Slice(side, 0)\nother = AllGather(cut, 0)\noutput side", ""),
        ("side = out * 2", "cut = Slice(out, 0)\nside = cut * 2", "the output side has another layout"),
    ],
)
def test_layouts_are_inferred_anew_and_outputs_keep_theirs(old, new, said):
    found = fault(on_ranks(TEXT), remade(old, new))
    assert found.startswith(said)
    assert bool(found) is bool(said)


def test_what_the_checker_of_derivations_does_not_take_is_not_proved(monkeypatch):
    made = remade("side = out * 2", "side = 2 * out")
    assert fault(on_ranks(TEXT), made) == ""
    monkeypatch.setattr(proof, "check", lambda *_: Fault("side", "an operand is not judged"))
    assert fault(on_ranks(TEXT), made) == "side: an operand is not judged"


def test_a_rule_of_layouts_refuses_with_numbers_alone_and_a_guard_by_its_name():
    """Where no program comes out that could be run, nothing is known of a step that breaks a rule of layouts."""
    line, scheduled = Line(Dead(("side",))), ScheduledProgram(on_ranks(TEXT))
    for reason in (*Why, *Reason):
        outcome = refusal(scheduled, line, StepRefusedError(reason, "here"), with_example=True)
        assert isinstance(outcome, Refuted if isinstance(reason, Why) else Unknown), reason
        if isinstance(outcome, Refuted):
            assert outcome.counter_example.detail == "here"
        else:
            assert outcome.reason.startswith(f"{reason}: here; ")


@pytest.mark.parametrize(
    ("mesh", "ranks", "right"),
    [
        ("rank=3", None, True),
        ("rank=3", 3, True),
        ("rank=3", 4, False),
        ("a=3, b=1", 3, False),
        ("a=2, b=2", 4, False),
        ("", 3, True),
        ("", None, False),
        ("", 0, False),
        ("", 1, True),
        ("", 2**16, True),
        ("", 2**16 + 1, False),
    ],
)
def test_a_program_is_checked_on_the_ranks_that_it_is_for(mesh, ranks, right):
    program = parse_program(f"program p\n{f'mesh {mesh}' if mesh else ''}\ninput x : f32[4]\ny = x * 2\noutput y\n")
    if right:
        sizes = [axis.size for axis in ranks_of(program, ranks).mesh]
        assert sizes == ([ranks] if not mesh else [axis.size for axis in program.mesh])
    else:
        with pytest.raises(ProgramError):
            ranks_of(program, ranks)


class Question:
    """An obligation with an answer that is given."""

    name = "a fact"

    def __init__(self, answer):
        self.answer = answer

    def ask(self):
        return self.answer


@pytest.fixture
def forgotten():
    """What was proved before is asked anew, here and behind this test."""
    for known in (proof._lemma, proof._rule):
        known.cache_clear()
    yield
    for known in (proof._lemma, proof._rule):
        known.cache_clear()


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize(
    ("answer", "holds"), [(Unsat(), True), (answers.NoAnswer("gave up"), False), (Sat(None), False)]
)
@pytest.mark.parametrize("of", ["lemma", "rule"])
def test_a_step_is_proved_only_where_the_solver_finds_nothing_against_it(answer, holds, of, monkeypatch):
    """A reorder rests on a lemma of gathers and on rules of the operations that it moves."""
    _, program, schedule, ranks = read(CASES / "valid" / "reorder_keeps_the_gather_for_others.steps")
    assert isinstance(check_schedule(program, schedule, ranks).verdict, Proved)
    for known in (proof._lemma, proof._rule):
        known.cache_clear()
    if of == "lemma":
        monkeypatch.setattr(proof, "LEMMAS", {name: lambda: Question(answer) for name in proof.LEMMAS})
    else:
        monkeypatch.setattr(proof, "obligation", lambda *_: Question(answer))
    found = check_schedule(program, schedule, ranks)
    assert isinstance(found.verdict, Proved if holds else Unknown)
    if not holds:
        last = found.verdicts[-1]
        assert isinstance(last, Unknown)
        assert last.reason.startswith("a fact is not proved: ")


def test_a_step_that_leaves_another_program_is_not_applied(monkeypatch):
    """No transform does; the last look guards against one that would."""
    _, program, schedule, ranks = read(CASES / "valid" / "reorder_keeps_the_gather_for_others.steps")
    monkeypatch.setattr(apply_module, "fault", lambda *_: "the program is another")
    found = check_schedule(program, schedule, ranks)
    assert not isinstance(found.verdict, Proved)
    assert found.verdict.reason == "the program is another"
