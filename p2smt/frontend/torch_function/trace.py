"""Runs a user's torch.distributed function once per rank, in one process, and writes down what each rank does.

Collectives go to a process group of ours that moves nothing; what happens to tensors in between is seen below
autograd. Tensors hold no data worth the name, so a function that looks at their values cannot be traced. This file is
run as a program of its own, so that the user's code cannot touch the process that asks.
"""

import os
import runpy
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import msgspec
import torch
import torch.distributed as dist
from torch.testing._internal.distributed.fake_pg import FakeStore

from p2smt.collective import Collective, Exchange
from p2smt.frontend.torch_function.events import (
    Group,
    Posted,
    Request,
    Routed,
    Span,
    TorchCall,
    Trace,
    Waited,
    torch_name,
)
from p2smt.frontend.torch_function.tensors import Recorder, TraceError, TracingMode

BACKEND = "p2trace"
MAX_RECORDS = 2_000_000
_OTHERS = ("PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "PREMUL_SUM")

# The classes that a backend written in Python derives from; their stubs describe the callers' side.
_Work: Any = dist._Work  # type: ignore[attr-defined]
_ProcessGroup: Any = dist.ProcessGroup


def main() -> None:
    """Read a request from stdin, trace, write the trace to what stdout was; stdout itself becomes stderr."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=Request)
    warnings.simplefilter("ignore")
    answer.write(msgspec.json.encode(trace(request)))
    answer.close()


def trace(request: Request) -> Trace:
    """All ranks, one after the other."""
    if not hasattr(dist.Backend, BACKEND.upper()):
        dist.Backend.register_backend(BACKEND, _create, extended_api=True, devices=["cpu"])
    ranks, buffers, results = [], [], []
    dtype = getattr(torch, request.dtype)
    for rank in range(request.devices):
        recorder = Recorder(request.path)
        try:
            result = _run(request, rank, recorder, dtype)
        except (Exception, SystemExit) as cause:
            line = f"line {recorder.last_line(cause)}: " if recorder.last_line(cause) else ""
            kind = "" if isinstance(cause, TraceError) else f"{type(cause).__name__}: "
            return Trace(mistake=f"rank {rank}, {line}{kind}{' '.join(str(cause).split())[:300]}")
        ranks.append(tuple(recorder.records))
        buffers.append(tuple(recorder.lengths))
        results.append(result)
        if sum(map(len, ranks)) > MAX_RECORDS:
            return Trace(mistake=f"more than {MAX_RECORDS} operations in all; trace fewer ranks")
    return Trace(tuple(ranks), tuple(buffers), tuple(results), not dtype.is_floating_point)


def _run(request: Request, rank: int, recorder: Recorder, dtype: torch.dtype) -> tuple[Span, ...]:
    os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(request.devices)}
    _TracingGroup.recorder = recorder
    dist.init_process_group(BACKEND, store=FakeStore(), rank=rank, world_size=request.devices)
    original = dist.new_group
    _replace_new_group(_recording(original, recorder))
    try:
        function = _function(runpy.run_path(request.path, run_name="plan"), request)
        payload = torch.zeros(request.elements, dtype=dtype)
        recorder.payload(payload)
        with TracingMode(recorder):
            result = function(payload)
            return recorder.spans(payload if result is None else _checked(result))
    finally:
        _replace_new_group(original)
        dist.destroy_process_group()


def _function(names: dict[str, Any], request: Request) -> Callable[[torch.Tensor], Any]:
    own = [
        name
        for name, value in names.items()
        if isinstance(value, types.FunctionType) and value.__module__ == "plan" and not name.startswith("_")
    ]
    name = request.function or (own[0] if len(own) == 1 else "reduce")
    if name not in names or not callable(names[name]):
        raise TraceError(f"there is no function {name!r}; name one with --function: {', '.join(own) or 'none found'}")
    found: Callable[[torch.Tensor], Any] = names[name]
    return found() if isinstance(found, type) else found


def _checked(result: object) -> torch.Tensor:
    if not isinstance(result, torch.Tensor):
        raise TraceError(f"the function gives {type(result).__name__}; it gives the result, a tensor, or None")
    return result


def _recording(new_group: Callable[..., Any], recorder: Recorder) -> Callable[..., Any]:
    def recorded(ranks: list[int] | None = None, *args: Any, **more: Any) -> Any:
        everyone = range(dist.get_world_size())
        recorder.add(Group(tuple(everyone if ranks is None else ranks), recorder.line()))
        more.pop("backend", None)
        return new_group(ranks, *args, **more)

    return recorded


def _replace_new_group(new_group: Callable[..., Any]) -> None:
    dist.new_group = dist.distributed_c10d.new_group = new_group


def _create(options: Any, _: Any) -> "_TracingGroup":
    ranks = tuple(options.global_ranks_in_group) or tuple(range(options.group_size))
    return _TracingGroup(options.group_rank, options.group_size, str(options.group_id), ranks)


class _Started(_Work):  # type: ignore[misc]
    def __init__(self, recorder: Recorder, number: int) -> None:
        super().__init__()
        self._recorder, self._number = recorder, number

    def wait(self, timeout: Any = None) -> bool:
        self._recorder.add(Waited(self._number))
        return True


class _TracingGroup(_ProcessGroup):  # type: ignore[misc]
    """Its methods are what torch.distributed calls, under their names of older and newer versions."""

    recorder: Recorder

    def __init__(self, rank: int, size: int, name: str, ranks: tuple[int, ...]) -> None:
        super().__init__(rank, size)
        self._place, self._communicator, self._ranks = rank, name, ranks

    def getBackendName(self) -> str:  # noqa: N802
        return BACKEND

    def allreduce(self, tensors: Any, options: Any) -> _Started:
        return self._call(Collective.ALL_REDUCE, tensors, tensors, reduce=options.reduceOp)

    def broadcast(self, tensors: Any, options: Any) -> _Started:
        return self._call(Collective.BROADCAST, tensors, tensors, root=options.rootRank)

    def reduce(self, tensors: Any, options: Any) -> _Started:
        return self._call(Collective.REDUCE, tensors, tensors, root=options.rootRank, reduce=options.reduceOp)

    def allgather(self, outputs: Any, inputs: Any, options: Any) -> _Started:
        return self._call(Collective.ALL_GATHER, inputs, outputs[0])

    def all_gather_single(self, output: Any, source: Any, options: Any = None) -> _Started:
        return self._call(Collective.ALL_GATHER, [source], self._blocks(output, source.numel(), "output", "input"))

    def reduce_scatter(self, outputs: Any, inputs: Any, options: Any) -> _Started:
        return self._call(Collective.REDUCE_SCATTER, inputs[0], outputs, reduce=options.reduceOp)

    def reduce_scatter_single(self, output: Any, source: Any, options: Any) -> _Started:
        blocks = self._blocks(source, output.numel(), "input", "output")
        return self._call(Collective.REDUCE_SCATTER, blocks, [output], reduce=options.reduceOp)

    def all_to_all_single(self, output: Any, source: Any, got: Any, sent: Any, options: Any = None) -> _Started:
        return self._call(Exchange.ALL_TO_ALL, self._split(source, sent), self._split(output, got))

    def alltoall(self, outputs: Any, inputs: Any, options: Any) -> _Started:
        return self._call(Exchange.ALL_TO_ALL, inputs, outputs)

    def gather(self, outputs: Any, inputs: Any, options: Any) -> _Started:
        return self._call(Routed.GATHER, inputs, outputs[0] if outputs else [], root=options.rootRank)

    def scatter(self, outputs: Any, inputs: Any, options: Any) -> _Started:
        return self._call(Routed.SCATTER, inputs[0] if inputs else [], outputs, root=options.rootRank)

    def send(self, tensors: Any, other: int, tag: int) -> _Started:
        return self._call(Exchange.SEND, tensors, [], root=self._place, other=other, tag=tag)

    def recv(self, tensors: Any, other: int, tag: int) -> _Started:
        return self._call(Routed.RECEIVE, [], tensors, root=other, other=self._place, tag=tag)

    def recv_anysource(self, tensors: Any, tag: int) -> _Started:
        raise TraceError("a receive from any source depends on timing; name the source")

    def barrier(self, opts: Any = None, **_: Any) -> _Started:
        return self._call(Routed.BARRIER, [], [])

    _allgather_base = all_gather_into_tensor = all_gather_single
    _reduce_scatter_base = reduce_scatter_tensor = reduce_scatter_single
    alltoall_base = all_to_all_single

    def _blocks(self, whole: Any, block: int, one: str, other: str) -> list[Any]:
        if whole.numel() != block * self.size():
            raise TraceError(
                f"{one} has {whole.numel()} elements and {other} {block}; among {self.size()} ranks {one} must be "
                f"{self.size()} times as long"
            )
        return list(whole.reshape(-1).chunk(self.size()))

    def _split(self, whole: Any, sizes: Any) -> list[Any]:
        if not sizes and whole.numel() % self.size():
            raise TraceError(f"{whole.numel()} elements are no {self.size()} equal blocks; give split sizes")
        rows = whole.reshape(whole.shape[0], -1) if sizes else whole.reshape(self.size(), -1)
        return list(rows.split(list(sizes) if sizes else 1))

    def _call(
        self, call: TorchCall, ins: Any, outs: Any, root: int = 0, other: int = 0, tag: int = 0, reduce: Any = None
    ) -> _Started:
        recorder = self.recorder
        tensors = [*ins, *outs]
        record = Posted(
            number=recorder.next_call(),
            name=torch_name(call),
            communicator=self._communicator,
            group=self._ranks,
            average=_averages(reduce),
            dtype=str(tensors[0].dtype).removeprefix("torch.") if tensors else "",
            ins=tuple(recorder.whole(tensor) for tensor in ins),
            outs=tuple(recorder.whole(tensor) for tensor in outs),
            line=recorder.line(),
            root=root,
            other=other,
            tag=tag,
        )
        recorder.add(record)
        return _Started(recorder, record.number)


def _averages(reduce: Any) -> bool:
    if reduce is None or reduce == dist.ReduceOp.SUM:
        return False
    if reduce != dist.ReduceOp.AVG:
        names = (name for name in _OTHERS if reduce == getattr(dist.ReduceOp, name))
        raise TraceError(f"the operation is {next(names, 'unknown')}; sums and averages are what is checked")
    return True


if __name__ == "__main__":
    main()
