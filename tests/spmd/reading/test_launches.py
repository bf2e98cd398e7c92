"""Statements without a launch of their own are those that the emitted step computes in another one's call."""

import re

from p2smt.cost.computing.roofline import DROPOUT_LAUNCHES
from p2smt.cost.network.backend import Nccl
from p2smt.emit.torch.program.source import emit_program
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.reading.launches import launch_shares
from p2smt.spmd.reading.step_time_line import step_time_line
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.text.parser import parse_program

NORM = """program batch
input x : f32[4, 3, 2]
input g : f32[4, 3, 2]
parameter w : f32[3]
parameter b : f32[3]
s = sum(x, 0, 2)
m = s / 8
q = batch_norm_squares(x, m)
v = q / 8
e = v + 1e-05
r = rsqrt(e)
y = batch_norm(x, m, r, w, b)
d_w = batch_norm_weight_backward(g, x, m, r)
d_b = sum(g, 0, 2)
o = d_b / 8
p = d_w / 8
d_x = batch_norm_backward(g, x, m, r, w, o, p)
output y
output d_x
output d_w
output d_b
"""
DROPOUT = """program dropout
input x : f32[5, 4]
input g : f32[5, 4]
y = dropout(x, share=0.4, seed=3)
z = dropout(y, share=0.4, seed=5)
d_x = dropout(g, share=0.4, seed=3)
output z
output d_x
"""


def on_one(text):
    return parse_program(text).on(ProgramAxis("rank", 1))


def own_lines(source, names):
    """The statements that a line of the emitted step gives a value by itself."""
    return {name for name in names if re.search(rf"^\s+{name} = ", source, re.MULTILINE)}


def test_a_local_batch_norm_is_launched_twice():
    program = on_one(NORM)
    names = {each.name for each in program.statements}
    inside = {name for name, share in launch_shares(program).items() if share == 0}
    assert names - inside == {"y", "d_x"}
    assert own_lines(emit_program(program), names) == set()
    assert {"y", "d_x"} | inside == names


def test_a_norm_whose_mean_is_read_is_launched_statement_by_statement():
    program = on_one(f"{NORM}output m\n")
    assert launch_shares(program) == {}
    assert own_lines(emit_program(program), {"m", "y", "r"}) == {"m", "y", "r"}


def test_the_second_dropout_of_a_seed_reads_a_mask():
    program = on_one(DROPOUT)
    assert launch_shares(program) == {"d_x": DROPOUT_LAUNCHES}
    assert "d_x = masked(" in emit_program(program)


def test_the_host_of_a_time_line_has_only_launches_of_calls():
    cluster = cluster_of(find_system("dgx-h100:1x1"), Nccl())
    hosts = []
    for text in (NORM, f"{NORM}output m\n"):
        program = on_one(text)
        hosts.append(step_time_line(program, account(program, cluster), cluster).host)
    assert hosts[0] < hosts[1] / 4
