"""Masks of a step by their values: the same expression of the same tensors is the same mask.

Models write `logits[labels != -100]` and `labels[labels != -100]`, which are two tensors of one value. Values are
compared by how the tape made them, some operations deep, which is sound, as nodes of a tape are never written.
"""

import torch
from torch._subclasses.functional_tensor import FunctionalTensor

from p2smt.frontend.torch_graph.graph import Argument, Reference, TorchNode
from p2smt.frontend.torch_graph.recording import StepTape
from p2smt.frontend.torch_graph.selections.rows import Mask

_DEEP = 6
"""Operations of a value that its key goes back; the key has a part for every path, which may be exponentially many."""


def inner(x: torch.Tensor) -> torch.Tensor:
    """The recorded tensor, after all writes into it."""
    return x.from_functional() if isinstance(x, FunctionalTensor) else x


class Masks:
    """The masks that a tape has, without duplicates."""

    def __init__(self, tape: StepTape | None) -> None:
        self.tape = tape
        self._read = 0
        self._nodes: dict[str, TorchNode] = {}
        self._masks: dict[object, Mask] = {}

    def mask(self, x: torch.Tensor, within: Mask | None) -> Mask:
        """The mask of a tensor; if `within` another, of the rows at which both are true."""
        assert self.tape is not None
        reference = self.tape.reference(inner(x))
        for node in self.tape.nodes[self._read :]:
            self._nodes[node.name] = node
        self._read = len(self.tape.nodes)
        key = (within, self._value(reference, _DEEP))
        if key not in self._masks:
            self._masks[key] = _made(x, within)
        return self._masks[key]

    def _value(self, argument: Argument, deep: int) -> object:
        """The operations that made a value, as a key: equal only for equal values."""
        if isinstance(argument, list):
            return tuple(self._value(each, deep) for each in argument)
        if not isinstance(argument, Reference):
            return type(argument), argument
        node = self._nodes.get(argument.node)
        if node is None or deep == 0 or node.drawn:
            return argument
        if node.operation == "constant":
            return (node.operation, *node.results, *node.elements) if node.elements and node.elements[0] else argument
        given = tuple(self._value(each, deep - 1) for each in node.arguments)
        named = tuple((key, self._value(each, deep - 1)) for key, each in sorted(node.keywords.items()))
        return node.operation, argument.result, given, named, *node.results


def _made(x: torch.Tensor, within: Mask | None) -> Mask:
    truth = x if x.dtype is torch.bool else x != 0
    if within is None:
        return Mask(truth.clone().reshape(-1), tuple(x.shape), truth.sum())
    rows = within.rows & truth
    return Mask(rows, within.shape, rows.sum())
