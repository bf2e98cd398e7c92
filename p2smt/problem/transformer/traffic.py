"""Axes and reductions of one training step of a transformer under a split.

Tensors are those on one device; b = micro_batch, s = sequence, h = hidden, t = tp, c = cp, k = experts per token,
f = capacity, m = micro-batches per step, L = layers and M = layers with experts of a stage. An activation tensor has
A = b (s / c) h elements. The reductions per step and device are:

| axes | tensor | elements | times |
|---|---|---|---|
| tp | all-reduce of activations | A | m (4 L + 1 in the first stage + 1 in the last) |
| tp, sequence parallel | all-gather | A | m (6 L + 1 in the first stage + 2 in the last) |
| | reduce-scatter | A | m (4 L + 1 in the first stage + 1 in the last) |
| tp, in expert layers | all-gather, reduce-scatter | f k A | 2 m M each |
| cp | all-gather of keys and values | 2 b s (kv_heads / t) head_size | 2 m L |
| | reduce-scatter of their gradients | the same | m L |
| ep | all-to-all of tokens | f k A / t | 4 m M |
| dp, ep, cp | gradients of a stage without its experts | its parameters | by ZeRO stage |
| dp, cp | gradients of a device's experts | their parameters | by ZeRO stage |
| pp | sends to the neighbour stages | A / t if sequence parallel, else A | 2 m v, m (2 v - 1) if 2 stages |
| pp, if 2 and tied | all-reduce of the embedding's gradient | vocabulary h / t | 1 |

Tensor parallelism: attention and feed-forward part each end in an all-reduce forward and begin with one backward
(Shoeybi et al. 2019, section 3), which sends 8 b s h (t - 1) / t elements per layer (Narayanan et al. 2021, section
3.2). So do the embedding (forward) and the output (backward). With sequence parallelism, each all-reduce becomes a
reduce-scatter and an all-gather of the same volume, and the two sharded inputs are gathered again for the weight
gradients (Korthikanti et al. 2022, section 4.2.2). In a layer with experts, the feed-forward part instead processes the
tokens routed to the device's experts (Megatron-LM's all-to-all dispatcher, with every expert split into t parts), and
shared experts form a feed-forward part of their own. Without shared experts, such a layer counts half in 4 L and 6 L.

Context parallelism: every device gathers the keys and values of the whole sequence (Dubey et al. 2024, "The Llama 3
Herd of Models", section 3.3.2), and again in the backward pass, as only its own part is kept. Then it reduce-scatters
their gradients (Megatron-LM's documentation of context parallelism). Ring attention (Liu et al. 2023) sends as much
between neighbours.

Expert parallelism: tokens go to their experts and back, and their gradients the same way (Lepikhin et al. 2020,
"GShard"; Rajbhandari et al. 2022, "DeepSpeed-MoE"). Experts are distributed over data-parallel devices, so that dense
gradients are reduced over dp x ep x cp, and gradients of experts over dp x cp only.

Data parallelism (Rajbhandari et al. 2020, "ZeRO", section 7): stage 0 has one all-reduce per step; stage 1 a
reduce-scatter of gradients and an all-gather of parameters; stage 2 a reduce-scatter per micro-batch; stage 3 two
all-gathers and a reduce-scatter per micro-batch, in one equal piece per layer. Other stages use one piece, as buckets
hardly change the bytes.

Pipeline stages differ in embeddings, output, and layers with experts; every reduction is taken from the stage where it
is largest. Omitted are: the tied embedding's gradient if there are more than two stages; tensors no larger than norms,
routers or a few numbers per token (their gradients over tp, losses, routing tables); and recomputed activations, which
repeat the forward pass.

Pipeline parallelism: each of a stage's v chunks sends m activations forward and m gradients backward (Narayanan et al.
2021, section 3.2). The first chunk sends nothing backward and the last nothing forward, which only matters with two
stages. With several chunks per stage, the last stage sends to the first.

Gradients of experts may overlap with other gradients, and so may gathers of their parameters. Nothing else overlaps,
since the next operation waits for every other tensor.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.model import Axis, Payload
from p2smt.problem.transformer.check import check_transformer
from p2smt.problem.transformer.model import Parallelism, Transformer, Zero, micro_batches
from p2smt.problem.transformer.parameters import embedding_weights, stage_weights
from p2smt.problem.workload import Goal, Reduction


@dataclass(frozen=True, slots=True, kw_only=True)
class _Traffic:
    """A reduction whose axes are given by name and may have size 1."""

    name: str
    over: tuple[str, ...]
    goal: Goal
    elements: int
    dtype: str
    times: int
    overlap: str = ""

    def reduction(self, axes: tuple[int, ...]) -> Reduction:
        """Return the reduction with the given axis indices."""
        return Reduction(
            name=self.name,
            axes=axes,
            payload=Payload(self.elements * DTYPE_BYTES[self.dtype], self.dtype),
            times=float(self.times),
            goal=self.goal,
            overlap=self.overlap,
        )


def axes_and_reductions(
    transformer: Transformer, parallelism: Parallelism
) -> tuple[tuple[Axis, ...], tuple[Reduction, ...]]:
    """Return the axes larger than 1 (of pp, dp, ep, cp, tp, outermost first), and a step's reductions.

    Raises ProblemError if degrees do not divide the sizes that they split, and for one device, which reduces
    nothing.
    """
    check_transformer(transformer, parallelism)
    axes = tuple(Axis(name, size) for name, size in parallelism.axes.items() if size > 1)
    numbers = {axis.name: number for number, axis in enumerate(axes)}
    reductions = []
    for part in (_tensor, _context, _experts, _data, _stages, _tied):
        for traffic in part(transformer, parallelism):
            over = tuple(numbers[name] for name in traffic.over if name in numbers)
            if over and traffic.times and traffic.elements:
                payload = Payload(traffic.elements * DTYPE_BYTES[traffic.dtype], traffic.dtype)
                times = float(traffic.times)
                reductions.append(
                    Reduction(
                        name=traffic.name,
                        axes=over,
                        payload=payload,
                        times=times,
                        goal=traffic.goal,
                        overlap=traffic.overlap,
                    )
                )
    return axes, tuple(reductions)


def _tensor(transformer: Transformer, parallelism: Parallelism) -> Iterator[_Traffic]:
    micro, last = micro_batches(transformer, parallelism), parallelism.pp - 1
    elements = _tokens(transformer, parallelism) * transformer.hidden
    blocks = [_blocks(transformer, parallelism, stage) for stage in range(parallelism.pp)]

    def often(per_block: int, at_first: int, at_last: int) -> int:
        ends = [0] * parallelism.pp
        ends[0] += at_first
        ends[last] += at_last
        return micro * max(per_block * count + end for count, end in zip(blocks, ends, strict=True))

    def traffic(name: str, goal: Goal, elements: int, times: int) -> _Traffic:
        return _Traffic(
            name=name,
            over=("tp",),
            goal=goal,
            elements=elements,
            dtype=transformer.activations,
            times=times,
        )

    if not parallelism.sequence_parallel:
        yield traffic("activations", Collective.ALL_REDUCE, elements, often(2, 1, 1))
        return
    yield traffic("activations, gathered", Collective.ALL_GATHER, elements, often(3, 1, 2))
    yield traffic("activations, scattered", Collective.REDUCE_SCATTER, elements, often(2, 1, 1))
    routed = _routed_tokens(transformer, parallelism) * parallelism.tp * transformer.hidden
    times = 2 * micro * _expert_layers(transformer, parallelism)
    yield traffic("tokens of experts, gathered", Collective.ALL_GATHER, routed, times)
    yield traffic("tokens of experts, scattered", Collective.REDUCE_SCATTER, routed, times)


def _context(transformer: Transformer, parallelism: Parallelism) -> Iterator[_Traffic]:
    keys = transformer.kv_heads // parallelism.tp * transformer.head_size
    elements = 2 * transformer.micro_batch * transformer.sequence * keys
    times = micro_batches(transformer, parallelism) * _most_layers(transformer, parallelism)
    gather, scatter = Collective.ALL_GATHER, Collective.REDUCE_SCATTER  # only: what the source says
    yield _Traffic(
        name="keys and values",
        over=("cp",),
        goal=gather,
        elements=elements,
        dtype=transformer.activations,
        times=2 * times,
    )
    yield _Traffic(
        name="gradients of keys and values",
        over=("cp",),
        goal=scatter,
        elements=elements,
        dtype=transformer.activations,
        times=times,
    )


def _experts(transformer: Transformer, parallelism: Parallelism) -> Iterator[_Traffic]:
    elements = _routed_tokens(transformer, parallelism) * transformer.hidden
    times = 4 * micro_batches(transformer, parallelism) * _expert_layers(transformer, parallelism)
    yield _Traffic(
        name="tokens to experts and back",
        over=("ep",),
        goal=Exchange.ALL_TO_ALL,
        elements=elements,
        dtype=transformer.activations,
        times=times,
    )


def _data(transformer: Transformer, parallelism: Parallelism) -> Iterator[_Traffic]:
    stages = [stage_weights(transformer, parallelism, stage) for stage in range(parallelism.pp)]
    dense, experts = (max(part.on_device(parallelism.tp) for part in parts) for parts in zip(*stages, strict=True))
    layers, expert_layers = _most_layers(transformer, parallelism), _expert_layers(transformer, parallelism)
    yield from _replicated(transformer, parallelism, "", ("dp", "ep", "cp"), dense, layers)
    yield from _replicated(transformer, parallelism, " of experts", ("dp", "cp"), experts, expert_layers)


def _replicated(
    transformer: Transformer, parallelism: Parallelism, whose: str, over: tuple[str, ...], elements: int, layers: int
) -> Iterator[_Traffic]:
    """Yield the traffic that synchronises `elements` parameters of `layers` layers over the axes `over`."""
    zero, micro = parallelism.zero, micro_batches(transformer, parallelism)
    pieces = max(layers, 1) if zero is Zero.PARAMETERS else 1
    # Rounded up, as a layer's share is padded; with ZeRO 3 each layer is a piece of its own.
    piece = -(-elements // pieces)
    goal = Collective.ALL_REDUCE if zero is Zero.NONE else Collective.REDUCE_SCATTER
    scatters = pieces * (micro if zero >= Zero.GRADIENTS else 1)
    gathers = pieces * {Zero.NONE: 0, Zero.OPTIMISER: 1, Zero.GRADIENTS: 1, Zero.PARAMETERS: 2 * micro}[zero]
    yield _Traffic(
        name=f"gradients{whose}",
        over=over,
        goal=goal,
        elements=piece,
        dtype=transformer.gradients,
        times=scatters,
        overlap="gradients",
    )
    name = f"parameters{whose}"
    yield _Traffic(
        name=name,
        over=over,
        goal=Collective.ALL_GATHER,
        elements=piece,
        dtype=transformer.activations,
        times=gathers,
        overlap="parameters",
    )


def _stages(transformer: Transformer, parallelism: Parallelism) -> Iterator[_Traffic]:
    """Yield the sends between neighbouring stages in one step, for the device that sends most."""
    per_micro_batch = 2 * parallelism.chunks - (1 if parallelism.pp == 2 else 0)
    yield _Traffic(
        name="sends between stages",
        over=("pp",),
        goal=NeighbourSend.NEXT if parallelism.chunks == 1 else NeighbourSend.AROUND,
        elements=_tokens(transformer, parallelism)
        * transformer.hidden
        // (parallelism.tp if parallelism.sequence_parallel else 1),
        dtype=transformer.activations,
        times=micro_batches(transformer, parallelism) * per_micro_batch,
    )


def _tied(transformer: Transformer, parallelism: Parallelism) -> Iterator[_Traffic]:
    elements = embedding_weights(transformer, parallelism).on_device(parallelism.tp)
    times = int(transformer.tied and parallelism.pp == 2)
    yield _Traffic(
        name="gradient of the tied embedding",
        over=("pp",),
        goal=Collective.ALL_REDUCE,
        elements=elements,
        dtype=transformer.gradients,
        times=times,
    )


def _tokens(transformer: Transformer, parallelism: Parallelism) -> int:
    return transformer.micro_batch * (transformer.sequence // parallelism.cp)


def _routed_tokens(transformer: Transformer, parallelism: Parallelism) -> int:
    if transformer.experts is None:
        return 0
    tokens = _tokens(transformer, parallelism) // parallelism.tp
    # The capacity factor rounds; at least one token is sent.
    return max(1, round(transformer.experts.capacity * (transformer.experts.per_token * tokens)))


def _blocks(transformer: Transformer, parallelism: Parallelism, stage: int) -> int:
    """Return the number of attention and feed-forward blocks of a stage that process every token."""
    layers = parallelism.layers_of(stage, transformer.layers)
    shared = transformer.experts is not None and transformer.experts.shared > 0
    # Attention and feed-forward part count one each; routed experts alone take the second one's place.
    return 2 * len(layers) - sum(transformer.has_experts(layer) and not shared for layer in layers)


def _most_layers(transformer: Transformer, parallelism: Parallelism) -> int:
    return max(len(parallelism.layers_of(stage, transformer.layers)) for stage in range(parallelism.pp))


def _expert_layers(transformer: Transformer, parallelism: Parallelism) -> int:
    stages = (parallelism.layers_of(stage, transformer.layers) for stage in range(parallelism.pp))
    return max(sum(map(transformer.has_experts, layers)) for layers in stages)
