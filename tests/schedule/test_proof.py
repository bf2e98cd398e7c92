"""The last look at a rewritten program: it is the same expressions, whatever a transform has made of it."""

import pytest
from schedule.test_cases import CASES

from p2smt.schedule.outcome import Rewritten
from p2smt.schedule.proof import fault
from p2smt.schedule.scheduled import Scheduled
from p2smt.tensor.program import Axis
from p2smt.tensor.text.parser import parse_program

TEXT = (CASES / "programs" / "chain.tp").read_text(encoding="utf-8")


def on_ranks(text):
    return parse_program(text).on(Axis("rank", 3))


@pytest.mark.parametrize("new", ["relu(sum - b)", "tanh(sum + b)", "relu(sum + b) + b", "relu(b + sum)"])
@pytest.mark.parametrize("rounds", [False, True])
def test_a_program_of_other_expressions_is_not_the_same(new, rounds):
    assert "relu(sum + b)" in TEXT
    made = Rewritten(scheduled=Scheduled(on_ranks(TEXT.replace("relu(sum + b)", new))), rounds=rounds)
    other = new != "relu(b + sum)"
    said = "without its collectives the program is other expressions" if other and not rounds else ""
    assert fault(on_ranks(TEXT), made) == said
