"""Memory of a training step on one device, as a formula with one term per part.

| part | bytes per parameter | sharded over d devices with |
|---|---|---|
| parameters | size of their data type (2) | ZeRO 3 |
| gradients | size of their data type (4) | ZeRO 2, 3 |
| optimiser | 12: Adam's copy in float32 and two moments | ZeRO 1, 2, 3 |

The parameters are those of one stage and tensor-parallel shard. d is dp x cp (a part of it with hybrid
sharding), and for experts the number of copies of each expert (Rajbhandari et al. 2020, "ZeRO", section 3;
Megatron-LM's 18 bytes per parameter, or 6 + 12 / d with its distributed optimizer). Frameworks need more: see
`FrameworkFootprint`.

Activations (Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer Models", section
4) kept for the backward pass are given per token of a device, of which a micro-batch has b s / c, in elements
of the activations' type. t = tp; r = t if activations are split along the sequence, else 1; f and k as in
`traffic`. Attention keeps no scores (flash attention), and there is no dropout:

| part | elements |
|---|---|
| attention | 2 h / r + 2 (heads + kv_heads) head_size / t |
| latent attention | 2 h / r + 2 (queries + keys) + rotary + 2 heads (key_size + rotary + value_size) / t |
| feed-forward layer | 2 h / r + 3 ffn / t if gated, else 2 ffn / t |
| experts instead | 2 h / r + f k (e h + 3 ffn) / t, and 3 ffn / t for each shared one; e = expert tp |
| output, in the last stage | 2 h / r, and 12 bytes for each of vocabulary / t logits (16 bits, float32, gradient) |
| a layer with full recomputation | h / r, and one full layer at a time |
| a layer with selective recomputation | the fraction `FrameworkFootprint.selective`, or what `fine` leaves |
| inputs of products in 8 bits | half |

Stage i of p keeps the activations of min(m, p - i) micro-batches (1F1B: Narayanan et al. 2021, section 2.2),
and with v chunks per stage those of min(m v, 2 (p - i - 1) + (v - 1) p + 1) chunks. In a zero-bubble schedule
every stage keeps min(m, p) v chunks (Qi et al. 2024), and under GPipe all m micro-batches. ZeRO 3 gathers two
layers and the embeddings; in a pipeline, all parameters of a stage stay gathered, and gradients unsharded,
until the end of the step. Allocator fragmentation takes a fraction of the activations; contexts and
communicators take a fixed size. A device's memory is that of the fullest stage, which may fill a fraction
`USABLE` of the capacity.
"""

from dataclasses import dataclass
from functools import lru_cache

from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.transformer.model import Parallelism, Transformer, Zero
from p2smt.problem.transformer.parameters import embedding_weights, stage_weights
from p2smt.problem.transformer.split import Pipeline, Recompute, Split, split_of

USABLE = 0.95
"""Fraction of a device's memory that the formula may fill; the rest is a margin."""

_LOGIT_BYTES = 12
_GATHERED_LAYERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameworkFootprint:
    """A framework's memory use beyond ZeRO's formula, by design or fitted to published peaks.

    `gradients` and `optimizer` are bytes per parameter (None: the size of the gradients' type). `unfused`:
    attention keeps scores and dropout masks. `eight_bits`: inputs of products are kept in the 8 bits to which
    they were cast. `selective` is the fraction of a layer's activations kept by selective recomputation; if `fine`,
    it instead recomputes outputs of norms and activation functions of layers with experts, and the projections out of
    latents (Megatron Core's modules layernorm, moe_act and mla_up_proj). `gaps` is the fraction of activations lost to
    allocator fragmentation, and `context` the bytes of libraries and communicators.
    """

    gradients: float | None = None
    optimizer: float = 12.0
    unfused: bool = False
    eight_bits: bool = False
    selective: float = 1.0
    fine: bool = False
    gaps: float = 0.06
    context: float = 2.2e9


USUAL_FOOTPRINT = FrameworkFootprint()
"""Footprint assumed for a framework without specific data."""


@dataclass(frozen=True, slots=True)
class DeviceMemory:
    """Bytes on the fullest device; `reserve` covers contexts, communicators and fragmentation."""

    parameters: int
    gradients: int
    optimiser: int
    activations: int
    logits: int
    gathered: int
    reserve: int

    @property
    def total(self) -> int:
        """The sum of all parts."""
        states = self.parameters + self.gradients + self.optimiser
        return states + self.activations + self.logits + self.gathered + self.reserve


