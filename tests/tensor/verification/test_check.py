"""Distributed programs beside those for one device: right, wrong where it is, or not proved."""

from itertools import product
from time import monotonic

import pytest
from looped import looped
from tensor.test_examples import PAIRS, PROGRAMS, TEXTS  # loads torch
from tiers import sample

from p2smt.errors import ProgramError
from p2smt.smt import answer
from p2smt.smt.answer import Sat, Unsat
from p2smt.tensor.derivation import Fault
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.prime_field import PrimeField
from p2smt.tensor.printer import print_program
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Reason
from p2smt.tensor.rule import RuleName
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification import check, schemas
from p2smt.tensor.verification import effort as efforts
from p2smt.tensor.verification.check import RANKS, verify_program
from p2smt.tensor.verification.effort import effort
from p2smt.tensor.verification.equality import Equal, equality
from p2smt.tensor.verification.schemas import RuleSchema, schemas_of
from p2smt.tensor.verification.smallest import differs
from p2smt.tensor.verification.values import trials
from p2smt.tensor.verification.verdict import Equality
from p2smt.verify.verdict import Proved, Refuted, Unknown

SINGLE = """program one
input x : f32[8, 6]
parameter w : f32[6, 10]
parameter b : f32[10]
state s : f32[8, 10]
h = matmul(x, w) + b
y = relu(h)
s1 = update(s, s + y)
output y
"""
MANY = """program many
mesh a=4
input x : f32[8, 6] sliced(1, sizes=3/2/1/0)
parameter w : f32[6, 10] sliced(0, sizes=3/2/1/0)
parameter b : f32[10]
state s : f32[8, 10]
h = AllReduce(matmul(x, w)) + b
y = relu(h)
s1 = update(s, s + y)
output y
"""


def verdict(many, single=SINGLE, devices=None):
    return verify_program(parse_program(many), parse_program(single), devices)


@pytest.mark.parametrize(("many", "one"), sample(PAIRS, 3))
def test_the_examples_are_right(many, one):
    """All of them are compared in test_examples.py."""
    result = verify_program(PROGRAMS[many], PROGRAMS[one])
    assert isinstance(result, Proved)
    assert result.evidence.meshes == (PROGRAMS[many].mesh,)
    assert result.evidence.equality is Equality.EXPRESSIONS
    assert result.evidence.judgements >= sum(count for _, count in result.evidence.rules) / len(PROGRAMS[many].mesh) > 0
    assert result.evidence.schemas > 0
    assert result.evidence.simulated


def test_a_program_for_one_device_is_compared_as_well():
    assert isinstance(verdict(SINGLE.replace("x, w) + b", "x, w) - (0 - b)")), Proved)
    assert isinstance(verdict(SINGLE.replace("x, w) + b", "x, w) - b")), Refuted)


def test_a_distributed_program_is_compared_with_another():
    """Row-parallel beside column-parallel on other ranks."""
    columns = (
        MANY.replace("mesh a=4", "mesh b=5")
        .replace("f32[8, 6] sliced(1, sizes=3/2/1/0)", "f32[8, 6]")
        .replace("sliced(0, sizes=3/2/1/0)", "sliced(1)")
        .replace("f32[10]", "f32[10] sliced(0)")
        .replace("f32[8, 10]", "f32[8, 10] sliced(1)")
        .replace("AllReduce(matmul(x, w)) + b", "matmul(x, w) + b")
    )
    assert isinstance(verdict(columns), Proved)
    assert isinstance(verdict(MANY, columns), Proved)
    assert verdict(MANY, columns.replace("+ b", "- b")).counter_example.statement == "h"
    with pytest.raises(ProgramError, match="program many, the reference, is wrong itself: h: the operands"):
        verdict(MANY, columns.replace("f32[10] sliced(0)", "f32[10] sliced(0, sizes=1/1/1/1/6)"))
    anywhere = "program any\ninput x : f32[4] partial(+)\ny = AllReduce(x) * ranks\noutput y\n"
    three = anywhere.replace("input", "mesh a=3\ninput").replace("* ranks", "* 3")
    assert isinstance(verdict(three, anywhere), Proved)
    assert isinstance(verdict(three.replace("* 3", "* 2"), anywhere), Refuted)


