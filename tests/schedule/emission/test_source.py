"""Emitted schedules as text: they read well, keep the style, need torch alone; what is not emitted is said."""

import ast
import sys

import pytest
from command_line import golden
from emit.emitted import check_style
from schedule.emission.packaged import checked, names
from tiers import sample

from p2smt.cost.network.backend import Gloo
from p2smt.errors import ProgramError
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program

RANKS = 4
OWN, LIBRARY = "reduce_scatter_exchanged(", "reduce_scatter("


def test_a_loop_is_emitted_as_it_was():
    golden("schedule_adam.py.txt", emit_schedule(checked("adam_overlapped", 3)))


def test_all_packaged_schedules_keep_the_style_and_need_torch_and_the_standard_library_alone(tmp_path):
    texts = [emit_schedule(checked(name, RANKS)) for name in sample(names(), 7)]
    texts.append(emit_schedule(checked("adam_ar_opt", RANKS, bitwise=True), bitwise=True))
    check_style(tmp_path, texts)
    for text in texts:
        imported = {
            (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        assert imported - {"torch"} <= sys.stdlib_module_names


def test_a_collective_of_a_loop_is_begun_in_one_turn_and_awaited_in_the_next():
    text = emit_schedule(checked("mlp_overlapped", RANKS))
    loop = text[text.index("def loop_layer(") : text.index("def compute(")]
    begun, awaited = loop.index("rs_begun[chunk] = begin_"), loop.index("rs = waited(rs_begun.pop(chunk))")
    behind = "if 0 <= (chunk := turn - 1) < 8:"
    assert begun < loop.index(behind) < awaited
    assert "for turn in range(10):" in loop


READ_TWICE = """program read_twice
input x : f32[24] partial(+)
input p : f32[24] partial(+)
s = AllReduce(x)
t = s * p
u = AllReduce(t)
y = u + s
output y
"""


def test_a_collective_that_two_turns_read_is_awaited_in_the_first_and_kept_for_the_second():
    made = check_schedule(parse_program(READ_TWICE), parse_schedule("overlap s, t, u, y chunks 4 dim 0\n"), 2)
    _, begins, first, second = emit_schedule(made).partition("def compute(")[0].split("(chunk := turn")
    assert "s_begun[chunk] = begin_" in begins
    assert first.index("s = waited(s_begun.pop(chunk))") < first.index("t = s * ")
    assert second.index(" s = s_chunks.pop(chunk)") < second.index("y = u + s")


def test_a_fused_group_is_one_function():
    text = emit_schedule(checked("adam_fused", RANKS))
    group = text[text.index("def f(") : text.index("def compute(")]
    assert '"""A fused all-reduce: rs, sc.avg, sc.m1, sc.v1, sc.p1, m1, v1, agP."""' in group
    assert OWN in group
    assert "all_gather_padded(" in group


def test_a_reduce_scatter_is_the_librarys_where_that_is_faster():
    made = checked("adam_rs_opt_ag", RANKS, ragged=False)
    system = find_system("dgx-h100:1x4")
    machines = {"none": None, "nccl": Machine.of(system), "gloo": Machine.of(system, backend=Gloo())}
    compute = {word: emit_schedule(made, each).partition("def compute(")[2] for word, each in machines.items()}
    assert {word: OWN in text for word, text in compute.items()} == {"none": True, "nccl": False, "gloo": True}
    assert LIBRARY in compute["nccl"]


ADDS = """program adds
input x : f32[24] partial(+)
input z : f32[24] partial(+)
s = ReduceScatter(x, 0)
y = AllGather(s * 2, 0)
r = Reduce(z, 1)
b = Broadcast(r + 1, 1)
t = AllReduce(x * 3)
output y
output b
output t
"""


def test_bit_for_bit_every_sum_is_made_in_the_order_of_the_ranks_whatever_is_faster():
    """In both forms, on a machine too whose library's ReduceScatter is the faster one."""
    machine = Machine.of(find_system("dgx-h100:1x4"))
    made, exact = (check_schedule(parse_program(ADDS), (), RANKS, bitwise=each) for each in (False, True))
    assert {"reduce_scatter", "reduce", "all_reduce"} <= called(emit_schedule(made, machine), "compute")
    for chosen in (None, machine):
        text = emit_schedule(exact, chosen, bitwise=True)
        for name in ("compute", "untouched"):
            summed = {each for each in called(text, name) if "reduce" in each}
            assert summed == {"reduce_scatter_exchanged", "reduce_ordered", "all_reduce_ordered"}


def called(text, name):
    """The functions that a function of a file calls."""
    (function,) = (each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef) and each.name == name)
    return {
        each.func.id for each in ast.walk(function) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)
    }


@pytest.mark.parametrize("ranks", [2, 3])
def test_dropout_of_chunks_in_several_places_is_not_emitted(ranks):
    text = "program drops\ninput x : f32[24] partial(+)\ns = AllReduce(x)\ny = dropout(s, 0.5, seed=1)\noutput y\n"
    steps = "rs, ag = split s rs-ag\noverlap rs, ag, y chunks 2 dim 0\n"
    made = check_schedule(parse_program(text), parse_schedule(steps), ranks)
    with pytest.raises(ProgramError, match=r"^the loop loop\.rs has an operation that depends on element indices"):
        emit_schedule(made)


HOSTILE = f"""program names
input rows : f32[33] partial(+)
parameter turn : f32[33]
parameter {"a.very.long.name.of." * 4}weight : f32[33]
state lambda : f32[33]
state Lambda : f32[33]
scalar step, chunk
sum = AllReduce(rows)
Pending = sum / ranks
lambda.1 = update(lambda, lambda * chunk + Pending)
Lambda.1 = update(Lambda, Lambda + lambda.1 * {"a.very.long.name.of." * 4}weight + turn)
out = Lambda.1 * 2
output out
"""
NAMED = """waited, compute = split sum rs-ag
at, given, untouched, Block, value, Chunks, final = reorder compute past Pending, lambda.1, Lambda.1, out
"""


LASTS = [
    "dist = fuse at, given, untouched\n",
    "overlap waited, at, given chunks 4 dim 0\n",
    *(f"{name} = fuse at, given, untouched\n" for name in ("main", "join", "os", "timer", "timedelta", "accumulate")),
]


def test_names_of_the_file_itself_are_free(tmp_path):
    made = [check_schedule(parse_program(HOSTILE), parse_schedule(NAMED + last), 3) for last in LASTS]
    check_style(tmp_path, map(emit_schedule, made))


def test_a_length_of_none_is_refused_and_of_one_is_emitted():
    with pytest.raises(ProgramError, match="a size is 0; it must be 1 to "):
        checked("adam_fused", RANKS, length=0)
    assert "CUT_1 = Cut((1, 0, 0, 0))" in emit_schedule(checked("adam_fused", RANKS, length=1))


def test_what_is_not_valid_is_not_emitted():
    with pytest.raises(ProgramError, match="the schedule is refused; p2smt schedule explains it"):
        emit_schedule(checked("lamb_fused", RANKS, bitwise=True))
