"""Shapes and element types of torch's tensors, as traced steps record them."""

import torch

from p2smt.frontend.torch_graph.graph import Meta


def meta(value: object) -> Meta | None:
    """Shape and element type of a tensor; None for other values."""
    if not isinstance(value, torch.Tensor):
        return None
    return shaped_like(tuple(int(length) for length in value.shape), value)


def shaped_like(shape: tuple[int, ...], tensor: torch.Tensor) -> Meta:
    """Return this shape with the element type of a tensor."""
    return Meta(shape, str(tensor.dtype).removeprefix("torch."))
