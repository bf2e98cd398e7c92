"""Optimizer states that persist from step to step, with their initial values and hyperparameters."""

from collections.abc import Mapping
from copy import copy

import torch
from torch._subclasses.functional_tensor import FunctionalTensor

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.elements import uniform_element

States = dict[str, dict[str, object]]
"""Optimizer states by parameter name."""


def made_before(optimizer: torch.optim.Optimizer, names: Mapping[int, str]) -> States:
    """Return the states that exist before the first step; each must be uniform."""
    found: States = {}
    for parameter, own in optimizer.state.items():
        for key, value in own.items():
            if isinstance(value, torch.Tensor) and uniform_element(value) is None:
                raise CaptureError(
                    f"{type(optimizer).__name__} has the state {key} before its first step, which is "
                    "not one number everywhere; capture it before it has stepped"
                )
        found[names[id(parameter)]] = dict(own)
    return found


class BegunStates(dict[str, object]):
    """The states of a parameter; `begun` holds the initial values of uniform ones."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: dict[str, float] = {}

    def __setitem__(self, key: str, value: object) -> None:
        if key not in self and isinstance(value, torch.Tensor):
            inner = value.from_functional() if isinstance(value, FunctionalTensor) else value
            number = uniform_element(inner)
            if number is not None:
                self.begun[key] = number
        super().__setitem__(key, value)


def computed_group(group: Mapping[str, object]) -> dict[str, object]:
    """Return the parameter group with `capturable` set, if it has that option, so that values stay tensors."""
    return {**group, "capturable": True} if "capturable" in group else dict(group)


def own_copy(value: object) -> object:
    """Return a copy of a list, dict or set, so that the twin optimizer owns it; other values unchanged."""
    return copy(value) if isinstance(value, list | dict | set) else value


def plain(value: object) -> object:
    """Return the value as plain numbers and strings, containers as tuples; None if it holds anything else."""
    match value:
        case int() | float() | str():
            return value
        case list() | tuple():
            return tuple(plain(each) for each in value)
        case dict():
            return tuple((str(key), plain(each)) for key, each in value.items())
        case _:
            return None
