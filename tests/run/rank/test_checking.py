"""What a rank gives and how results are compared, on a rank alone: every way to be wrong is counted."""

from dataclasses import replace
from datetime import timedelta

import pytest
import torch
import torch.distributed as dist

from p2smt.collective import Collective
from p2smt.run.rank.checking import CheckCase, cases, data, differing, mismatches, poisoned, poisoned_reduce
from p2smt.run.rank.message import RankTimes, Task
from p2smt.run.rank.plain import Plain
from p2smt.run.rank.rank import Rank
from p2smt.run.rank.report import TaskReport

TASK = Task(
    source=None,
    goal=Collective.ALL_REDUCE,
    groups=((0,),),
    elements=12,
    dtype="float32",
    warmups=0,
    repeats=1,
    check=True,
    timeout_s=10.0,
)
NAN = float("nan")


@pytest.fixture(scope="module")
def group():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1, timeout=timedelta(seconds=30))
    yield dist.group.WORLD
    dist.destroy_process_group()


@pytest.mark.parametrize(
    ("result", "expected", "count"),
    [
        ([1.0, NAN, 3.0], [1.0, NAN, 3.0], 0),
        ([1.0, NAN, 3.0], [1.0, 2.0, 3.0], 1),
        ([1.0, 2.0, 3.0], [NAN, 2.0, NAN], 2),
        ([1.0, 2.0], [2.0, 1.0], 2),
        ([1.0, 2.0], [1.0, 2.0, 3.0], 3),
        ([1.0, 2.0, 3.0], [], 3),
        ([], [], 0),
    ],
)
def test_elements_that_differ_are_counted_and_poison_equals_itself(result, expected, count):
    assert differing(torch.tensor(result), torch.tensor(expected)) == count


def test_another_type_or_shape_is_wrong_in_every_element():
    ones = torch.ones(6)
    assert differing(ones, ones.double()) == differing(ones.int(), ones) == differing(ones.view(2, 3), ones) == 6
    assert poisoned(torch.ones(3)).isnan().all()
    assert poisoned(torch.ones(3, dtype=torch.int8)).tolist() == [127] * 3


@pytest.mark.parametrize("dtype", ["int8", "uint8", "bfloat16", "float16", "float32", "int64"])
def test_sums_of_what_ranks_give_are_exact_and_ranks_give_unlike_numbers(dtype):
    most = {"int8": 127, "uint8": 255, "bfloat16": 256, "float16": 2048}.get(dtype, 2**24)
    for ranks in (2, 5, 16):
        plains = [Plain(Collective.ALL_REDUCE, rank, tuple(range(ranks)), None) for rank in range(ranks)]
        given = [data(replace(TASK, dtype=dtype), plain, 200) for plain in plains]
        assert all(str(tensor.dtype) == f"torch.{dtype}" and tensor.shape == (200,) for tensor in given)
        assert sum(tensor.double().abs() for tensor in given).max() <= most
        assert len({tuple(tensor.tolist()) for tensor in given}) == ranks
        assert torch.equal(given[0], data(replace(TASK, dtype=dtype), plains[0], 200))


def test_what_does_not_count_is_poison_and_shards_are_parts_of_a_payload():
    ranks = (3, 5, 7)
    for goal in Collective:
        for rank in ranks:
            given = data(TASK, Plain(goal, rank, ranks, None), 7)
            assert given.numel() == (3 if goal is Collective.ALL_GATHER else 7)
            assert bool(given.isnan().all()) == (goal is Collective.BROADCAST and rank != 3)
    every = list(cases(TASK, Plain(Collective.ALL_REDUCE, 3, ranks, None), 6))
    assert [(case.elements, case.tensor.numel()) for case in every] == [(12, 12), (7, 7), (0, 0)]
    assert [case.tensor.is_contiguous() for case in every] == [True, False, True]
    assert [case.elements for case in cases(TASK, Plain(Collective.ALL_REDUCE, 3, ranks, None), 1)] == [12, 7, 0]


def right(tensor, out=None):
    result = tensor.reshape(-1).clone() if out is None or out.shape != tensor.shape else tensor.clone()
    return result if out is None else out.copy_(result[: out.numel()])


def first_off(tensor, out=None):
    result = right(tensor, out)
    result.view(-1)[0] += 1
    return result


def off_without_out(tensor, out=None):
    return right(tensor) + 1 if out is None else right(tensor, out)


def off_with_out(tensor, out=None):
    return right(tensor) if out is None else right(tensor, out).add_(1)


def forgets_out(tensor, out=None):
    return right(tensor)


def changes_its_input(tensor, out=None):
    result = right(tensor, out)
    if out is None:
        tensor[0] = -5000
    return result


@pytest.mark.parametrize("goal", Collective)
def test_an_input_that_is_changed_alone_is_found(group, goal):
    """What it gives is right, also into a given tensor, for it remembers what it was given."""
    given = torch.arange(1.0, 9.0)

    def changes_alone(tensor, out=None):
        if out is not None:
            return right(given.clone(), out)
        result = right(tensor)
        tensor[3] = -1
        return result

    found = mismatches(changes_alone, Plain(goal, 0, (0,), group), CheckCase(given.clone(), 8))
    assert found == 1


