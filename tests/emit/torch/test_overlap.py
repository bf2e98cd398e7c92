"""Sums are begun once their operands are there and awaited where they are read, and layers are still written once."""

import random
import re
from types import SimpleNamespace

import pytest
from command_line import golden
from emit.torch.sharded_models import sharded_model
from emit.torch.test_begun_calls import ZERO
from emit.torch.test_folding import functions, trained
from tensor.random_moves import random_text
from tiers import sample

from p2smt.emit.torch.program import buckets
from p2smt.emit.torch.program.overlap import Moment, begun_first, events
from p2smt.emit.torch.program.source import emit_program
from p2smt.tensor.buckets import BUCKET, bucketed
from p2smt.tensor.conversion import AllGather, AllReduce
from p2smt.tensor.expression import Call, Read, SourceKind, parts
from p2smt.tensor.text.parser import parse_program

TWO_LAYERS = """program layers
mesh device=4
input x : f32[8, 6] sliced(0)
parameter w : f32[6, 5]
parameter v : f32[5, 3]
h = tanh(matmul(x, w))
y = matmul(h, v)
loss = AllReduce(sum(y * y))
dv = matmul(transpose(h, 1, 0), y)
dh = matmul(y, transpose(v, 1, 0))
dw = matmul(transpose(x, 1, 0), dh * (1 - h * h))
dv_whole = AllReduce(dv)
v_new = update(v, v - 0.1 * dv_whole)
dw_whole = AllReduce(dw)
w_new = update(w, w - 0.1 * dw_whole)
output loss
"""


def reads(run):
    return {part.name for each in run for part in parts(each.expression) if isinstance(part, Read)}


def written(run):
    """The parameters and states that a run writes over."""
    updates = [each.expression for each in run if isinstance(each.expression, Call)]
    return {each.operands[0].name for each in updates if each.operation == "update"}


def compute(text):
    return text[text.index("@torch.no_grad()") : text.index("State = ")].rstrip() + "\n"


def told(program, most):
    made = bucketed(parse_program(program) if isinstance(program, str) else program, most)
    return [(event.moment, *(each.name for each in event.run)) for event in events(made)]


def test_a_sum_is_begun_behind_its_last_operand_and_awaited_before_its_first_reader():
    both = told(TWO_LAYERS, BUCKET)
    assert both == [
        ("whole", "h"),
        ("whole", "y"),
        ("whole", "dv"),
        ("whole", "dh"),
        ("whole", "dw"),
        ("whole", "loss", "dv_whole", "dw_whole"),
        ("whole", "v_new"),
        ("whole", "w_new"),
    ]
    assert told(TWO_LAYERS, 40) == [
        ("whole", "h"),
        ("whole", "y"),
        ("begin", "loss"),
        ("whole", "dv"),
        ("begin", "dv_whole"),
        ("whole", "dh"),
        ("whole", "dw"),
        ("begin", "dw_whole"),
        ("await", "dv_whole"),
        ("whole", "v_new"),
        ("await", "dw_whole"),
        ("whole", "w_new"),
        ("await", "loss"),
    ]


def test_what_a_later_layer_reads_is_awaited_at_once_where_it_is_in_no_bucket():
    text = "program tensor\nmesh r=2\ninput x : f32[4, 6] sliced(1)\nparameter w : f32[6, 3] sliced(0)\n"
    text += "parameter v : f32[3, 3]\na = AllReduce(matmul(x, w))\nb = matmul(v, v)\nc = matmul(a, b)\noutput c\n"
    assert told(text, BUCKET) == [("whole", "a"), ("whole", "b"), ("whole", "c")]


def test_a_sum_is_awaited_where_another_sum_of_it_is_begun():
    text = "program sums\nmesh data=2, model=2\nparameter x : f32[8, 6] sliced(0, data) sliced(1, model)\n"
    text += "parameter z : f32[8, 6]\ns = sum(x)\ne = tanh(z)\na = AllReduce(s, axis=data)\nf = tanh(e)\n"
    text += "b = AllReduce(a, axis=model)\nd = tanh(f)\ny = b + sum(d)\noutput y\n"
    assert told(text, BUCKET) == [
        ("whole", "s"),
        ("begin", "a"),
        ("whole", "e"),
        ("await", "a"),
        ("begin", "b"),
        ("whole", "f"),
        ("whole", "d"),
        ("await", "b"),
        ("whole", "y"),
    ]


def test_gathers_of_parameters_begin_where_the_one_before_is_awaited_and_blocks_of_sums_behind_their_summands():
    assert told(ZERO, 40) == [
        ("whole", "w_whole"),
        ("begin", "v_whole"),
        ("whole", "h"),
        ("await", "v_whole"),
        ("whole", "y"),
        ("begin", "loss"),
        ("whole", "dv"),
        ("begin", "dv_cut"),
        ("whole", "dh"),
        ("whole", "dw"),
        ("begin", "dw_cut"),
        ("await", "dv_cut"),
        ("whole", "v_new"),
        ("await", "dw_cut"),
        ("whole", "w_new"),
        ("await", "loss"),
    ]


