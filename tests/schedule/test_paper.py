"""The schedules of the paper, derived step by step from plain programs; what comes out computes the same."""

import re
from pathlib import Path

import pytest
from paths import ROOT
from schedule.equality import checked, differs, resized
from tiers import is_full, sample

from p2smt.schedule.check import on_ranks
from p2smt.schedule.scheduled import Kernel
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.conversion import AllGather, AllReduce, ReduceScatter, Send, Slice
from p2smt.tensor.expression import Convert, ProgramAxis
from p2smt.tensor.layout import Sliced
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved

EXAMPLES = ROOT / "p2smt" / "schedule" / "examples"
SCHEDULES = sorted(EXAMPLES.glob("*.steps"))
RANKS = {path: (1, 2, 3, 5) if is_full() else (1 if number % 5 == 4 else 3,) for number, path in enumerate(SCHEDULES)}
"""In the standard tier three, and one of every fifth schedule."""
SOME = sample(SCHEDULES, len(SCHEDULES) // 2)


def program_of(steps: Path) -> str:
    """The text of the program that a schedule's comment names."""
    (name,) = re.findall(r"Program: (\S+\.tp)", steps.read_text(encoding="utf-8"))
    path = ROOT / "p2smt" / name if "/" in name else EXAMPLES / name
    return path.read_text(encoding="utf-8")


def run_on_paper(name):
    path = EXAMPLES / f"{name}.steps"
    text = program_of(path)
    return checked(text, parse_schedule(path.read_text(encoding="utf-8")), None if "mesh" in text else 4)


@pytest.mark.parametrize("path", SOME, ids=[path.stem for path in SOME])
def test_a_packaged_schedule_is_valid_and_computes_the_same_on_any_ranks(path):
    text, schedule = program_of(path), parse_schedule(path.read_text(encoding="utf-8"))
    small = resized(text, N=23, T=4, V=23, B=3, S=23, F=23, H=23, pipe=2, model=3).replace(
        "mesh pipe = 2", "mesh pipe=2"
    )
    for ranks in (None,) if "mesh" in text else RANKS[path]:
        program = on_ranks(parse_program(small), ranks)
        result = checked(re.sub("chunks 8", "chunks 2", small), _few_chunks(schedule, path), ranks)
        assert isinstance(result.verdict, Proved), result.verdicts[-1]
        assert differs(program, result.scheduled.program, seed=ranks or 7) is None


def _few_chunks(schedule, path):
    return parse_schedule(path.read_text(encoding="utf-8").replace("chunks 8", "chunks 3"))


def conversions(result):
    found = [each.expression for each in result.scheduled.program.statements]
    return [type(each.conversion) for each in found if isinstance(each, Convert)]


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("attention_ar", [AllReduce]),
        ("attention_rs_ag", [ReduceScatter, AllGather]),
        ("pipeline_sliced", [AllReduce, Slice, Send, AllGather]),
        ("pipeline_rs_ag", [ReduceScatter, Send, AllGather]),
        ("lamb_rs_opt_ag", [ReduceScatter, AllReduce, AllGather]),
        ("zero2", [ReduceScatter, ReduceScatter, AllGather, AllGather]),
        ("sequence_parallel", [ReduceScatter, AllGather]),
        ("vocabulary_loss", [AllReduce, AllReduce, AllReduce]),
    ],
)
def test_the_collectives_of_a_derived_program(name, sent):
    assert conversions(run_on_paper(name)) == sent


def test_adam_ends_as_one_fused_all_reduce_over_sliced_state():
    result = run_on_paper("adam_fused")
    (group,) = result.scheduled.groups
    assert group.kernel is Kernel.ALL_REDUCE
    layouts = {source.name: source.layouts for source in result.scheduled.program.sources}
    assert [type(each.layout) for name in "mv" for each in layouts[name]] == [Sliced, Sliced]
    assert layouts["p"] == ()
    assert conversions(result) == [ReduceScatter, AllGather]


def test_the_norm_of_the_update_gets_its_all_reduce_and_that_of_the_weights_none():
    result = run_on_paper("lamb_rs_opt_ag")
    inserted = [name for step in result.applied for name in step.inserted]
    assert inserted == ["scAvg.all0"]
    text = {each.name: each.expression for each in result.scheduled.program.statements}
    assert text["r1"] == parse_program(program_of(EXAMPLES / "lamb_ar_opt.steps")).statements[5].expression


def test_loops_over_chunks_have_the_stages_of_the_paper():
    attention, pipeline = run_on_paper("attention_overlapped"), run_on_paper("pipeline_overlapped")
    assert [loop.stages for loop in attention.scheduled.loops] == [("layer", "f")]
    assert [loop.stages for loop in pipeline.scheduled.loops] == [("rs", "f", "agNext")]
    kinds = {group.name: group.kernel for group in pipeline.scheduled.groups}
    assert kinds == {"f": Kernel.SEND}


def test_a_program_for_any_number_of_ranks_stays_one():
    result = run_on_paper("adam_fused")
    assert result.written.mesh == ()
    assert result.scheduled.program.mesh == (ProgramAxis("rank", 4),)
