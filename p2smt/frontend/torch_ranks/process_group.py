# ruff: noqa: D102 (the methods are those of torch)
"""A process group that moves nothing, and tells the recorder of its rank what it is called for."""

from collections.abc import Sequence
from typing import Protocol

import torch
import torch.distributed as dist

from p2smt.frontend.torch_function.silent_group import SilentGroup
from p2smt.frontend.torch_ranks.recorder import Recorder
from p2smt.frontend.torch_ranks.tape import UnfollowedError

Tensor = torch.Tensor

_Work: type = dist._Work  # type: ignore[attr-defined]
"""What a handle derives from; its stub describes the callers' side."""


class _Options(Protocol):
    """What torch says of a call."""

    rootRank: int  # noqa: N815
    reduceOp: object  # noqa: N815


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


class RankGroup(SilentGroup):
    """Its methods are what torch.distributed calls, under their names of older and newer versions."""

    backend = "p2ranks"
    recorder: Recorder

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
        self.recorder.all_to_all(output, source, got, sent, self.ranks)
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
