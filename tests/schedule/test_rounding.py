"""What is said of rounding is the largest change of all random runs."""

import re

import numpy as np
import pytest

from p2smt.schedule.apply import apply
from p2smt.schedule.replay import pairs
from p2smt.schedule.rounding import SEEDS, RoundedReals, error_text, observed_values, rounded
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Line, LossyCast
from p2smt.schedule.why import Why
from p2smt.tensor.dtype import DType
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted

BEFORE = "program p\nmesh ranks = 2\ninput x : f32[4] partial(+)\ny = AllReduce(x)\noutput y\n"
AFTER = BEFORE.replace("AllReduce(x)", "cast(AllReduce(cast(x, f16)), f32)")


def test_the_largest_change_of_all_runs_is_said():
    before, after = parse_program(BEFORE), parse_program(AFTER)
    one, other = next(pairs(before, after))
    changes = []
    for seed in range(SEEDS):
        found = observed_values(one, other, RoundedReals(seed))
        changes.append(max(float(np.abs(new - old).max() / np.abs(old).max()) for old, new in found))
    said = re.search(r"by up to (\S+) of their size", error_text(before, after))[1]
    assert said == f"{max(changes):.1e}"
    assert changes[-1] < max(changes) * 0.9


def test_bf16_is_the_nearest_of_its_numbers_and_of_two_the_even_one():
    """The first 16 bits of a float32, at and next to the middle of two of them too."""
    rng = np.random.default_rng(4)
    heads = rng.integers(0x0080, 0x7F00, 200).astype(np.uint32) << 16
    tails = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], dtype=np.uint32)
    words = (heads[:, None] + tails).ravel()
    given = np.concatenate([words, words | np.uint32(0x80000000)]).view(np.float32)
    for number, made in zip(given, rounded(given.astype(np.float64), DType.BF16), strict=True):
        word = int(np.float32(number).view(np.uint32))
        near = [np.uint32(((word >> 16) + more) << 16) for more in (0, 1)]
        best = min(near, key=lambda each: (abs(float(each.view(np.float32)) - float(number)), (int(each) >> 16) & 1))
        assert made == float(best.view(np.float32))


@pytest.mark.parametrize(
    ("old", "new", "is_narrower"),
    [
        ("f32", "f16", True),
        ("f32", "bf16", True),
        ("f32", "f32", False),
        ("f32", "f64", False),
        ("f64", "f32", True),
        ("f16", "f32", False),
        ("f16", "bf16", False),
        ("bf16", "f16", False),
    ],
)
def test_only_to_a_narrower_type_is_cast_for_sending(old, new, is_narrower):
    program = parse_program(BEFORE.replace("f32", old))
    outcome = apply(ScheduledProgram(program), Line(LossyCast("y", DType(new)), ("low", "sent")))
    assert isinstance(outcome, Proved if is_narrower else Refuted)
    assert is_narrower or outcome.counter_example.reason is Why.NOT_NARROWER
