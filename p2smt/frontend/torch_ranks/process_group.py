# ruff: noqa: D102 (the methods are those of torch)
"""A process group that moves nothing, and tells the recorder of its rank what it is called for."""

from collections.abc import Sequence
from typing import ClassVar, Protocol

import torch
import torch.distributed as dist

from p2smt.frontend.torch_ranks.recorder import Recorder
from p2smt.frontend.torch_ranks.tape import UnfollowedError

BACKEND = "p2ranks"
Tensor = torch.Tensor

_ProcessGroup: type = dist.ProcessGroup
_Work: type = dist._Work  # type: ignore[attr-defined]
"""What these classes derive from; their stubs describe the callers' side."""


class _Options(Protocol):
    """What torch says of a group, or of a call."""

    group_rank: int
    group_size: int
    group_id: object
    global_ranks_in_group: Sequence[int]
    rootRank: int  # noqa: N815
    reduceOp: object  # noqa: N815


def register_backend() -> None:
    """Make the backend known to torch, once."""
    if not hasattr(dist.Backend, BACKEND.upper()):
        dist.Backend.register_backend(BACKEND, _create, extended_api=True, devices=["cpu"])


def _create(options: _Options, _: object) -> "RankGroup":
    ranks = tuple(options.global_ranks_in_group) or tuple(range(options.group_size))
    return RankGroup(options.group_rank, options.group_size, str(options.group_id), ranks)


class Handle(_Work):  # type: ignore[misc]
    """What a collective that is not waited for gives."""

    def __init__(self, recorder: Recorder, tensors: list[Tensor]) -> None:
        super().__init__()
        self._recorder, self._tensors = recorder, tensors

    def wait(self, timeout: object = None) -> bool:
        for tensor in self._tensors:
            self._recorder.waited(tensor)
        return True

    def is_completed(self) -> bool:
        raise UnfollowedError("what is done depends on whether a collective has ended; wait for it")

    def result(self) -> list[Tensor]:
        return self._tensors


class RankGroup(_ProcessGroup):  # type: ignore[misc]
    """Its methods are what torch.distributed calls, under their names of older and newer versions."""

    recorder: Recorder
    named: ClassVar[dict[str, "RankGroup"]] = {}
    supports_splitting = supports_coalescing = False

    def __init__(self, rank: int, size: int, name: str, ranks: tuple[int, ...]) -> None:
        super().__init__(rank, size)
        self._communicator, self.ranks = name, ranks
        self.named[name] = self

    @property
    def group_name(self) -> str:
        return self._communicator

    @property
    def group_desc(self) -> str:
        return self._communicator

    def getBackendName(self) -> str:  # noqa: N802
        return BACKEND

    def _get_backend(self, device: object) -> "RankGroup":
        return self

    def _set_group_name(self, name: str) -> None:
        assert name == self._communicator

    def _set_group_desc(self, description: str) -> None:
        pass

    def allreduce(self, tensors: list[Tensor], options: _Options) -> Handle:
        (tensor,) = tensors
        self.recorder.all_reduce(tensor, reduction_of(options.reduceOp), self.ranks)
        return Handle(self.recorder, [tensor])

    def broadcast(self, tensors: list[Tensor], options: _Options) -> Handle:
        (tensor,) = tensors
        self.recorder.broadcast(tensor, int(options.rootRank), self.ranks)
        return Handle(self.recorder, [tensor])

    def all_gather_single(self, output: Tensor, source: Tensor, options: object = None) -> Handle:
        self.recorder.all_gather(output, source, self.ranks)
        return Handle(self.recorder, [output])

    def allgather(self, outputs: list[list[Tensor]], inputs: list[Tensor], options: object = None) -> Handle:
        self.recorder.all_gather_list(list(outputs[0]), inputs[0], self.ranks)
        return Handle(self.recorder, list(outputs[0]))

    def reduce_scatter_single(self, output: Tensor, source: Tensor, options: _Options) -> Handle:
        self.recorder.reduce_scatter(output, source, reduction_of(options.reduceOp), self.ranks)
        return Handle(self.recorder, [output])

    def all_to_all_single(
        self, output: Tensor, source: Tensor, got: Sequence[int], sent: Sequence[int], options: object = None
    ) -> Handle:
        if len(set(got)) > 1 or len(set(sent)) > 1:
            raise UnfollowedError("an all-to-all of unequal blocks is not followed")
        self.recorder.all_to_all(output, source, self.ranks)
        return Handle(self.recorder, [output])

    def barrier(self, opts: object = None, **_: object) -> Handle:
        return Handle(self.recorder, [])

    _allgather_base = all_gather_into_tensor = all_gather_single
    _reduce_scatter_base = reduce_scatter_tensor = reduce_scatter_single
    alltoall_base = all_to_all_single

    def _unfollowed(self, *_: object, **__: object) -> Handle:
        raise UnfollowedError("of collectives all-reduce, all-gather, reduce-scatter, all-to-all of one tensor and "
                              "broadcast are followed")  # fmt: skip

    reduce = gather = scatter = alltoall = reduce_scatter = send = recv = recv_anysource = _unfollowed
    allreduce_coalesced = allgather_coalesced = _unfollowed
    allgather_into_tensor_coalesced = reduce_scatter_tensor_coalesced = _unfollowed


def reduction_of(reduce: object) -> str:
    """The name of a reduction."""
    known = {dist.ReduceOp.SUM: "sum", dist.ReduceOp.AVG: "avg", dist.ReduceOp.MAX: "max", dist.ReduceOp.MIN: "min"}
    for each, name in known.items():
        if reduce == each:
            return name
    raise UnfollowedError("sums, averages, maxima and minima are what is followed")