def device_memory(transformer: Transformer, parallelism: Parallelism, *, recompute: bool = False) -> DeviceMemory:
    """Return the memory of a checked transformer on one device; with `recompute`, layers keep only their input."""
    chosen = Recompute.FULL if recompute else Recompute.NONE
    return split_memory(transformer, split_of(parallelism, transformer.micro_batch, chosen))


def split_memory(
    transformer: Transformer, split: Split, footprint: FrameworkFootprint = USUAL_FOOTPRINT
) -> DeviceMemory:
    """Return the memory of a split on the fullest stage.

    Among stages with the same kinds of layers, an earlier one has at least as many micro-batches in flight. It
    therefore suffices to examine the first stage of each kind, and the stages with the embedding and the
    output.
    """
    every = _stage_kinds(transformer, split.pp, split.chunks)
    kinds: dict[tuple[int, int], int] = {}
    # The first and the last stage hold the embedding and the output, so only middle ones repeat.
    for stage in range(1, split.pp - 1):
        kinds.setdefault(every[stage], stage)
    stages = sorted({0, *kinds.values(), split.pp - 1})
    return max((stage_memory(transformer, split, stage, footprint) for stage in stages), key=lambda one: one.total)


def fits(memory: DeviceMemory, device_bytes: float) -> bool:
    """True if the memory fits into a device, with a margin."""
    return memory.total <= USABLE * device_bytes


