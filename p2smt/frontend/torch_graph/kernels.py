"""Decomposition of composite operations as in eager mode, by torch's C++ kernels.

torch's Python dispatcher decomposes some operations by Python functions, one of which omits the dropout between
layers of recurrent networks (torch 2.13, `_rnn_helper`). So Python decompositions are disabled during capture,
except for those that tests compare with the operation itself, and those of `decompositions.py`.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import torch
import torch._decomp  # which registers them
from torch._C import DispatchKey
from torch._ops import OpOverload, OpOverloadPacket

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.decompositions import DECOMPOSED
from p2smt.frontend.torch_graph.lines import Lines

CHECKED = (
    "aten::native_batch_norm",
    "aten::cudnn_batch_norm",
    "aten::dropout",
    "aten::hardshrink",
    "aten::softshrink",
    "aten::matmul",
    "aten::one_hot",
)
"""Operations whose Python decompositions stay active; batch norm's C++ kernel writes undeclared statistics."""
_KEYS = (DispatchKey.CompositeImplicitAutograd, DispatchKey.Autograd)


@contextmanager
def own_kernels(lines: Lines) -> Iterator[None]:
    """A context in which Python decompositions are off, except for the checked ones and our own."""
    known = [each for each in _overloads() if each.py_kernels]
    found = [(each, key) for each in known for key in _KEYS if key in each.py_kernels]
    aside = [(each, key, each.py_kernels.pop(key)) for each, key in found if each._schema.name not in CHECKED]
    touched = [*(each for each, *_ in aside), *DECOMPOSED]
    for each, function in DECOMPOSED.items():
        each.py_kernels[_key(each)] = _at_lines(function, lines)
    try:
        _forget(touched)
        yield
    finally:
        for each in DECOMPOSED:
            del each.py_kernels[_key(each)]
        for each, key, kernel in aside:
            each.py_kernels[key] = kernel
        _forget(touched)


def _key(operation: OpOverload) -> DispatchKey:
    """The dispatch key under which torch finds decompositions, or derivatives."""
    implicit = torch._C._dispatch_has_kernel_for_dispatch_key(operation._name, "CompositeImplicitAutograd")
    return DispatchKey.CompositeImplicitAutograd if implicit else DispatchKey.Autograd


def _at_lines(function: Callable[..., object], lines: Lines) -> Callable[..., object]:
    """Return the function with the line of the call added to its refusals."""

    def called(*args: object, **kwargs: object) -> object:
        try:
            return function(*args, **kwargs)
        except CaptureError as cause:
            raise lines.refused(CaptureError(f"{lines.last}: {cause}")) from cause

    return called


def _overloads() -> list[OpOverload]:
    """The operators of aten in use so far, among which are all with a decomposition."""
    packets = [each for each in vars(torch.ops.aten).values() if isinstance(each, OpOverloadPacket)]
    return [each for packet in packets for each in vars(packet).values() if isinstance(each, OpOverload)]


def _forget(touched: Iterable[OpOverload]) -> None:
    for each in touched:
        each._dispatch_cache.clear()
