"""Values that are computed again in the backward pass where memory is short: their cost, their memory, all choices."""

import json
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from command_line import output, refused
from spmd.joint_problems import cluster
from spmd.test_programs import is_right
from spmd.training import apart
from tiers import is_full, sample

import p2smt.tensor
from p2smt.spmd.devices.shares import even
from p2smt.spmd.engines.engine import EngineOptions
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.conditions import parse_conditions
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.search import recomputation
from p2smt.spmd.search.recomputation import kinds_of, recomputed
from p2smt.spmd.search.searching import searched
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.text.parser import parse_program

pytest.importorskip("scipy")

STEP = Path(p2smt.tensor.__file__).parent / "examples" / "mlp_step.tp"

LATE = """program late
input x : f32[64, 32]
input z : f32[512, 32]
parameter w : f32[32, 32]
scalar lr
h = matmul(x, w)
a = exp(h)
b = tanh(a)
s = sum(b, 0)
q = z * s
loss = sum(q * q)
ds = sum(2 * q * z, 0)
da = ds * (1 - b * b)
dh = da * a
w_new = update(w, w - lr * matmul(transpose(x, 1, 0), dh))
output loss
"""
"""a and b are kept while q, which is large, is worked with. b can be made of a again, a of h, that of x and w."""

VALUE = 64 * 32 * 4
"""Bytes of a value of the first part."""
DATA = ("x sliced(0)", "z sliced(0)", "w replicated")


@cache
def taken(memory, recompute=0, certify=False):
    """On two devices of an operation per picosecond, so far from each other that x is gathered and h is whole."""
    machines = cluster((10**12,) * 2, 10**6, memory)
    return shard(
        parse_program(LATE), machines, (even(2),), conditions=DATA, beside=False, recompute=recompute, certify=certify
    )


def test_values_are_computed_again_for_their_operations_and_kept_no_longer():
    """A cap by cap: b again takes 64 x 32 operations of tanh on both devices, which leaves room for one value; a
    again would take the product h as well, q again takes one operation for each of half of its elements."""
    free, program = taken(None), parse_program(LATE)
    peak, most = free.account.memory[0], 4 if is_full() else 1
    for fewer, again, more in ((1, "tanh", 64 * 32), (VALUE + 1, "mul", 512 * 32 // 2)):
        found = taken(peak - fewer, recompute=most)
        assert found.recomputed == (again,)
        assert found.lacks == ()
        assert found.account.memory[0] <= peak - fewer
        assert found.account.time - free.account.time == more
        is_right(found.program, program)
    assert taken(peak - 1, recompute=1).account.memory[0] == peak - VALUE
    assert taken(peak, recompute=most).program == free.program
    assert taken(peak - 1).lacks != ()


@pytest.mark.thorough  # what is taken under two caps is known by hand above
def test_the_choice_is_that_of_trying_all_sets():
    """Of results of up to two kinds of operations, under caps from what is held without to what no set reaches."""
    graph, machines = graph_of(parse_program(LATE)), cluster((10**8,) * 2, 50)
    read, shares = parse_conditions(DATA, graph), even(2)
    kinds = kinds_of(graph)
    made = []
    most = 2 if is_full() else 1
    for size in range(most + 1):
        for some in combinations(kinds, size):
            other = recomputed(graph, frozenset().union(*some))
            found = searched(
                build(OptionCache(on_one_axis(other, classes_of(other), machines, shares)), read), EngineOptions()
            )
            account = found.fastest.candidate.account
            made.append((max(account.memory), account.time))
    peaks = sorted({peak for peak, _ in made if peak <= made[0][0]})
    assert len(peaks) > 1
    for cap in sample((peaks[0], peaks[-2], peaks[0] - 1), 1):
        limited = replace(machines, devices=tuple(replace(each, memory=cap) for each in machines.devices))
        answer = shard(parse_program(LATE), limited, (shares,), conditions=DATA, beside=False, recompute=most)
        least = min((time for peak, time in made if peak <= cap), default=None)
        assert bool(answer.lacks) == (least is None)
        if least is not None:
            assert answer.recomputed
            assert answer.account.time == least


@pytest.mark.thorough  # all sets are tried beside it
def test_where_sets_are_many_kinds_are_added_one_by_one(monkeypatch):
    """Of one kind at most that is trying all; what is found fits where it says so, and is right."""
    peak = taken(None).account.memory[0]
    for fewer, most in sample(((VALUE + 1, 2), (1, 1), (VALUE + 1, 1), (VALUE + 1, 4)), 1):
        with monkeypatch.context() as patched:
            patched.setattr(recomputation, "MOST_SEARCHES", 0)
            found = taken(peak - fewer, recompute=most)
        best = taken(peak - fewer, recompute=most)
        assert 1 <= len(found.recomputed) <= most
        assert (found.lacks, found.account.time) == (best.lacks, best.account.time)
        assert (found.lacks == ()) is (max(found.account.memory) <= peak - fewer)
        is_right(found.program, parse_program(LATE))


@pytest.mark.thorough  # the values of such a step are compared above
def test_a_step_that_computes_again_trains_as_on_one_device():
    single = parse_program(STEP.read_text(encoding="utf-8"))
    graph = graph_of(single)
    kinds = kinds_of(graph)
    assert len(kinds) > 1
    other = recomputed(graph, frozenset().union(*kinds))
    pricing = on_one_axis(other, classes_of(other), cluster((2 * 10**7, 10**7), 10), even(2))
    program = searched(build(OptionCache(pricing)), EngineOptions()).fastest.candidate.program
    is_right(program, single)
    assert apart(program, single) is None


@pytest.mark.thorough  # the command passes a request on, which the tests above make in Python
def test_the_command_computes_again_under_a_cap(tmp_path, capsys):
    path = tmp_path / "late.tp"
    path.write_text(LATE, encoding="utf-8")
    asked = ["shard", str(path), "--system", "hap-a100-p100", "--speed", "1Mflop/s", "--shares", "even"]
    asked += [word for text in DATA for word in ("--condition", text)]
    free = json.loads(output([*asked, "--json"], capsys))
    assert free["recomputed"] == []
    capped = [*asked, "--condition", f"at most {max(free['memory']) - 1}B", "--recompute", "1"]
    document = json.loads(output([*capped, "--json"], capsys))
    assert document["recomputed"] == ["tanh"]
    assert document["time_s"] > free["time_s"]
    assert "computed again in the backward pass: tanh" in output(capped, capsys)


@pytest.mark.parametrize("other", [["--mesh", "2,2"], ["--segments", "layers"]])
def test_it_is_of_one_axis_and_of_one_segment(other, capsys):
    said = refused(["shard", str(STEP), "--system", "hap-a100-p100", "--recompute", "1", *other], capsys)
    assert "--recompute" in said


def test_nothing_is_proved_of_programs_that_compute_again():
    """Where all fits, nothing is computed again, and what is certified is the program."""
    free = taken(None, recompute=1, certify=True)
    assert (free.proved, free.recomputed) == (True, ())
    again = taken(free.account.memory[0] - 1, recompute=1, certify=True)
    assert (again.proved, again.recomputed) == (False, ("tanh",))
