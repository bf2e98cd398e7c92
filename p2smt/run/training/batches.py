"""The batches that ranks provide, either all the same or each its own part, and checks that they do so."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from hashlib import blake2b

import torch
import torch.distributed as dist

Tensors = Mapping[str, torch.Tensor]

CHECKED = 3
"""Number of initial steps whose batches are checked by default; a check copies the batch to the host."""


class Batches(StrEnum):
    """The samples that each rank provides: WHOLE for the same global batch, OWN for its own part of it."""

    WHOLE = "whole"
    OWN = "own"


def parse_batches(text: str) -> Batches:
    """Return the value for a user's choice. Raises ValueError for unknown ones.

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
    """Return the names of tensors that hold samples: their first dimension has the first tensor's length.

    >>> sorted(shared_names({"x": torch.ones(4, 3), "y": torch.ones(4), "mask": torch.ones(2, 2)}))
    ['x', 'y']
    """
    # The first tensor defines what counts as samples.
    first = next((each.shape[0] for each in batch.values() if each.ndim), None)
    return frozenset(name for name, each in batch.items() if each.ndim and each.shape[0] == first)


def of_all_ranks(batch: Tensors, ranks: int) -> dict[str, torch.Tensor]:
    """Return a batch on `meta`, in which tensors that hold samples are `ranks` times as long."""
    shared = shared_names(batch)
    return {
        name: torch.empty((each.shape[0] * ranks, *each.shape[1:]), dtype=each.dtype, device="meta")
        if name in shared
        else each
        for name, each in batch.items()
    }


def fingerprint(tensors: Iterable[torch.Tensor], numbers: Iterable[float] = ()) -> int:
    """Return a hash of the shapes, types and bits of tensors, and of numbers."""
    digest = blake2b(digest_size=7)
    for each in tensors:
        digest.update(str((tuple(each.shape), each.dtype)).encode())
        if each.device.type != "meta":
            digest.update(each.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    digest.update(repr([float(each) for each in numbers]).encode())
    return int.from_bytes(digest.digest(), "little")


def of_ranks(numbers: tuple[int, ...], device: torch.device) -> list[tuple[int, ...]]:
    """Return the numbers of every rank, in rank order."""
    mine = torch.tensor(numbers, dtype=torch.int64, device=device)
    found = [torch.empty_like(mine) for _ in range(dist.get_world_size())]
    dist.all_gather(found, mine)
    return [tuple(int(number) for number in each.tolist()) for each in found]


def recognised(batch: Tensors, device: torch.device) -> Batches:
    """Return WHOLE if all ranks provide the same batch, and OWN if batches differ but have equal shapes.

    Raises ValueError on all ranks if shapes differ.
    """
    found = of_ranks((fingerprint(batch.values()), _shapes(batch)), device)
    if len(set(found)) == 1:
        return Batches.WHOLE
    if len({shapes for _, shapes in found}) > 1:
        raise ValueError(
            "ranks gave batches of different shapes; all must give the same number of samples "
            "(drop_last=True of a DataLoader and DistributedSampler), or all the same batch"
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
    """Raise ValueError, on all ranks, if ranks repeat each other's samples, or differ in what must be equal.

    With `may_repeat`, ranks' own parts may be equal, as samplers repeat samples at the end of an epoch.
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
        raise ValueError(
            "tensors of the batch without a sample dimension differ between ranks; give all ranks the same"
        )
    if kind is Batches.OWN and samples == 1 and len(found) > 1 and not may_repeat:
        raise ValueError(
            "all ranks gave the same samples, and batches='own' says that each gives its part; use a "
            "DistributedSampler, or p2smt.shard(..., batches='whole')"
        )


class StepAgreement:
    """A check before every step that ranks agree on the shapes of their batches and on the learning rates.

    Ranks that disagree would execute different steps and wait until their collectives time out. The check is an
    AllReduce (MAX) of x and -x for each number x: ranks agree if max(x) = -max(-x). It runs on the host, by
    gloo also if the backend is NCCL, so that it does not wait for a device.
    """

    def __init__(self) -> None:
        """Create the process group; every rank must do so at the same point."""
        is_apart = dist.get_backend() != "gloo" and dist.get_world_size() > 1 and dist.is_gloo_available()
        self._group = dist.new_group(backend="gloo") if is_apart else None
        self._is_made = dist.get_world_size() > 1 and (is_apart or dist.get_backend() == "gloo")
        self._key: tuple[object, ...] = ()
        self._numbers = torch.empty(0)

    def check(self, batch: Tensors, shared: frozenset[str], rates: Mapping[str, float]) -> None:
        """Raise ValueError on all ranks if they disagree; every rank must call it."""
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
                f"ranks gave {least} to {most} samples; all must give the same number (drop_last=True of "
                "a DataLoader and DistributedSampler)"
            )
        _refuse_others(rates_differ=len({*numbers_of_rates}) > 1, shapes_differ=len({*shapes}) > 1)

    def close(self) -> None:
        """Destroy the process group; every rank must do so at the same point."""
        if self._group is not None:
            dist.destroy_process_group(self._group)
            self._group, self._is_made = None, False


def _refuse_others(*, rates_differ: bool, shapes_differ: bool) -> None:
    if rates_differ:
        raise ValueError("ranks have different learning rates; step the scheduler on every rank")
    if shapes_differ:
        raise ValueError(
            "ranks gave batches of different shapes; all must give the same number of samples "
            "(drop_last=True of a DataLoader and DistributedSampler)"
        )


def check_indices(batch: Tensors, limits: Mapping[str, int]) -> None:
    """Raise ValueError for an index that is not less than the number of rows of its table, as PyTorch does."""
    for name, rows in limits.items():
        if name in batch and batch[name].numel() and int(batch[name].max()) >= rows:
            raise ValueError(
                f"{name} holds the index {int(batch[name].max())} into a table of {rows} rows; the "
                f"largest index is {rows - 1}"
            )


def gathered(tensor: torch.Tensor) -> torch.Tensor:
    """Return the samples of all ranks, concatenated in rank order."""
    tensor = tensor.contiguous()
    parts = [torch.empty_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, tensor)
    return torch.cat(parts)


def joined_samples(batch: Tensors, shared: frozenset[str]) -> dict[str, torch.Tensor]:
    """Return the batch of all ranks' samples; ranks may have different numbers of samples.

    Raises ValueError if shapes differ in other dimensions.
    """
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
            "ranks gave samples of different shapes, so the loss is not that of one batch; pad them to the same "
            "length on all ranks, or take outputs alone with training.forward"
        )
    lengths = [length for length, _ in found]
    return {name: _joined(each, lengths) if name in shared else each for name, each in batch.items()}


def _joined(tensor: torch.Tensor, lengths: list[int]) -> torch.Tensor:
    """Return the samples of all ranks, where `lengths` holds each rank's number of samples."""
    most = max(lengths)
    padded = tensor.new_zeros((most, *tensor.shape[1:]))
    padded[: tensor.shape[0]] = tensor
    parts = gathered(padded)
    return torch.cat([parts[rank * most :][:length] for rank, length in enumerate(lengths)])
