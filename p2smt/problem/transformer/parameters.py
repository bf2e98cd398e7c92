"""Count a transformer's parameters, in total and per device."""

from dataclasses import dataclass
from functools import lru_cache

from p2smt.problem.transformer.model import Biases, Experts, Latent, Parallelism, Transformer, Vision

_TIME_STEP = 256
"""Number of sines and cosines that encode DiT's time step."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Parameter counts of a part of the model: `split` over tensor-parallel devices, and `whole` on each device."""

    split: int = 0
    whole: int = 0

    def __add__(self, other: "Weights") -> "Weights":
        return Weights(self.split + other.split, self.whole + other.whole)

    def __mul__(self, times: int) -> "Weights":
        return Weights(self.split * times, self.whole * times)

    @property
    def total(self) -> int:
        """The total number, counting each parameter once."""
        return self.split + self.whole

    def on_device(self, tp: int) -> int:
        """Return the number of parameters on one of `tp` devices."""
        return self.split // tp + self.whole


def parameters(transformer: Transformer) -> int:
    """Return the number of parameters, counting each once.

    Each layer has two norms, attention with 2 h (heads + kv_heads) head_size, and a feed-forward part with 3 h
    ffn if gated, else 2 h ffn; for GPT-2 and GPT-3 that is 12 h^2 + 13 h with biases. In addition there are the
    embeddings and the last norm.

    >>> gpt2 = Transformer(layers=12, hidden=768, ffn=3072, heads=12, kv_heads=12, head_size=64, vocabulary=50257,
    ...                    positions=1024, gated=False, biases=True, tied=True, sequence=1024, batch=512)
    >>> parameters(gpt2)
    124439808
    """
    dense, experts = stage_weights(transformer, Parallelism(), 0)
    return (dense + experts).total


def active_parameters(transformer: Transformer) -> int:
    """Return the matrix elements that process every token, without embedding and output.

    >>> from p2smt.problem.transformer.named import named_model
    >>> round(active_parameters(named_model("mixtral-8x7b", 64)) / 1e9, 1)
    12.6
    """
    one = Parallelism()
    dense, routed = stage_weights(transformer, one, 0)
    ends = _ends(transformer, one, 0).total
    experts = transformer.experts
    taken = routed.total * experts.per_token // experts.count if experts else 0
    once = modulation(transformer) * transformer.layers  # of an image, not of its tokens
    return dense.total - ends - once + taken


def modulation(transformer: Transformer) -> int:
    """Return a layer's parameters that compute its six modulations from an image's condition."""
    modulated = transformer.vision is not None and transformer.vision.modulated
    return 6 * (transformer.hidden + 1) * transformer.hidden if modulated else 0


