"""Two programs run beside each other: everything that is observed is compared, outputs and what states become."""

import pytest

from p2smt.schedule.replay import counter_example, difference, observed_values
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

STEP = """program step
mesh r=2
input x : f32[4]
parameter w : f32[4]
state m : f32[4]
y = x + m
m_new = update(m, m * 2 + x)
w_new = update(w, w - x * 3)
output y
"""


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("x + m", "x - m", "y"),
        ("m * 2", "m * 4", "m"),
        ("x * 3", "x * 5", "w"),
        ("w - x", "w + x", "w"),
        ("m * 2 + x", "x + m + m", None),
        ("x * 3", "(x + x + x)", None),
    ],
)
def test_a_difference_is_seen_in_whatever_is_observed(old, new, name):
    before, after = parse_program(STEP), parse_program(STEP.replace(old, new))
    assert before != after
    found = difference(before, after, Reals(1))
    assert (found and found.name) == name
    example = counter_example(before, after)
    assert (example is None) is (name is None)


def test_all_that_is_observed_is_given_of_every_rank():
    before, after = parse_program(STEP), parse_program(STEP.replace("x * 3", "x * 5"))
    values = observed_values(before, after, Reals(1))
    assert len(values) == 2 * 3
    assert sum(not Reals(1).equal(new, old) for old, new in values) == 2


def test_a_rank_that_has_something_is_unlike_one_that_has_nothing_either_way():
    text = "program one\nmesh r=3\ninput x : f32[4] partial(+)\nr = Reduce(x, 1)\n{}"
    one = parse_program(text.format("y = r * 2\noutput y on_rank(1)\n"))
    every = parse_program(text.format("y = Broadcast(r * 2, 1)\noutput y\n"))
    assert difference(one, one, Reals(1)) is difference(every, every, Reals(1)) is None
    assert str(difference(one, every, Reals(1))) == "y: rank 0 has a value"
    assert str(difference(every, one, Reals(1))) == "y: rank 0 has nothing"
