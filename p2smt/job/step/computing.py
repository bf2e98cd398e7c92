"""Seconds of computing on a device per layer, and for the output, per micro-batch, forward and backward.

The product of a T x k and a k x n matrix takes, per pass,

    2 T k n / (peak * matmul) * (1 + narrow_output / n + narrow_input / k + few_rows / T),

which is the form of a roofline: with a peak of F operations/s, B bytes/s and two bytes per element, a product
moves 2 (T k + k n + T n) bytes, which takes F / B * (1 / n + 1 / k + 1 / T) times as long as computing it. A
training step has three passes, or four if a layer is recomputed. The attention core takes 4 T s d operations
per head of d elements forward (half of that if masked scores are skipped) and, if fused, 2.5 times as many
backward, as scores are recomputed. Norms, residuals, activation functions, routing and casts to 8 bits are
limited by memory bandwidth.

Megatron-LM's efficiencies for various hidden sizes and tensor-parallel degrees (Narayanan et al. 2021, table
1), those of llm-foundry for various sequence lengths and micro-batches, and BLOOM's for various head sizes
follow this form.
"""

from p2smt.job.step.setting import Setting
from p2smt.problem.transformer.model import Transformer
from p2smt.problem.transformer.parameters import active_parameters
from p2smt.problem.transformer.split import Precision, Recompute

_HOPPER = 5e14
_BLACKWELL = 2e15
_SCORE_BYTES = 20.0
_SCORE_BYTES_AGAIN = 10.0
_SCORE_RATE = 0.7
_NORM_BYTES = 4.0  # a norm computed again reads and writes an element of 16 bits
_PIECE_BYTES = 2.0  # per element that an activation function computed again reads or writes


def layer_seconds(setting: Setting) -> dict[str, float]:
    """Return the seconds of an average layer by kind of work: linear, experts, attention, elementwise."""
    transformer = setting.transformer
    if setting.utilisation is not None:
        operations = layer_operations(transformer) * setting.tokens / setting.split.tp * (1 + setting.recomputed / 3)
        seconds = operations / (_peak(setting) * setting.utilisation)
        return {"linear": seconds, "experts": 0.0, "attention": 0.0, "elementwise": 0.0}
    part = setting.transformer.expert_layers / transformer.layers
    dense = (1 - part) * _feed_forward(setting, transformer.ffn) if part < 1 else 0.0
    return {
        "linear": _projections(setting) + dense,
        "experts": part * _experts(setting),
        "attention": _attention(setting),
        "elementwise": _elementwise(setting, part) + _casts(setting, part),
    }


def output_seconds(setting: Setting) -> float:
    """Return the seconds of the 16-bit projection to the vocabulary, and of the loss."""
    words = setting.transformer.vocabulary / setting.split.tp
    if setting.utilisation is not None:
        operations = 6 * setting.outputs * setting.transformer.hidden * words
        return operations / (setting.cluster.half * setting.utilisation)
    product = _product(setting, setting.outputs, setting.transformer.hidden, words, _half_rate(setting), passes=3.0)
    constants = setting.constants
    moved = constants.logit_bytes_fused if setting.traits.fused_loss else constants.logit_bytes
    return product + setting.outputs * words * moved / setting.memory_rate


def layer_operations(transformer: Transformer) -> float:
    """Return an average layer's operations per token, forward and backward: 6 per parameter, plus attention."""
    attention = 6 * transformer.attended * transformer.heads * transformer.attention_size
    return 6 * active_parameters(transformer) / transformer.layers + attention


def _peak(setting: Setting) -> float:
    cluster = setting.cluster
    return cluster.half if setting.precision is not Precision.FP8 else max(cluster.eighth, cluster.half)


def _half_rate(setting: Setting) -> float:
    return setting.cluster.half * setting.constants.matmul


def _rate(setting: Setting) -> float:
    """Return the operations/s of large products in the step's precision."""
    if setting.precision is Precision.FP8:
        return 2 * setting.cluster.half * setting.constants.matmul_fp8
    return _half_rate(setting)


def _product(setting: Setting, rows: float, inner: float, columns: float, rate: float, passes: float) -> float:
    constants = setting.constants
    shape = 1 + constants.narrow_output / columns + constants.narrow_input / inner + constants.few_rows / rows
    return 2 * rows * inner * columns * passes / rate * shape


def _linear(setting: Setting, inner: float, columns: float, *, again: float = 0.0) -> float:
    return _product(setting, setting.tokens, inner, columns, _rate(setting), 3 + setting.recomputed + again)


def _projections(setting: Setting) -> float:
    transformer, tp = setting.transformer, setting.split.tp
    hidden, latent = transformer.hidden, transformer.latent
    if latent is None:
        queries, keys = transformer.heads * transformer.head_size, transformer.kv_heads * transformer.head_size
        return _linear(setting, hidden, (queries + 2 * keys) / tp) + _linear(setting, queries / tp, hidden)
    heads, again = transformer.heads / tp, float(setting.is_fine)
    return (
        _linear(setting, hidden, latent.queries + latent.keys + latent.rotary)
        + _linear(setting, latent.query_inputs(hidden), heads * (latent.key_size + latent.rotary), again=again)
        + _linear(setting, latent.keys, heads * (latent.key_size + latent.value_size), again=again)
        + _linear(setting, heads * latent.value_size, hidden)
    )


