"""What an emitted reduction's call gives to its steps, and makes of their result: lengths, layouts in memory, `out`."""

import pytest
import torch
from support import plans, problem

from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch

MULTIPLE = 8
LENGTHS = (1, 7, 8, 9, 16)


def reduction(goal, result, rank=0):
    """A call whose steps give `result(buffer, padded)`, and what they were given."""
    plan = plans(problem([2, 4], [8], goal=goal))[-1]
    names = {"__name__": "emitted"}
    exec(compile(emit_torch(plan), "emitted", "exec"), names)
    assert names["MULTIPLE"] == (1 if goal is Collective.BROADCAST else MULTIPLE)
    made, given = names["Reduction"].__new__(names["Reduction"]), []

    def run(buffer, padded):
        given.append((buffer.clone(), padded))
        return result(buffer, padded)

    made._run, made.rank, made.root = run, rank, 0
    return made, given


def tensors(length):
    """So many elements in a row, as the columns of a matrix, and every other one of a longer row."""
    yield torch.arange(1.0, length + 1)
    yield torch.arange(1.0, length + 1).view(1, length).expand(2, length).contiguous().t()[:, 0]
    yield torch.arange(1.0, 2 * length + 1)[::2]
    if length % 4 == 0:
        yield torch.arange(1.0, length + 1).view(4, -1).t()


def padded_up(length):
    return -(-length // MULTIPLE) * MULTIPLE


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("goal", [Collective.ALL_REDUCE, Collective.REDUCE])
def test_a_sum_is_of_all_elements_in_their_order_and_changes_only_out(goal, in_place):
    double, given = reduction(goal, lambda buffer, _: buffer.mul_(2) if in_place else buffer * 2)
    for length in LENGTHS:
        for number, tensor in enumerate(tensors(length)):
            for into in ("", "itself", "another"):
                before = tensor.clone()
                out = {"": None, "itself": tensor, "another": torch.full_like(tensor, -1.0)}[into]
                found = double(tensor, out)
                assert torch.equal(found, before * 2), (length, number, into)
                assert out is None or found is out
                assert into == "itself" or torch.equal(tensor, before)
                buffer, padded = given.pop()
                assert padded == buffer.numel() == padded_up(length)
                assert torch.equal(buffer[:length], before.reshape(-1))
                assert not buffer[length:].any()
                if into == "itself":
                    tensor.copy_(before)


def test_the_root_alone_has_what_is_reduced_and_gives_what_is_broadcast():
    for rank in (0, 3):
        reduced, _ = reduction(Collective.REDUCE, lambda buffer, _: buffer * 2, rank)
        sent, given = reduction(Collective.BROADCAST, lambda _, padded: torch.arange(100.0, 100 + padded), rank)
        for length in LENGTHS:
            for tensor in tensors(length):
                before = tensor.clone()
                assert reduced(tensor).numel() == (length if rank == 0 else 0)
                for out in (None, torch.zeros_like(tensor)):
                    found = sent(tensor, out)
                    assert torch.equal(found, torch.arange(100.0, 100 + length).view(tensor.shape))
                    assert out is None or found is out
                    buffer, padded = given.pop()
                    assert padded == length
                    assert torch.equal(buffer, before.reshape(-1)) if rank == 0 else not buffer.numel()
                    assert torch.equal(tensor, before)


def test_shards_are_as_long_as_an_eighth_of_what_is_padded_and_gathers_eight_times_as_long():
    scattered, given = reduction(Collective.REDUCE_SCATTER, lambda _, padded: torch.arange(100.0, 100 + padded // 8))
    gathered, taken = reduction(Collective.ALL_GATHER, lambda _, padded: torch.arange(100.0, 100 + padded))
    for length in LENGTHS:
        for tensor in tensors(length):
            before, shard, whole = tensor.clone(), padded_up(length) // 8, length * 8
            for out in (None, torch.zeros(shard)):
                assert torch.equal(scattered(tensor, out), torch.arange(100.0, 100 + shard))
                assert out is None or torch.equal(out, torch.arange(100.0, 100 + shard))
                buffer, padded = given.pop()
                assert padded == buffer.numel() == padded_up(length)
                assert torch.equal(buffer[:length], before.reshape(-1))
                assert not buffer[length:].any()
            for fewer in range(8):
                out = torch.zeros(whole - fewer)
                assert gathered(tensor, out) is out
                assert torch.equal(out, torch.arange(100.0, 100 + whole - fewer))
                buffer, padded = taken.pop()
                assert (buffer.numel(), padded) == (length, whole)
                assert torch.equal(buffer, before.reshape(-1))
            assert torch.equal(gathered(tensor), torch.arange(100.0, 100 + whole))
            assert torch.equal(tensor, before)


@pytest.mark.parametrize("goal", Collective)
def test_what_differs_in_one_thing_from_what_a_result_needs_is_refused(goal):
    """By its type alone, by its length alone; nothing is begun."""
    call, given = reduction(goal, lambda buffer, _: buffer)
    tensor = torch.arange(9.0)
    right = {Collective.REDUCE_SCATTER: [2], Collective.ALL_GATHER: [65, 72]}.get(goal, [9])
    for wrong in (
        *(torch.zeros(length, dtype=dtype) for length in right for dtype in (torch.float64, torch.int32)),
        *(torch.zeros(length) for length in (right[0] - 1, right[-1] + 1)),
    ):
        with pytest.raises(ValueError, match=rf"^out is {wrong.dtype} "):
            call(tensor, wrong)
    assert not given
    nothing = torch.zeros(0)
    assert call(nothing).numel() == call(nothing, nothing).numel() == 0
    assert not given
