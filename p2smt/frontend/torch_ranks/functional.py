"""Functional collectives: operations on tensors that name their group and give new tensors."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch._ops import OpOverload

from p2smt.frontend.torch_ranks.process_group import RankGroup
from p2smt.frontend.torch_ranks.recorder import Recorder
from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError

NAMESPACES = ("_c10d_functional", "_c10d_functional_autograd", "_dtensor")
Tensor = torch.Tensor
_REDUCTIONS = ("sum", "avg", "max", "min")


def called(recorder: Recorder, operation: OpOverload, arguments: Sequence[object]) -> object:
    """What a functional collective gives. UnfollowedError for others."""
    name = operation.overloadpacket.__name__
    if name not in _CALLS:
        raise UnfollowedError(f"{operation} is not followed")
    return _CALLS[name](recorder, *arguments)


def _group(name: object) -> RankGroup:
    found = RankGroup.named[str(name)]
    assert isinstance(found, RankGroup)
    return found


def _reduction(name: object) -> str:
    if str(name).lower() not in _REDUCTIONS:
        raise UnfollowedError(f"a reduction by {name} is not followed")
    return str(name).lower()


def _started(recorder: Recorder, group: object, name: str, source: Tensor, made: Tensor, root: int = 0) -> Tensor:
    recorder.started(made, _group(group).posted(name, [source], [made], root))
    return made


def _all_reduce(recorder: Recorder, tensor: Tensor, reduction: object, group: object) -> Tensor:
    recorder.touched([tensor], [])
    return _all_reduce_in_place(recorder, recorder.cloned(tensor), reduction, group)


def _all_reduce_in_place(recorder: Recorder, tensor: Tensor, reduction: object, group: object) -> Tensor:
    recorder.all_reduce(tensor, _reduction(reduction), _group(group).ranks)
    return _started(recorder, group, "all_reduce", tensor, tensor)


def _all_gather(recorder: Recorder, tensor: Tensor, size: int, group: object) -> Tensor:
    made = recorder.empty((tensor.shape[0] * size, *tensor.shape[1:]), tensor)
    recorder.all_gather(made, tensor, _group(group).ranks)
    return _started(recorder, group, "all_gather", tensor, made)


def _reduce_scatter(recorder: Recorder, tensor: Tensor, reduction: object, size: int, group: object) -> Tensor:
    made = recorder.empty((tensor.shape[0] // size, *tensor.shape[1:]), tensor)
    recorder.reduce_scatter(made, tensor, _reduction(reduction), _group(group).ranks)
    return _started(recorder, group, "reduce_scatter", tensor, made)


def _all_to_all(recorder: Recorder, tensor: Tensor, got: Sequence[int], sent: Sequence[int], group: object) -> Tensor:
    made = recorder.empty((sum(got), *tensor.shape[1:]), tensor)
    recorder.all_to_all(made, tensor, got, sent, _group(group).ranks)
    return _started(recorder, group, "all_to_all", tensor, made)


def _broadcast(recorder: Recorder, tensor: Tensor, root: int, group: object) -> Tensor:
    recorder.touched([tensor], [])
    made = recorder.cloned(tensor)
    recorder.broadcast(made, root, _group(group).ranks)
    return _started(recorder, group, "broadcast", made, made, root)


def _wait(recorder: Recorder, tensor: Tensor) -> Tensor:
    recorder.waited(tensor)
    return tensor


_CALLS: Mapping[str, Callable[..., object]] = {
    "all_reduce": _all_reduce, "all_reduce_": _all_reduce_in_place, "all_gather_into_tensor": _all_gather,
    "reduce_scatter_tensor": _reduce_scatter, "all_to_all_single": _all_to_all, "broadcast": _broadcast,
    "wait_tensor": _wait,
}  # fmt: skip