WRONG = {
    "bias on every rank": (
        ("AllReduce(matmul(x, w)) + b", "AllReduce(matmul(x, w) + b)"),
        "h",
        Reason.PARTIAL_AND_WHOLE,
    ),
    "no all-reduce": (("AllReduce(matmul(x, w)) + b", "matmul(x, w)"), "y", Reason.NOT_DISTRIBUTIVE),
    "relu before": (
        ("AllReduce(matmul(x, w)) + b\ny = relu(h)", "matmul(x, w)\ny = AllReduce(relu(h))"),
        "y",
        Reason.NOT_DISTRIBUTIVE,
    ),
    "another cut": (("sliced(0, sizes=3/2/1/0)", "sliced(0)"), "h", Reason.CUT_DIFFERENTLY),
    "undeclared": (
        ("y = relu(h)\ns1 = update(s, s + y)", "z = relu(h)\ns1 = update(s, s + z)\ny = matmul(x, w)"),
        "y",
        Reason.OUTPUT_LAYOUT,
    ),
    "maximum": (("AllReduce(matmul(x, w))", "AllReduce(matmul(x, w), max)"), "h", Reason.OTHER_REDUCTION),
    "another value": (("+ b", "- b"), "h", None),
    "another state": (("s + y", "s - y"), "s1", None),
    "not all": (("x, w)) + b", "x, w)) * 2 + b"), "h", None),
}


@looped("name", WRONG)
def test_a_mistake_is_named_and_shown_as_small_as_it_can_be(name):
    (old, new), statement, reason = WRONG[name]
    assert MANY.count(old) == 1
    result = verdict(MANY.replace(old, new))
    assert isinstance(result, Refuted)
    assert result.counter_example.statement == statement
    assert (result.counter_example.refusal and result.counter_example.refusal.reason) is reason
    assert result.counter_example.axis == ("a" if reason else "")
    assert result.counter_example.wrong is not None
    small = result.counter_example.smallest
    assert small.program.mesh[0].size == (2 if reason else 1)
    assert max(length for source in small.program.sources for length in source.shape) <= 2
    assert parse_program(print_program(small.program)) == small.program
    again = infer(small.program)
    assert isinstance(again, Refused) == bool(reason)
    assert not reason or again.refusal.reason is reason
    assert differs(small.program, small.single) is not None
    assert small.wrong.rank == 0 or small.wrong.name == "does not run"


def test_no_smaller_size_shows_the_mistake():
    """A guard of the shrinker: what it ends with is a minimum of one step, by brute force."""
    result = verdict(MANY.replace("AllReduce(matmul(x, w)) + b", "AllReduce(matmul(x, w) + b)"))
    assert print_program(result.counter_example.smallest.program) == (
        "program many\nmesh a=2\ninput x : f32[1, 1] sliced(1, sizes=0/1)\n"
        "parameter w : f32[1, 1] sliced(0, sizes=0/1)\nparameter b : f32[1]\n"
        "h = AllReduce(matmul(x, w) + b)\noutput h\n"
    )
    assert result.counter_example.smallest.wrong.element == (0, 0)


def test_a_refused_declaration_has_no_numbers():
    result = verdict(MANY.replace("f32[8, 6] sliced(1, sizes=3/2/1/0)", "f32[8, 6] sliced(1, sizes=3/2/2/0)"))
    assert (
        result.counter_example.statement,
        result.counter_example.refusal.reason,
        result.counter_example.smallest,
    ) == ("x", Reason.WRONG_SIZES, None)


def test_two_axes_are_shown_on_the_one_that_matters():
    many = MANY.replace("mesh a=4", "mesh a=4, b=3").replace("sliced(1, sizes", "sliced(1, a, sizes")
    many = many.replace("sliced(0, sizes", "sliced(0, a, sizes").replace(
        "AllReduce(matmul(x, w)) + b", "AllReduce(matmul(x, w) + b, axis=a)"
    )
    result = verdict(many)
    assert result.counter_example.axis == "a"
    assert [axis.size for axis in result.counter_example.smallest.program.mesh] == [2, 1]


NOT_PROVED = {
    "another function": ("h * gt(h, 0)", "relu(h)", "taken for any functions"),
    "a choice": ("maximum(h, 0)", "relu(h)", "taken for any functions"),
    "the larger of three": ("maximum(maximum(h, b), y2)", "maximum(h, maximum(b, y2))", "taken for any functions"),
}
CHOICES = {
    "the larger of equal ones": ("maximum(h + 0, b - b)", "maximum(h, b - b)"),
    "a choice that is multiplied by 0": ("relu(h) + (b * 0)", "relu(h) + (minimum(h, b) * 0)"),
    "a choice of the same": ("where(h, h, h)", "h"),
    "the larger of the same": ("maximum(h, h)", "h"),
    "the smaller of the same": ("minimum(h, h)", "h"),
}


