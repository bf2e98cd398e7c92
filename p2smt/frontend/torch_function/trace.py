"""The tracing program: runs a user's torch.distributed function once per rank, and records each rank's calls.

Collectives go to a process group that moves no data; tensor operations are intercepted below autograd. Tensors
hold only placeholder data, so a function that reads their values cannot be traced. This file runs as a separate
program, so that the user's code cannot affect the calling process.
"""

import gc
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NoReturn

import msgspec
import torch
import torch.distributed as dist
from torch.testing._internal.distributed.fake_pg import FakeStore

from p2smt.frontend.sent_function import TRACING
from p2smt.frontend.torch_function.compiler import load_no_compiler_for
from p2smt.frontend.torch_function.events import FunctionRequest, Group, Span, Trace
from p2smt.frontend.torch_function.process_group import TracingGroup
from p2smt.frontend.torch_function.recorder import Recorder, RefusedError, TraceError
from p2smt.frontend.torch_function.streams import Streams
from p2smt.frontend.torch_function.tensors import TracingMode
from p2smt.frontend.torch_function.users_code import forgotten_afterwards, function_of

MAX_RECORDS = 2_000_000

_LACKS = ("not compiled with CUDA", "NVIDIA driver", "does not support", "No backend type")
_RAISED = (RuntimeError, AssertionError)
"""The errors that torch raises without a GPU, or if a process group lacks a method."""

_OF_OBJECTS = (
    "all_gather_object",
    "gather_object",
    "broadcast_object_list",
    "scatter_object_list",
    "send_object_list",
    "recv_object_list",
)


def main() -> None:
    """Read requests from stdin, trace, write the traces to what stdout was; stdout itself becomes stderr."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = msgspec.json.decode(sys.stdin.buffer.read(), type=list[FunctionRequest])
    warnings.simplefilter("ignore")
    os.environ[TRACING] = "1"
    load_no_compiler_for(TracingMode)
    gc.freeze()  # torch stays, and records are no garbage: to look for some costs a tenth of the time
    gc.set_threshold(50_000, 20, 50)
    answer.write(msgspec.json.encode([trace(request) for request in requests]))
    answer.close()


def trace(request: FunctionRequest) -> Trace:
    """The trace of all ranks, which run one after the other."""
    TracingGroup.register()
    recorders, results, records = [], [], 0
    dtype = getattr(torch, request.dtype)
    for rank in range(request.devices):
        recorder = Recorder(request.path)
        try:
            results.append(_run(request, rank, recorder, dtype))
        except (Exception, SystemExit) as cause:
            line = f"line {recorder.last_line(cause)}: " if recorder.last_line(cause) else ""
            kind = "" if isinstance(cause, TraceError | RefusedError) else f"{type(cause).__name__}: "
            what = f"rank {rank}, {line}{kind}{' '.join(str(cause).split())[:300]}"
            if _says_nothing(cause):
                return Trace(unfollowed=what)
            return Trace(mistake=_without_addresses(what), raised=bool(line and kind))
        recorders.append(recorder)
        records += len(recorder.records)
        if records > MAX_RECORDS:
            return Trace(mistake=f"more than {MAX_RECORDS} operations in all; trace fewer ranks")
    return Trace(
        ranks=tuple(tuple(one.records) for one in recorders),
        lines=tuple(tuple(one.lines) for one in recorders),
        unsure=next((one.unsure for one in recorders if one.unsure), ""),
        buffers=tuple(tuple(one.lengths) for one in recorders),
        results=tuple(results),
        integers=not dtype.is_floating_point,
    )


def _without_addresses(text: str) -> str:
    """Return a message without the memory addresses of objects.

    >>> _without_addresses("rank 3 is not part of group <a.TracingGroup object at 0x7f6c>")
    'rank 3 is not part of group'
    """
    return re.sub(r" ?<[\w.]+ object at 0x[0-9a-f]+>", "", text)


def _says_nothing(cause: BaseException) -> bool:
    """Return True if the error is caused by tracing and not by the function, so that real ranks may not raise it."""
    lacks = any(words in str(cause) for words in _LACKS)
    return isinstance(cause, TraceError | NotImplementedError) or (isinstance(cause, _RAISED) and lacks)


def _run(request: FunctionRequest, rank: int, recorder: Recorder, dtype: torch.dtype) -> tuple[Span, ...]:
    ranks = str(request.devices)
    os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": ranks, "LOCAL_WORLD_SIZE": ranks}
    TracingGroup.recorder = recorder
    dist.init_process_group(TracingGroup.backend, store=FakeStore(), rank=rank, world_size=request.devices)
    try:
        with _recording(recorder), forgotten_afterwards():
            function = function_of(request)
            payload = torch.zeros(request.elements, dtype=dtype)
            recorder.payload(payload)
            with TracingMode(recorder) as mode:
                result = mode.plain(function(payload))
                return recorder.spans(payload if result is None else _checked(result))
    finally:
        dist.destroy_process_group()


def _checked(result: object) -> torch.Tensor:
    if not isinstance(result, torch.Tensor):
        raise RefusedError(
            f"the function returns {type(result).__name__}; it has to return the result, a tensor, or None"
        )
    return result


@contextmanager
def _recording(recorder: Recorder) -> Iterator[None]:
    """A context that records the creation of groups anywhere in torch, batches, and GPU streams."""
    c10d = dist.distributed_c10d
    make, batch = c10d._new_group_with_tag, c10d.batch_isend_irecv

    def recorded(ranks: list[int] | None = None, timeout: object = None, *_: object, **more: object) -> object:
        if not more.get("use_local_synchronization"):
            members = tuple(range(dist.get_world_size()) if ranks is None else ranks)
            recorder.add(Group(members, recorder.line()))
        return make(ranks, timeout, **more)  # type: ignore[arg-type]

    def batched(calls: list[dist.P2POp]) -> list[dist.Work]:
        TracingGroup.batched = True
        try:
            return batch(calls)
        finally:
            TracingGroup.batched = False

    with ExitStack() as patches:
        for home, name, value in (
            (c10d, "_new_group_with_tag", recorded),
            (c10d, "batch_isend_irecv", batched),
            (dist, "batch_isend_irecv", batched),
            (dist, "monitored_barrier", lambda group=None, *_, **__: dist.barrier(group)),
            (torch.Tensor, "record_stream", lambda tensor, stream: None),
            *((torch.cuda, name, value) for name, value in Streams(recorder).names.items()),
            *((home, name, _refused(name)) for name in _OF_OBJECTS for home in (dist, c10d)),
        ):
            patches.enter_context(_replaced(home, name, value))
        yield


def _refused(name: str) -> Callable[..., NoReturn]:
    """A replacement for calls that exchange Python objects, which refuses them."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise TraceError(f"{name} exchanges Python objects, whose values are not known here; exchange tensors")

    return refuse


@contextmanager
def _replaced(home: object, name: str, value: object) -> Iterator[None]:
    before = getattr(home, name)
    setattr(home, name, value)
    try:
        yield
    finally:
        setattr(home, name, before)


if __name__ == "__main__":
    main()