@lru_cache(maxsize=1024)  # a search over splits asks for the same stages hundreds of times
def stage_weights(transformer: Transformer, parallelism: Parallelism, stage: int) -> tuple[Weights, Weights]:
    """Return a pipeline stage's parameters: without experts, and of one expert-parallel device's experts.

    Tied embeddings are counted on both the first and the last stage. The vocabulary is padded to a multiple of
    tp (as in Megatron-LM).
    """
    layers = parallelism.layers_of(stage, transformer.layers)
    with_experts = sum(map(transformer.has_experts, layers))
    dense = _ends(transformer, parallelism, stage)
    dense += (_attention(transformer) + _norms(transformer)) * len(layers)
    dense += _feed_forward(transformer, transformer.ffn) * (len(layers) - with_experts)
    if transformer.experts is None:
        return dense, Weights()
    experts = transformer.experts
    router = Weights(whole=(transformer.hidden + experts.router_biases) * experts.count)
    dense += (router + _feed_forward(transformer, experts.ffn) * experts.shared) * with_experts
    return dense, _expert(transformer, experts) * (experts.count // parallelism.ep * with_experts)


def embedding_weights(transformer: Transformer, parallelism: Parallelism) -> Weights:
    """Return the parameters of the token embedding, which is as large as the output."""
    rows = -(-transformer.vocabulary // parallelism.tp) * parallelism.tp
    return Weights(split=rows * transformer.hidden)


def _ends(transformer: Transformer, parallelism: Parallelism, stage: int) -> Weights:
    first, last = stage == 0, stage == parallelism.pp - 1
    if transformer.vision is not None:
        begin = _image_begin(transformer, transformer.vision) if first else Weights()
        return begin + (_image_end(transformer, transformer.vision) if last else Weights())
    weights, tokens = Weights(), embedding_weights(transformer, parallelism)
    if first:
        weights += tokens + Weights(whole=transformer.positions * transformer.hidden)
    if last:
        weights += _norm(transformer) * min(transformer.norms, 1) + Weights(whole=transformer.end_vectors)
    if last and not (first and transformer.tied):
        weights += tokens
    return weights


def _image_begin(transformer: Transformer, vision: Vision) -> Weights:
    """Return the parameters of patch projection, positions, class token, and embeddings of time step and labels."""
    hidden = transformer.hidden
    found = Weights(whole=(vision.patch + 1 + transformer.positions + vision.pooled) * hidden)
    if vision.modulated:
        found += Weights(whole=(_TIME_STEP + 1 + hidden + 1 + vision.labels) * hidden)
    return found


def _image_end(transformer: Transformer, vision: Vision) -> Weights:
    """Return the parameters of the last norm, or its two modulations, and of the output with its bias."""
    hidden = transformer.hidden
    norm = Weights(whole=2 * (hidden + 1) * hidden) if vision.modulated else _norm(transformer)
    return norm + Weights(split=transformer.vocabulary * (hidden + 1))


def _norms(transformer: Transformer) -> Weights:
    """Return the parameters of a layer's norms, or of their modulation."""
    if transformer.vision is not None and transformer.vision.modulated:
        return Weights(whole=modulation(transformer))
    return _norm(transformer) * transformer.norms + Weights(whole=transformer.layer_vectors)


def _attention(transformer: Transformer) -> Weights:
    if transformer.latent is not None:
        return _latent_attention(transformer, transformer.latent)
    queries, keys = (heads * transformer.head_size for heads in (transformer.heads, transformer.kv_heads))
    small = Weights(whole=2 * transformer.head_size if transformer.qk_norm else 0)
    small += Weights(split=transformer.heads if transformer.sinks else 0)
    if transformer.biases or transformer.attention_biases is not Biases.NONE:
        small += Weights(split=queries + 2 * keys)
    if transformer.biases or transformer.attention_biases is Biases.ALL:
        small += Weights(whole=transformer.hidden)
    return Weights(2 * transformer.hidden * (queries + keys)) + small


def _latent_attention(transformer: Transformer, latent: Latent) -> Weights:
    """Return the parameters of latent attention.

    The projections down to the two latent vectors and their two norms are replicated over tensor-parallel
    devices; the projections up to the heads are split.
    """
    down = transformer.hidden * (latent.queries + latent.keys + latent.rotary) + latent.queries + latent.keys
    queries = latent.query_inputs(transformer.hidden) * (latent.key_size + latent.rotary)
    keys = latent.keys * (latent.key_size + latent.value_size)
    return Weights((queries + keys + latent.value_size * transformer.hidden) * transformer.heads, down)


def _expert(transformer: Transformer, experts: Experts) -> Weights:
    inward = 2 if transformer.gated else 1
    biases = Weights(inward * experts.ffn, transformer.hidden) if experts.biases else Weights()
    return _feed_forward(transformer, experts.ffn) + biases


def _feed_forward(transformer: Transformer, ffn: int) -> Weights:
    inward = 2 if transformer.gated else 1
    biases = Weights(inward * ffn, transformer.hidden) if transformer.biases else Weights()
    return Weights((inward + 1) * transformer.hidden * ffn) + biases


def _norm(transformer: Transformer) -> Weights:
    return Weights(whole=2 * transformer.hidden if transformer.biases else transformer.hidden)
