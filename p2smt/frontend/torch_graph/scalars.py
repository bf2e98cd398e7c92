"""Scalars that an optimizer reads from tensors, kept as tensors so that computations with them are recorded.

`tensor.item()` returns the tensor itself, torch's Adafactor gets `max` and `min` that accept tensors, and sums
with a tensor as `alpha` or `value` become products. Branching on such a scalar is still refused.
"""

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from torch.optim import _adafactor
from torch.overrides import TorchFunctionMode

_SUMS = ("add", "add_", "sub", "sub_")
_OfTensors = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
_PRODUCTS: Mapping[str, _OfTensors] = {"addcmul": torch.mul, "addcdiv": torch.div}


class ScalarTensors(TorchFunctionMode):
    """A mode in which `item` and the like return tensors."""

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: Sequence[object] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        given, name = dict(kwargs or {}), getattr(func, "__name__", "")
        match name, args:
            case "item", (torch.Tensor() as tensor,) if not tensor.dim():
                return tensor
            case _, (torch.Tensor(), torch.Tensor() as other) if name in _SUMS:
                alpha = given.get("alpha")
                if isinstance(alpha, torch.Tensor):
                    return func(args[0], other * alpha)
            case _, (torch.Tensor() as tensor, torch.Tensor() as left, torch.Tensor() as right):
                value, product = given.get("value"), _PRODUCTS.get(name.removesuffix("_"))
                if product is not None and isinstance(value, torch.Tensor):
                    added = product(left, right) * value
                    return tensor.add_(added) if name.endswith("_") else tensor + added
            case _:
                pass
        return func(*args, **given)


@contextmanager
def scalars_as_tensors() -> Iterator[None]:
    """A context in which optimizers get tensors where they would read numbers."""
    compiling, names = torch.compiler.is_compiling, vars(_adafactor)
    torch.compiler.is_compiling = lambda: True
    names |= {"max": _choice(builtins.max, torch.maximum), "min": _choice(builtins.min, torch.minimum)}
    try:
        with ScalarTensors():
            yield
    finally:
        torch.compiler.is_compiling = compiling
        del names["max"], names["min"]


def _choice(plain: Callable[..., object], of_tensors: _OfTensors) -> Callable[..., object]:
    def chosen(*given: object) -> object:
        tensors = [each for each in given if isinstance(each, torch.Tensor)]
        if not tensors or len(given) != 2:
            return plain(*given)
        return of_tensors(*(_like(each, tensors[0]) for each in given))

    return chosen


def _like(value: object, tensor: torch.Tensor) -> torch.Tensor:
    if isinstance(value, torch.Tensor):
        return value
    assert isinstance(value, int | float)
    return torch.full_like(tensor, float(value))