@pytest.mark.parametrize("name", NOT_PROVED)
def test_what_is_not_proved_is_not_called_right(name):
    new, other, reason = NOT_PROVED[name]
    new, other = (f"relu(b)\ny = {text}" if "y2" in text else text for text in (new, other))
    many, single = (text.replace("y = relu", "y2 = relu") if "y2" in new else text for text in (MANY, SINGLE))
    result = verdict(many.replace("relu(h)", new), single.replace("relu(h)", other))
    assert isinstance(result, Unknown)
    assert reason in result.reason


@pytest.mark.parametrize("name", CHOICES)
def test_what_holds_whichever_is_chosen_is_right(name):
    new, other = CHOICES[name]
    result = verdict(MANY.replace("relu(h)", new), SINGLE.replace("relu(h)", other))
    assert isinstance(result, Proved)
    assert result.evidence.equality is Equality.FIELD


def test_other_expressions_of_equal_value_are_compared_over_the_field():
    result = verdict(MANY.replace("matmul(x, w)) + b", "matmul(x + x, w)) / 2 + b"))
    assert isinstance(result, Proved)
    assert result.evidence.equality is Equality.FIELD


@pytest.mark.parametrize("equalities", sample(product(Equality, repeat=len(RANKS)), 4))
def test_of_several_meshes_the_weakest_is_claimed(equalities, monkeypatch):
    many = "program many\ninput g : f32[12] partial(+)\ny = AllReduce(g)\noutput y\n"
    found = iter(equalities)
    monkeypatch.setattr(check, "equality", lambda *_: Equal(next(found)))
    result = verdict(many, "program one\ninput g : f32[12]\ny = g * 1\noutput y\n")
    assert result.evidence.equality is (Equality.FIELD if Equality.FIELD in equalities else Equality.EXPRESSIONS)


def test_factors_that_are_written_down_are_no_other_expressions():
    result = verdict(MANY.replace("matmul(x, w)) + b", "matmul(x * 2, w)) / 2 + b"))
    assert isinstance(result, Proved)
    assert result.evidence.equality is Equality.EXPRESSIONS


def test_what_is_too_large_is_derived_and_not_run():
    def large(text):
        return text.replace("8,", "800000,").replace("10]", "4000]").replace(" 6", " 3000").replace("[6", "[3000")

    many = large(MANY).replace("3/2/1/0", "1500/1000/500/0")
    result = verdict(many, large(SINGLE))
    assert isinstance(result, Proved)
    assert result.evidence.simulated == ()
    wrong = verdict(many.replace(")) + b", ") + b)"), large(SINGLE))
    assert isinstance(wrong, Refuted)
    assert wrong.counter_example.unseen.startswith("too large to be run: ")
    assert wrong.counter_example.smallest.wrong.rank == 0
    assert isinstance(verdict(many.replace("+ b", "- b"), large(SINGLE)), Unknown)


def test_simulated_is_claimed_of_all_meshes_or_not_at_all(monkeypatch):
    """Four ranks have more elements than are run, two and three have not."""
    many = "program many\ninput g : f32[12] partial(+)\ny = AllReduce(g)\noutput y\n"
    single = "program one\ninput g : f32[12]\ny = g\noutput y\n"
    found = [effort(parse_program(many).on(ProgramAxis("ranks", count))).elements for count in RANKS]
    assert found == sorted({*found})
    monkeypatch.setattr(efforts, "MOST_ELEMENTS", found[1])
    assert [bool(verdict(many, single, count).evidence.simulated) for count in RANKS] == [True, True, False]
    assert verdict(many, single).evidence.simulated == ()


def test_any_number_of_ranks_is_tried_on_some():
    many = "program many\ninput g : f32[12] partial(+)\ny = AllReduce((g + g) * ranks) / ranks\noutput y\n"
    single = "program one\ninput g : f32[12]\ny = g * 2\noutput y\n"
    result = verdict(many, single)
    assert [mesh[0].size for mesh in result.evidence.meshes] == list(RANKS)
    assert result.evidence.equality is Equality.FIELD
    assert verdict(many, single, devices=7).evidence.meshes[0][0].size == 7
    off_on_three = verdict(many.replace("/ ranks", "/ 2"), single).counter_example
    assert (off_on_three.statement, off_on_three.mesh[0].size) == ("y", 3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("state s", "input s", "source 's' differs between programs many and one"),
        ("f32[10]", "f32[1]", "source 'b' differs"),
        ("output y", "output h", "'h' is an output of only one of the programs many and one"),
        ("s1 = update(s, s + y)", "s1 = s + y", "'s' is updated in only one of the programs many and one"),
    ],
)
def test_names_that_do_not_agree_are_the_callers_mistake(old, new, message):
    with pytest.raises(ProgramError, match=message):
        verdict(MANY.replace(old, new))


