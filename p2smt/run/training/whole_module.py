"""Run a module with the trained weights, unsharded on this rank while its own code needs them."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from types import MethodType
from weakref import WeakMethod

import torch
from torch import nn
from torch.nn.utils.stateless import _reparametrize_module
from torch.utils.hooks import RemovableHandle

from p2smt.frontend.torch_graph.training import Batch, Training, loss_of


@contextmanager
def with_weights(module: nn.Module, weights: Mapping[str, torch.Tensor], mode: bool) -> Iterator[None]:
    """Give the module these weights and mode in the context, without gradients, and restore it afterwards."""
    with in_mode(module, mode), torch.no_grad(), _reparametrize_module(module, dict(weights)):
        yield


@contextmanager
def in_mode(module: nn.Module, mode: bool) -> Iterator[None]:
    """Give the module and its submodules a mode (training or not) in the context, and restore theirs afterwards."""
    modes = [(each, each.training) for each in module.modules()]
    module.train(mode)
    try:
        yield
    finally:
        for each, before in modes:
            each.training = before


def moved(given: object, device: torch.device) -> object:
    """Return the value with all tensors in it moved to a device."""
    match given:
        case torch.Tensor():
            return given.to(device)
        case dict():
            return {key: moved(each, device) for key, each in given.items()}
        case list() | tuple():
            return type(given)(moved(each, device) for each in given)
        case _:
            return given


def observed(training: Training, batch: Batch) -> tuple[torch.Tensor, object]:
    """Return the loss, and the module's output during its computation; a list if it is not called exactly once."""
    seen: list[object] = []
    hook = training.module.register_forward_hook(lambda module, given, made: seen.append(made))
    try:
        loss = loss_of(training, batch)
    finally:
        hook.remove()
    return loss, seen[0] if len(seen) == 1 else seen


class StaleWarning:
    """A warning that a module has weights from before a sharded training, given once per kind of use.

    The kinds are a call, a state_dict (as in torch.save), and reading its parameters (to clip gradients or
    average weights). Copies and pickles of the module do not warn.
    """

    def __init__(self, module: nn.Module, is_stale: "WeakMethod[Callable[[], bool]]") -> None:
        self._module, self._is_stale, self._silent = module, is_stale, False
        self._left = {"called", "saved", "read"}
        self._hooks: tuple[RemovableHandle, ...] = (
            module.register_forward_pre_hook(_Hook(self, "called")),
            module.register_state_dict_pre_hook(_Hook(self, "saved")),  # type: ignore[no-untyped-call]
        )
        self._parameters = MethodType(_warning_parameters(self), module)
        # torch has no hook for it. A method is copied and pickled as that of the copy.
        module.parameters = self._parameters  # type: ignore[method-assign]

    def remove(self) -> None:
        """Stop warning."""
        self._left.clear()
        for each in self._hooks:
            each.remove()
        if vars(self._module).get("parameters") is self._parameters:
            del self._module.parameters

    @contextmanager
    def silenced(self, block: AbstractContextManager[None]) -> Iterator[None]:
        """Suppress warnings while the given context is active."""
        before, self._silent = self._silent, True
        try:
            with block:
                yield
        finally:
            self._silent = before

    def used(self, module: nn.Module, use: str) -> None:
        """Warn if the module is stale and this kind of use has not been warned of yet."""
        is_stale = self._is_stale()
        if module is not self._module or self._silent or use not in self._left or is_stale is None or not is_stale():
            return
        self._left.remove(use)
        warnings.warn(
            "the module has its weights from before the training, and no gradients: p2smt.shard trains parts of its "
            "own. Call training.evaluate or training.forward, save training.state_dict(), or first call "
            'module.load_state_dict(training.state_dict()["module"]); max_norm clips gradients, ema averages weights',
            stacklevel=_STACK[use],
        )


_STACK = {"called": 6, "saved": 4, "read": 3}
"""Number of stack frames between the user's line and the warning."""


def _warning_parameters(warning: StaleWarning) -> Callable[..., Iterator[nn.Parameter]]:
    """Return a replacement of the module's method `parameters` that warns."""

    def parameters(module: nn.Module, recurse: bool = True) -> Iterator[nn.Parameter]:
        warning.used(module, "read")
        return type(module).parameters(module, recurse)

    return parameters


class _Hook:
    """The hook that torch calls and copies; copies do not warn."""

    def __init__(self, warning: StaleWarning | None = None, use: str = "") -> None:
        self._warning, self._use = warning, use

    def __call__(self, module: nn.Module, *_: object) -> None:
        if self._warning is not None:
            self._warning.used(module, self._use)

    def __deepcopy__(self, _: object) -> "_Hook":
        return _Hook()

    def __reduce__(self) -> tuple[type["_Hook"], tuple[()]]:
        return _Hook, ()
