"""The time line of a plan in chunks, entered chunk by chunk into a calendar; held against the price and the order."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import pytest
from cost.test_pipelining import THREE, asked, random_plans
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import is_full

from p2smt.cost.chunk_time_line import (
    chunk_time_line,
    numbers_text,
    time_line_columns,
    time_line_rows,
    time_line_words,
)
from p2smt.cost.network.backend import cost_of
from p2smt.cost.network.pipelining import Pipelines
from p2smt.problem.model import Payload
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.reduction.plan.program_plan import program_plan

CLOSE = 1e-9
"""Of the whole time: what sums in another order differ by."""


def calendar(line):
    """Begin and end of every chunk in every stage."""
    found, close = {}, CLOSE * line.seconds
    for run in line.slots:
        for number in range(run.count):
            for work in run.work:
                begin = run.begin + (number * run.seconds) + work.start
                assert (work.chunk + number, work.stage) not in found
                found[work.chunk + number, work.stage] = begin, begin + work.seconds
                assert begin + work.seconds <= run.begin + ((number + 1) * run.seconds) + close
    return found


@settings(max_examples=80 if is_full() else 5)
@given(st.data())
def test_every_chunk_goes_through_every_step_in_order_and_groups_do_one_call_at_a_time(data):
    _, cost, found = random_plans(data)
    plan = replace(data.draw(st.sampled_from(found)), chunks=data.draw(st.sampled_from([1, 2, 3, 9, 64])))
    plan = replace(plan, steps=plan.steps * data.draw(st.integers(1, 3)))  # so that groups have more than two turns
    line = chunk_time_line(plan, cost)
    pipeline = Pipelines(cost).pipeline(plan)
    assert [run.seconds for run in line.slots for _ in range(run.count)] == list(pipeline.slots_s)
    assert line.seconds == pytest.approx(pipeline.seconds)
    assert line.joining_s == pipeline.joining_s
    assert [number for own in line.numbers for number in own] == [*range(1, len(plan.steps) + 1)]
    times, close = calendar(line), CLOSE * line.seconds
    assert set(times) == {(chunk, stage) for chunk in range(pipeline.chunks) for stage in range(len(line.stages))}
    by_rule = defaultdict(list)
    for (chunk, stage), (begin, end) in times.items():
        assert stage == 0 or times[chunk, stage - 1][1] <= begin + close
        step = plan.steps[line.numbers[stage][-1] - 1]
        if isinstance(step, CollectiveStep):
            by_rule[step.groups].append((begin, end))
    for calls in by_rule.values():
        calls.sort()
        assert all(before[1] <= after[0] + close for before, after in pairwise(calls))
    for run in line.slots:
        assert all(seconds <= run.seconds + close for _, seconds in run.busy)
    assert sum(line.resources.values()) == pytest.approx(
        sum(run.count * seconds for run in line.slots for _, seconds in run.busy)
    )


def test_words_and_table_by_hand():
    plan = replace(program_plan(asked("dgx-h100:4x8"), THREE), payload=Payload(2**30, "float32"), chunks=4)
    line = chunk_time_line(plan, cost_of(plan.system))
    assert line.stages == ("ReduceScatter gpu", "AllReduce node", "AllGather gpu")
    assert time_line_columns(line)[:7] == ["slots", "begin", "takes", "waits for", "1", "2", "3"]
    rows = list(time_line_rows(line))
    assert [row[0] for row in rows] == ["1", "2", "3-4", "5", "6"]
    assert [row[3:7] for row in rows] == [
        ["step 1", "1", "", ""],
        ["step 2", "2", "1", ""],
        ["steps of the same groups", "3-4", "2-3", "1-2"],
        ["step 2", "", "4", "3"],
        ["step 3", "", "", "4"],
    ]
    words = time_line_words(line)
    assert words.startswith("4 chunks in ")
    assert "through the steps 1 ReduceScatter gpu, 2 AllReduce node, 3 AllGather gpu. Slot 1, " in words
    assert "step 1 on chunks 3-4, step 2 on chunks 2-3, step 3 on chunks 1-2; waits for steps of the same gr" in words
    assert (numbers_text([2]), numbers_text(range(2, 5))) == ("2", "2-4")
