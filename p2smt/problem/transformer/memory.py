"""The memory that a training step takes on one device: a formula, part by part.

| part | bytes | spread over d devices with |
|---|---|---|
| parameters | their data type's (2) each | ZeRO 3 |
| gradients | their data type's (4) each | ZeRO 2, 3 |
| optimiser | 12 each: Adam's copy in float32 and two moments | ZeRO 1, 2, 3 |

These are the parameters of one stage and tensor-parallel part; d is dp x cp, for experts dp x cp / ep (Rajbhandari et
al. 2020, "ZeRO", section 3; Megatron-LM's 18 bytes per parameter, 6 + 12 / d with its distributed optimizer).

Activations (Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer Models", section 4), kept
for the backward pass per token of a device, b s / c of them per micro batch, in elements of the activations' type; t =
tp, r = t where they are cut along the sequence, else 1; f k as in `traffic`; attention keeps no scores (flash
attention), nothing is dropped out:

| where | elements |
|---|---|
| attention | 2 h / r + 2 (heads + kv_heads) head_size / t |
| feed-forward part | 2 h / r + 3 ffn / t if gated, else 2 ffn / t |
| experts in its place | 2 h / r + f k (h + 3 ffn) / t, and 3 ffn / t for each shared one |
| output, in the last stage | 2 h / r + vocabulary / t in float32 |
| a layer with full recomputation | h / r, and one layer in full at a time |

A stage i of p keeps the activations of min(m, p - i) micro batches (one forward, one backward: Narayanan et al. 2021,
section 2.2), with v chunks per stage those of min(m v, 2 (p - i - 1) + (v - 1) p + 1) chunks. A device's memory is that
of the stage that takes most. Communicators, the allocator's gaps and temporary buffers are not counted: `USABLE` of the
device's memory is left for what is.
"""

from dataclasses import dataclass

from p2smt.problem.model import DTYPE_BYTES
from p2smt.problem.transformer.model import Parallelism, Transformer, Zero, micro_batches
from p2smt.problem.transformer.parameters import stage_weights

USABLE = 0.9
"""The part of a device's memory that the formula may fill."""

_OPTIMISER_BYTES = 12
_LOGIT_BYTES = 4


@dataclass(frozen=True, slots=True)
class DeviceMemory:
    """Bytes on the device that takes most."""

    parameters: int
    gradients: int
    optimiser: int
    activations: int

    @property
    def total(self) -> int:
        """All parts together."""
        return self.parameters + self.gradients + self.optimiser + self.activations


def device_memory(transformer: Transformer, parallelism: Parallelism, *, recompute: bool = False) -> DeviceMemory:
    """What a checked transformer takes; `recompute`: layers keep their input only and are computed once more."""
    stages = (_stage_memory(transformer, parallelism, stage, recompute) for stage in range(parallelism.pp))
    return max(stages, key=lambda memory: memory.total)


def fits(memory: DeviceMemory, device_bytes: int) -> bool:
    """Whether it goes into a device's memory, with room for what is not counted."""
    return memory.total <= USABLE * device_bytes


def _stage_memory(transformer: Transformer, parallelism: Parallelism, stage: int, recompute: bool) -> DeviceMemory:
    dense, experts = (part.on_device(parallelism.tp) for part in stage_weights(transformer, parallelism, stage))
    copies = parallelism.dp * parallelism.cp
    parts = ((dense, copies), (experts, copies // parallelism.ep))

    def held(size: int, spread_from: Zero) -> int:
        return sum(-(-count * size // (over if parallelism.zero >= spread_from else 1)) for count, over in parts)

    return DeviceMemory(
        parameters=held(DTYPE_BYTES[transformer.activations], Zero.PARAMETERS),
        gradients=held(DTYPE_BYTES[transformer.gradients], Zero.GRADIENTS),
        optimiser=held(_OPTIMISER_BYTES, Zero.OPTIMISER),
        activations=_stage_activations(transformer, parallelism, stage, recompute),
    )


def _stage_activations(transformer: Transformer, parallelism: Parallelism, stage: int, recompute: bool) -> int:
    """The bytes of all micro batches in flight, and of the output for one of them."""
    layers = [_layer(transformer, parallelism, layer) for layer in parallelism.layers_of(stage, transformer.layers)]
    cut = parallelism.tp if parallelism.sequence_parallel else 1
    kept = sum(transformer.hidden / cut for _ in layers) if recompute else sum(layers)
    at_work = max(layers) if recompute else 0.0
    elements = kept * _chunks_in_flight(transformer, parallelism, stage) / parallelism.chunks + at_work
    size = DTYPE_BYTES[transformer.activations]
    per_token = elements * size
    if stage == parallelism.pp - 1:
        per_token += 2 * transformer.hidden / cut * size + transformer.vocabulary / parallelism.tp * _LOGIT_BYTES
    tokens = transformer.micro_batch * (transformer.sequence // parallelism.cp)
    return round(tokens * per_token)


def _layer(transformer: Transformer, parallelism: Parallelism, layer: int) -> float:
    """Elements that one layer keeps per token."""
    tp = parallelism.tp
    inputs = 2 * transformer.hidden / (tp if parallelism.sequence_parallel else 1)
    attention = inputs + 2 * (transformer.heads + transformer.kv_heads) * transformer.head_size / tp
    inner = 3 if transformer.gated else 2
    experts = transformer.experts
    if experts is None or not transformer.has_experts(layer):
        return attention + inputs + inner * transformer.ffn / tp
    routed = experts.capacity * experts.per_token * (transformer.hidden + inner * experts.ffn)
    return attention + inputs + (routed + experts.shared * inner * experts.ffn) / tp


def _chunks_in_flight(transformer: Transformer, parallelism: Parallelism, stage: int) -> int:
    micro, behind = micro_batches(transformer, parallelism), parallelism.pp - stage - 1
    if parallelism.chunks == 1:
        return min(micro, behind + 1)
    return min(micro * parallelism.chunks, 2 * behind + (parallelism.chunks - 1) * parallelism.pp + 1)
