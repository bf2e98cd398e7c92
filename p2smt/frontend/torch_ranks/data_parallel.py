"""DistributedDataParallel in Python: the effect of its reducer, which is C++ in torch, on gradients and buffers.

At construction, parameters and buffers are broadcast from rank 0. A forward pass outside `no_sync` makes the next
backward pass average gradients: once the last parameter has its gradient, all gradients are averaged, including
what was accumulated before. A parameter without a gradient would keep its bucket from being averaged; since this
depends on bucket sizes, it is refused. If the wrapper is deleted, its reducer is too, and gradients stay local.

    gradient of every parameter := sum over ranks of its gradient / ranks,   once the last one has its gradient.

Reference: Li et al., "PyTorch distributed: experiences on accelerating data parallel training", 2020.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn
from weakref import WeakMethod, WeakSet

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh
from torch.nn.parallel import DistributedDataParallel

from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError

_REFUSED = ("mixed_precision", "delay_all_reduce_named_params", "param_to_hook_all_reduce")


class TracedParallel(torch.nn.Module):
    """A module whose gradients are averaged over the ranks."""

    def __init__(self, module: torch.nn.Module, *more: object, **options: object) -> None:
        super().__init__()
        for name in _REFUSED:
            if options.get(name) is not None:
                raise UnfollowedError(
                    f"DistributedDataParallel({name}=...) is not supported; reduce gradients by dist.all_reduce"
                )
        mesh, group = options.get("device_mesh"), options.get("process_group")
        self.process_group: dist.ProcessGroup | None = group if isinstance(group, dist.ProcessGroup) else None
        if isinstance(mesh, DeviceMesh):
            self.process_group = mesh.get_group(mesh_dim=0)
        self.module = module
        self.require_backward_grad_sync = True
        self._buffers_follow = options.get("broadcast_buffers") is not False
        self._expects = False
        self._ready: set[int] = set()
        self._trained = [each for each in module.parameters() if each.requires_grad]
        if options.get("init_sync", True):
            self._follow([*module.parameters(), *module.buffers()])
        accumulated = WeakMethod(self._accumulated)

        def hook(parameter: torch.Tensor) -> None:
            found = accumulated()
            if found is not None:
                found(parameter)

        for parameter in self._trained:
            parameter.register_post_accumulate_grad_hook(hook)  # type: ignore[no-untyped-call]
        _REDUCERS.add(self)

    def _follow(self, tensors: list[torch.Tensor]) -> None:
        root = dist.get_process_group_ranks(self.process_group or dist.group.WORLD)[0]
        with torch.no_grad():
            for tensor in tensors:
                dist.broadcast(tensor.detach(), root, group=self.process_group)

    def _accumulated(self, parameter: torch.Tensor) -> None:
        if not self._expects:
            return
        self._ready.add(id(parameter))
        if len(self._ready) < len(self._trained):
            return
        self._expects = False
        self._ready.clear()
        for each in self._trained:
            if each.grad is not None:
                dist.all_reduce(each.grad, op=dist.ReduceOp.AVG, group=self.process_group)

    def forward(self, *inputs: object, **named: object) -> object:
        """The module's forward pass; its backward pass averages gradients."""
        self.check()
        if torch.is_grad_enabled() and self.require_backward_grad_sync:
            self._expects = True
        if self._buffers_follow:
            self._follow(list(self.module.buffers()))
        return self.module(*inputs, **named)

    def check(self) -> None:
        """Raise UnfollowedError if only some of the parameters to be averaged have gradients."""
        if self._ready:
            raise UnfollowedError(
                "DistributedDataParallel: a parameter got no gradient in a backward pass, so the gradients of "
                "its bucket are not averaged; use all parameters in the loss"
            )

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """A context whose forward passes do not average gradients afterwards."""
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def register_comm_hook(self, *_: object) -> NoReturn:
        """Refuse communication hooks, which may transform buckets arbitrarily."""
        raise UnfollowedError(
            "communication hooks of DistributedDataParallel are not supported; reduce gradients by dist.all_reduce"
        )

    def join(self, *_: object, **__: object) -> NoReturn:
        """Refuse `join`, whose effect depends on the data of other ranks."""
        raise UnfollowedError(
            "DistributedDataParallel.join is not supported; give all ranks the same number of batches"
        )


_REDUCERS: WeakSet[TracedParallel] = WeakSet()
"""The live wrappers of this process."""


def parallel_patches() -> tuple[tuple[object, str, object], ...]:
    """Return replacements for torch's class in every module that refers to it."""
    made: Callable[..., object] = TracedParallel
    homes = (torch.nn.parallel, torch.nn.parallel.distributed)
    assert all(getattr(home, "DistributedDataParallel", None) is DistributedDataParallel for home in homes)
    return tuple((home, "DistributedDataParallel", made) for home in homes)


def check_reducers() -> None:
    """Raise UnfollowedError if gradients that should have been averaged were not."""
    for each in _REDUCERS:
        each.check()
