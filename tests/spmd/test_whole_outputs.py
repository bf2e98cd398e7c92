"""Outputs made whole by the program: layouts, prices, and what is left as it lies."""

from collections import Counter

import pytest
from spmd.joint_problems import RoundNetwork, cluster
from spmd.test_programs import is_right

from p2smt.spmd.account.in_buckets import in_buckets
from p2smt.spmd.account.instructions import account
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.expression import Convert
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Replicated
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

STEP = """program step
mesh device=3
input x : f32[6, 2] sliced(0)
y = x * 2
y_local = y + 1
loss = sum(x, 0, 1)
most = max(x, 0, 1)
whole = AllReduce(loss)
output loss partial(+)
output y
output whole
output y_local
output most partial(max)
"""


def test_outputs_are_gathered_summed_and_compared():
    machines = cluster((10**12,) * 3, unit=5)
    program = parse_program(STEP)
    made = with_whole_outputs(program)
    found = infer(made)
    assert isinstance(found, Inferred)
    assert [each.name for each in made.outputs] == [each.name for each in program.outputs]
    assert {each.name: found.layouts[each.name] for each in made.outputs} == {
        name: (Replicated(),) for name in ("loss", "y", "whole", "y_local", "most")
    }
    network, thirds = machines.network, [1 / 3] * 3
    more = 2 * (network.all_reduce(4).time + network.all_gather(48, thirds).time)
    assert account(made, machines).time == account(program, machines).time + more
    assert with_whole_outputs(made) == made
    assert parse_program(print_program(made)) == made


TRAINING = """program step
mesh device=2
input x : f32[8, 4] sliced(0)
parameter w : f32[4, 2]
state m : f32[4, 2] sliced(0)
loss = sum(matmul(x, w), 0, 1)
g = matmul(transpose(x, 1, 0), matmul(x, w))
g_whole = AllReduce(g)
w_new = update(w, w - g_whole)
m_new = update(m, m * 0.5)
output loss partial(+)
output m_new
"""


def test_the_loss_is_summed_with_the_gradients_and_states_stay_in_slices():
    program = parse_program(TRAINING)
    made = with_whole_outputs(program)
    kinds = Counter(type(each.conversion) for each in made.expressions() if isinstance(each, Convert))
    assert kinds == {AllReduce: 2}
    machines = cluster((10**12,) * 2, unit=5)
    sent = [each for each in in_buckets(made, machines).instructions if each.way is not None]
    assert len(sent) == 1
    assert "loss" in sent[0].bucket


@pytest.mark.parametrize(
    "text",
    [
        "program one\ninput x : f32[4]\nloss = sum(x)\noutput loss\n",
        "program own\nmesh device=2\ninput x : f32[4] local\noutput x local\n",
    ],
)
def test_what_is_whole_or_has_no_whole_stays(text):
    program = parse_program(text)
    assert with_whole_outputs(program) is program


GRID = """program grid
mesh a=2, b=3
input x : f32[12, 5] sliced(0, a) sliced(0, b)
input w : f32[5, 6] sliced(1, b)
y = x * 2
z = matmul(AllGather(x, 0, axis=b), w)
loss = sum(z * z, 0, 1)
output y
output z
output loss partial(+, a) partial(+, b)
"""


def test_on_several_axes_sums_come_first_and_the_last_cut_of_a_dimension_is_gathered_first():
    program = parse_program(GRID)
    made = with_whole_outputs(program)
    found = infer(made)
    assert isinstance(found, Inferred)
    assert {found.layouts[each.name] for each in made.outputs} == {(Replicated(), Replicated())}
    is_right(made, parse_program(GRID_ALONE))
    gathers = [(each.name, each.expression.axis) for each in made.statements if isinstance(each.expression, Convert)]
    assert gathers == [
        ("y_partly", "b"),
        ("y", "a"),
        ("z_partly", "b"),
        ("z", "a"),
        ("loss_partly", "b"),
        ("loss", "a"),
    ]


GRID_ALONE = """program grid
input x : f32[12, 5]
input w : f32[5, 6]
y = x * 2
z = matmul(x, w)
loss = sum(z * z, 0, 1)
output y
output z
output loss
"""


def test_a_sum_of_sums_in_one_statement_is_in_no_bucket():
    """Its operand has to be summed first: in a bucket it would be priced as nothing."""
    sums = "loss = AllReduce(AllReduce(s, axis=b), axis=a)\nmost = AllReduce(AllReduce(t, axis=b), axis=a)\n"
    head = "program sums\nmesh a=2, b=2\ninput s : f32[4] partial(+, a) partial(+, b)\n"
    text = f"{head}input t : f32[4] partial(+, a) partial(+, b)\n{sums}output loss\noutput most\n"
    machines = cluster((10**12,) * 4, unit=5)
    networks = [RoundNetwork(5, 2)] * 2
    program = parse_program(text)
    together = in_buckets(program, machines, networks=networks)
    assert together.time == account(program, machines, networks).time > 0
