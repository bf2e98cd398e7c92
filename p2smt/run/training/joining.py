"""Agreement among ranks that have joined: who they are, what rank 0 has made, the tensors that rank 0 has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import torch
import torch.distributed as dist

from p2smt.errors import RunError

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class RankPlace:
    """A rank, the number of ranks, and the backend of collectives."""

    rank: int
    ranks: int
    backend: str


def joined() -> RankPlace:
    """The place of this process. RunError where it has not joined others."""
    if not dist.is_available() or not dist.is_initialized():
        raise RunError("ranks have not joined: call torch.distributed.init_process_group first, under torchrun")
    return RankPlace(dist.get_rank(), dist.get_world_size(), dist.get_backend())


def device_of(module: torch.nn.Module) -> torch.device:
    """The device of a module's parameters."""
    return next((each.device for _, each in module.named_parameters()), torch.device("cpu"))


def device_for(module: torch.nn.Module, place: RankPlace) -> torch.device:
    """The device on which this rank trains: the module's, or this rank's own where that has no elements or no NCCL."""
    device = device_of(module)
    if device.type == "cuda" and device.index is None:
        return torch.device("cuda", torch.cuda.current_device())
    if device.type in ("cpu", "meta") and place.backend == "nccl":
        return torch.device("cuda", torch.cuda.current_device())
    return torch.device("cpu") if device.type == "meta" else device


def agreed(made: Made | str, device: torch.device) -> Made:
    """The result of rank 0, on all ranks; a text is the reason for none, which is a RunError on all of them."""
    box: list[Made | str] = [made]
    dist.broadcast_object_list(box, src=0, device=device)
    (found,) = box
    if isinstance(found, str):
        raise RunError(found)
    return found


def from_first(state: Mapping[str, object], device: torch.device) -> dict[str, object]:
    """A checkpoint as rank 0 has it, tensor by tensor; tied tensors stay tied."""
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
