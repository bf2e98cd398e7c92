"""Program files with mistakes of any kind: a verdict or one message, in bounded time and memory."""

import random
from collections import Counter

import pytest
from tensor.test_examples import PAIRS, TEXTS  # loads torch
from tensor.test_text import mutated
from tiers import is_full

from p2smt.errors import ProgramError
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification import check, smallest
from p2smt.tensor.verification.check import verify_program
from p2smt.tensor.verification.schemas import Proofs, question_of, schemas_of
from p2smt.verify.verdict import Proved, Refuted

FILES = 60 if is_full() else 40
SHORT = {
    name: text.replace("4096", "12").replace("2048/1536/512", "6/4/2").replace("32, ", "4, ").replace("64", "6")
    for name, text in TEXTS.items()
}
"""The examples with shorter dimensions."""


TURNED = (
    ("AllReduce(", "("),
    ("sliced(0)", "sliced(1)"),
    (" + ", " - "),
    (" partial(+)", ""),
    (" sliced(0)", ""),
    ("sum(", "max("),
    (" * ", " + "),
    ("sliced(1)", "sliced(0)"),
    ("ReduceScatter(g, 0)", "Slice(g, 0)"),
)
"""Changes after which a text is often still a program."""


def turned(text, rng):
    """A text with one of these changes at one place, or changed like any other text."""
    old, new = rng.choice(TURNED)
    if old not in text or rng.random() < 0.5:
        return mutated(text, rng)
    pieces = text.split(old)
    at = rng.randrange(1, len(pieces))
    return old.join(pieces[:at]) + new + old.join(pieces[at:])


@pytest.fixture
def hasty(monkeypatch):
    """Little time for a small counter-example, and no rule is proved twice."""
    known = {}

    def prove_rules(program, inferred, deadline):
        schemas = schemas_of(program, inferred)
        for schema in schemas.keys() - known.keys():
            known[schema] = str(question_of(schema).ask())
        return Proofs((), len(schemas))

    monkeypatch.setattr(smallest, "SECONDS", 0.2)
    monkeypatch.setattr(check, "prove_rules", prove_rules)
    return known


def outcomes(seeds, seen=lambda seed: None):
    """How often mutated files were right, wrong, not proved, malformed."""
    found, messages = Counter(), []
    for seed in seeds:
        seen(seed)
        rng = random.Random(seed)
        many, one = rng.choice(PAIRS)
        try:
            verdict = verify_program(parse_program(turned(SHORT[many], rng)), parse_program(SHORT[one]))
        except ProgramError as error:
            messages.append(str(error))
        else:
            found[type(verdict).__name__] += 1
            if isinstance(verdict, Refuted):
                found["by a rule" if verdict.counter_example.refusal else "by a value"] += 1
                found["smallest"] += verdict.counter_example.smallest is not None
                assert verdict.counter_example.statement
                assert verdict.counter_example.wrong is not None or verdict.counter_example.unseen
            if isinstance(verdict, Proved):
                assert verdict.evidence.meshes
    assert [message for message in messages if "\n" in message or len(message) > 400] == []
    found["malformed"] = len(messages)
    return found


def test_a_mutated_file_gets_a_verdict_or_one_message(hasty):
    found = outcomes(range(FILES))
    assert min(found["malformed"], found["Proved"]) >= 3, found
    assert min(found["by a rule"], found["by a value"]) >= 2, found
    assert set(hasty.values()) == {"Unsat(core=frozenset())"}


HEAD = "program p\ninput x : f32[4, 3, 8, 8]\nparameter w : f32[5, 3, 3, 3]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("program p\nmesh a=65536, b=2\ninput x : f32[4]\noutput x", "the mesh has more than 65536 ranks"),
        (HEAD + "y = conv2d(x, w, stride=100000000, padding=100000000)\noutput y", "padding 100000000 is larger"),
    ],
)
def test_what_would_take_all_memory_is_refused(text, message):
    with pytest.raises(ProgramError, match=message):
        parse_program(text)


def test_many_statements_on_many_ranks_are_not_checked():
    lines = "\n".join(f"t{number} = relu({f't{number - 1}' if number else 'x'})" for number in range(40))
    text = f"program p\ninput x : f32[4]\n{lines}\noutput t39"
    many = parse_program(text.replace("program p", "program p\nmesh a=65536"))
    assert "more than are checked" in verify_program(many, parse_program(text)).reason
