"""Attention traced as a single operation, independent of the kernel that torch would choose.

`scaled_dot_product_attention` decomposes into other operations, depending on the kernel that torch selects.
During capture it is replaced by `p2smt::attention`, a custom operator with its own backward pass. Calls with
broadcast batch dimensions are decomposed as usual.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch.library import define, register_autograd, register_fake
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.calls import seen_by

_PARTS = functional.scaled_dot_product_attention
_GIVEN = "Tensor query, Tensor key, Tensor value"
_HOW = "Tensor? mask, bool causal, float scale, float share, bool trained"
define("p2smt::attention", f"({_GIVEN}, {_HOW}) -> Tensor", tags=torch.Tag.nondeterministic_seeded)  # if it drops out
_MADE = "(Tensor, Tensor, Tensor, Tensor)"
define("p2smt::attention_backward", f"(Tensor gradient, {_GIVEN}, Tensor result, {_HOW}) -> {_MADE}")


def _result(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, *_: object) -> torch.Tensor:
    return query.new_empty((*query.shape[:3], value.shape[3]))


def _gradients(
    gradient: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    result: torch.Tensor,
    mask: torch.Tensor | None,
    *_: object,
) -> tuple[torch.Tensor, ...]:
    """Gradients of query, key and value, and of a mask if there is one."""
    return tuple(each.new_empty(each.shape) for each in (query, key, value, query[:0] if mask is None else mask))


def _keep(ctx: torch.autograd.function.FunctionCtx, inputs: tuple[object, ...], output: torch.Tensor) -> None:
    query, key, value, mask, *how = inputs
    ctx.save_for_backward(query, key, value, output, mask)  # type: ignore[arg-type]
    ctx.how = how  # type: ignore[attr-defined]


def _backward(ctx: torch.autograd.function.BackwardCFunction, gradient: torch.Tensor) -> tuple[object, ...]:
    made = torch.ops.p2smt.attention_backward(gradient, *ctx.saved_tensors, *ctx.how)  # type: ignore[attr-defined]
    trained = ctx.how[-1]  # type: ignore[attr-defined]
    return (*made[:3], made[3] if trained else None, None, None, None, None)


def _refuse(ctx: object, *gradients: object) -> None:
    raise CaptureError("attention as one operation has no second derivative; give --attention parts")


register_fake("p2smt::attention", _result)
register_fake("p2smt::attention_backward", _gradients)
register_autograd("p2smt::attention", _backward, setup_context=_keep)
register_autograd("p2smt::attention_backward", _refuse)


@contextmanager
def whole_attention() -> Iterator[None]:
    """A context in which attention is traced as one operation, whichever name it is called by."""
    functional.scaled_dot_product_attention = _attention
    try:
        with seen_by(_Calls()):
            yield
    finally:
        functional.scaled_dot_product_attention = _PARTS


class _Calls(TorchFunctionMode):
    """A mode that intercepts attention called under another name than torch's own."""

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: Sequence[object] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        if func is _PARTS:
            return _attention(*args, **(kwargs or {}))  # type: ignore[arg-type]
        return func(*args, **(kwargs or {}))


def _attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """Attention with the parameters of torch's function."""
    if dropout_p >= 1 or not _is_plain(query, key, value, attn_mask, enable_gqa):
        return _PARTS(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    query, key, value = (_as_computed(each) for each in (query, key, value))
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    how = (is_causal, scale, dropout_p, attn_mask is not None and attn_mask.requires_grad)
    if query.dim() == 3:
        given = (each.unsqueeze(1) for each in (query, key, value))
        mask = attn_mask if attn_mask is None or attn_mask.dim() < 3 else attn_mask.unsqueeze(1)
        made: torch.Tensor = torch.ops.p2smt.attention(*given, mask, *how)
        return made.squeeze(1)
    whole: torch.Tensor = torch.ops.p2smt.attention(query, key, value, attn_mask, *how)
    return whole


def _is_plain(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None, grouped: bool
) -> bool:
    """Return True if the tensor language has this form of attention and the call is not inside vmap."""
    rank = query.dim()
    if rank not in (3, 4) or key.dim() != rank or value.dim() != rank or key.shape[:-1] != value.shape[:-1]:
        return False
    if query.shape[0] != key.shape[0] or query.shape[-1] != key.shape[-1] or 0 in (*query.shape, *key.shape):
        return False
    # Grouped-query attention: query heads are a multiple of key heads, which torch repeats.
    if rank == 4 and query.shape[1] != key.shape[1] and not (grouped and query.shape[1] % key.shape[1] == 0):
        return False
    fits = mask is None or 2 <= mask.dim() <= rank
    # Inside of vmap or grad, tensors are wrapped, and the operation has no rules for that.
    return fits and torch._C._functorch.peek_interpreter_stack() is None


def _as_computed(x: torch.Tensor) -> torch.Tensor:
    """Return the tensor in the type in which autocast computes attention."""
    device = x.device.type
    cast = torch.is_autocast_enabled(device) and x.is_floating_point() and x.dtype is not torch.float64
    return x.to(torch.get_autocast_dtype(device)) if cast else x
