"""Attention traced as one operation, where it has neither mask nor dropout."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import multi_head_attention_forward, scaled_dot_product_attention
from torch.overrides import TorchFunctionMode


class WholeAttention(TorchFunctionMode):
    """Lets torch take attention for one operation; which has a mask, or drops out, stays in its parts."""

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: Sequence[object] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        kwargs = kwargs or {}
        plain = (func is scaled_dot_product_attention and _is_plain(args, kwargs)) or (
            func is multi_head_attention_forward and _has_plain(kwargs)
        )
        if plain:
            with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]):
                return func(*args, **kwargs)
        return func(*args, **kwargs)


def _is_plain(args: Sequence[object], kwargs: Mapping[str, object]) -> bool:
    """Of `scaled_dot_product_attention`."""
    given = dict(zip(("query", "key", "value", "attn_mask", "dropout_p"), args, strict=False)) | dict(kwargs)
    query = given.get("query")
    masked = given.get("attn_mask") is not None or given.get("dropout_p") or given.get("enable_gqa")
    return isinstance(query, torch.Tensor) and query.dim() == 4 and not masked


def _has_plain(kwargs: Mapping[str, object]) -> bool:
    """Of what `nn.MultiheadAttention` calls, all by name; a causal mask is not looked at."""
    masked = kwargs.get("key_padding_mask") is not None or kwargs.get("need_weights")
    return not masked and (kwargs.get("attn_mask") is None or bool(kwargs.get("is_causal")))
