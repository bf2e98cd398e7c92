"""Local shapes, operations, bytes and memory, beside what simulated ranks really hold."""

import random
from math import prod

from looped import looped
from tensor.random_programs import distributed_program, single_program
from tensor.test_examples import PAIRS, PROGRAMS  # loads torch
from tiers import is_full

from p2smt.tensor.comparison import split, whole_value
from p2smt.tensor.expression import Call, Read, parts
from p2smt.tensor.footprint import footprint
from p2smt.tensor.interpreter import run
from p2smt.tensor.reals import Reals
from p2smt.tensor.shapes import flops, whole_of, wholes
from p2smt.tensor.text.parser import parse_program


@looped("name", [many for many, _ in PAIRS])
def test_local_shapes_are_those_of_arrays_on_simulated_ranks(name):
    program, meaning = PROGRAMS[name], Reals(1)
    given = {each.name: split(each, whole_value(each, meaning), program, meaning) for each in program.sources}
    held = run(program, given, meaning)
    shown = footprint(program)
    assert [value.name for value in shown.values] == [*given, *(each.name for each in program.statements)]
    for value in shown.values:
        assert value.local == tuple(None if part is None else part.array.shape for part in held[value.name])
        assert value.bytes == tuple(prod(shape) * value.dtype.bytes for shape in value.local)


@looped("name", [one for _, one in PAIRS])
def test_on_one_device_operations_are_those_of_whole_calls(name):
    program = PROGRAMS[name]
    known = wholes(program)
    calls = [part for part in program.expressions() if isinstance(part, Call)]
    every = sum(flops(call, tuple(whole_of(each, known).shape for each in call.operands)) for call in calls)
    assert sum(value.flops[0] for value in footprint(program).values) == every > 0


UNEVEN = """program uneven
mesh r=3
input x : f32[6, 4] sliced(0, sizes=3/2/1)
parameter w : f16[4, 8]
state s : f32[6, 8] sliced(0, sizes=3/2/1)
h = matmul(cast(x, f16), w)
k = relu(h)
z = cast(k, f32) * 2
s1 = update(s, s + z)
t = AllGather(z, 0)
output t
"""


def test_each_rank_has_its_own():
    shown = footprint(parse_program(UNEVEN))
    by_name = {value.name: value for value in shown.values}
    assert by_name["h"].local == ((3, 8), (2, 8), (1, 8))
    assert by_name["h"].flops == tuple(rows * (4 + 2 * 4 * 8) for rows in (3, 2, 1))
    assert by_name["h"].bytes == (48, 32, 16)
    assert by_name["t"].sent[0].bytes == (96, 64, 32)
    assert (by_name["t"].sent[0].conversion, by_name["t"].sent[0].axis) == ("AllGather", "r")
    assert shown.stored == (64 + 96, 64 + 64, 64 + 32)


def test_memory_is_that_of_what_is_alive():
    """Sources, then h and k, k and z, z and t: a new version takes the place of the old one."""
    shown = footprint(parse_program(UNEVEN))
    sources = [rows * 16 + 64 + rows * 32 for rows in (3, 2, 1)]
    z, t = [rows * 32 for rows in (3, 2, 1)], 192
    assert shown.peak == tuple(source + mine + t for source, mine in zip(sources, z, strict=True))


def test_on_one_rank_the_others_have_nothing():
    text = "program p\nmesh r=3\ninput x : f32[4] on_rank(1)\ny = Send(x * 2, next)\nz = Broadcast(y, 2)\noutput z\n"
    y, z = footprint(parse_program(text)).values[1:]
    assert (y.local, y.bytes, y.flops) == ((None, None, (4,)), (0, 0, 16), (0, 4, 0))
    assert (z.local, z.flops) == (((4,),) * 3, (0, 0, 0))
    assert y.sent[0].bytes == (0, 16, 0)


def test_values_before_a_mistake_are_shown():
    shown = footprint(parse_program(UNEVEN.replace("relu(h)", "softmax(h, 0)")))
    assert [value.name for value in shown.values] == ["x", "w", "s", "h"]
    assert shown.refused.statement == "k"
    shown = footprint(parse_program(UNEVEN.replace("3/2/1)\nparameter", "3/2/2)\nparameter")))
    assert (shown.values, shown.refused.statement) == ((), "x")


def reads(expression):
    return {part.name for part in parts(expression) if isinstance(part, Read)}


def alive(program, shown, rank):
    """Of every statement the bytes that are there while it is: by what is read later, and what is observed."""
    names = [each.name for each in program.statements]
    bytes_of = {value.name: value.bytes[rank] for value in shown.values}
    read = {
        name: [at for at, each in enumerate(program.statements) if name in reads(each.expression)] for name in names
    }
    versions = {
        each.name
        for each in program.statements
        if isinstance(each.expression, Call) and each.expression.operation == "update"
    }
    outputs = {output.name for output in program.outputs}
    sources = sum(bytes_of[source.name] for source in program.sources)
    for at in range(len(names)):
        there = [
            name
            for number, name in enumerate(names[: at + 1])
            if name not in versions and (name in outputs or max(read[name], default=number) >= at)
        ]
        yield sources + sum(bytes_of[name] for name in there)


def test_the_peak_is_the_most_that_is_alive():
    rng = random.Random(9)
    after_its_last_reader = 0
    tried = 25 if is_full() else 15
    for _ in range(tried):
        program = distributed_program(single_program(rng, 7), rng)
        shown = footprint(program)
        last = {read: each.name for each in program.statements for read in reads(each.expression)}
        after_its_last_reader += any(output.name in last for output in program.outputs)
        assert shown.refused is None
        for rank, peak in enumerate(shown.peak):
            assert peak == max(alive(program, shown, rank)), (program, rank)
    assert after_its_last_reader > tried / 10