def _feed_forward(setting: Setting, ffn: float) -> float:
    inward, tp = (2 if setting.transformer.gated else 1), setting.split.tp
    hidden = setting.transformer.hidden
    return _linear(setting, hidden, inward * ffn / tp) + _linear(setting, ffn / tp, hidden)


def _experts(setting: Setting) -> float:
    """Return the seconds of the products of a device's routed and shared experts."""
    experts, split = setting.transformer.experts, setting.split
    if experts is None:
        return 0.0
    rate = _rate(setting) * setting.constants.experts / setting.constants.matmul
    here = experts.count / split.ep
    # The ep * etp devices of an expert group hold all experts, and each gets the tokens of its etp neighbours, too.
    sent = setting.tokens * experts.per_token * experts.capacity / split.tp * split.etp
    rows = sent * split.ep / experts.count
    inward, passes = (2 if setting.transformer.gated else 1), 3 + setting.recomputed
    inner, hidden = experts.ffn / split.etp, setting.transformer.hidden
    routed = _product(setting, rows, hidden, inward * inner, rate, passes) * here
    routed += _product(setting, rows, inner, hidden, rate, passes) * here
    return routed + (_feed_forward(setting, experts.shared * experts.ffn) if experts.shared else 0.0)


def _attention(setting: Setting) -> float:
    transformer, constants, fused = setting.transformer, setting.constants, setting.traits.fused_attention
    size = transformer.attention_size
    peak = setting.cluster.half
    reached = constants.attention
    if peak > _HOPPER:
        reached = constants.attention_blackwell if peak > _BLACKWELL else constants.attention_hopper
    heads = transformer.heads * size / setting.split.tp
    # Two products (scores, and scores with values), each 2 operations for a multiplication and an addition.
    reached_tokens = transformer.attended / 2 if fused else min(transformer.attended, transformer.sequence)
    operations = 4 * setting.tokens * reached_tokens * heads
    # Fused: 1 forward and 2.5 backward, which computes the scores again; otherwise 1 and 2.
    passes = (3.5 if fused else 3.0) + setting.recomputed
    if not fused and setting.split.recompute is Recompute.SELECTIVE:
        passes += 1
    alignment = (constants.unaligned_head if size % 8 else 0.0) + (constants.odd_head if size % 64 else 0.0)
    seconds = operations * passes / (peak * reached) * (1 + constants.small_head / size) * (1 + alignment)
    if fused:
        return seconds
    scores = setting.tokens * transformer.sequence * transformer.heads / setting.split.tp
    again = _SCORE_BYTES + _SCORE_BYTES_AGAIN * setting.recomputed
    return seconds + scores * again / (setting.cluster.device.bandwidth * _SCORE_RATE)


def _inner(setting: Setting, part: float) -> float:
    """Return the intermediate feed-forward elements per token in the average layer.

    `part` of the layers have experts.
    """
    transformer, experts = setting.transformer, setting.transformer.experts
    matrices = 3 if transformer.gated else 2
    routed = matrices * experts.ffn * experts.per_token if experts else 0.0
    return (1 - part) * matrices * transformer.ffn + part * routed


def _elementwise(setting: Setting, part: float) -> float:
    transformer, split, constants = setting.transformer, setting.split, setting.constants
    experts = transformer.experts
    whole = transformer.hidden / (split.tp if split.sequence_parallel else 1)
    # Tokens are sorted twice: a device's own before they are sent, and those of its etp neighbours behind it.
    routed = transformer.hidden * experts.per_token * part / split.tp * (1 + split.etp) / 2 if experts else 0.0
    count = constants.hidden_bytes * whole + constants.inner_bytes * _inner(setting, part) / split.tp
    count += constants.routing_bytes * routed
    seconds = setting.tokens * count * (1 + setting.recomputed / 3) / setting.memory_rate
    return seconds + (_recomputed_again(setting, part) if setting.is_fine else 0.0)


def _recomputed_again(setting: Setting, part: float) -> float:
    """Return the seconds of norms and activation functions of experts that are computed a second time."""
    transformer, split, experts = setting.transformer, setting.split, setting.transformer.experts
    norms = (part if experts else 0.0) + (1.0 if transformer.latent else 0.0)
    count = _NORM_BYTES * norms * transformer.hidden / (split.tp if split.sequence_parallel else 1)
    if experts:
        # Reads what the first product gave (two parts if gated), and writes the input of the second.
        pieces = 3 if transformer.gated else 2
        count += _PIECE_BYTES * pieces * part * experts.capacity * experts.per_token * experts.ffn / split.tp
    return setting.tokens * count / setting.memory_rate


def _casts(setting: Setting, part: float) -> float:
    """Return the seconds of casting inputs to 8 bits, limited by memory bandwidth; 0 in other precisions."""
    if setting.precision is not Precision.FP8:
        return 0.0
    transformer = setting.transformer
    queries = transformer.heads * transformer.head_size
    keys = transformer.kv_heads * transformer.head_size
    matrices = 3 if transformer.gated else 2
    experts = transformer.experts
    inner = experts.ffn * experts.per_token if experts else transformer.ffn
    elements = 4 * transformer.hidden + queries + 2 * keys + 2 * matrices * inner
    return setting.tokens * elements / setting.split.tp * setting.constants.quantise_bytes / setting.memory_rate
