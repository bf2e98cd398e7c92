"""What is said of rounding is the largest change of all random runs."""

import re

import numpy as np

from p2smt.schedule.replay import pairs
from p2smt.schedule.rounding import SEEDS, Rounding, error_text, observed_values
from p2smt.tensor.text.parser import parse_program

BEFORE = "program p\nmesh ranks = 2\ninput x : f32[4] partial(+)\ny = AllReduce(x)\noutput y\n"
AFTER = BEFORE.replace("AllReduce(x)", "cast(AllReduce(cast(x, f16)), f32)")


def test_the_largest_change_of_all_runs_is_said():
    before, after = parse_program(BEFORE), parse_program(AFTER)
    one, other = next(pairs(before, after))
    changes = []
    for seed in range(SEEDS):
        found = observed_values(one, other, Rounding(seed))
        changes.append(max(float(np.abs(new - old).max() / np.abs(old).max()) for old, new in found))
    said = re.search(r"by up to (\S+) of their size", error_text(before, after))[1]
    assert said == f"{max(changes):.1e}"
    assert changes[-1] < max(changes) * 0.9
