"""The functions of buckets, of which every rank calls one in this process, and what each tensor alone would be."""

import random
from collections import defaultdict
from functools import cache, partial
from itertools import accumulate
from math import prod
from queue import Queue
from threading import Thread
from types import SimpleNamespace

import pytest
import torch
import torch.distributed as dist
from emit.torch.one_rank import defined
from tiers import sample

from p2smt.emit.template import filled

SEEDS = sample(range(60), 16)


@cache
def functions():
    """The functions for collectives, and what stands in every file."""
    names = {**defined(), "accumulate": accumulate, "prod": prod, "dist": dist}
    text = filled("torch/templates/program/collectives.py.in")
    exec(compile(f"from __future__ import annotations\n{text}", "collectives", "exec"), names)
    return names


def lengths_of(rng, ranks):
    even = rng.randint(0, 3)
    return [even] * ranks if rng.random() < 0.4 else [rng.choice([0, 0, 1, 2, 5]) for _ in range(ranks)]


def tensors(rng, ranks, generator):
    """Of each tensor: the dimension that is cut, the lengths of all blocks, and every rank's; some have strides."""
    found = []
    for _ in range(rng.randint(2, 5)):
        lengths, dimensions = lengths_of(rng, ranks), rng.randint(1, 3)
        dim = rng.randrange(dimensions)
        shape = [sum(lengths) if each == dim else rng.choice([0, 1, 2, 3]) for each in range(dimensions)]
        many = [torch.randn(shape, generator=generator) for _ in range(ranks)]
        if rng.random() < 0.4:
            many = [each.transpose(0, -1).contiguous().transpose(0, -1) for each in many]
        found.append((dim, lengths, many))
    return found


def axis_of(rank, ranks):
    return functions()["Axis"](tuple(range(ranks)), rank, torch.device("cpu"))


def part_of(lengths, rank):
    return functions()["Part"](sum(lengths[:rank]), lengths[rank], tuple(lengths))


def on_all(ranks, call, result):
    """What `call` gives each rank; it is called twice, first for the buffers of all, of which `result` makes one's."""
    buffers = []

    def kept(flat, axis, dim, part, *op):
        buffers.append(flat)
        raise InterruptedError

    for rank in range(ranks):
        with pytest.raises(InterruptedError):
            call(rank, kept)
    return [call(rank, lambda flat, axis, dim, part, *op: result(buffers, part)) for rank in range(ranks)]


def added(buffers, part):
    assert sum(part.lengths) == len(buffers[0])
    return sum(buffers[1:], buffers[0])[part.start : part.start + part.length]


def together(buffers, part):
    assert [*map(len, buffers)] == [*part.lengths]
    return torch.cat(buffers)


def same(found, expected, seed=None):
    assert found.shape == expected.shape, seed
    assert torch.equal(found, expected), seed


def drawn(seed):
    """How many ranks there are, and tensors on them."""
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    ranks = rng.randint(2, 5)
    return ranks, tensors(rng, ranks, generator)


def whole_or_begun(name, seed):
    """A bucket's function, or in every second case the one that begins it, as one call."""
    if seed % 2:
        return functions()[f"{name}_bucket"]

    def made(xs, axis, call):
        def begin(*given):
            value = call(*given)
            return SimpleNamespace(wait=lambda: value)

        return functions()[f"{name}_begun"](xs, axis, begin)()

    return made


def test_a_bucket_of_reduce_scatters_gives_the_blocks_of_each_sum():
    for seed in SEEDS:
        scattered = whole_or_begun("reduce_scatter", seed)
        ranks, given = drawn(seed)

        def call(rank, scatter, ranks=ranks, given=given, scattered=scattered):
            xs = [(many[rank], dim, part_of(lengths, rank)) for dim, lengths, many in given]
            return scattered(xs, axis_of(rank, ranks), scatter)

        found = on_all(ranks, call, added)
        for number, (dim, lengths, many) in enumerate(given):
            blocks = sum(many[1:], many[0]).split(lengths, dim)
            for rank, block in enumerate(blocks):
                same(found[rank][number], block, seed)


def test_a_bucket_of_all_gathers_gives_each_whole():
    for seed in SEEDS:
        gathered = whole_or_begun("all_gather", seed)
        ranks, given = drawn(seed)

        def call(rank, gather, ranks=ranks, given=given, gathered=gathered):
            xs = [(many[0].split(lengths, dim)[rank], dim, part_of(lengths, rank)) for dim, lengths, many in given]
            return gathered(xs, axis_of(rank, ranks), gather)

        for wholes in on_all(ranks, call, together):
            for whole, (_, _, many) in zip(wholes, given, strict=True):
                same(whole, many[0], seed)


