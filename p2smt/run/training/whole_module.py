"""A module that runs with the weights of a training, whole on this rank, for as long as its own code needs them."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from weakref import WeakMethod

import torch
from torch import nn
from torch.nn.utils.stateless import _reparametrize_module

from p2smt.frontend.torch_graph.training import Batch, Training, loss_of


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


def observed(training: Training, batch: Batch) -> tuple[torch.Tensor, object]:
    """The loss, and what the module gave while it was computed: a list where it was called several times."""
    seen: list[object] = []
    hook = training.module.register_forward_hook(lambda module, given, made: seen.append(made))
    try:
        loss = loss_of(training, batch)
    finally:
        hook.remove()
    return loss, seen[0] if len(seen) == 1 else seen


class StaleWarning:
    """A hook of a module that is trained elsewhere: the first call with weights from before the training is warned of.

    Copies of the module, and what is pickled of it, have a hook that does nothing.
    """

    def __init__(self, module: nn.Module, is_stale: "WeakMethod[Callable[[], bool]]") -> None:
        self._module, self._is_stale, self._silent = module, is_stale, False
        self._hook = module.register_forward_pre_hook(_Hook(self))

    def remove(self) -> None:
        """Nothing is warned of any more."""
        self._hook.remove()

    @contextmanager
    def silenced(self, block: AbstractContextManager[None]) -> Iterator[None]:
        """Nothing is warned of inside the block."""
        before, self._silent = self._silent, True
        try:
            with block:
                yield
        finally:
            self._silent = before

    def called(self, module: nn.Module) -> None:
        """The module is called."""
        is_stale = self._is_stale()
        if module is self._module and not self._silent and is_stale is not None and is_stale():
            self.remove()
            warnings.warn(
                "the module has its weights from before the training: p2smt.shard trains parts of its own. Call "
                'training.evaluate or training.forward, or module.load_state_dict(training.state_dict()["module"])',
                stacklevel=5,
            )


class _Hook:
    """The hook that torch calls and copies."""

    def __init__(self, warning: StaleWarning | None = None) -> None:
        self._warning = warning

    def __call__(self, module: nn.Module, *_: object) -> None:
        if self._warning is not None:
            self._warning.called(module)

    def __deepcopy__(self, _: object) -> "_Hook":
        return _Hook()

    def __reduce__(self) -> tuple[type["_Hook"], tuple[()]]:
        return _Hook, ()
