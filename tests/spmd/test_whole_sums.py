"""Sums that are scattered and gathered at once, in one call: which are, what stays, and where it gains."""

from collections import Counter
from dataclasses import dataclass, replace

import pytest
from looped import looped

from p2smt.spmd.account.in_buckets import in_buckets
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.cluster import Cluster, Device
from p2smt.spmd.devices.network import CollectivePrice
from p2smt.spmd.devices.shares import vertices
from p2smt.spmd.emission.whole_sums import with_whole_sums
from p2smt.spmd.search.as_emitted import as_emitted
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.conversion import AllGather, AllReduce, ReduceScatter
from p2smt.tensor.expression import Convert
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Refused
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.way import Way

GIVEN = """program sums
mesh device=2
input x : f32[4, 6] partial(+)
input y : f32[4, 6] partial(max)
input z : f32[4, 6] partial(+)
"""
BOTH = """a = ReduceScatter(x, 1)
b = AllGather(a, 1)
"""


def converted(program):
    return [type(each.conversion) for each in program.expressions() if isinstance(each, Convert)]


def test_the_two_are_one_call_that_stands_where_the_first_stood():
    program = parse_program(f"{GIVEN}{BOTH}c = b * b\noutput c\n")
    found = with_whole_sums(program)
    assert print_program(found) == print_program(parse_program(f"{GIVEN}b = AllReduce(x)\nc = b * b\noutput c\n"))


def test_it_reduces_as_before():
    program = parse_program(f"{GIVEN}a = ReduceScatter(y, 0, max)\nb = AllGather(a, 0)\noutput b\n")
    (convert,) = [each for each in with_whole_sums(program).expressions() if isinstance(each, Convert)]
    assert convert.conversion == AllReduce(program.statements[0].expression.conversion.reduction)


@looped(
    "lines",
    [
        BOTH + "c = a * a\noutput b\noutput c sliced(1)\n",  # what is cut is read besides
        BOTH + "output a sliced(1)\noutput b\n",  # or observed
        "a = ReduceScatter(x, 1)\nc = a * a\nb = AllGather(c, 1)\noutput b\n",  # something is done between
        "a = ReduceScatter(x, 1)\nd = ReduceScatter(z, 1)\nc = a + d\nb = AllGather(c, 1)\noutput b\n",
        "a = ReduceScatter(x, 1)\nb = AllGather(a, 1)\nc = AllGather(a, 1)\noutput b\noutput c\n",  # gathered twice
        "a = AllReduce(x)\noutput a\n",
    ],
)
def test_whatever_else_stays_as_it_is(lines):
    program = parse_program(GIVEN + lines)
    assert with_whole_sums(program) == program


@dataclass(frozen=True)
class Costs:
    """A call's latency is that of its kind; bytes take a picosecond each."""

    whole: int
    apart: int

    def all_reduce(self, count):
        return CollectivePrice(self.whole + count, Way.PLAIN)

    def all_gather(self, count, parts):
        return CollectivePrice(self.apart + count // 2, Way.PADDED)

    def reduce_scatter(self, count, parts):
        return CollectivePrice(self.apart + count // 2, Way.PADDED)

    def all_to_all(self, count, before, after):
        return CollectivePrice(10**12, Way.EXCHANGE)


STEP = """program step
input x : f32[512, 8]
parameter w : f32[8, 8]
parameter v : f32[8, 8]
h = relu(matmul(x, w))
y = matmul(h, v)
loss = sum(y * y, 0, 1)
gv = matmul(transpose(h, 1, 0), y)
gh = matmul(y, transpose(v, 1, 0))
gw = matmul(transpose(x, 1, 0), gh)
w_new = update(w, w - gw * 0.1)
v_new = update(v, v - gv * 0.1)
output loss
"""


TWO = f"""{GIVEN}{BOTH}c = ReduceScatter(z, 0)
d = AllGather(c, 0)
e = b + d
output e
"""


def sharded(whole):
    """A search's answer, in whose place a program of two sums stands, each scattered and gathered at 60 ns a call."""
    machines = Cluster("costs", (Device("d", 10**12),) * 2, Costs(whole, 60_000))
    found = shard(parse_program(STEP), machines, vertices(machines.speeds))
    program = parse_program(TWO)
    return machines, replace(
        found, program=program, account=account(program, machines), candidates=(), baselines=(), spare=()
    )


@pytest.mark.parametrize(
    ("whole", "kinds"), [(119_000, [AllReduce] * 2), (121_000, [ReduceScatter, ReduceScatter, AllGather, AllGather])]
)
def test_an_answer_has_whole_sums_where_a_call_of_all_takes_less_than_two(whole, kinds):
    machines, found = sharded(whole)
    made = as_emitted(found)
    assert Counter(converted(made.program)) == Counter(kinds)
    assert made.account == in_buckets(made.program, machines)
    assert made.account.time <= min(in_buckets(each, machines).time for each in (parse_program(TWO), made.program))
    assert made.searched.program == found.program
    assert not isinstance(infer(made.program), Refused)


def test_conditions_and_calls_alone_keep_what_was_found():
    _, found = sharded(1)
    given = found.program.sources[0].name
    assert as_emitted(found, conditions=(f"{given} replicated",)).program == as_emitted(found).program != found.program
    assert as_emitted(found, conditions=("b replicated",)).program == found.program, "a sum that is made whole is gone"
    assert as_emitted(found, baselines=False).program == found.program
    assert as_emitted(found, buckets=0) == found
