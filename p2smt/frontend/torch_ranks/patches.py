"""Patches of torch during tracing: creation of groups and meshes, and storage methods that bypass the dispatcher."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NoReturn

import torch
import torch.distributed as dist
from torch.distributed import device_mesh
from torch.utils._python_dispatch import _disable_current_modes

from p2smt.frontend.torch_ranks.data_parallel import parallel_patches
from p2smt.frontend.torch_ranks.fully_sharded import sharding_patches
from p2smt.frontend.torch_ranks.recorder import RankRecorder
from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError

_OF_OBJECTS = (
    "all_gather_object",
    "gather_object",
    "broadcast_object_list",
    "scatter_object_list",
    "send_object_list",
    "recv_object_list",
)
_OF_STORAGES = ("fill_", "copy_", "resize_", "byteswap", "__setitem__")
"""Methods that write or replace a storage, bypassing the dispatcher."""
_FAKES = str(Path(torch.__file__).parent / "_subclasses")
_OBJECTS = "exchanges Python objects, whose values are not known here; exchange tensors"
_PAST = "goes past torch's operations; write into a tensor"


@contextmanager
def patched(recorder: RankRecorder) -> Iterator[None]:
    """A context with meshes of real tensors, the registered process group, and recorded creation of groups."""
    c10d = dist.distributed_c10d
    make, init, mesh = c10d._new_group_with_tag, device_mesh.init_device_mesh, device_mesh.DeviceMesh.__init__

    def grouped(ranks: list[int] | None = None, timeout: object = None, *_: object, **more: object) -> object:
        everyone = tuple(range(dist.get_world_size()))
        members = everyone if ranks is None else tuple(ranks)
        if more.get("use_local_synchronization"):
            everyone = members
        recorder.grouped(everyone, members)
        return make(ranks, timeout, **more)  # type: ignore[arg-type]

    others: tuple[tuple[object, str, object], ...] = (
        (c10d, "_new_group_with_tag", grouped),
        (dist, "init_device_mesh", _with_real_numbers(init)),
        (device_mesh, "init_device_mesh", _with_real_numbers(init)),
        (device_mesh.DeviceMesh, "__init__", _with_real_numbers(mesh)),
        (dist, "init_process_group", lambda *_, **__: None),
        (dist, "monitored_barrier", lambda group=None, *_, **__: dist.barrier(group)),
        *((home, name, _refused(name, _OBJECTS)) for name in _OF_OBJECTS for home in (dist, c10d)),
        *parallel_patches(),
        *sharding_patches(_with_real_numbers),
        *((torch.UntypedStorage, name, _refused_but_for_torch(name)) for name in _OF_STORAGES),
    )
    with ExitStack() as stack:
        for home, name, value in others:
            stack.enter_context(_replaced(home, name, value))
        yield


def _with_real_numbers(function: Callable[..., object]) -> Callable[..., object]:
    def called_without_modes(*arguments: object, **keywords: object) -> object:
        with _disable_current_modes():
            return function(*arguments, **keywords)

    return called_without_modes


def _refused(name: str, why: str) -> Callable[..., NoReturn]:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise UnfollowedError(f"{name} {why}")

    return refuse


def _refused_but_for_torch(name: str) -> Callable[..., object]:
    """Return a storage method that refuses calls from the user's code, but not from torch."""
    original, refuse = getattr(torch.UntypedStorage, name), _refused(f"UntypedStorage.{name}", _PAST)

    def method(*arguments: object, **keywords: object) -> object:
        is_torch = sys._getframe(1).f_code.co_filename.startswith(_FAKES)
        return original(*arguments, **keywords) if is_torch else refuse()

    return method


@contextmanager
def _replaced(home: object, name: str, value: object) -> Iterator[None]:
    own = name in vars(home)
    before = getattr(home, name)
    setattr(home, name, value)
    try:
        yield
    finally:
        if own:
            setattr(home, name, before)
        else:
            delattr(home, name)