@pytest.mark.parametrize("new", ["y = update(s, s + h) * 0", "y = update(h, s)", "y = update(s, update(s, h))"])
def test_an_update_that_nobody_would_observe_is_refused(new):
    """Both programs have it, so that names agree; what is written could be anything."""
    text = f"program p\nstate s : f32[4]\ninput h : f32[4]\n{new}\noutput y\n"
    with pytest.raises(ProgramError, match="y: an update is a statement of its own and writes a parameter, a state"):
        verdict(text, text)


@pytest.mark.parametrize("length", [4, 10**9])
def test_what_no_rank_is_given_is_wrong_though_it_is_too_large_to_be_run(length):
    many = f"program many\nmesh a=2\ninput x : f32[{length}] on_rank(2)\ny = Broadcast(x, 2)\noutput y\n"
    found = verdict(many, f"program one\ninput x : f32[{length}]\ny = x + 0\noutput y\n")
    assert isinstance(found, Refuted)
    assert found.counter_example.statement == "x"
    assert found.counter_example.refusal.detail == "rank 2 does not exist on an axis of 2"


def test_another_number_of_devices_is_the_callers_mistake():
    with pytest.raises(ProgramError, match="program many is for 4 devices, not for 3"):
        verdict(MANY, devices=3)


def test_without_time_nothing_is_proved():
    result = verify_program(parse_program(MANY), parse_program(SINGLE), deadline=monotonic() - 1)
    assert isinstance(result, Unknown)
    assert result.reason.endswith("time is up")


def test_a_dropped_collective_is_never_right():
    """Every conversion of every example, dropped: refused, and its statement shown alone."""
    shown = 0
    for many, one in PAIRS[:2]:
        text = TEXTS[many]
        for position in range(text.count("AllReduce(")):
            pieces = text.split("AllReduce(")
            broken = "AllReduce(".join(pieces[: position + 1]) + "(" + "AllReduce(".join(pieces[position + 1 :])
            result = verify_program(parse_program(broken), PROGRAMS[one])
            assert isinstance(result, Refuted)
            assert isinstance(infer(PROGRAMS[many]), Inferred)
            if result.counter_example.smallest is not None:
                assert (
                    differs(result.counter_example.smallest.program, result.counter_example.smallest.single) is not None
                )
                shown += 1
    assert shown >= 5


def test_truth_values_are_few_so_that_random_ones_prove_nothing():
    """A truth is no other one, though both are 0 now and then; over a field each is any element."""
    text = "program p\ninput k : bool[4]\nparameter x : f32[4]\ny = cast(k, f32) * {} + x\noutput y\n"
    found = equality(*(parse_program(text.format(other)) for other in ("cast(k, f32)", "1")))
    assert isinstance(found, Unknown)
    assert "taken for any functions" in found.reason


def test_a_derivation_that_its_checker_does_not_take_is_no_proof(monkeypatch):
    assert isinstance(verdict(MANY), Proved)
    monkeypatch.setattr(check, "check", lambda *_: Fault("h", "an operand is not judged"))
    found = verdict(MANY)
    assert isinstance(found, Unknown)
    assert found.reason.endswith("the independent check rejects them: h: an operand is not judged")


def test_what_is_compared_with_is_no_program_if_the_checker_does_not_take_it(monkeypatch):
    single = "program one\nmesh a=2\ninput g : f32[12] partial(+)\ny = AllReduce(g)\noutput y\n"
    many = single.replace("program one", "program many")
    assert isinstance(verdict(many, single), Proved)

    def faulty(program, _):
        return Fault("y", "an operand is not judged") if program.name == "one" else None

    monkeypatch.setattr(check, "check", faulty)
    with pytest.raises(ProgramError, match="program one, the reference, is wrong itself: y: "):
        verdict(many, single)


