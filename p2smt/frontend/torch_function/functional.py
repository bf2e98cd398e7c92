"""Functional collectives: operations that name their group, return new tensors, and are awaited by `wait_tensor`."""

from collections.abc import Callable, Sequence

import torch
import torch.distributed as dist

from p2smt.frontend.torch_function.arithmetic import copy
from p2smt.frontend.torch_function.handles import Handle
from p2smt.frontend.torch_function.process_group import TracingGroup
from p2smt.frontend.torch_function.recorder import Recorder, RefusedError, TraceError

NAMESPACE = "_c10d_functional"
_WRAPPER = "AsyncCollectiveTensor"

Tensor = torch.Tensor


class _Options:
    """Options that the methods of process groups read."""

    def __init__(self, reduce_op: str = "sum", root: int = 0) -> None:
        names = {"sum": dist.ReduceOp.SUM, "avg": dist.ReduceOp.AVG}
        if reduce_op.lower() not in names:
            raise TraceError(f"the reduction is {reduce_op}; only sums and averages are supported")
        self.reduceOp, self.rootRank = names[reduce_op.lower()], root


class Functional:
    """The functional collectives of one rank, under the names and parameters of torch's operations."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._started: dict[int, list[Handle]] = {}

    def operation(self, name: str) -> Callable[..., object]:
        """The operation of a name; raises TraceError for one that is not supported."""
        found: Callable[..., object] | None = getattr(self, name, None)
        if found is None or name in ("operation", "plain"):
            raise TraceError(f"{NAMESPACE}.{name} is not supported")
        return found

    def plain(self, value: object) -> object:
        """Return the tensor inside an AsyncCollectiveTensor, after waiting for it; any other value itself."""
        if type(value).__name__ == _WRAPPER and isinstance(elem := getattr(value, "elem", None), Tensor):
            return self.wait_tensor(elem)
        return value

    def wait_tensor(self, tensor: Tensor) -> Tensor:
        """Wait for the calls that were started on the tensor's storage."""
        for handle in self._started.pop(tensor.untyped_storage()._cdata, []):
            handle.wait()
        return tensor

    def all_reduce(self, input: Tensor, reduce_op: str, group_name: str) -> Tensor:
        """All-reduce of a copy."""
        return self.all_reduce_(self._cloned(input), reduce_op, group_name)

    def all_reduce_(self, input: Tensor, reduce_op: str, group_name: str) -> Tensor:
        """All-reduce in place."""
        return self._start(input, _group(group_name).allreduce([input], _Options(reduce_op)))

    def all_reduce_coalesced(self, inputs: Sequence[Tensor], reduce_op: str, group_name: str) -> list[Tensor]:
        """All-reduce of copies of several tensors."""
        return [self.all_reduce(tensor, reduce_op, group_name) for tensor in inputs]

    def all_reduce_coalesced_(self, inputs: Sequence[Tensor], reduce_op: str, group_name: str) -> list[Tensor]:
        """All-reduce of several tensors in place."""
        return [self.all_reduce_(tensor, reduce_op, group_name) for tensor in inputs]

    def broadcast(self, input: Tensor, src: int, group_name: str) -> Tensor:
        """Broadcast into a copy; `src` is an index in the group."""
        return self.broadcast_(self._cloned(input), src, group_name)

    def broadcast_(self, input: Tensor, src: int, group_name: str) -> Tensor:
        """Broadcast in place."""
        return self._start(input, _group(group_name).broadcast([input], _Options(root=src)))

    def all_gather_into_tensor(self, input: Tensor, group_size: int, group_name: str) -> Tensor:
        """All-gather into a new tensor."""
        out = input.new_empty(_longer(input, group_size))
        return self.all_gather_into_tensor_out(input, group_size, group_name, out=out)

    def all_gather_into_tensor_out(self, input: Tensor, group_size: int, group_name: str, *, out: Tensor) -> Tensor:
        """All-gather into a given tensor."""
        return self._start(out, _group(group_name).all_gather_single(out, input.contiguous()))

    def all_gather_into_tensor_coalesced(
        self, inputs: Sequence[Tensor], group_size: int, group_name: str
    ) -> list[Tensor]:
        """All-gather of several tensors."""
        return [self.all_gather_into_tensor(tensor, group_size, group_name) for tensor in inputs]

    def reduce_scatter_tensor(self, input: Tensor, reduce_op: str, group_size: int, group_name: str) -> Tensor:
        """Reduce-scatter into a new tensor."""
        if input.shape[0] % group_size:
            raise RefusedError(f"{input.shape[0]} rows do not divide into {group_size} equal blocks")
        out = input.new_empty((input.shape[0] // group_size, *input.shape[1:]))
        return self._start(out, _group(group_name).reduce_scatter_single(out, input, _Options(reduce_op)))

    def reduce_scatter_tensor_coalesced(
        self, inputs: Sequence[Tensor], reduce_op: str, group_size: int, group_name: str
    ) -> list[Tensor]:
        """Reduce-scatter of several tensors."""
        return [self.reduce_scatter_tensor(tensor, reduce_op, group_size, group_name) for tensor in inputs]

    def all_to_all_single(
        self, input: Tensor, output_split_sizes: Sequence[int], input_split_sizes: Sequence[int], group_name: str
    ) -> Tensor:
        """All-to-all into a new tensor."""
        out = input.new_empty((sum(output_split_sizes), *input.shape[1:]))
        started = _group(group_name).all_to_all_single(out, input, list(output_split_sizes), list(input_split_sizes))
        return self._start(out, started)

    def _cloned(self, tensor: Tensor) -> Tensor:
        clone = tensor.clone(memory_format=torch.contiguous_format)
        copy(self._recorder, tensor, clone)
        return clone

    def _start(self, tensor: Tensor, handle: Handle) -> Tensor:
        self._started.setdefault(tensor.untyped_storage()._cdata, []).append(handle)
        return tensor


def _group(name: str) -> TracingGroup:
    group = TracingGroup.named[name]
    assert isinstance(group, TracingGroup)
    return group


def _longer(tensor: Tensor, times: int) -> tuple[int, ...]:
    return tensor.shape[0] * times, *tensor.shape[1:]