def test_a_shard_is_awaited_before_its_parameter_is_written():
    text = "program written\nmesh r=2\ninput x : f32[4, 4] sliced(0)\nparameter w : f32[4, 4] sliced(1)\n"
    text += "parameter v : f32[4, 4] sliced(1)\na = AllGather(w, 1)\nh = matmul(x, a)\nb = AllGather(v, 1)\n"
    text += "v_new = update(v, v * 2)\nd = tanh(h)\ny = matmul(d, b)\noutput y\n"
    assert told(text, 40) == [
        ("whole", "a"),
        ("begin", "b"),
        ("whole", "h"),
        ("await", "b"),
        ("whole", "v_new"),
        ("whole", "d"),
        ("whole", "y"),
    ]


def test_a_sum_of_what_the_batch_alone_gives_is_begun_first_and_awaited_beside_the_forward_pass():
    text = "program counts\nmesh r=2\ninput x : f32[4, 6] sliced(0)\ninput seen : f32[4] sliced(0)\n"
    text += "parameter w : f32[6, 3]\nh = matmul(x, w)\nn = sum(seen)\nt = sum(h)\ncount = AllReduce(n)\n"
    text += "loss = AllReduce(t / count)\noutput loss\n"
    assert told(text, BUCKET) == [
        ("whole", "n"),
        ("begin", "count"),
        ("whole", "h"),
        ("whole", "t"),
        ("await", "count"),
        ("whole", "loss"),
    ]
    assert told(text, 0)[:2] == [("whole", "h"), ("whole", "n")]


def test_random_programs_are_begun_as_early_and_awaited_as_late_as_may_be():
    for seed in sample(range(40), 12):
        rng = random.Random(seed)
        made = bucketed(parse_program(random_text(rng)), rng.choice([24, 48, BUCKET]))
        order = events(made)
        known, begun, fresh = {source.name for source in made.program.sources}, [], set()
        kept = {each.name for each in made.program.sources if each.kind in (SourceKind.PARAMETER, SourceKind.STATE)}
        for number, event in enumerate(order):
            names = {each.name for each in event.run}
            match event.moment:
                case Moment.BEGIN:
                    assert reads(event.run) <= known, seed
                    begins = not any(each.moment is Moment.WHOLE for each in order[:number])
                    is_gather = isinstance(event.run[0].expression.conversion, AllGather)
                    assert begins or is_gather or reads(event.run) & fresh, seed
                    assert not is_gather or reads(event.run) <= kept, seed
                    begun.append(event.run)
                case Moment.AWAIT:
                    begun.remove(event.run)
                    later = [each.run for each in order[number:] if each.moment is not Moment.AWAIT]
                    writes = {old for run in later[:1] for old in written(run)}
                    assert not later or writes or any(reads(run) & names for run in later), seed
                    known |= names
                    fresh |= names
                case Moment.WHOLE:
                    assert reads(event.run) <= known | names, seed
                    assert all(
                        isinstance(run[0].expression.conversion, AllReduce) or not reads(run) & written(event.run)
                        for run in begun
                    ), seed
                    known |= names
                    fresh = names
        assert not begun, seed
        assert {*begun_first(made.program, order)} == {*made.program.statements}, seed


def test_a_step_of_two_layers_is_emitted_as_it_was():
    golden("overlap_mlp.py.txt", compute(emit_program(parse_program(TWO_LAYERS), buckets=40)))


def test_no_buckets_no_overlap():
    assert "begun" not in emit_program(parse_program(TWO_LAYERS), buckets=0)
    assert "async_op=True" not in emit_program(parse_program(TWO_LAYERS), buckets=0)


@pytest.mark.parametrize("name", ["bert", pytest.param("vit", marks=pytest.mark.thorough)])  # layers as those of bert
def test_layers_between_whose_lines_sums_are_begun_are_written_once_and_compute_the_same(name):
    program = sharded_model(name, (1, 1, 1), baseline="data parallel")
    text, plain = emit_program(program, buckets=600), emit_program(program, buckets=600, fold=False)
    apart = emit_program(program, buckets=0)
    assert text.count(" = all_reduce_begun(") == plain.count(" = all_reduce_begun(") >= 3
    assert functions(text).keys() >= {each for each in functions(apart) if "backward" in each}
    assert all(bool(mine.equal(theirs)) for mine, theirs in zip(trained(text), trained(plain), strict=True))
    body = compute(text)
    for number in re.findall(r"bucket_(\d+) = all_reduce_begun", body):
        assert body.count(f"= bucket_{number}()") == 1
        assert body.index(f"bucket_{number} = ") < body.index(f"= bucket_{number}()")


def test_a_bucket_is_padded_where_one_of_its_members_is(monkeypatch):
    """Shards of one size alone need no padding; members stand in any order."""
    monkeypatch.setattr(buckets, "suffix", lambda value, *_: value)
    monkeypatch.setattr(buckets, "_cut", lambda _: ((), 0))
    for texts, said in ((("", ""), ""), (("", "_padded"), "_padded"), (("_padded", "", ""), "_padded")):
        members = [SimpleNamespace(value=text) for text in texts]
        assert buckets._suffix(members, None, None, None) == said