def test_every_rule_that_is_used_is_asked_for():
    """The same call on other layouts is another rule: cut, of summands, whole."""
    program = parse_program("""program p
mesh a=2
input x : f32[4] sliced(0)
input g : f32[4] partial(+)
input w : f32[4]
u = x + x
v = AllReduce(g + g)
w2 = w + w
output u
output v
output w2
""")
    inferred = infer(program)
    used = {(step.expression.operation, name) for step in inferred.steps for name in step.rules}
    found = schemas_of(program, inferred).items()
    asked = {(operation, schema.rule.name) for schema, operation in found if isinstance(schema, RuleSchema)}
    assert used == asked == {("add", RuleName.PAR), ("add", RuleName.ADD), ("add", RuleName.REP)}


@pytest.mark.parametrize("meaning", [Reals, PrimeField])
def test_simulated_ranks_that_differ_leave_nothing_proved(meaning, monkeypatch):
    def differing(program, single, asked, step):
        return "rank 0 has another y" if isinstance(asked, meaning) else None

    monkeypatch.setattr(check, "compare", differing)
    found = verdict(MANY)
    assert isinstance(found, Unknown)
    assert found.reason.endswith("rank 0 has another y")


def test_other_expressions_in_which_no_difference_was_seen_are_no_mistake(monkeypatch):
    other = MANY.replace("+ b", "- b")
    assert isinstance(verdict(other), Refuted)
    monkeypatch.setattr(check, "differs", lambda *_: None)
    found = verdict(other)
    assert isinstance(found, Unknown)
    assert found.reason == "h differs from that of one, but no output or updated state differed on random values"


def test_what_is_compared_with_has_one_axis_and_is_not_too_large(monkeypatch):
    anywhere = "program any\ninput x : f32[4] partial(+)\ny = AllReduce(x) * ranks\noutput y\n"
    two = "program two\nmesh a=2, b=2\ninput x : f32[4] partial(+, a)\ny = AllReduce(x, axis=a) * 2\noutput y\n"
    with pytest.raises(ProgramError, match="program any is for any number of ranks on one axis, but two has 2 axes"):
        verdict(two, anywhere)
    three = (
        anywhere.replace("program any", "program three").replace("input", "mesh a=3\ninput").replace("* ranks", "* 3")
    )
    monkeypatch.setattr(check, "MOST", 3)
    with pytest.raises(ProgramError, match="program any has layouts for 3 ranks, more than are checked"):
        verdict(
            three.replace("AllReduce(x) * 3", "AllReduce(x)"),
            anywhere.replace("AllReduce(x) * ranks", "AllReduce(x)\nz = y * ranks"),
        )
    single = "program one\ninput x : f32[4]\ny = x * 3\noutput y\n"
    monkeypatch.setattr(check, "MOST", 2)
    assert isinstance(verdict(three, single), Unknown)


class Question:
    """An obligation with one answer."""

    name = "of a rule"

    def __init__(self, answer):
        self._answer = answer

    def ask(self, deadline=None):
        return self._answer


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Unsat(), None),
        (Sat(None), "does not follow from the operation's declaration"),
        (answer.NoAnswer("gave up"), "gave up"),
    ],
)
def test_a_program_is_right_only_if_the_solver_proves_every_rule(answer, said, monkeypatch):
    monkeypatch.setattr(schemas, "question_of", lambda _: Question(answer))
    found = verdict(MANY)
    assert isinstance(found, Proved if said is None else Unknown)
    assert said is None or said in found.reason


def test_a_mean_of_means_is_shown_wrong_where_some_targets_are_ignored():
    """Only values at which every target is an index or the number that is ignored tell it from the mean of all."""
    single = """program one
input x : f32[8, 3]
input t : i64[8]
k = cast(1 - eq(t, -100), dtype=f32)
n = sum(k, 0)
m = sum(pick(x, t), 0) / n
output m
"""
    many = single.replace("one", "many\nmesh r=2").replace("3]", "3] sliced(0)").replace("i64[8]", "i64[8] sliced(0)")
    found = verdict(
        many.replace("m = sum(pick(x, t), 0) / n", "a = sum(pick(x, t), 0) / n\nm = AllReduce(a) / 2"), single
    )
    assert isinstance(found, Refuted)
    assert found.counter_example.wrong.name in ("a", "m")
    drawn = [set(trial.meaning.random((8,), DType.I64).tolist()) for trial in trials(parse_program(single))]
    assert any({-100, 0} < numbers <= {-100, 0, 1} for numbers in drawn), "or an index is out of range in all of them"
