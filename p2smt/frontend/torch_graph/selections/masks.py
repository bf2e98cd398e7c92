"""Masks of a step by their values: the same expression of the same tensors is the same mask.

Models write `logits[labels != -100]` and `labels[labels != -100]`, which are two tensors of one value. Values are
compared by how the tape made them, some operations deep, which is sound, as nodes of a tape are never written.
"""

import torch
from torch._subclasses.functional_tensor import FunctionalTensor

from p2smt.frontend.torch_graph.recording import StepTape
from p2smt.frontend.torch_graph.selections.rows import Mask


def inner(x: torch.Tensor) -> torch.Tensor:
    """The recorded tensor, after all writes into it."""
    return x.from_functional() if isinstance(x, FunctionalTensor) else x


class Masks:
    """The masks that a tape has, without duplicates; those of code that may be skipped hold its condition too."""

    def __init__(self, tape: StepTape | None) -> None:
        self.tape = tape
        self._masks: dict[object, Mask] = {}

    def mask(self, x: torch.Tensor, within: Mask | None) -> Mask:
        """The mask of a tensor; if `within` another, of the rows at which both are true."""
        assert self.tape is not None
        skipping = self.tape.skipping
        block = skipping.running()
        key = (within, block, skipping.values.key(self.tape.reference(inner(x))))
        if key not in self._masks:
            self._masks[key] = _made(x, within, skipping.truth(block) if block else None, block)
            if block:
                skipping.counted(self._masks[key].count)
        return self._masks[key]


def _made(x: torch.Tensor, within: Mask | None, condition: torch.Tensor | None, block: int) -> Mask:
    truth = x if x.dtype is torch.bool else x != 0
    if condition is not None:
        truth = truth & condition
    if within is None:
        return Mask(truth.clone().reshape(-1), tuple(x.shape), truth.sum(), block)
    rows = within.rows & truth
    return Mask(rows, within.shape, rows.sum(), block)
