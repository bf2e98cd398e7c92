"""Collectives of a sharded step by reduction programs: functions of the emitted file, and groups for their steps."""

import re

import pytest
from emit.emitted import check_style
from emit.torch.sharded_models import sharded_model
from tiers import sample

from p2smt.collective import Collective
from p2smt.cost.network.backend import Gloo
from p2smt.emit.torch.program.source import emit_program
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.level_programs import LevelPrograms
from p2smt.tensor.conversion import COMMUNICATION, Conversion
from p2smt.tensor.expression import Convert
from p2smt.tensor.text.parser import parse_program

STEP = """program four
mesh rank=4
input x : f32[8, 5] sliced(0)
parameter w : f32[5, 6] sliced(0, sizes=2/0/2/1)
parameter v : f32[5, 6]
parameter u : f32[6]
whole = AllGather(w, 0)
y = tanh(matmul(x, whole + v)) + u
most = AllReduce(max(y), max)
loss = AllReduce(sum(y * y))
g = 1 - y * y
gw = ReduceScatter(matmul(transpose(x, 1, 0), g), 0, sizes=2/0/2/1)
gv = AllReduce(matmul(transpose(x, 1, 0), g))
gu = AllReduce(sum(g, 0))
w1 = update(w, w - gw * 0.01)
v1 = update(v, v - gv * 0.01)
u1 = update(u, u - gu * 0.01)
output loss
output most
"""
KNOWN = LevelPrograms(find_system("2x2"), Gloo())


def plans(program, number=0):
    """One plan for all collectives of a goal: that of a number."""
    found = {}
    for each in program.statements:
        if isinstance(each.expression, Convert) and isinstance(each.expression.conversion, Conversion):
            some = KNOWN.plans(COMMUNICATION[type(each.expression.conversion)])
            found[each.name] = some[number % len(some)]
    return found


def functions(text):
    return re.findall(r"^def (\w+)", text, re.MULTILINE)


@pytest.mark.parametrize("library", [False, True])
def test_files_keep_the_style_and_a_program_is_one_function(tmp_path, library):
    program = parse_program(STEP)
    texts = [
        emit_program(program, programs=plans(program, number), library=library, buckets=buckets)
        for number in sample(range(0, 28, 5), 2)
        for buckets in (0, 2**20)
    ]
    texts.append(emit_program(program, programs=plans(program, 3), library=library, fold=False))
    check_style(tmp_path, texts)
    for text in texts:
        mine = [name for name in functions(text) if name.endswith("_by_program")]
        whole = [name for name in mine if not name.startswith("begin_")]
        assert len(mine) == len({*mine})
        assert "all_gather_by_program" in whole
        assert {f"{name}_by_program" for name in ("all_reduce", "reduce_scatter")} <= {
            name.removeprefix("begin_") for name in mine
        }
        assert "with_groups(" in text
        assert ("SENDS = True" in text) == ("exchanged" in text)


def test_a_bucket_is_one_program_and_begins_beside_the_backward_pass():
    program = parse_program(STEP)
    text = emit_program(program, programs=plans(program))
    summed = (
        r"bucket_2 = all_reduce_begun_by\(\(value\w*, value\w*, value\w*\), along_rank, begin_all_reduce_by_program\)"
    )
    assert re.search(summed, text)
    assert "(most,) = bucket_1()" in text
    alone = emit_program(program, programs=plans(program), buckets=0)
    assert "gu = all_reduce_by_program(" in alone
    assert "most = all_reduce_by_program(value, along_rank, dist.ReduceOp.MAX)" in alone
    assert "gw = reduce_scatter_by_program(" in alone
    assert "whole = all_gather_by_program(w, along_rank, 0, cut_5)" in alone
    assert "Pending" not in alone


def test_where_no_statement_has_a_program_the_file_is_as_it_was():
    program = parse_program(STEP)
    text = emit_program(program)
    assert text == emit_program(program, programs={})
    assert "axis_inside" not in text
    assert "INSIDE" not in text


def test_programs_that_are_unlike_have_functions_of_their_own():
    program = parse_program(STEP)
    many = KNOWN.plans(Collective.ALL_REDUCE)
    found = emit_program(program, programs={"most": many[0], "loss": many[1], "gv": many[0]}, buckets=0)
    names = [name for name in functions(found) if "by_program" in name]
    assert names == ["all_reduce_by_program", "all_reduce_by_program_2"]
    assert len(re.findall(r" = all_reduce_by_program\(", found)) == 2


def test_repeated_layers_call_the_same_programs():
    program = sharded_model("mlp", (1, 1, 1, 1), unit=1, baseline="data parallel, all sliced (ZeRO-3)")
    found = plans(program)
    text = emit_program(program, programs=found, buckets=0)
    assert found
    assert "all_gather_by_program(" in text
    compile(text, "step.py", "exec")
