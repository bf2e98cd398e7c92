"""Plans in chunks: the same results as in one piece, judged by rules that did not make them, kept in files."""

import json
from dataclasses import replace

import numpy as np
import pytest
from support import plans, problem, refused
from tiers import is_full

from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.frontend.own_plan import verification_plan
from p2smt.frontend.plan_mistake import is_own_lowering
from p2smt.problem.model import Payload
from p2smt.reduction.plan.chunking import chunk_lengths, payload_chunks, slots
from p2smt.reduction.plan.execute import execute
from p2smt.reduction.plan.file import parse_plan, plan_text
from p2smt.verify.judge import judge
from p2smt.verify.verdict import Proved, Refuted


def programs(goal, sizes=(2, 3)):
    return plans(problem(sizes, [int(np.prod(sizes))], goal=goal))


@pytest.mark.parametrize("goal", Collective)
def test_all_of_a_payload_is_in_its_chunks_and_one_without_elements_has_one_of_none(goal):
    for plan in programs(goal)[::7]:
        for elements, chunks in ((0, 1), (0, 3), (1, 3), (36, 1), (36, 3), (37, 2)):
            cut = payload_chunks(replace(plan, payload=Payload(4 * elements, "float32"), chunks=chunks))
            assert sum(cut) == -(-elements // plan.multiple) * plan.multiple
            assert 1 <= len(cut) <= chunks
            assert all(cut) == (elements > 0)


@pytest.mark.parametrize("goal", Collective)
def test_chunks_change_no_result_at_any_length(goal):
    done = 0
    for plan in programs(goal)[:: 4 if is_full() else 8]:
        for length in (0, 1, 5, 12, 13, 37):
            buffers = [np.arange(length) * 100 + device for device in range(6)]
            whole = execute(plan, buffers)
            for chunks in (2, 3, 7):
                cut = execute(replace(plan, chunks=chunks), buffers)
                assert all(map(np.array_equal, cut, whole)), (plan.program, length, chunks)
                done += 1
    assert done >= 18


@pytest.mark.parametrize("goal", Collective)
def test_the_judge_of_verify_takes_right_ones_and_refuses_wrong_ones(goal):
    """Each plan in chunks is judged on buffers of its own; without its last step it leaves something undone."""
    for plan in programs(goal)[::9]:
        chunked = replace(plan, chunks=3)
        assert isinstance(judge(verification_plan(chunked)), Proved), plan.program
        assert isinstance(judge(verification_plan(replace(chunked, steps=plan.steps[:-1]))), Refuted)


@pytest.mark.parametrize("goal", Collective)
def test_lengths_of_chunks_add_up_and_fit_the_plan(goal):
    plan = programs(goal)[-1]
    unit = 1 if goal.scatters or goal.gathers else plan.multiple
    for length in range(0, 40 * unit, unit):
        for chunks in (1, 2, 3, 8, 50):
            lengths = chunk_lengths(replace(plan, chunks=chunks), length)
            assert sum(lengths) == length
            assert len(lengths) <= chunks
            assert all(part > 0 and part % unit == 0 for part in lengths)
            assert len(set(lengths[:-1])) <= 1


def test_every_chunk_does_every_step_once_and_in_order():
    for chunks in range(1, 6):
        for steps in range(1, 5):
            listed = list(slots(chunks, steps))
            done = [one for slot in listed for one in slot]
            assert sorted(done) == [(chunk, step) for chunk in range(chunks) for step in range(steps)]
            when = {one: number for number, slot in enumerate(listed) for one in slot}
            assert all(when[chunk, step + 1] == when[chunk, step] + 1 for chunk, step in when if step + 1 < steps)
            assert all([chunk for chunk, _ in slot] == sorted(chunk for chunk, _ in slot) for slot in listed)


def test_files_say_how_many_chunks_and_older_readers_refuse_them():
    plan = programs(Collective.ALL_REDUCE)[-1]
    text = plan_text(replace(plan, chunks=4))
    assert parse_plan(text.encode(), "x") == replace(plan, chunks=4)
    assert is_own_lowering(parse_plan(text.encode(), "x"))
    document = json.loads(text)
    assert (document["version"], document["chunks"]) == (3, 4)
    assert "chunks" not in json.loads(plan_text(plan))
    assert json.loads(plan_text(plan))["version"] == 2
    for change, message in (
        ({"version": 2}, "chunks 4 need version 3, but the plan has version 2; correct the version"),
        ({"chunks": 0}, "0 chunks is out of range; a plan has 1 to 1024"),
        ({"chunks": 1025}, "1025 chunks is out of range; a plan has 1 to 1024"),
    ):
        data = json.dumps(document | change).encode()
        assert message in refused(lambda data=data: parse_plan(data, "x"), PlanError)
