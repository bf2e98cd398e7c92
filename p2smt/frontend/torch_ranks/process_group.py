# ruff: noqa: D102 (the methods are those of torch)
"""A process group that moves no data, and reports calls to the recorder of its rank."""

from collections.abc import Sequence
from typing import Protocol

import torch
import torch.distributed as dist

from p2smt.frontend.torch_function.handles import Handle
from p2smt.frontend.torch_function.silent_group import SilentGroup
from p2smt.frontend.torch_ranks.communicator import TIMES, Members
from p2smt.frontend.torch_ranks.recorder import RankRecorder
from p2smt.frontend.torch_ranks.routing import Routing
from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError

Tensor = torch.Tensor


class _Options(Protocol):
    """Options that torch passes to a call."""

    rootRank: int  # noqa: N815
    reduceOp: object  # noqa: N815


class RankGroup(SilentGroup):
    """A process group of one rank; it has the methods that old and new torch.distributed versions call."""

    backend = "p2ranks"
    recorder: RankRecorder

    @property
    def members(self) -> Members:
        """The communicator and its ranks."""
        return Members(self.communicator, self.ranks)

    @property
    def routing(self) -> Routing:
        """The messages between the members."""
        return Routing(self.recorder, self.members, dist.get_rank())

    def posted(self, name: str, ins: Sequence[Tensor], outs: Sequence[Tensor], root: int = 0, agreed: str = "") -> int:
        """Record a call and return its number; all members must have the same name and `agreed`."""
        said = " ".join(filter(None, (name, agreed)))
        return self.recorder.post(name, self.members, dist.get_rank(), ins, outs, root, said)

    def _handle(
        self, name: str, ins: Sequence[Tensor], outs: Sequence[Tensor], root: int = 0, agreed: str = ""
    ) -> Handle:
        return Handle(self.recorder.journal, [self.posted(name, ins, outs, root, agreed)], list(outs))

    def allreduce(self, tensors: list[Tensor], options: _Options) -> Handle:
        reduction = reduction_of(options.reduceOp)
        for tensor in tensors:
            self.recorder.all_reduce(tensor, reduction, self.members)
        return self._handle("all_reduce", tensors, tensors, agreed=f"({reduction}) {amount(tensors)}")

    def broadcast(self, tensors: list[Tensor], options: _Options) -> Handle:
        (tensor,), root = tensors, int(options.rootRank)
        self.recorder.broadcast(tensor, root, self.members)
        return self._handle("broadcast", [tensor], [tensor], root, f"from rank {self.ranks[root]} {amount(tensors)}")

    def all_gather_single(self, output: Tensor, source: Tensor, options: object = None) -> Handle:
        return self.all_gather_single_coalesced([output], [source])

    def all_gather_single_coalesced(
        self, outputs: list[Tensor], sources: list[Tensor], options: object = None
    ) -> Handle:
        for output, source in zip(outputs, sources, strict=True):
            self.recorder.all_gather(output, source, self.members)
        return self._handle("all_gather", sources, outputs, agreed=amount(sources))

    def allgather(self, outputs: list[list[Tensor]], inputs: list[Tensor], options: object = None) -> Handle:
        for listed, source in zip(outputs, inputs, strict=True):
            self.recorder.all_gather_list(list(listed), source, self.members)
        return self._handle(
            "all_gather", inputs, [each for listed in outputs for each in listed], agreed=amount(inputs)
        )

    def allgather_coalesced(self, outputs: list[list[Tensor]], inputs: list[Tensor], options: object = None) -> Handle:
        # torch lists outputs by member there, and by tensor here
        return self.allgather([list(each) for each in zip(*outputs, strict=True)], inputs, options)

    def reduce_scatter_single(self, output: Tensor, source: Tensor, options: _Options) -> Handle:
        return self.reduce_scatter_single_coalesced([output], [source], options)

    def reduce_scatter_single_coalesced(
        self, outputs: list[Tensor], sources: list[Tensor], options: _Options
    ) -> Handle:
        reduction = reduction_of(options.reduceOp)
        for output, source in zip(outputs, sources, strict=True):
            self.recorder.reduce_scatter(output, source, reduction, self.members)
        return self._handle("reduce_scatter", sources, outputs, agreed=f"({reduction}) {amount(outputs)}")

    def reduce_scatter(self, outputs: list[Tensor], inputs: list[list[Tensor]], options: _Options) -> Handle:
        reduction = reduction_of(options.reduceOp)
        for output, listed in zip(outputs, inputs, strict=True):
            self.recorder.reduce_scatter_list(output, list(listed), reduction, self.members)
        return self._handle(
            "reduce_scatter",
            [each for listed in inputs for each in listed],
            outputs,
            agreed=f"({reduction}) {amount(outputs)}",
        )

    def all_to_all_single(
        self, output: Tensor, source: Tensor, got: Sequence[int], sent: Sequence[int], options: object = None
    ) -> Handle:
        if len(set(got)) > 1 or len(set(sent)) > 1:
            self.routing.unequal_blocks(output, source, got, sent)
        else:
            self.recorder.all_to_all(output, source, got, sent, self.members)
        return self._handle("all_to_all", [source], [output], agreed=str(source.dtype))

    def alltoall(self, outputs: list[Tensor], inputs: list[Tensor], options: object = None) -> Handle:
        self.routing.all_to_all(list(outputs), list(inputs))
        return self._handle("all_to_all", inputs, outputs, agreed="of lists")

    def gather(self, outputs: list[list[Tensor]], inputs: list[Tensor], options: _Options) -> Handle:
        (source,), root = inputs, int(options.rootRank)
        listed = [each for given in outputs for each in given]
        self.routing.gather(listed, source, root)
        return self._handle("gather", inputs, listed, root, f"to rank {self.ranks[root]} {amount(inputs)}")

    def scatter(self, outputs: list[Tensor], inputs: list[list[Tensor]], options: _Options) -> Handle:
        (output,), root = outputs, int(options.rootRank)
        listed = [each for given in inputs for each in given]
        self.routing.scatter(output, listed, root)
        return self._handle("scatter", listed, outputs, root, f"from rank {self.ranks[root]} {amount(outputs)}")

    def reduce(self, tensors: list[Tensor], options: _Options) -> Handle:
        (tensor,), root, reduction = tensors, int(options.rootRank), reduction_of(options.reduceOp)
        self.recorder.all_reduce(tensor, reduction, self.members)
        if self.ranks[root] != dist.get_rank():
            self.recorder.undefined(tensor)
        return self._handle(
            "reduce", tensors, tensors, root, f"({reduction}) to rank {self.ranks[root]} {amount(tensors)}"
        )

    def send(self, tensors: list[Tensor], target: int, tag: int = 0) -> Handle:
        (tensor,) = tensors
        return Handle(self.recorder.journal, [self.routing.send(tensor, target, tag)], tensors)

    def recv(self, tensors: list[Tensor], source: int, tag: int = 0) -> Handle:
        (tensor,) = tensors
        return Handle(self.recorder.journal, [self.routing.receive(tensor, source, tag)], tensors)

    def barrier(self, opts: object = None, **_: object) -> Handle:
        return self._handle("barrier", [], [])

    _allgather_base = all_gather_into_tensor = all_gather_single
    _reduce_scatter_base = reduce_scatter_tensor = reduce_scatter_single
    alltoall_base = all_to_all_single
    allreduce_coalesced = allreduce
    allgather_into_tensor_coalesced = all_gather_single_coalesced
    reduce_scatter_tensor_coalesced = reduce_scatter_single_coalesced

    def recv_anysource(self, *_: object, **__: object) -> Handle:
        raise UnfollowedError("recv from any rank depends on timing; name the source: recv(tensor, src=RANK)")

    def _unfollowed(self, *_: object, **__: object) -> Handle:
        raise UnfollowedError(
            "calls between _start_coalescing and _end_coalescing are not supported; call them one by one"
        )

    _start_coalescing = _end_coalescing = monitored_barrier = _unfollowed


def amount(tensors: Sequence[Tensor]) -> str:
    """Return a description of the shapes and element types of tensors."""
    return "of " + ", ".join(f"{list(each.shape)} {str(each.dtype).removeprefix('torch.')}" for each in tensors)


def reduction_of(reduce: object) -> str:
    """The name of a reduction."""
    known = {dist.ReduceOp.SUM: "sum", dist.ReduceOp.AVG: "avg", dist.ReduceOp.MAX: "max", dist.ReduceOp.MIN: "min"}
    for each, name in known.items():
        if reduce == each:
            return name
    factor = getattr(reduce, "factor", None)
    if getattr(reduce, "op", None) == dist.ReduceOp.PREMUL_SUM and isinstance(factor, float):
        return f"{TIMES}{factor!r}"
    raise UnfollowedError("only sums, averages, maxima and minima are supported")