class Messages:
    """Messages between the ranks of this process, each a thread; a group of them is its rank's number."""

    ReduceOp = dist.ReduceOp

    def __init__(self):
        self.waiting = defaultdict(Queue)
        self.asked = defaultdict(list)

    def isend(self, block, rank, group):
        assert block.is_contiguous()
        self.waiting[group, rank].put(block.clone())
        return SimpleNamespace(wait=lambda: None)

    def irecv(self, place, rank, group):
        asked = self.asked[rank, group]

        def wait():
            # Messages arrive in the order in which they were asked for, whichever is awaited first.
            while any(each is place for each in asked):
                first, sent = asked.pop(0), self.waiting[rank, group].get(timeout=10)
                assert sent.shape == first.shape
                first.copy_(sent)

        assert place.is_contiguous()
        asked.append(place)
        return SimpleNamespace(wait=wait)


def by_messages(ranks, call, monkeypatch):
    """What `call` gives each rank, which are threads with buffers of their own; each makes two steps."""
    names, found = functions(), [None] * ranks
    for name, value in (("dist", Messages()), ("by_size", partial(functions()["by_size"], least=24))):
        monkeypatch.setitem(names, name, value)

    def run(rank):
        axis = axis_of(rank, ranks)._replace(messages=rank, buffers=names["Buffers"]())
        for _ in range(2):
            axis.buffers.taken = 0
            found[rank] = call(rank, axis)

    threads = [Thread(target=run, args=(rank,), daemon=True) for rank in range(ranks)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(timeout=20)
    return found


def test_blocks_of_sums_are_sent_from_where_they_lie_and_reduced_in_order(monkeypatch):
    operators = [(dist.ReduceOp.SUM, torch.add), (dist.ReduceOp.MAX, torch.maximum), (dist.ReduceOp.MIN, torch.minimum)]
    for seed in SEEDS:
        (ranks, given), (operator, combined) = drawn(seed), operators[seed % 3]
        before = [[each.clone() for each in many] for _, _, many in given]

        def call(rank, axis, given=given, operator=operator, seed=seed):
            xs = [(many[rank], dim, part_of(lengths, rank)) for dim, lengths, many in given]
            if seed % 2:
                return functions()["reduce_scatter_bucket_exchanged"](xs, axis, operator)
            # Two are under way at a time, and awaited in the other order.
            begun = [functions()["reduce_scatter_begun_exchanged"](xs, axis, operator) for _ in range(2)]
            second, first = begun[1](), begun[0]()
            for mine, other in zip(second, first, strict=True):
                same(mine, other, seed)
            return first

        found = by_messages(ranks, call, monkeypatch)
        for number, (dim, lengths, many) in enumerate(given):
            total = many[0]
            for each in many[1:]:
                total = combined(total, each)
            for rank, block in enumerate(total.split(lengths, dim)):
                same(found[rank][number], block, seed)
            for mine, kept in zip(many, before[number], strict=True):
                same(mine, kept, seed)


def test_shards_are_sent_to_where_they_stand_in_the_whole(monkeypatch):
    for seed in SEEDS:
        ranks, given = drawn(seed)

        def call(rank, axis, given=given, is_kept=seed % 2 == 0, is_begun=seed % 4 < 2):
            xs = [(many[0].split(lengths, dim)[rank], dim, part_of(lengths, rank)) for dim, lengths, many in given]
            if is_begun:
                return functions()["all_gather_begun_exchanged"](xs, axis, is_kept=is_kept)()
            return functions()["all_gather_bucket_exchanged"](xs, axis, is_kept=is_kept)

        for wholes in by_messages(ranks, call, monkeypatch):
            for whole, (_, _, many) in zip(wholes, given, strict=True):
                same(whole, many[0], seed)


def test_on_one_device_nothing_is_packed():
    names, x = functions(), torch.arange(6.0).view(2, 3)
    given = [(x, 1, part_of([3], 0))], axis_of(0, 1), None
    for scattered in (names["reduce_scatter_bucket"](*given), names["reduce_scatter_begun"](*given)()):
        same(scattered[0], x)
        assert scattered[0] is not x
    for gathered in (names["all_gather_bucket"](*given), names["all_gather_begun"](*given)()):
        assert gathered[0] is x


def test_a_bucket_of_all_reduces_on_one_device_is_each_tensor_in_memory_of_its_own():
    for seed in sample(range(20), 6):
        rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
        xs = [many[0] for _, _, many in tensors(rng, 2, generator)] + [torch.tensor(2.0)]
        for found in (
            functions()["all_reduce_bucket"](xs, axis_of(0, 1)),
            functions()["all_reduce_begun"](xs, axis_of(0, 1))(),
        ):
            for mine, x in zip(found, xs, strict=True):
                same(mine, x, seed)
                assert not x.numel() or mine.data_ptr() != x.data_ptr(), seed
