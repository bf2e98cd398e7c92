"""Functional collectives: operations that name their group and return new tensors."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch._ops import OpOverload

from p2smt.frontend.torch_ranks.process_group import RankGroup, amount
from p2smt.frontend.torch_ranks.recorder import RankRecorder
from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError

NAMESPACES = ("_c10d_functional", "_c10d_functional_autograd", "_dtensor")
Tensor = torch.Tensor
_REDUCTIONS = ("sum", "avg", "max", "min")


def called(recorder: RankRecorder, operation: OpOverload, arguments: Sequence[object]) -> object:
    """Return the result of a functional collective. UnfollowedError for unsupported ones."""
    name = operation.overloadpacket.__name__
    if name not in _CALLS:
        raise UnfollowedError(f"{operation} is not supported")
    return _CALLS[name](recorder, *arguments)


def _group(name: object) -> RankGroup:
    found = RankGroup.named[str(name)]
    assert isinstance(found, RankGroup)
    return found


def _reduction(name: object) -> str:
    if str(name).lower() not in _REDUCTIONS:
        raise UnfollowedError(f"a reduction by {name} is not supported")
    return str(name).lower()


def _started(
    recorder: RankRecorder, group: object, name: str, source: Tensor, made: Tensor, root: int = 0, agreed: str = ""
) -> Tensor:
    recorder.started(made, _group(group).posted(name, [source], [made], root, agreed))
    return made


def _all_reduce(recorder: RankRecorder, tensor: Tensor, reduction: object, group: object) -> Tensor:
    recorder.touched([tensor], [])
    return _all_reduce_in_place(recorder, recorder.cloned(tensor), reduction, group)


def _all_reduce_in_place(recorder: RankRecorder, tensor: Tensor, reduction: object, group: object) -> Tensor:
    recorder.all_reduce(tensor, _reduction(reduction), _group(group).members)
    return _started(recorder, group, "all_reduce", tensor, tensor, 0, f"({_reduction(reduction)}) {amount([tensor])}")


def _all_gather(recorder: RankRecorder, tensor: Tensor, size: int, group: object) -> Tensor:
    made = recorder.empty((tensor.shape[0] * size, *tensor.shape[1:]), tensor)
    recorder.all_gather(made, tensor, _group(group).members)
    return _started(recorder, group, "all_gather", tensor, made, 0, amount([tensor]))


def _reduce_scatter(recorder: RankRecorder, tensor: Tensor, reduction: object, size: int, group: object) -> Tensor:
    made = recorder.empty((tensor.shape[0] // size, *tensor.shape[1:]), tensor)
    recorder.reduce_scatter(made, tensor, _reduction(reduction), _group(group).members)
    return _started(recorder, group, "reduce_scatter", tensor, made, 0, f"({_reduction(reduction)}) {amount([made])}")


def _all_to_all(
    recorder: RankRecorder, tensor: Tensor, got: Sequence[int], sent: Sequence[int], group: object
) -> Tensor:
    made = recorder.empty((sum(got), *tensor.shape[1:]), tensor)
    if len(set(got)) > 1 or len(set(sent)) > 1:
        _group(group).routing.unequal_blocks(made, tensor, got, sent)
    else:
        recorder.all_to_all(made, tensor, got, sent, _group(group).members)
    return _started(recorder, group, "all_to_all", tensor, made, 0, str(tensor.dtype))


def _broadcast(recorder: RankRecorder, tensor: Tensor, root: int, group: object) -> Tensor:
    recorder.touched([tensor], [])
    made = recorder.cloned(tensor)
    recorder.broadcast(made, root, _group(group).members)
    found = _group(group)
    agreed = f"from rank {found.ranks[root]} {amount([tensor])}"
    return _started(recorder, group, "broadcast", made, made, root, agreed)


def _each(one: Callable[..., Tensor]) -> Callable[..., list[Tensor]]:
    """Return a function that calls a collective on several tensors, one after the other."""

    def called_for_each(recorder: RankRecorder, tensors: Sequence[Tensor], *rest: object) -> list[Tensor]:
        return [one(recorder, tensor, *rest) for tensor in tensors]

    return called_for_each


def _wait(recorder: RankRecorder, tensor: Tensor) -> Tensor:
    recorder.waited(tensor)
    return tensor


_CALLS: Mapping[str, Callable[..., object]] = {
    "all_reduce": _all_reduce,
    "all_reduce_": _all_reduce_in_place,
    "all_gather_into_tensor": _all_gather,
    "reduce_scatter_tensor": _reduce_scatter,
    "all_to_all_single": _all_to_all,
    "broadcast": _broadcast,
    "wait_tensor": _wait,
    "all_reduce_coalesced": _each(_all_reduce),
    "all_reduce_coalesced_": _each(_all_reduce_in_place),
    "all_gather_into_tensor_coalesced": _each(_all_gather),
    "reduce_scatter_tensor_coalesced": _each(_reduce_scatter),
}
