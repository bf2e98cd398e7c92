"""Composite operations are taken apart as torch's own kernels do, which run when nothing is captured.

With its Python dispatcher torch takes some apart by decompositions written in Python, of which one has left out the
dropout between the layers of recurrent networks (torch 2.13, `_rnn_helper`). So these are put aside while a step is
captured, but for those that the tests compare with the operation itself.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch
import torch._decomp  # which registers them
from torch._C import DispatchKey
from torch._ops import OpOverload, OpOverloadPacket

CHECKED = (
    "aten::native_batch_norm", "aten::cudnn_batch_norm", "aten::dropout", "aten::hardshrink", "aten::softshrink",
    "aten::matmul", "aten::one_hot",
)  # fmt: skip
"""Operations whose decompositions stay: batch norm's own kernel writes its running statistics without saying so."""
_KEYS = (DispatchKey.CompositeImplicitAutograd, DispatchKey.Autograd)


@contextmanager
def own_kernels() -> Iterator[None]:
    """While this is entered, decompositions in Python are not taken, but for the checked ones."""
    found = [(each, key) for each in _overloads() for key in _KEYS if key in each.py_kernels]
    aside = [(each, key, each.py_kernels.pop(key)) for each, key in found if each._schema.name not in CHECKED]
    try:
        _forget(aside)
        yield
    finally:
        for each, key, kernel in aside:
            each.py_kernels[key] = kernel
        _forget(aside)


def _overloads() -> list[OpOverload]:
    """The operators of aten asked for so far; all that have a decomposition are."""
    packets = [each for each in vars(torch.ops.aten).values() if isinstance(each, OpOverloadPacket)]
    return [each for packet in packets for each in vars(packet).values() if isinstance(each, OpOverload)]


def _forget(aside: Iterable[tuple[OpOverload, DispatchKey, object]]) -> None:
    for each, *_ in aside:
        each._dispatch_cache.clear()
