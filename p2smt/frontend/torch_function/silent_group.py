# ruff: noqa: D102 (the methods are those of torch)
"""A process group that moves nothing: the interface that torch requires of any backend."""

from collections.abc import Sequence
from typing import ClassVar, Protocol

import torch.distributed as dist

_ProcessGroup: type = dist.ProcessGroup
"""The base class of backends written in Python, whose stub declares only the callers' side."""


class _Options(Protocol):
    """Options that torch gives to a new group."""

    group_rank: int
    group_size: int
    group_id: object
    global_ranks_in_group: Sequence[int]


class SilentGroup(_ProcessGroup):  # type: ignore[misc]
    """A communicator and its ranks, ascending; derived classes implement the calls of torch.distributed.

    `backend` is its name among torch's backends; `named` maps communicators to the groups created so far.
    """

    backend: ClassVar[str]
    named: ClassVar[dict[str, "SilentGroup"]] = {}
    supports_splitting = supports_coalescing = False

    def __init__(self, rank: int, size: int, name: str, ranks: tuple[int, ...]) -> None:
        super().__init__(rank, size)
        self.communicator, self.ranks = name, ranks
        self.named[name] = self

    @classmethod
    def register(cls) -> None:
        """Register the backend with torch, once."""
        if not hasattr(dist.Backend, cls.backend.upper()):
            dist.Backend.register_backend(cls.backend, cls._made, extended_api=True, devices=["cpu"])

    @classmethod
    def _made(cls, options: _Options, _: object) -> "SilentGroup":
        ranks = tuple(options.global_ranks_in_group) or tuple(range(options.group_size))
        return cls(options.group_rank, options.group_size, str(options.group_id), ranks)

    @property
    def group_name(self) -> str:
        return self.communicator

    @property
    def group_desc(self) -> str:
        return self.communicator

    def getBackendName(self) -> str:  # noqa: N802
        return self.backend

    def _get_backend(self, device: object) -> "SilentGroup":
        return self

    def _set_group_name(self, name: str) -> None:
        assert name == self.communicator

    def _set_group_desc(self, description: str) -> None:
        pass
