"""Batches that ranks give: all the whole one, or each its own part, and whether they keep to that."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from hashlib import blake2b

import torch
import torch.distributed as dist

Tensors = Mapping[str, torch.Tensor]

CHECKED = 3
"""The number of steps that are checked by default: a check copies the batch to the host."""


class Batches(StrEnum):
    """The samples that a rank gives."""

    WHOLE = "whole"
    OWN = "own"


def parse_batches(text: str) -> Batches:
    """The choice that a user names. ValueError for others.

    >>> parse_batches("own")
    <Batches.OWN: 'own'>
    """
    if text not in list(Batches):
        raise ValueError(
            f"batches={text!r} is unknown; batches are 'own' (each rank gives its part, as a "
            "DistributedSampler makes it) or 'whole' (all ranks give the same)"
        )
    return Batches(text)


def shared_names(batch: Tensors) -> frozenset[str]:
    """The tensors of a batch that hold samples: those whose first dimension is as long as the first tensor's.

    >>> sorted(shared_names({"x": torch.ones(4, 3), "y": torch.ones(4), "mask": torch.ones(2, 2)}))
    ['x', 'y']
    """
    # The first tensor defines what counts as samples.
    first = next((each.shape[0] for each in batch.values() if each.ndim), None)
    return frozenset(name for name, each in batch.items() if each.ndim and each.shape[0] == first)


def of_all_ranks(batch: Tensors, ranks: int) -> dict[str, torch.Tensor]:
    """A batch as long as those of all ranks together, without elements."""
    shared = shared_names(batch)
    return {
        name: torch.empty((each.shape[0] * ranks, *each.shape[1:]), dtype=each.dtype, device="meta")
        if name in shared
        else each
        for name, each in batch.items()
    }


def fingerprint(tensors: Iterable[torch.Tensor], numbers: Iterable[float] = ()) -> int:
    """A hash of the bits of tensors, and of numbers."""
    digest = blake2b(digest_size=7)
    for each in tensors:
        digest.update(str((tuple(each.shape), each.dtype)).encode())
        if each.device.type != "meta":
            digest.update(each.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    digest.update(repr([float(each) for each in numbers]).encode())
    return int.from_bytes(digest.digest(), "little")


def of_ranks(numbers: tuple[int, ...], device: torch.device) -> list[tuple[int, ...]]:
    """These numbers on every rank, by rank."""
    mine = torch.tensor(numbers, dtype=torch.int64, device=device)
    found = [torch.empty_like(mine) for _ in range(dist.get_world_size())]
    dist.all_gather(found, mine)
    return [tuple(int(number) for number in each.tolist()) for each in found]


def recognised(batch: Tensors, device: torch.device) -> Batches:
    """Whole if all ranks give the same; own if not, and shapes agree. ValueError on all ranks where they do not."""
    found = of_ranks((fingerprint(batch.values()), _shapes(batch)), device)
    if len(set(found)) == 1:
        return Batches.WHOLE
    if len({shapes for _, shapes in found}) > 1:
        raise ValueError(
            "ranks gave batches of different shapes; each gives as many samples (drop_last=True of a "
            "DataLoader and DistributedSampler), or all the same batch"
        )
    return Batches.OWN


def _shapes(batch: Tensors) -> int:
    return fingerprint(torch.empty(each.shape, dtype=each.dtype, device="meta") for each in batch.values())


def check_batches(
    kind: Batches,
    batch: Tensors,
    shared: frozenset[str],
    rates: Mapping[str, float],
    device: torch.device,
    *,
    may_repeat: bool = False,
) -> None:
    """ValueError, on all ranks, where ranks give others' samples, or not the same where they have to.

    With `may_repeat` own parts may be the same on all ranks, as a sampler repeats samples at the end of an epoch.
    """
    own = [each for name, each in batch.items() if name in shared]
    others = [each for name, each in batch.items() if name not in shared]
    found = of_ranks((fingerprint(own), _shapes(batch), fingerprint(others), fingerprint((), rates.values())), device)
    samples, shapes, alike, numbers = (len(set(column)) for column in zip(*found, strict=True))
    _refuse_others(rates_differ=numbers > 1, shapes_differ=shapes > 1)
    if kind is Batches.WHOLE and samples * alike > 1:
        raise ValueError(
            "ranks gave different batches, and batches='whole' says that all give the same; where each "
            "gives its own part, as a DistributedSampler makes it, call p2smt.shard(..., "
            "batches='own')"
        )
    if kind is Batches.OWN and alike > 1:
        raise ValueError("tensors of the batch that hold no samples differ between ranks; they have to be the same")
    if kind is Batches.OWN and samples == 1 and len(found) > 1 and not may_repeat:
        raise ValueError(
            "all ranks gave the same samples, and batches='own' says that each gives its part; use a "
            "DistributedSampler, or p2smt.shard(..., batches='whole')"
        )


class StepAgreement:
    """Agreement among ranks, before every step, on the shapes of their batches and on the learning rates.

    Ranks that disagree would make different steps, and wait for each other until their collectives time out. One
    AllReduce (MAX) of x and -x for each number x: ranks agree where max(x) = -max(-x). It is made on the host, by gloo
    beside NCCL too, so that no device is waited for.
    """

    def __init__(self) -> None:
        """Every rank makes it at the same point."""
        is_apart = dist.get_backend() != "gloo" and dist.get_world_size() > 1 and dist.is_gloo_available()
        self._group = dist.new_group(backend="gloo") if is_apart else None
        self._is_made = dist.get_world_size() > 1 and (is_apart or dist.get_backend() == "gloo")
        self._key: tuple[object, ...] = ()
        self._numbers = torch.empty(0)

    def check(self, batch: Tensors, shared: frozenset[str], rates: Mapping[str, float]) -> None:
        """ValueError on all ranks where they disagree; every rank calls it."""
        if not self._is_made:
            return
        key = (*((name, tuple(each.shape), each.dtype) for name, each in batch.items()), *rates.values())
        if key != self._key:  # else the hashes are those of the step before
            count = next((len(each) for name, each in batch.items() if name in shared and each.ndim), 0)
            mine = (count, _shapes(batch), fingerprint((), rates.values()))
            self._numbers = torch.tensor([sign * each for each in mine for sign in (1, -1)], dtype=torch.int64)
            self._key = key
        numbers = self._numbers.clone()
        dist.all_reduce(numbers, dist.ReduceOp.MAX, group=self._group)
        (most, least), shapes, numbers_of_rates = [(high, -low) for high, low in numbers.view(-1, 2).tolist()]
        if most != least:
            raise ValueError(
                f"ranks gave {least} to {most} samples; each gives as many (drop_last=True of a DataLoader and "
                "DistributedSampler)"
            )
        _refuse_others(rates_differ=len({*numbers_of_rates}) > 1, shapes_differ=len({*shapes}) > 1)

    def close(self) -> None:
        """Give the process group back; every rank does so at the same point."""
        if self._group is not None:
            dist.destroy_process_group(self._group)
            self._group, self._is_made = None, False


def _refuse_others(*, rates_differ: bool, shapes_differ: bool) -> None:
    if rates_differ:
        raise ValueError("ranks have different learning rates; step the scheduler on every rank")
    if shapes_differ:
        raise ValueError(
            "ranks gave batches of different shapes; each gives as many samples (drop_last=True of a "
            "DataLoader and DistributedSampler)"
        )


def check_indices(batch: Tensors, limits: Mapping[str, int]) -> None:
    """ValueError for an index that is not below the rows in which it is looked up, for which PyTorch raises."""
    for name, rows in limits.items():
        if name in batch and batch[name].numel() and int(batch[name].max()) >= rows:
            raise ValueError(
                f"{name} holds the index {int(batch[name].max())}, which is looked up among {rows}: it "
                f"has to be at most {rows - 1}"
            )


def gathered(tensor: torch.Tensor) -> torch.Tensor:
    """The samples of all ranks, in their order."""
    tensor = tensor.contiguous()
    parts = [torch.empty_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, tensor)
    return torch.cat(parts)


def joined_samples(batch: Tensors, shared: frozenset[str]) -> dict[str, torch.Tensor]:
    """The batch of all ranks' samples, of which each may have its own number. ValueError where others shapes differ."""
    samples = {name: each for name, each in batch.items() if name in shared}
    if not samples:
        return dict(batch)
    device = next(iter(samples.values())).device
    count = next(iter(samples.values())).shape[0]
    # Shapes are compared by hash without any sample: tensors of length 0 on `meta` cost nothing to
    # send.
    found = of_ranks((count, fingerprint(each[:0].to("meta") for each in samples.values())), device)
    if len({shapes for _, shapes in found}) > 1:
        raise ValueError(
            "ranks gave samples of different shapes, whose loss is not one batch's; pad them to the same "
            "length on all ranks, or take outputs alone with training.forward"
        )
    lengths = [length for length, _ in found]
    return {name: _joined(each, lengths) if name in shared else each for name, each in batch.items()}


def _joined(tensor: torch.Tensor, lengths: list[int]) -> torch.Tensor:
    """The samples of all ranks, each of which has its length of them."""
    most = max(lengths)
    padded = tensor.new_zeros((most, *tensor.shape[1:]))
    padded[: tensor.shape[0]] = tensor
    parts = gathered(padded)
    return torch.cat([parts[rank * most :][:length] for rank, length in enumerate(lengths)])
