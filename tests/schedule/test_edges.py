"""Schedules at the edge: what just fits, what takes as long, sizes that are asked for one after another."""

from itertools import product

import numpy as np
import pytest
from schedule.equality import differs

from p2smt.problem.system.text import find_system
from p2smt.schedule.check import check_schedule, on_ranks
from p2smt.schedule.chunks import Chunker
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.crossover import crossovers
from p2smt.schedule.emission.spaces import DimensionSpan, together
from p2smt.schedule.explained import explained
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.loop_events import orders
from p2smt.schedule.moving import lemma_of_parts
from p2smt.schedule.scheduled import Kernel, ScheduledProgram
from p2smt.schedule.sized import sized_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner.reductions import Reductions
from p2smt.tensor.conversion import (
    COMMUNICATION,
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted

CHAIN = """program chain
input x : f32[8, 4] partial(+)
sum = AllReduce(x)
y = sum * 2
output y
"""


@pytest.mark.parametrize(("more", "fits"), [(None, True), (1, True), (0, True), (-1, False)])
def test_a_schedule_fits_into_just_as_much_as_it_takes(more, fits):
    """What is not proved is that, whether it fits or not."""
    checked = check_schedule(parse_program(CHAIN), parse_schedule("f = fuse sum, y"), 2)
    peak = sized_schedule(checked).held.peak
    sized = sized_schedule(checked, None if more is None else peak + more)
    assert sized.fits is fits
    assert isinstance(sized.verdict, Proved if fits else Refuted)
    wrong = check_schedule(parse_program(CHAIN), parse_schedule("f = fuse y"), 2)
    assert not isinstance(wrong.verdict, Proved)
    assert sized_schedule(wrong, 1).verdict is sized_schedule(wrong).verdict is wrong.verdict


def test_what_takes_as_long_does_not_pay():
    machine = Machine.of(find_system("dgx-h100:1x4"))
    program = parse_program(CHAIN)
    same = explained(check_schedule(program, parse_schedule(""), 4), machine)
    assert same.after.seconds == same.before.seconds
    assert not same.pays
    large = parse_program(CHAIN.replace("8, 4", "65536, 64"))
    assert explained(check_schedule(large, parse_schedule("f = fuse sum, y"), 4), machine).pays


@pytest.mark.parametrize(
    "text",
    [
        "input x : f32[N, 8] partial(+)\ny = AllReduce(x)\noutput y\n",
        "input x : f32[N, 8] partial(+)\ny = ReduceScatter(x, 0)\noutput y sliced(0)\n",
        "input x : f32[N, 8] sliced(0)\ny = AllGather(x, 0)\noutput y\n",
    ],
)
def test_reduction_programs_of_a_collective_do_not_depend_on_those_that_were_asked_for(text):
    machine = Machine.of(find_system("p2-v100:2x2"))

    def steps(reductions, length):
        plain = ScheduledProgram(on_ranks(parse_program("program alone\n" + text.replace("N", str(length))), 4))
        return list(reductions.steps(plain, Pricer(plain, machine)))

    lengths = [4, 1 << 20, 4]
    kept = Reductions(machine)
    found = [steps(kept, length) for length in lengths]
    assert found == [steps(Reductions(machine), length) for length in lengths]
    assert "AllReduce" not in text or found[0] != found[1]


def test_what_is_said_of_parts_is_a_sum_just_where_a_collective_adds():
    every = (AllReduce(), AllGather(0), ReduceScatter(0), AllToAll(0, 1), Broadcast(0), Reduce(0), Slice(0), Keep(0))
    for conversion in (*every, Rebalance(0, (1, 2)), Send()):
        goal = COMMUNICATION[type(conversion)]
        adds = getattr(goal, "adds", False)
        assert (lemma_of_parts(conversion) == "a sum of chunks") is adds, conversion


def test_spaces_line_up_as_numpy_s_do_where_nothing_is_cut():
    shapes = [shape for count in range(3) for shape in product((1, 2, 3), repeat=count)]
    for shape in product(shapes, repeat=2):
        spaces = [tuple(DimensionSpan(length, None, False) for length in each) for each in shape]
        try:
            wanted = np.broadcast_shapes(*shape)
        except ValueError:
            wanted = None
        made = together(spaces)
        assert (None if made is None else tuple(span.length for span in made)) == wanted, shape


def test_a_chunk_of_one_element_stands_beside_no_others():
    one, chunk, three = DimensionSpan(1, None, False), DimensionSpan(1, None, True), DimensionSpan(3, None, False)
    assert together([(one,), (three,)]) == together([(three,), (one,)]) == (three,)
    assert together([(one,), (chunk,)]) == together([(chunk,), (one,)]) == (chunk,)
    assert together([(chunk,), (chunk,)]) == (chunk,)
    assert together([(chunk,), (three,)]) is together([(three,), (chunk,)]) is None
    assert together([(DimensionSpan(3, None, True),), (three,)]) is None


def test_what_is_as_it_was_is_nowhere_faster():
    """Whatever is turned, times are the same; a kernel in place of two is faster somewhere."""
    machine, plain = Machine.of(find_system("dgx-h100:1x4")), on_ranks(parse_program(CHAIN), 4)
    same = crossovers(ScheduledProgram(plain), ScheduledProgram(plain), machine)
    assert same
    assert all(not each.faster and not each.turns for each in same)
    fused = check_schedule(plain, parse_schedule("f = fuse sum, y"), 4).scheduled
    assert any(each.faster or each.turns for each in crossovers(ScheduledProgram(plain), fused, machine))
    assert not any(each.faster for each in crossovers(fused, ScheduledProgram(plain), machine) if not each.turns)


FOUR = """program four
mesh rank=3
input x : f32[6, 4] partial(+)
a = AllReduce(x)
b = a * 2
c = a + b
d = c * a
output d
"""


def test_a_stage_needs_every_earlier_stage_that_it_reads_at_the_same_chunk():
    program = parse_program(FOUR)
    stages = (("a", ("a",)), ("b", ("b",)), ("c", ("c",)), ("d", ("d",)))
    needed = {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a", "c"}}
    chunking = Chunker(typed(program), list(needed), 0)
    chunking.run()
    for issued in orders(program, stages, chunking, 2):
        assert {event.key for event in issued} == set(product(needed, range(2)))
        for event in issued:
            assert set(event.needs) == {(name, event.chunk) for name in needed[event.stage]}
        position = {event.key: number for number, event in enumerate(issued)}
        # Each stage on a chunk stands before the next on the chunk before.
        assert all(position[one, 1] < position[other, 0] for one, other in (("a", "b"), ("b", "c"), ("c", "d")))


REDUCED = """program reduced
input x : f32[4, 6] sliced(0)
t = sum(x, 0)
c = {}
z = c * 2
output z{}
"""


@pytest.mark.parametrize(
    ("conversion", "result", "kernel"),
    [
        ("AllReduce(t)", "", Kernel.COMPUTATION),
        ("ReduceScatter(t, 0)", " sliced(0)", Kernel.COLLECTIVE),
        ("Reduce(t, 1)", " on_rank(1)", Kernel.COLLECTIVE),
    ],
)
def test_only_an_all_reduce_of_what_a_kernel_reduced_is_its_barrier(conversion, result, kernel):
    """Behind it all elements have the whole; any other collective is what the kernel is for."""
    program = parse_program(REDUCED.format(conversion, result))
    checked = check_schedule(program, parse_schedule("f = fuse t, c, z"), 2)
    assert isinstance(checked.verdict, Proved), checked.verdicts
    assert [group.kernel for group in checked.scheduled.groups] == [kernel]


def test_a_sum_and_a_slice_of_unlike_lengths_are_merged_as_they_are_cut():
    text = "program p\nmesh r=2\ninput x : f32[5] partial(+)\nz = AllReduce(x)\ns = Slice(z, 0, sizes=4/1)\n"
    program = parse_program(f"{text}y = s * 2\noutput y sliced(0, sizes=4/1)\n")
    result = check_schedule(program, parse_schedule("m = merge z, s"), None)
    assert isinstance(result.verdict, Proved)
    assert differs(program, result.scheduled.program) is None
    assert next(iter(result.scheduled.program.statements)).expression.conversion == ReduceScatter(0, (4, 1))
