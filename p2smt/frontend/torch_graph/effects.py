"""Side effects of PyTorch operators, read from their schemas.

A schema says which arguments an operation writes and which results are views of its arguments; tags say which
operations draw random numbers, and namespaces which communicate. Tracers model the effects that they know; any
other effect makes tracing fail. Every dispatched operation is checked, so that operations added by future
versions of torch are not assumed to be pure.

Where a schema is silent, torch's own list is consulted (`SchemaInfo`: running statistics of batch norm, which are
written in training only).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

import torch
from torch._ops import OpOverload, OpOverloadPacket

COMMUNICATING = ("c10d", "_c10d_functional", "_c10d_functional_autograd", "_dtensor", "symm_mem")
_STATISTICS = ("running_mean", "running_var")
WRITE_STATISTICS = frozenset(
    (
        "batch_norm_gather_stats",
        "batch_norm_gather_stats_with_counts",
        "batch_norm_update_stats",
    )
)
"""Operations that write running statistics although neither their schema nor torch's list declares it."""
_TRAINING = ("training", "train", "use_input_stats")
_MODELLED_FORMS = {"aten::native_batch_norm": torch.ops.aten._native_batch_norm_legit_functional.default}
"""Operators that write extra outputs in place, with the functional variants that return them."""


class EffectKind(StrEnum):
    """Kinds of side effects that a tracer must handle, the most demanding first."""

    COMMUNICATES = "communicates"
    RANDOM = "draws random numbers"
    WRITES = "writes"
    VIEWS = "gives a view"
    PURE = "gives new tensors"


@dataclass(frozen=True, slots=True)
class Effects:
    """Effects of one call; `written`: names of the written arguments; `moved`: a tensor's storage or strides change."""

    written: tuple[str, ...] = ()
    views: bool = False
    random: bool = False
    communicates: bool = False
    moved: bool = False

    @property
    def kind(self) -> EffectKind:
        """The most demanding of its effects."""
        if self.communicates:
            return EffectKind.COMMUNICATES
        if self.random:
            return EffectKind.RANDOM
        if self.written:
            return EffectKind.WRITES
        return EffectKind.VIEWS if self.views or self.moved else EffectKind.PURE


def effects(operation: OpOverload, arguments: Sequence[object], keywords: Mapping[str, object]) -> Effects:
    """The effects of a call with these arguments."""
    given = named(operation, arguments, keywords)
    flags = tuple((name, bool(given[name])) for name in _TRAINING if isinstance(given.get(name), bool))
    found = _effects(operation, flags)
    return replace(found, random=False) if given.get("dropout_p") == 0 else found


def named(operation: OpOverload, arguments: Sequence[object], keywords: Mapping[str, object]) -> dict[str, object]:
    """The arguments by their names in the schema."""
    names = [each.name for each in operation._schema.arguments]
    return dict(zip(names, arguments, strict=False)) | dict(keywords)


@lru_cache(maxsize=4096)
def _effects(operation: OpOverload, flags: tuple[tuple[str, bool], ...]) -> Effects:
    schema = operation._schema
    info = torch._C._SchemaInfo(schema)
    for name, value in flags:
        info.add_argument_value(name, value)
    silent = operation.overloadpacket.__name__ in WRITE_STATISTICS
    moved = torch.Tag.inplace_view in operation.tags or schema.name in ("aten::set_", "aten::resize_")
    written = tuple(
        each.name for each in schema.arguments if info.is_mutable(each.name) or (silent and each.name in _STATISTICS)
    )
    return Effects(
        written=() if moved else written,
        views=any(each.alias_info is not None for each in schema.returns) and not written,
        random=torch.Tag.nondeterministic_seeded in operation.tags,
        communicates=operation.namespace in COMMUNICATING,
        moved=moved and schema.name != "aten::detach_",
    )


@lru_cache(maxsize=4096)
def without_writing(operation: OpOverload) -> OpOverload | None:
    """Return the functional variant, which returns what this operation writes; None if torch has none.

    `mul_` and `mul.out` become `mul`; the arguments must have the same names and types, apart from `out`.
    """
    schema = operation._schema
    if schema.name in _MODELLED_FORMS:
        return _MODELLED_FORMS[schema.name]
    if any(each.alias_info is None for each in schema.returns):
        return None
    namespace, _, base = schema.name.partition("::")
    packet = getattr(getattr(torch.ops, namespace), base.removesuffix("_"), None)
    if not isinstance(packet, OpOverloadPacket):
        return None
    kept = [each for each in schema.arguments if not each.is_out]
    count = sum(map(_is_written, schema.arguments))
    for overload in _overloads(packet):
        found: OpOverload = getattr(packet, overload)
        candidate = found._schema
        if any(map(_is_written, candidate.arguments)) or len(candidate.returns) != count:
            continue
        if [(each.name, str(each.type)) for each in candidate.arguments] == [
            (each.name, str(each.type)) for each in kept
        ]:
            return found
    return None


def without_copying(operation: OpOverload) -> OpOverload:
    """Return the view operation that one like `split_copy` copies; any other operation is returned unchanged."""
    namespace, _, base = operation._schema.name.partition("::")
    if torch.Tag.view_copy not in operation.tags and not base.endswith("_copy"):
        return operation
    packet = getattr(getattr(torch.ops, namespace), base.removesuffix("_copy"), None)
    overload = operation._schema.overload_name or "default"
    if not isinstance(packet, OpOverloadPacket) or overload not in _overloads(packet):
        return operation
    viewed: OpOverload = getattr(packet, overload)
    return viewed if any(each.alias_info is not None for each in viewed._schema.returns) else operation


def _overloads(packet: OpOverloadPacket) -> list[str]:
    return list(packet.overloads())  # type: ignore[no-untyped-call]


def _is_written(argument: torch._C.Argument) -> bool:
    return argument.alias_info is not None and argument.alias_info.is_write
