"""Share information among joined ranks: their places, results of rank 0, and rank 0's tensors."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import torch
import torch.distributed as dist

from p2smt.errors import RunError

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class RankPlace:
    """The own rank, the number of ranks, and the backend of collectives."""

    rank: int
    ranks: int
    backend: str


def joined() -> RankPlace:
    """Return this process's rank. Raises RunError if torch.distributed is not initialised."""
    if not dist.is_available() or not dist.is_initialized():
        raise RunError("ranks have not joined: call torch.distributed.init_process_group first, under torchrun")
    return RankPlace(dist.get_rank(), dist.get_world_size(), dist.get_backend())


def device_of(module: torch.nn.Module) -> torch.device:
    """Return the device of a module's parameters."""
    return next((each.device for _, each in module.named_parameters()), torch.device("cpu"))


def device_for(module: torch.nn.Module, place: RankPlace) -> torch.device:
    """Return the device on which this rank trains.

    This is the module's device; for a module on `meta`, or on the CPU with NCCL, it is the rank's own device.
    """
    device = device_of(module)
    if device.type == "cuda" and device.index is None:
        return torch.device("cuda", torch.cuda.current_device())
    if device.type in ("cpu", "meta") and place.backend == "nccl":
        return torch.device("cuda", torch.cuda.current_device())
    return torch.device("cpu") if device.type == "meta" else device


def agreed(made: Made | str, device: torch.device) -> Made:
    """Broadcast rank 0's result; a string is an error message and raises RunError on all ranks."""
    box: list[Made | str] = [made]
    dist.broadcast_object_list(box, src=0, device=device)
    (found,) = box
    if isinstance(found, str):
        raise RunError(found)
    return found


def from_first(state: Mapping[str, object], device: torch.device) -> dict[str, object]:
    """Return rank 0's checkpoint on all ranks, sent tensor by tensor; tied tensors stay tied."""
    seen: dict[tuple[object, ...], torch.Tensor] = {}

    def sent(value: object) -> object:
        if isinstance(value, Mapping):
            return {key: sent(each) for key, each in value.items()}
        if not isinstance(value, torch.Tensor):
            return value
        place = (value.data_ptr() if value.numel() else id(value), tuple(value.shape), value.stride(), value.dtype)
        if place not in seen:
            seen[place] = value.detach().to(device, copy=True).contiguous()
            if value.numel():
                dist.broadcast(seen[place], src=0)
        return seen[place]

    return {key: sent(each) for key, each in state.items()}
