"""A module that runs with the weights of a training, whole on this rank, for as long as its own code needs them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import nn
from torch.nn.utils.stateless import _reparametrize_module


@contextmanager
def with_weights(module: nn.Module, weights: Mapping[str, torch.Tensor], mode: bool) -> Iterator[None]:
    """The module with these weights, in training or not, without gradients; as it was behind it."""
    modes = [(each, each.training) for each in module.modules()]
    module.train(mode)
    try:
        with torch.no_grad(), _reparametrize_module(module, dict(weights)):
            yield
    finally:
        for each, before in modes:
            each.training = before


def moved(given: object, device: torch.device) -> object:
    """The same with all tensors inside on a device."""
    match given:
        case torch.Tensor():
            return given.to(device)
        case dict():
            return {key: moved(each, device) for key, each in given.items()}
        case list() | tuple():
            return type(given)(moved(each, device) for each in given)
        case _:
            return given
