"""Weights that are gathered when a module reads them and freed when its forward ends, for models larger than a device.

Each submodule's dictionaries of parameters and buffers are replaced by ones that gather on reading. A gathered weight
belongs to the submodule that runs at that time: with `m` on the stack of running forwards,
    read(w) while m runs:  gather w unless it is held, held(m) += {w};     m's forward ends:  free held(m).
So a rank holds the weights of the submodules that run at one time, one inside the other, and never those of all layers.
What the loss itself reads, outside of any forward, stays until the end.

Gathers are collectives, so every rank must read the same weights in the same order. Before each one the ranks compare
what they are about to read, one AllReduce of two numbers; if they differ, because the code of the module branches on
values of its batch, all of them raise an error instead of waiting for each other.

Example: of two layers with weights u and v, `first(x)` gathers and frees u before `second` gathers v.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import cast

import torch
import torch.distributed as dist
from torch import nn

from p2smt.run.training.whole_module import in_mode

_END = -1


@contextmanager
def with_gathered_weights(
    module: nn.Module,
    names: Mapping[str, str],
    whole: Callable[[str], torch.Tensor],
    others: Mapping[str, torch.Tensor],
    mode: bool,
    device: torch.device,
) -> Iterator[None]:
    """Let the module read its weights from `whole` in the context, in a mode, without gradients; then restore it.

    `names` maps the module's names of weights to those that `whole` takes, equal for tied weights; `others` are
    weights by the module's names that every rank has, and `device` is the rank's. All ranks must enter, and read the
    same weights in the same order: raises ValueError on all of them if they do not.
    """
    weights = _Weights(names, whole, others, device)
    kept = [(each, each._parameters, each._buffers) for each in module.modules()]
    hooks = [
        hook
        for each, *_ in kept
        for hook in (
            each.register_forward_pre_hook(weights.begin, prepend=True),
            each.register_forward_hook(weights.end, always_call=True),
        )
    ]
    try:
        with in_mode(module, mode), torch.no_grad(), _uncompiled():
            # A submodule that has two names keeps the tensors of the first one, which are the same.
            for prefix, each in module.named_modules():
                under = f"{prefix}." if prefix else ""
                vars(each).update(
                    _parameters=weights.under(under, each._parameters), _buffers=weights.under(under, each._buffers)
                )
            yield
    except BaseException:
        # Other ranks wait for what this one reads next. If they are told that it is nothing, they raise too.
        with suppress(ValueError):
            weights.finish()
        raise
    else:
        weights.finish()
    finally:
        for each, parameters, buffers in kept:
            vars(each).update(_parameters=parameters, _buffers=buffers)
        for hook in hooks:
            hook.remove()


def _uncompiled() -> AbstractContextManager[object]:
    """Run compiled submodules as they were written: a graph would hold all weights that it reads at one time."""
    stance = getattr(torch.compiler, "set_stance", None)  # since torch 2.6
    return nullcontext() if stance is None else cast("AbstractContextManager[object]", stance("force_eager"))


class _Weights:
    """Gathered weights, by the names that `whole` takes, with those that each running forward has read."""

    def __init__(
        self,
        names: Mapping[str, str],
        whole: Callable[[str], torch.Tensor],
        others: Mapping[str, torch.Tensor],
        device: torch.device,
    ) -> None:
        self._names, self._whole, self._others, self._device = names, whole, others, device
        self._numbers = {name: number for number, name in enumerate(sorted({*names.values()}))}
        self._held: dict[str, torch.Tensor] = {}
        self._read: list[list[str]] = [[]]
        self._agree = True

    def under(self, prefix: str, own: Mapping[str, torch.Tensor | None]) -> "_ReadWeights":
        """Return a submodule's tensors, of which the known ones are gathered when they are read."""
        known = {key for key in own if prefix + key in self._names or prefix + key in self._others}
        return _ReadWeights(own, known, lambda key: self._of(prefix + key))

    def begin(self, *_: object) -> None:
        """Begin a submodule's forward."""
        self._read.append([])

    def end(self, *_: object) -> None:
        """End a submodule's forward, and free what was gathered in it."""
        for name in self._read.pop():
            del self._held[name]

    def _of(self, key: str) -> torch.Tensor:
        if key in self._others:
            return self._others[key]
        name = self._names[key]
        if name not in self._held:
            self._compare(self._numbers[name])
            self._held[name] = self._whole(name)
            self._read[-1].append(name)
        return self._held[name]

    def finish(self) -> None:
        """Tell the other ranks that this one reads nothing more."""
        self._held.clear()
        if self._agree:
            self._compare(_END)

    def _compare(self, number: int) -> None:
        """Raise ValueError, on all ranks, if they do not read the same weight."""
        if not dist.is_initialized() or dist.get_world_size() == 1:
            return
        # The largest number and the least one (negated) in one call: they are equal where all read the same.
        both = torch.tensor([number, -number], device=self._device)
        dist.all_reduce(both, dist.ReduceOp.MAX)
        most, least = both.tolist()
        if most == -least:
            return
        # All ranks come here and raise, so none may send the message that it reads nothing more.
        self._agree = False
        spelled = ["nothing", *self._numbers]
        raise ValueError(
            f"ranks read different weights while they evaluate by layer: {spelled[-least + 1]} and "
            f"{spelled[most + 1]}; the module's code depends on its batch, so evaluate without by_layer=True, "
            "which gathers all weights first"
        )


class _ReadWeights(dict[str, torch.Tensor | None]):
    """A submodule's tensors; reading one of the known ones gathers it."""

    def __init__(
        self, own: Mapping[str, torch.Tensor | None], known: set[str], read: Callable[[str], torch.Tensor]
    ) -> None:
        super().__init__(own)
        self._known, self._gathered = known, read

    def __getitem__(self, key: str) -> torch.Tensor | None:
        return self._gathered(key) if key in self._known else super().__getitem__(key)

    def get(self, key: str, default: torch.Tensor | None = None) -> torch.Tensor | None:  # type: ignore[override]
        """Return a tensor, gathered if it is known."""
        if key not in self:
            return default
        return self[key]

    def __setitem__(self, key: str, value: torch.Tensor | None) -> None:
        """Set a tensor in the module's own code: it is read from here then."""
        self._known.discard(key)
        super().__setitem__(key, value)

    def items(self) -> "Iterator[tuple[str, torch.Tensor | None]]":  # type: ignore[override]
        """Yield names and tensors, each gathered as it is reached."""
        return ((key, self[key]) for key in self)

    def values(self) -> "Iterator[torch.Tensor | None]":  # type: ignore[override]
        """Yield tensors, each gathered as it is reached."""
        return (self[key] for key in self)