def test_what_a_reduce_leaves_elsewhere_is_spoiled(group):
    for rank in (0, 1):
        for wait in (False, True):
            tensor = torch.ones(3)
            with poisoned_reduce(rank):
                work = dist.reduce(tensor, dst=0, group=group, async_op=wait)
                assert (work is not None) == wait
                if work is not None:
                    work.wait()
            assert bool(tensor.isnan().all()) == (rank != 0)
            assert bool(tensor.isnan().any()) == (rank != 0)
    tensor = torch.ones(3)
    dist.reduce(tensor, dst=0, group=group)
    assert tensor.tolist() == [1.0] * 3


@pytest.mark.parametrize("goal", Collective)
def test_a_wrong_result_a_changed_input_and_an_output_that_is_not_written_are_found(group, goal):
    """Of one rank every collective gives what it gets."""
    plain = Plain(goal, 0, (0,), group)

    def wrong(reduction):
        tensor = torch.arange(1.0, 9.0)
        return mismatches(reduction, plain, CheckCase(tensor, 8))

    assert wrong(right) == 0
    assert wrong(first_off) >= 2
    assert wrong(off_without_out) == 8
    assert wrong(off_with_out) >= 8
    assert wrong(changes_its_input) >= 1
    in_place = goal in (Collective.ALL_REDUCE, Collective.BROADCAST, Collective.REDUCE)
    assert (wrong(forgets_out) > 0) == (not in_place)


@pytest.mark.parametrize("goal", Collective)
def test_every_call_counts_though_all_others_are_right(group, goal):
    """One element is wrong in one call alone, whichever that is; or nothing is done in it, where a tensor is given."""
    plain, made = Plain(goal, 0, (0,), group), []

    def off_in(wanted):
        def reduction(tensor, out=None):
            made.append(out is not None)
            result = right(tensor, out)
            if len(made) == wanted:
                result.view(-1)[-1] += 1
            return result

        return reduction

    def found(wanted):
        made.clear()
        return mismatches(off_in(wanted), plain, CheckCase(torch.arange(1.0, 9.0), 8))

    assert found(0) == 0
    calls = list(made)
    assert (calls[0], set(calls[1:])) == (False, {True})
    assert len(calls) == (3 if goal is Collective.ALL_GATHER else 2)
    assert [found(call) for call in range(1, len(calls) + 1)] == [1] * len(calls)


def test_blocks_that_are_scattered_have_one_length_filled_up_with_zeros(monkeypatch):
    """What torch is given: as many blocks as ranks, in their order, behind them zeros."""
    given = []
    monkeypatch.setattr("p2smt.run.rank.plain._reduce_scatter", lambda part, whole, group: given.append((part, whole)))
    for length, block in ((1, 1), (2, 1), (3, 1), (4, 2), (6, 2), (7, 3)):
        values = torch.arange(1.0, length + 1)
        part = Plain(Collective.REDUCE_SCATTER, 1, (0, 1, 2), None)(values)
        ((sent_into, whole),) = given
        assert sent_into is part
        assert (part.numel(), whole.tolist()) == (block, [*values.tolist(), *[0.0] * (3 * block - length)])
        given.clear()
    assert Plain(Collective.REDUCE_SCATTER, 1, (0, 1, 2), None)(torch.ones(0)).numel() == 0
    assert given == []


def test_times_are_those_of_repeats_and_nothing_is_compared_unless_asked(group, tmp_path):
    """A reduction that is wrong, timed with two warm-ups and three repeats, beside the plain collective."""
    path = tmp_path / "wrong.py"
    path.write_text(
        "MULTIPLE = 1\ncalls = []\nclass Reduction:\n    def __init__(self, timeout, groups): pass\n"
        "    def __call__(self, tensor, out=None):\n        calls.append(out is tensor)\n"
        "        return (tensor.clone() if out is None else out).add_(1)\n",
        encoding="utf-8",
    )
    rank = Rank(0)
    for source, check, wrong in ((str(path), True, True), (str(path), False, None), (None, True, None)):
        times = rank.times(replace(TASK, source=source, check=check, warmups=2, repeats=3))
        assert (times.rank, len(times.seconds)) == (0, 3)
        assert (None if times.mismatches is None else times.mismatches > 0) is wrong
    module = rank._loaded[str(path)].module
    assert module.calls[-5:] == [True] * 5, "warm-ups and repeats, in place"


def test_a_task_takes_what_its_slowest_rank_takes_and_is_right_where_all_are():
    ranks = (RankTimes(0, 0, 0.5, (1.0, 5.0, 2.0)), RankTimes(1, 0, 0.25, (3.0, 1.0, 2.0)))
    report = TaskReport(ranks)
    assert (report.slowest, report.seconds, report.group_seconds) == ((3.0, 5.0, 2.0), 3.0, 0.5)
    assert (report.wrong, report.ok) == (0, True)
    spoiled = TaskReport((replace(ranks[0], mismatches=None), replace(ranks[1], mismatches=1)))
    assert (spoiled.wrong, spoiled.ok) == (1, False)
    both = TaskReport(tuple(replace(one, mismatches=4) for one in ranks))
    assert (both.wrong, both.ok) == (8, False)
