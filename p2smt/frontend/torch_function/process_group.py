# ruff: noqa: D102 (the methods are those of torch)
"""A process group that records calls instead of communicating."""

from collections.abc import Iterable
from typing import Any  # Any: torch's values

import torch.distributed as dist

from p2smt.collective import Collective, Exchange
from p2smt.frontend.torch_function.events import PostEvent, RoutingCall, TorchCall, torch_name
from p2smt.frontend.torch_function.handles import Handle
from p2smt.frontend.torch_function.recorder import Recorder, RefusedError, TraceError
from p2smt.frontend.torch_function.silent_group import SilentGroup

_OTHERS = ("PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "PREMUL_SUM")


class TracingGroup(SilentGroup):
    """A process group that records calls; it has the methods that old and new versions of torch.distributed call."""

    backend = "p2trace"
    recorder: Recorder
    batched = False

    def __init__(self, rank: int, size: int, name: str, ranks: tuple[int, ...]) -> None:
        super().__init__(rank, size, name, ranks)
        self._place = rank
        self._coalesced: list[int] | None = None

    def _start_coalescing(self, device: object) -> None:
        self._coalesced = []

    def _end_coalescing(self, device: object) -> Handle:
        assert self._coalesced is not None
        numbers, self._coalesced = self._coalesced, None
        return Handle(self.recorder, numbers)

    def allreduce_coalesced(self, tensors: Any, options: Any) -> Handle:
        return self._several(self.allreduce([tensor], options) for tensor in tensors)

    def allgather_coalesced(self, outputs: Any, inputs: Any, options: Any = None) -> Handle:
        rows = zip(*outputs, strict=True) if len(outputs) != len(inputs) else outputs
        pairs = zip(rows, inputs, strict=True)
        return self._several(self.allgather([list(row)], [tensor], options) for row, tensor in pairs)

    def all_gather_single_coalesced(self, outputs: Any, inputs: Any, options: Any = None) -> Handle:
        pairs = zip(outputs, inputs, strict=True)
        return self._several(self.all_gather_single(out, tensor, options) for out, tensor in pairs)

    def reduce_scatter_single_coalesced(self, outputs: Any, inputs: Any, options: Any) -> Handle:
        pairs = zip(outputs, inputs, strict=True)
        return self._several(self.reduce_scatter_single(out, tensor, options) for out, tensor in pairs)

    def _several(self, handles: Iterable[Handle]) -> Handle:
        """One handle for several consecutive calls."""
        handles = list(handles)
        numbers = [number for handle in handles for number in handle.numbers]
        return Handle(self.recorder, numbers, [tensor for handle in handles for tensor in handle.result()])

    def allreduce(self, tensors: Any, options: Any) -> Handle:
        return self._call(Collective.ALL_REDUCE, tensors, tensors, reduce=options.reduceOp)

    def broadcast(self, tensors: Any, options: Any) -> Handle:
        return self._call(Collective.BROADCAST, tensors, tensors, root=options.rootRank)

    def reduce(self, tensors: Any, options: Any) -> Handle:
        return self._call(Collective.REDUCE, tensors, tensors, root=options.rootRank, reduce=options.reduceOp)

    def allgather(self, outputs: Any, inputs: Any, options: Any) -> Handle:
        return self._call(Collective.ALL_GATHER, inputs, self._each(outputs[0]))

    def all_gather_single(self, output: Any, source: Any, options: Any = None) -> Handle:
        return self._call(Collective.ALL_GATHER, [source], self._blocks(output, source.numel(), "output", "input"))

    def reduce_scatter(self, outputs: Any, inputs: Any, options: Any) -> Handle:
        return self._call(Collective.REDUCE_SCATTER, self._each(inputs[0]), outputs, reduce=options.reduceOp)

    def reduce_scatter_single(self, output: Any, source: Any, options: Any) -> Handle:
        blocks = self._blocks(source, output.numel(), "input", "output")
        return self._call(Collective.REDUCE_SCATTER, blocks, [output], reduce=options.reduceOp)

    def all_to_all_single(self, output: Any, source: Any, got: Any, sent: Any, options: Any = None) -> Handle:
        return self._call(Exchange.ALL_TO_ALL, self._split(source, sent), self._split(output, got))

    def alltoall(self, outputs: Any, inputs: Any, options: Any) -> Handle:
        return self._call(Exchange.ALL_TO_ALL, self._each(inputs), self._each(outputs))

    def gather(self, outputs: Any, inputs: Any, options: Any) -> Handle:
        return self._call(RoutingCall.GATHER, inputs, self._each(outputs[0]) if outputs else [], root=options.rootRank)

    def scatter(self, outputs: Any, inputs: Any, options: Any) -> Handle:
        return self._call(RoutingCall.SCATTER, self._each(inputs[0]) if inputs else [], outputs, root=options.rootRank)

    def send(self, tensors: Any, other: int, tag: int) -> Handle:
        return self._call(Exchange.SEND, tensors, [], root=self._place, other=other, tag=tag)

    def recv(self, tensors: Any, other: int, tag: int) -> Handle:
        return self._call(RoutingCall.RECEIVE, [], tensors, root=other, other=self._place, tag=tag)

    def recv_anysource(self, tensors: Any, tag: int) -> Handle:
        raise TraceError("a receive from any source depends on timing; name the source")

    def barrier(self, opts: Any = None, **_: Any) -> Handle:
        return self._call(RoutingCall.BARRIER, [], [])

    _allgather_base = all_gather_into_tensor = all_gather_single
    _reduce_scatter_base = reduce_scatter_tensor = reduce_scatter_single
    alltoall_base = all_to_all_single
    allgather_into_tensor_coalesced = all_gather_single_coalesced
    reduce_scatter_tensor_coalesced = reduce_scatter_single_coalesced

    def _blocks(self, whole: Any, block: int, one: str, other: str) -> list[Any]:
        if whole.numel() != block * self.size():
            raise RefusedError(
                f"{one} has {whole.numel()} elements and {other} {block}; among {self.size()} ranks {one} must be "
                f"{self.size()} times as long"
            )
        return list(whole.reshape(-1).chunk(self.size()))

    def _split(self, whole: Any, sizes: Any) -> list[Any]:
        if not sizes and whole.numel() % self.size():
            raise RefusedError(
                f"{whole.numel()} elements do not divide into {self.size()} equal blocks; give split sizes"
            )
        rows = whole.reshape(whole.shape[0], -1) if sizes else whole.reshape(self.size(), -1)
        return list(rows.split(self._each(sizes) if sizes else 1))

    def _each(self, blocks: Any) -> list[Any]:
        if len(blocks) != self.size():
            raise RefusedError(f"{len(blocks)} blocks for {self.size()} ranks; give one for each of them")
        return list(blocks)

    def _call(
        self, call: TorchCall, ins: Any, outs: Any, root: int = 0, other: int = 0, tag: int = 0, reduce: Any = None
    ) -> Handle:
        recorder = self.recorder
        tensors = [*ins, *outs]
        record = PostEvent(
            number=recorder.next_call(),
            name=torch_name(call),
            communicator=self.communicator,
            group=self.ranks,
            member=dist.get_rank(),
            average=_averages(reduce),
            dtype=str(tensors[0].dtype).removeprefix("torch.") if tensors else "",
            ins=tuple(recorder.whole(tensor) for tensor in ins),
            outs=tuple(recorder.whole(tensor) for tensor in outs),
            line=recorder.line(),
            root=root,
            other=other,
            tag=tag,
            batched=TracingGroup.batched,
            coalesced=self._coalesced is not None,
        )
        recorder.add(record)
        if self._coalesced is not None:
            self._coalesced.append(record.number)
        return Handle(recorder, [record.number], outs)


def _averages(reduce: Any) -> bool:
    if reduce is None or reduce == dist.ReduceOp.SUM:
        return False
    if reduce != dist.ReduceOp.AVG:
        names = (name for name in _OTHERS if reduce == getattr(dist.ReduceOp, name))
        raise TraceError(f"the reduction is {next(names, 'unknown')}; only sums and averages are supported")
    return True