def stage_memory(
    transformer: Transformer, split: Split, stage: int, footprint: FrameworkFootprint = USUAL_FOOTPRINT
) -> DeviceMemory:
    """Return the memory of one stage."""
    cut = Parallelism(tp=split.tp, pp=split.pp, ep=split.ep, chunks=split.chunks)
    dense, experts = stage_weights(transformer, cut, stage)
    parts = ((dense.on_device(split.tp), split.shard * split.cp), (experts.on_device(split.etp), split.expert_copies))

    def held(size: float, spread_from: Zero) -> int:
        spread = split.zero >= spread_from and (spread_from is Zero.OPTIMISER or not split.stays_gathered)
        # Rounded up: the largest shard counts, since the fullest device decides.
        return sum(round(-(-count * size // (over if spread else 1))) for count, over in parts)

    gradient = DTYPE_BYTES[transformer.gradients] if footprint.gradients is None else footprint.gradients
    size = DTYPE_BYTES[transformer.activations]
    tokens = split.micro_batch * (transformer.sequence / split.cp)
    activations = _activations(transformer, split, stage, footprint) * tokens
    last = stage == split.pp - 1
    projected = split.micro_batch * (transformer.outputs / split.cp)
    logits = projected * transformer.vocabulary / split.tp * _LOGIT_BYTES if last else 0.0
    return DeviceMemory(
        parameters=held(size, Zero.PARAMETERS),
        gradients=held(gradient, Zero.GRADIENTS),
        optimiser=held(footprint.optimizer, Zero.OPTIMISER),
        activations=round(activations),
        logits=round(logits),
        gathered=_gathered(transformer, split, cut, stage) * size,
        reserve=round(footprint.context + footprint.gaps * (activations + logits)),
    )


@lru_cache(maxsize=256)
def _stage_kinds(transformer: Transformer, pp: int, chunks: int) -> tuple[tuple[int, int], ...]:
    """Return each stage's numbers of layers without and with experts."""
    cut = Parallelism(pp=pp, chunks=chunks)
    found = []
    for stage in range(pp):
        layers = cut.layers_of(stage, transformer.layers)
        with_experts = sum(map(transformer.has_experts, layers))
        found.append((len(layers) - with_experts, with_experts))
    return tuple(found)


def _gathered(transformer: Transformer, split: Split, cut: Parallelism, stage: int) -> int:
    """Return the number of parameters that ZeRO 3 holds gathered at a time."""
    if split.zero is not Zero.PARAMETERS or split.stays_gathered:
        return 0
    dense, experts = stage_weights(transformer, cut, stage)
    layers = sum(_stage_kinds(transformer, split.pp, split.chunks)[stage])
    ends = embedding_weights(transformer, cut).on_device(split.tp) * ((stage == 0) + (stage == split.pp - 1))
    whole = dense.on_device(split.tp) - ends + (experts.on_device(split.etp) if split.expert_copies > 1 else 0)
    return ends + _GATHERED_LAYERS * whole // max(layers, _GATHERED_LAYERS)


def _activations(transformer: Transformer, split: Split, stage: int, footprint: FrameworkFootprint) -> float:
    """Return bytes per token of the activations of all micro-batches in flight, and of the output's inputs."""
    counts = _stage_kinds(transformer, split.pp, split.chunks)[stage]
    # (bytes of a layer, number of such layers), without and with experts
    kinds = [
        (_layer(transformer, split, footprint, mixed=bool(mixed)), count) for mixed, count in enumerate(counts) if count
    ]
    layers = sum(each * count for each, count in kinds)
    largest = max((each for each, _ in kinds), default=0.0)
    size = DTYPE_BYTES[transformer.activations]
    inputs = transformer.hidden / (split.tp if split.sequence_parallel else 1) * size
    match split.recompute:
        case Recompute.NONE:
            kept, at_work = layers, 0.0
        case Recompute.SELECTIVE if footprint.fine:
            left = [_layer(transformer, split, footprint, mixed=bool(mixed), fine=True) for mixed in (0, 1)]
            kept = sum(each * count for each, count in zip(left, counts, strict=True))
            at_work = largest - left[bool(counts[1])]
        case Recompute.SELECTIVE:
            kept, at_work = footprint.selective * layers, (1 - footprint.selective) * largest
        case Recompute.FULL:
            kept, at_work = inputs * sum(counts), largest
    in_flight = _chunks_in_flight(transformer, split, stage) / split.chunks
    return kept * in_flight + at_work + (2 * inputs if stage == split.pp - 1 else 0.0)


def _layer(
    transformer: Transformer, split: Split, footprint: FrameworkFootprint, *, mixed: bool, fine: bool = False
) -> float:
    """Return the bytes that one layer keeps per token; `mixed` if it has experts.

    `fine`: outputs of norms and activation functions are recomputed, and the projections out of latents.
    """
    tp, size = split.tp, DTYPE_BYTES[transformer.activations]
    cut = tp if split.sequence_parallel else 1
    if footprint.unfused:  # dropout after each part keeps a byte per element, scores two numbers and a byte
        scores = 0.0 if split.recompute is Recompute.SELECTIVE else 5 * transformer.heads * transformer.sequence / tp
        return transformer.hidden * (10 / cut + 24 / tp) + scores
    product = 0.5 if footprint.eight_bits else 1.0  # size of an input of a product over that of an activation
    normed, entered = transformer.hidden / cut, product * transformer.hidden / cut  # inputs of norms, of products
    latent_fine = fine and transformer.latent is not None
    attention = normed + (0.0 if latent_fine else entered) + _attention(transformer, tp, fine=fine)
    inner = (2 if transformer.gated else 1) + product
    experts = transformer.experts
    if experts is None or not mixed:
        return size * (attention + normed + entered + inner * transformer.ffn / tp)
    # A device gets the tokens of its neighbours in an expert's tensor-parallel group, too.
    sent = split.etp * transformer.hidden * product
    activated = inner - (product if fine else 0.0)
    routed = experts.capacity * experts.per_token * (sent + activated * experts.ffn)
    shared = experts.shared * inner * experts.ffn
    return size * (attention + normed + (0.0 if fine else entered) + (routed + shared) / tp)


def _attention(transformer: Transformer, tp: int, *, fine: bool) -> float:
    """Return the elements of queries, keys, values and outputs of attention per token."""
    latent = transformer.latent
    if latent is None:
        return 2 * (transformer.heads + transformer.kv_heads) * transformer.head_size / tp
    # Both latents before and after their norms, on every device of a tensor-parallel group.
    found = 2 * (latent.queries + latent.keys) + latent.rotary + transformer.heads * latent.value_size / tp
    if not fine:
        found += transformer.heads * (2 * (latent.key_size + latent.rotary) + latent.value_size) / tp
    return found


def _chunks_in_flight(transformer: Transformer, split: Split, stage: int) -> int:
    micro, behind = split.micro_batches(transformer.batch), split.pp - stage - 1
    match split.pipeline:
        case Pipeline.GPIPE:
            return micro * split.chunks
        case Pipeline.ZERO_BUBBLE:
            return min(micro, split.pp) * split.chunks
        case Pipeline.ONE_FORWARD_ONE_BACKWARD:
            if split.chunks == 1:
                # One forward, one backward: stage i has a micro-batch in flight for itself and for each stage behind
                # it.
                return min(micro, behind + 1)
            return min(micro * split.chunks, 2 * behind + (split.chunks - 1) * split.pp + 1)
