"""Collectives in buckets: what is computed stays, and nothing moves across what it depends on or what needs it."""

import random

import numpy as np
import pytest
from tensor.random_moves import random_text
from tiers import sample

from p2smt.tensor.buckets import BUCKET, bucketed
from p2smt.tensor.comparison import split, whole_value
from p2smt.tensor.expression import Read, parts
from p2smt.tensor.inference import infer, judge
from p2smt.tensor.interpreter import run
from p2smt.tensor.judgement import Inferred, JudgedProgram
from p2smt.tensor.prime_field import PrimeField
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

TRAINING = """program training
mesh device=3
input x : f32[6, 4] sliced(0)
parameter w : f32[4, 5]
parameter b : f32[5]
parameter c : f32[5]
y = matmul(x, w) + b
loss = sum(y * y)
gc = sum(y, 0)
gc_whole = AllReduce(gc)
c_new = update(c, c - gc_whole)
gb = sum(y * 2, 0)
gb_whole = AllReduce(gb)
b_new = update(b, b - gb_whole)
gw = matmul(transpose(x, 1, 0), y)
gw_whole = AllReduce(gw)
w_new = update(w, w - gw_whole)
output loss partial(+)
"""


SEEDS = sample(range(60), 12)
SIZE = 24
"""Bytes of the whole tensors of random programs."""


def names(found):
    return [[each.name for each in run] for run in found.runs]


def reads(expression):
    return {part.name for part in parts(expression) if isinstance(part, Read)}


def test_a_bucket_waits_for_the_operands_of_all_and_what_needs_it_waits_with_it():
    found = bucketed(parse_program(TRAINING))
    assert names(found) == [
        ["y"],
        ["loss"],
        ["gc"],
        ["gb"],
        ["gw"],
        ["gc_whole", "gb_whole", "gw_whole"],
        ["c_new"],
        ["b_new"],
        ["w_new"],
    ]
    assert found.buckets == (("gc_whole", "gb_whole", "gw_whole"),)


@pytest.mark.parametrize(
    ("most", "buckets"),
    [
        (0, ()),
        (20, ()),
        (40, (("gc_whole", "gb_whole"),)),
        (119, (("gc_whole", "gb_whole"),)),
        (120, (("gc_whole", "gb_whole", "gw_whole"),)),
    ],
)
def test_a_bucket_has_so_many_bytes_at_most(most, buckets):
    program = parse_program(TRAINING)
    found = bucketed(program, most)
    assert found.buckets == buckets
    assert buckets or found.program == program


def test_only_what_is_of_one_kind_type_axis_and_reduction_is_joined():
    text = """program kinds
mesh data=2, model=2
input a : f32[4] partial(+, data)
input b : f32[4] partial(+, model)
input c : f32[4] partial(max, data)
input d : f64[4] partial(+, data)
input e : f32[4] partial(+, data)
input f : f32[4] sliced(0, data)
a1 = AllReduce(a, axis=data)
b1 = AllReduce(b, axis=model)
c1 = AllReduce(c, max, axis=data)
d1 = AllReduce(d, axis=data)
f1 = AllGather(f, 0, axis=data)
e1 = AllReduce(e, axis=data)
output a1
output b1
output c1
output d1
output e1
output f1
"""
    assert bucketed(parse_program(text)).buckets == (("a1", "e1"),)


def test_values_of_one_rank_alone_leave_all_collectives_by_themselves():
    text = """program owned
mesh r=2
input a : f32[4] partial(+)
input b : f32[4] partial(+)
a1 = AllReduce(a)
b1 = AllReduce(b)
c = Broadcast(Reduce(Keep(b1, 0), 1), 1)
output a1
output c
"""
    program = parse_program(text)
    assert bucketed(program).program == program
    assert bucketed(program).buckets == ()


def test_random_programs_compute_the_same_in_buckets_that_depend_on_nothing_in_them():
    for seed in SEEDS:
        rng = random.Random(seed)
        program = parse_program(random_text(rng))
        most = rng.choice([24, 48, 72, BUCKET])
        found = bucketed(program, most)
        order = [each.name for each in found.program.statements]
        assert sorted(order) == sorted(each.name for each in program.statements), seed
        assert {*found.program.statements} == {*program.statements}, seed
        behind, above = {source.name for source in program.sources}, {}
        for run_ in found.runs:
            members = {each.name for each in run_}
            for each in run_:
                # a statement stands behind what it reads, outside of its bucket
                assert reads(each.expression) <= behind, seed
                above[each.name] = reads(each.expression).union(
                    *(above[name] for name in reads(each.expression) if name in above)
                )
                assert not above[each.name] & members, seed
            if len(run_) > 1:
                assert len({type(each.expression.conversion) for each in run_}) == 1, seed
                assert SIZE * len(run_) <= most, seed
            behind |= members
        assert isinstance(infer(found.program), Inferred), seed
        assert bucketed(parse_program(print_program(program))).runs == bucketed(program).runs, seed
        judged = judge(program)
        assert isinstance(judged, JudgedProgram), seed
        assert bucketed(program, most, judged) == found, seed
        meaning = PrimeField(seed)
        given = {each.name: split(each, whole_value(each, meaning), program, meaning) for each in program.sources}
        before, after = run(program, given, meaning), run(found.program, given, meaning)
        for name in order:
            for mine, theirs in zip(before[name], after[name], strict=True):
                assert np.array_equal(mine.array, theirs.array), seed


def test_random_programs_have_buckets_whose_statements_stood_apart():
    programs = [parse_program(random_text(random.Random(seed))) for seed in SEEDS]
    found = [bucketed(program) for program in programs]
    assert sum(len(each.buckets) for each in found) > len(SEEDS)
    assert sum(each.program != program for each, program in zip(found, programs, strict=True)) > len(SEEDS) / 2
