"""Predict the seconds of one training step under a split.

    step = m * slot + (p - 1) / v * wait + gradients + optimizer

There are m micro-batches and p stages with v chunks each (1F1B; interleaved if v > 1: Narayanan et al. 2021,
section 2.2). `slot` is the time of the slowest stage per micro-batch, forward and backward: its layers,
tensor-, context- and expert-parallel communication, the output in the last stage, launches, and gradient
accumulation. With ZeRO 3 it includes the gathers that computing does not hide. Everything is multiplied by the
correction factor of the device, precision and framework.

A stage waits one slot for every other stage: `wait = slot`. In a zero-bubble schedule it meanwhile computes
weight gradients, which take W seconds of a slot F + B + W, so that it waits for `F + B - W` (ZB-H1: Qi et al.
2024, "Zero Bubble Pipeline Parallelism", table 2). With F = B = W = 1, a slot is 3, and four stages wait 3
instead of 9.
"""

from dataclasses import dataclass, fields

from p2smt.job.step.communication import data_seconds, gather_seconds, layer_communication, send_seconds
from p2smt.job.step.computing import layer_seconds, output_seconds
from p2smt.job.step.setting import Setting
from p2smt.problem.transformer.model import Transformer, Zero
from p2smt.problem.transformer.parameters import modulation
from p2smt.problem.transformer.split import Pipeline, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """The seconds of a step by cause; `hidden` communication overlaps with computing and is not part of `seconds`.

    Invariant: all parts except `hidden` add up to `seconds`.
    """

    linear: float
    experts: float
    attention: float
    elementwise: float
    output: float
    launches: float
    tensor: float
    context: float
    dispatch: float
    sends: float
    gathers: float
    bubble: float
    gradients: float
    optimizer: float
    hidden: float

    @property
    def seconds(self) -> float:
        """The time of the step in seconds."""
        return self.computing + self.communication + self.bubble + self.optimizer

    @property
    def computing(self) -> float:
        """Seconds of computing, including launches."""
        return self.linear + self.experts + self.attention + self.elementwise + self.output + self.launches

    @property
    def communication(self) -> float:
        """Seconds of exposed communication."""
        return self.tensor + self.context + self.dispatch + self.sends + self.gathers + self.gradients


@dataclass(frozen=True, slots=True)
class LayerTime:
    """Seconds of an average layer and of the output, which depend on neither stages nor replicas."""

    work: dict[str, float]
    calls: dict[str, float]
    output: float

    @property
    def seconds(self) -> float:
        """The seconds of the layer, including its communication."""
        return sum(self.work.values()) + sum(self.calls.values())


def layer_key(split: Split) -> tuple[object, ...]:
    """Return the parts of a split on which the time of its layers depends."""
    return split.tp, split.cp, split.ep, split.etp, split.micro_batch, split.recompute, split.sequence_parallel


def layer_time(setting: Setting) -> LayerTime:
    """Return the time of a layer and of the output."""
    return LayerTime(layer_seconds(setting), layer_communication(setting), output_seconds(setting))


def step_time(setting: Setting, layer: LayerTime | None = None) -> StepTime:
    """Return the time of a step, reusing `layer` if given; the caller must have checked the sizes."""
    layer = layer_time(setting) if layer is None else layer
    work, calls = layer.work, layer.calls
    split, constants = setting.split, setting.constants
    layers, output = _slowest(setting, layer.seconds, layer.output)
    dense, experts, ends = _stage_parameters(setting)
    fixed = constants.expert_layer_seconds if setting.transformer.experts else constants.layer_seconds
    launches = max(setting.stages) * (fixed + _expert_launches(setting))
    # ZeRO 2 and 3 reduce gradients after every micro-batch, so there is nothing for products to add to.
    fused = setting.traits.fused_accumulation and split.zero < Zero.GRADIENTS
    moved = constants.accumulation_bytes_fused if fused else constants.accumulation_bytes
    launches += (dense + experts) * moved / setting.memory_rate
    sends = send_seconds(setting)
    slot = layers * layer.seconds + output + launches + sends
    gathers, hidden = gather_seconds(setting, dense + ends / split.pp, experts, slot)
    # Embedding and output lie on the first and the last stage; each of them reduces one half of the two.
    shared = dense + ends * (1.0 if split.zero is Zero.PARAMETERS or split.pp == 1 else 0.5)
    gradients, beside = data_seconds(setting, shared, experts)
    optimizer = _optimizer(setting, dense + ends / split.pp, experts)
    m = setting.micro_batches
    parts = StepTime(
        linear=m * layers * work["linear"],
        experts=m * layers * work["experts"],
        attention=m * layers * work["attention"],
        elementwise=m * layers * work["elementwise"],
        output=m * output,
        launches=m * launches,
        tensor=m * layers * calls["tensor"],
        context=m * layers * calls["context"],
        dispatch=m * layers * calls["dispatch"],
        sends=m * sends,
        gathers=m * gathers,
        bubble=(split.pp - 1) / split.chunks * (slot - _filled(setting, layers, layer, output)),
        gradients=gradients,
        optimizer=optimizer,
        hidden=m * hidden + beside,
    )
    return _scaled(parts, setting.factor)


