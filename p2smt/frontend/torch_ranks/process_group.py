# ruff: noqa: D102 (the methods are those of torch)
"""A process group that moves nothing, and tells the recorder of its rank what it is called for."""

from collections.abc import Sequence
from typing import Protocol

import torch
import torch.distributed as dist

from p2smt.frontend.torch_function.handles import Handle
from p2smt.frontend.torch_function.silent_group import SilentGroup
from p2smt.frontend.torch_ranks.recorder import Recorder
from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError

Tensor = torch.Tensor


class _Options(Protocol):
    """What torch says of a call."""

    rootRank: int  # noqa: N815
    reduceOp: object  # noqa: N815


class RankGroup(SilentGroup):
    """Its methods are what torch.distributed calls, under their names of older and newer versions."""

    backend = "p2ranks"
    recorder: Recorder

    def posted(self, name: str, ins: Sequence[Tensor], outs: Sequence[Tensor], root: int = 0) -> int:
        """The number of a call that has begun."""
        return self.recorder.post(name, self.communicator, self.ranks, dist.get_rank(), ins, outs, root)

    def _handle(self, name: str, ins: Sequence[Tensor], outs: Sequence[Tensor], root: int = 0) -> Handle:
        return Handle(self.recorder.journal, [self.posted(name, ins, outs, root)], list(outs))

    def allreduce(self, tensors: list[Tensor], options: _Options) -> Handle:
        (tensor,) = tensors
        self.recorder.all_reduce(tensor, reduction_of(options.reduceOp), self.ranks)
        return self._handle("all_reduce", [tensor], [tensor])

    def broadcast(self, tensors: list[Tensor], options: _Options) -> Handle:
        (tensor,), root = tensors, int(options.rootRank)
        self.recorder.broadcast(tensor, root, self.ranks)
        return self._handle("broadcast", [tensor], [tensor], root)

    def all_gather_single(self, output: Tensor, source: Tensor, options: object = None) -> Handle:
        self.recorder.all_gather(output, source, self.ranks)
        return self._handle("all_gather", [source], [output])

    def allgather(self, outputs: list[list[Tensor]], inputs: list[Tensor], options: object = None) -> Handle:
        self.recorder.all_gather_list(list(outputs[0]), inputs[0], self.ranks)
        return self._handle("all_gather", [inputs[0]], list(outputs[0]))

    def reduce_scatter_single(self, output: Tensor, source: Tensor, options: _Options) -> Handle:
        self.recorder.reduce_scatter(output, source, reduction_of(options.reduceOp), self.ranks)
        return self._handle("reduce_scatter", [source], [output])

    def all_to_all_single(
        self, output: Tensor, source: Tensor, got: Sequence[int], sent: Sequence[int], options: object = None
    ) -> Handle:
        self.recorder.all_to_all(output, source, got, sent, self.ranks)
        return self._handle("all_to_all", [source], [output])

    def barrier(self, opts: object = None, **_: object) -> Handle:
        self.recorder.together("barrier", self.ranks)
        return self._handle("barrier", [], [])

    _allgather_base = all_gather_into_tensor = all_gather_single
    _reduce_scatter_base = reduce_scatter_tensor = reduce_scatter_single
    alltoall_base = all_to_all_single

    def _unfollowed(self, *_: object, **__: object) -> Handle:
        raise UnfollowedError("of collectives all-reduce, all-gather, reduce-scatter, all-to-all of one tensor and "
                              "broadcast are followed")  # fmt: skip

    reduce = gather = scatter = alltoall = reduce_scatter = send = recv = recv_anysource = _unfollowed
    allreduce_coalesced = allgather_coalesced = _start_coalescing = _end_coalescing = _unfollowed
    allgather_into_tensor_coalesced = reduce_scatter_tensor_coalesced = _unfollowed
    all_gather_single_coalesced = reduce_scatter_single_coalesced = monitored_barrier = _unfollowed


def reduction_of(reduce: object) -> str:
    """The name of a reduction."""
    known = {dist.ReduceOp.SUM: "sum", dist.ReduceOp.AVG: "avg", dist.ReduceOp.MAX: "max", dist.ReduceOp.MIN: "min"}
    for each, name in known.items():
        if reduce == each:
            return name
    raise UnfollowedError("sums, averages, maxima and minima are what is followed")
