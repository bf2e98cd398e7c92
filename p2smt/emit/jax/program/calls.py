"""JAX calls for the operations of tensor programs, on whole tensors.

{0}, {1}, ... are the operands, {operands} all of them, {NAME} a parameter, {shape} the shape of the result. Composite
operations are JAX's own functions where it has them: `jax.nn` for softmax, GELU, SiLU, normalisation and attention,
`jax.lax` for convolutions, pools and top-k. Their gradients are what JAX derives (`pullback`), which XLA merges with
the forward pass. Functions without a module are defined in `jax/templates/program/operations.py.in`.
"""

from collections.abc import Mapping
from types import MappingProxyType

_ATTENTION = "causal={causal}"
_DROPPED = "causal={causal}, share={share}, seed={seed}, step=step"
_SLIDING = "stride={stride}, padding={padding}, dilation={dilation}"
_GRADIENTS = ("query", "key", "value", "bias")

JAX_CALLS: Mapping[str, str] = MappingProxyType(
    {
        "einsum": "jnp.einsum({labels}, {operands})",
        "matmul": "jnp.matmul({operands})",
        "linear": "jnp.matmul({0}, {1}.T)",
        "conv2d": f"conv2d({{operands}}, {_SLIDING})",
        "conv2d_input_backward": f"conv2d_input({{operands}}, {{shape}}, {_SLIDING})",
        "conv2d_weight_backward": f"conv2d_weight({{operands}}, {{shape}}, {_SLIDING})",
        "grouped_conv2d": f"grouped_conv2d({{operands}}, {_SLIDING})",
        "grouped_conv2d_input_backward": f"grouped_conv2d_input({{operands}}, {{shape}}, {_SLIDING})",
        "grouped_conv2d_weight_backward": f"grouped_conv2d_weight({{operands}}, {{shape}}, {_SLIDING})",
        "add": "jnp.add({operands})",
        "sub": "jnp.subtract({operands})",
        "mul": "jnp.multiply({operands})",
        "div": "jnp.divide({operands})",
        "neg": "jnp.negative({0})",
        "pow": "jnp.power({operands})",
        "maximum": "jnp.maximum({operands})",
        "minimum": "jnp.minimum({operands})",
        "sqrt": "jnp.sqrt({0})",
        "rsqrt": "jax.lax.rsqrt({0})",
        "exp": "jnp.exp({0})",
        "log": "jnp.log({0})",
        "tanh": "jnp.tanh({0})",
        "sigmoid": "jax.nn.sigmoid({0})",
        "silu": "jax.nn.silu({0})",
        "relu": "jax.nn.relu({0})",
        "gelu": "gelu({0})",
        "erf": "jax.lax.erf({0})",
        "abs": "jnp.abs({0})",
        "sign": "jnp.sign({0})",
        "sin": "jnp.sin({0})",
        "cos": "jnp.cos({0})",
        "atan": "jnp.arctan({0})",
        "gt": "jnp.greater({operands})",
        "ge": "jnp.greater_equal({operands})",
        "lt": "jnp.less({operands})",
        "eq": "jnp.equal({operands})",
        "where": "jnp.where({operands})",
        "relu_backward": "jnp.where({1} <= 0, 0, {0})",
        "gelu_backward": "pullback(gelu, 0, {0}, {1})",
        "gelu_tanh": "jax.nn.gelu({0}, approximate=True)",
        "gelu_tanh_backward": "pullback(jax.nn.gelu, 0, {0}, {1})",
        "silu_backward": "pullback(jax.nn.silu, 0, {0}, {1})",
        "sigmoid_backward": "{0} * {1} * (1 - {1})",
        "tanh_backward": "{0} * (1 - {1} * {1})",
        "cast": "jnp.asarray({0}, {dtype})",
        "sum": "jnp.sum({0}, {dims})",
        "max": "jnp.max({0}, {dims})",
        "min": "jnp.min({0}, {dims})",
        "sum_kept": "jnp.sum({0}, {dims}, keepdims=True)",
        "max_kept": "jnp.max({0}, {dims}, keepdims=True)",
        "min_kept": "jnp.min({0}, {dims}, keepdims=True)",
        "softmax": "jax.nn.softmax({0}, {dim})",
        "log_softmax": "jax.nn.log_softmax({0}, {dim})",
        "layernorm": "layernorm({0}, {dim}, {eps})",
        "softmax_backward": "softmax_backward({0}, {1}, {dim})",
        "log_softmax_backward": "log_softmax_backward({0}, {1}, {dim})",
        "layernorm_backward": "pullback(lambda x: layernorm(x, {dim}, {eps}), 0, {0}, {1})",
        "cumsum": "jnp.cumsum({0}, {dim})",
        "sort": "jnp.sort({0}, {dim})",
        "topk_values": "jax.lax.top_k({0}, {count})[0]",
        "topk_indices": "jax.lax.top_k({0}, {count})[1]",
        "max_pool2d": "max_pool2d({0}, {kernel}, {stride})",
        "max_pool2d_backward": "pullback(lambda x: max_pool2d(x, {kernel}, {stride}), 0, {0}, {1})",
        "adaptive_avg_pool2d": "adaptive_pool({0}, ({height}, {width}))",
        "adaptive_avg_pool2d_backward": "adaptive_pool_backward({0}, ({height}, {width}))",
        "transpose": "jnp.transpose({0}, {dims})",
        "expand": "jnp.broadcast_to({0}, {shape})",
        "reshape": "jnp.reshape({0}, {shape})",
        "cat": "jnp.concatenate([{operands}], {dim})",
        "slice": "jax.lax.slice_in_dim({0}, {start}, {stop}, axis={dim})",
        "flip": "jnp.flip({0}, {dim})",
        "pad": "padded({0}, {dim}, {before}, {after})",
        "embedding": "embedded({operands})",
        "pick": "picked({operands})",
        "one_hot": "jax.nn.one_hot({0}, {classes}, dtype={real})",
        "pick_backward": "picked_backward({operands}, {classes})",
        "cross_entropy_backward": "cross_entropy_backward({operands}, {classes})",
        "embedding_backward": "embedded_backward({operands}, {classes})",
        "dropout": "dropped({0}, {share}, {seed}, step)",
        "uniform": "uniform({0}, {seed}, step)",
        "update": "{1}",
        "rotary": "rotary({0}, {base}, {inverse})",
        "rms_norm": "rms_norm({0}, {dim}, {eps})",
        "rms_norm_backward": "pullback(lambda x: rms_norm(x, {dim}, {eps}), 0, {0}, {1})",
        "weighted_layernorm": "weighted_layernorm({operands}, eps={eps})",
        "weighted_layernorm_backward": "pullback(lambda x: layernorm(x, -1, {eps}), 0, {0} * {2}, {1})",
        "layernorm_weight_backward": "over_rows({0} * layernorm({1}, -1, {eps}))",
        "weighted_rms_norm": "rms_norm({0}, -1, {eps}) * {1}",
        "weighted_rms_norm_backward": "pullback(lambda x: rms_norm(x, -1, {eps}), 0, {0} * {2}, {1})",
        "rms_norm_weight_backward": "over_rows({0} * rms_norm({1}, -1, {eps}))",
        "attention": f"attention({{operands}}, {_ATTENTION})",
        **{
            f"attention_{name}_backward": f"attention_formula({number}, {{operands}}, {_ATTENTION})"
            for number, name in enumerate(_GRADIENTS)
        },
        "dropped_attention": f"dropped_attention({{operands}}, {_DROPPED})",
        **{
            f"dropped_attention_{name}_backward": f"attention_formula({number}, {{operands}}, {_DROPPED})"
            for number, name in enumerate(_GRADIENTS)
        },
        "batch_norm": "batch_norm({operands})",
        "batch_norm_squares": "over_channels(jnp.square({0} - wide({1}, {0})))",
        "batch_norm_weight_backward": "over_channels({0} * batch_norm({1}, {2}, {3}))",
        "batch_norm_backward": "batch_norm_backward({operands})",
        "group_norm": "group_norm({operands}, eps={eps})",
        "group_norm_backward": "pullback(lambda x: group_norm(x, {2}, eps={eps}), 0, {0}, {1})",
        "group_norm_weight_backward": "over_groups({0} * normalised_groups({1}, {eps}))",
    }
)
"""The call of every operation."""
DERIVED_CALLS: Mapping[str, str] = MappingProxyType(
    {
        f"attention_{name}_backward": f"attention_gradient({number}, {{operands}}, {_ATTENTION})"
        for number, name in enumerate(_GRADIENTS)
    }
)
"""Calls of gradients that JAX derives from its attention, where the result that they read is that attention's."""
