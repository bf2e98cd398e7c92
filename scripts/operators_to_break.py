"""Operations that torch dispatches on real ranks: whether they do what their schemas say, and how they are traced."""

from collections import Counter
from collections.abc import Mapping, Sequence

import torch
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from p2smt.frontend.torch_graph.effects import EffectKind, effects, named, without_copying, without_writing
from p2smt.frontend.torch_graph.node import HANDLERS
from p2smt.frontend.torch_ranks.foreach import is_foreach


class Watching(TorchDispatchMode):
    """Counts operations, and compares what every argument holds before and after with what the schema says."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: Counter[str] = Counter()
        self._made: dict[str, str] = {}
        self._unlike: set[str] = set()

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: Sequence[type],
        args: tuple[object, ...] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> object:
        kwargs = kwargs or {}
        if any(
            issubclass(each, torch.Tensor) and each.__name__ in ("DTensor", "AsyncCollectiveTensor") for each in types
        ):
            return NotImplemented
        found = effects(func, args, kwargs)
        tensors = [each for each in tree_leaves([args, kwargs]) if isinstance(each, torch.Tensor)]
        if any(isinstance(each, FakeTensor) for each in tensors):
            return func(*args, **kwargs)  # what shape a result would have: nothing is done
        self._counts[str(func)] += 1
        self._made.setdefault(str(func), treatment(func))
        written = [each for name in found.written for each in tree_leaves(named(func, args, kwargs).get(name))]
        storages = {each.untyped_storage()._cdata for each in written if isinstance(each, torch.Tensor)}
        before = [each.detach().clone() for each in tensors]
        result = func(*args, **kwargs)
        if not found.communicates and not found.moved:
            for old, new in zip(before, tensors, strict=True):
                if new.untyped_storage()._cdata not in storages and not _same(old, new):
                    self._unlike.add(f"{func} writes what its schema does not say")
        given = {each.untyped_storage()._cdata for each in tensors} - storages
        for each in tree_leaves(result):
            shares = isinstance(each, torch.Tensor) and each.numel() and each.untyped_storage()._cdata in given
            if shares and not (
                found.communicates or found.views or found.moved or func._schema.name == "aten::_unsafe_view"
            ):
                self._unlike.add(f"{func} gives memory that it was given, and its schema does not say so")
        return result

    def table(self) -> dict[str, object]:
        """Operations by what is made of them, with how often they ran."""
        kinds = sorted(set(self._made.values()))
        return {
            kind: {name: self._counts[name] for name in sorted(self._made) if self._made[name] == kind}
            for kind in kinds
        } | {"unlike their schemas": sorted(self._unlike)}


def treatment(operation: OpOverload) -> str:
    """What the tracer of ranks makes of an operation."""
    found = effects(operation, (), {})
    special = "taken apart into operations on single tensors" if is_foreach(operation) else ""
    special = "looks at other memory" if operation._schema.name == "aten::set_" else special
    if special:
        return f"modelled: {special}"
    match found.kind:
        case EffectKind.COMMUNICATES:
            return "communication: by the process group that moves nothing"
        case EffectKind.RANDOM:
            return "not modelled: random"
        case EffectKind.WRITES:
            one = without_writing(operation)
            return _lowered("writes", operation if one is None else without_copying(one), one is not None)
        case EffectKind.VIEWS | EffectKind.PURE as kind:
            return _lowered("view" if kind is EffectKind.VIEWS else "pure", without_copying(operation), True)


def _lowered(kind: str, operation: OpOverload, known: bool) -> str:
    tensors = any("Tensor" in str(each.type) for each in operation._schema.returns)
    if not tensors and known:
        return f"{kind}: gives no tensor"
    return f"modelled: {kind}" if known and operation.overloadpacket.__name__ in HANDLERS else f"refused: {kind}"


def _same(old: torch.Tensor, new: torch.Tensor) -> bool:
    return old.shape == new.shape and torch.equal(old.nan_to_num(), new.nan_to_num())
