"""A step whose outputs are made whole on every device takes what the step takes, and the collectives of its outputs."""

from spmd.joint_problems import cluster

from p2smt.spmd.instructions import account
from p2smt.spmd.observation import observed
from p2smt.tensor.text.parser import parse_program

STEP = """program step
mesh device=3
input x : f32[6, 2] sliced(0)
y = x * 2
loss = sum(x, 0, 1)
whole = AllReduce(loss)
output loss partial(+)
output y
output whole
"""


def test_outputs_are_gathered_and_summed_behind_the_step():
    machines = cluster((10**12,) * 3, unit=5)
    program = parse_program(STEP)
    network = machines.network
    thirds = [1 / 3] * 3
    more = network.all_reduce(4).time + network.all_gather(48, thirds).time
    assert observed(program, machines) == account(program, machines).time + more