def _expert_launches(setting: Setting) -> float:
    """Return seconds per layer and micro-batch in which products of the experts of a device are launched."""
    transformer, experts = setting.transformer, setting.transformer.experts
    if experts is None:
        return 0.0
    part = transformer.expert_layers / transformer.layers
    passes = 1 + setting.recomputed / 3
    return part * passes * experts.count / setting.split.ep * setting.constants.expert_seconds


def _filled(setting: Setting, layers: int, layer: LayerTime, output: float) -> float:
    """Return the seconds of a slot in which a stage need not wait.

    With zero bubble this is twice the time of its weight gradients, otherwise 0. Weight gradients take one of
    the three passes of every product (of more passes if products are recomputed).
    """
    if setting.split.pipeline is not Pipeline.ZERO_BUBBLE:
        return 0.0
    products = layers * (layer.work["linear"] + layer.work["experts"])
    return 2 * (products / (3 + setting.recomputed) + output / 3)


def _slowest(setting: Setting, layer: float, output: float) -> tuple[int, float]:
    """Return the number of layers of the slowest stage, and the seconds of the output in it."""
    if setting.split.pp == 1:
        return setting.stages[0], output
    part = setting.constants.output * output
    most, last = max(setting.stages), setting.stages[-1]
    # The last stage may have fewer layers and still be the slowest, because of the output.
    return (last, part) if last * layer + part > most * layer else (most, 0.0)


def _stage_parameters(setting: Setting) -> tuple[float, float, float]:
    """Return a device's parameters in an average stage, in its experts, and in embedding plus output."""
    transformer, split = setting.transformer, setting.split
    dense, routed = _layer_matrices(transformer)
    inputs = transformer.vocabulary if transformer.vision is None else transformer.vision.patch
    ends = (inputs + transformer.vocabulary) * transformer.hidden / split.tp
    return dense / split.tp / split.pp, routed / split.pp / (split.ep * split.etp), ends


def _layer_matrices(transformer: Transformer) -> tuple[float, float]:
    """Return the matrix elements of all layers, first without and then of routed experts."""
    weights = 3 if transformer.gated else 2
    latent, hidden, experts = transformer.latent, transformer.hidden, transformer.experts
    attention = 2 * hidden * (transformer.heads + transformer.kv_heads) * transformer.head_size
    if latent is not None:
        up = latent.query_inputs(hidden) * (latent.key_size + latent.rotary)
        up += latent.keys * (latent.key_size + latent.value_size)
        attention = hidden * (latent.queries + latent.keys + latent.rotary)
        attention += transformer.heads * (up + latent.value_size * hidden)
    if experts is None:
        layer = attention + weights * hidden * transformer.ffn + modulation(transformer)
        return transformer.layers * layer, 0.0
    with_experts, one = transformer.expert_layers, weights * hidden * experts.ffn
    dense = transformer.layers * attention + with_experts * one * experts.shared
    dense += (transformer.layers - with_experts) * weights * hidden * transformer.ffn
    return dense, with_experts * one * experts.count


def _optimizer(setting: Setting, dense: float, experts: float) -> float:
    split = setting.split
    shards = 1.0 if split.zero is Zero.NONE else max(split.shard * split.cp, 1)
    expert_shards = 1.0 if split.zero is Zero.NONE else max(split.expert_copies, 1)
    held = dense / shards + experts / expert_shards
    return held * setting.constants.optimizer_bytes / setting.memory_rate


def _scaled(parts: StepTime, factor: float) -> StepTime:
    return StepTime(**{name: getattr(parts, name) * factor for name in _PARTS})


_PARTS = tuple(one.name for one in fields(StepTime))
