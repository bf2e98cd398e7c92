"""Megatron-LM's flags for a split, and a restatement of its own checks.

Sources: `megatron/training/arguments.py` (`validate_args`), `megatron/core/parallel_state.py`
(`initialize_model_parallel`), `megatron/core/transformer/moe/moe_layer.py` and `pipeline_parallel_layer_layout.py`, as
of August 2026.
"""

from collections.abc import Iterator

from p2smt.problem.transformer.model import Transformer, Zero, chunk_layers
from p2smt.problem.transformer.split import Dispatcher, Pipeline, Precision, Recompute, Split, stage_layers


def refusal(transformer: Transformer, split: Split) -> str | None:
    """Return the reason why Megatron-LM does not support a split; None if it does."""
    return next(_refusals(transformer, split), None)


def _refusals(transformer: Transformer, split: Split) -> Iterator[str]:
    yield from _sizes(transformer, split)
    yield from _experts(transformer, split)
    yield from _stages(transformer, split)
    if split.zero >= Zero.GRADIENTS and split.pp > 1:
        yield f"ZeRO {int(split.zero)} is Megatron-FSDP, whose steps with pipeline stages are not priced; take ZeRO 1"
    if split.replicate > 1 and split.zero is Zero.NONE:
        yield "hybrid sharding needs ZeRO"


def _sizes(transformer: Transformer, split: Split) -> Iterator[str]:
    batch, sequence = transformer.batch, transformer.sequence
    if batch % (split.dp * split.micro_batch):
        yield f"global batch {batch} is not a multiple of dp {split.dp} x micro-batch {split.micro_batch}"
    # Context parallelism cuts every sequence into 2 x cp pieces and pairs an early with a late one,
    # which balances causal attention.
    if split.cp > 1 and sequence % (2 * split.cp):
        yield f"seq-length {sequence} is not a multiple of 2 x context-parallel size {split.cp}"
    if split.sequence_parallel and sequence % (split.tp * split.cp):
        yield f"seq-length {sequence} is not a multiple of tp {split.tp} x cp {split.cp}"
    if transformer.heads % split.tp:
        yield f"{transformer.heads} attention heads are not a multiple of tp {split.tp}"


def _experts(transformer: Transformer, split: Split) -> Iterator[str]:
    experts = transformer.experts
    if split.ep > 1 and (experts is None or experts.count % split.ep):
        yield f"the number of experts is not a multiple of expert-parallel size {split.ep}"
    if experts is not None and split.tp > 1 and not split.sequence_parallel:
        yield "mixture of experts with tensor parallelism needs --sequence-parallel"
    if (split.tp * split.cp * split.dp) % (split.ep * split.etp):
        yield f"expert-parallel size {split.ep} x expert-tensor size {split.etp} do not divide a stage's devices"


def _stages(transformer: Transformer, split: Split) -> Iterator[str]:
    if split.pipeline is not Pipeline.ONE_FORWARD_ONE_BACKWARD:
        yield f"its schedules are 1F1B and interleaved 1F1B, not {split.pipeline}; TorchTitan has that one"
    if split.chunks > 1 and split.pp == 1:
        yield "the interleaved schedule needs more than one pipeline stage"
    if split.chunks > 1 and split.micro_batches(transformer.batch) % split.pp:
        yield f"the interleaved schedule needs micro-batches in multiples of pp {split.pp}"
    if split.pp * split.chunks > transformer.layers:
        yield f"{transformer.layers} layers are fewer than {split.pp * split.chunks} pieces"


def layout(transformer: Transformer, split: Split) -> str | None:
    """Return `--pipeline-model-parallel-layout` for stages that differ; None if all are alike.

    >>> from p2smt.problem.transformer.named import named_model
    >>> layout(named_model("llama-405b", 512), Split(pp=8, dp=64))
    'Et*15|(t*16|)*6t*15L'
    """
    pieces = split.pp * split.chunks
    if pieces == 1 or transformer.layers % pieces == 0:
        return None
    each = [f"t*{count}" if count else "" for count in chunk_layers(transformer.layers, pieces)]
    each[0], each[-1] = f"E{each[0]}", f"{each[-1]}L"
    middle = each[1:-1]
    # The `(...)*n` form keeps the layout short when the middle stages are alike.
    if len(middle) > 1 and len(set(middle)) == 1:
        return f"{each[0]}|({middle[0]}|)*{len(middle)}{each[-1]}"
    return "|".join(each)


def flags(
    transformer: Transformer,
    split: Split,
    precision: Precision,
    *,
    dispatcher: Dispatcher = Dispatcher.ALLTOALL,
    swapped: bool = False,
) -> list[str]:
    """Return the flags of `pretrain_gpt.py` for the split; the user adds the model sizes.

    `swapped`: data parallelism is the outermost axis of the ranks, instead of pipeline stages.
    """
    found = [
        f"--tensor-model-parallel-size {split.tp}",
        f"--pipeline-model-parallel-size {split.pp}",
        f"--context-parallel-size {split.cp}",
    ]
    if split.sequence_parallel:
        found.append("--sequence-parallel")
        if transformer.experts is None:  # priced as overlapped for dense models
            found.append("--tp-comm-overlap")
    if transformer.experts is not None:
        found += [
            f"--expert-model-parallel-size {split.ep}",
            f"--expert-tensor-parallel-size {split.etp}",
            "--moe-grouped-gemm --moe-permute-fusion",
            *_dispatcher(dispatcher),
        ]
    found += _pipeline(transformer, split)
    found += _data_parallel(split)
    match split.recompute:
        case Recompute.NONE:
            pass
        case Recompute.SELECTIVE:
            modules = recomputed_modules(transformer)
            found.append(f"--recompute-granularity selective --recompute-modules {' '.join(modules)}")
        case Recompute.FULL:
            found.append("--recompute-granularity full --recompute-method uniform --recompute-num-layers 1")
    found += [
        f"--micro-batch-size {split.micro_batch}",
        f"--global-batch-size {transformer.batch}",
        f"--seq-length {transformer.sequence}",
        "--cross-entropy-loss-fusion",
        _precision(precision, split),
    ]
    if swapped and swaps(transformer, split):
        found.append("--use-tp-pp-dp-mapping")
    return found


def recomputed_modules(transformer: Transformer) -> tuple[str, ...]:
    """Return the modules of selective recomputation (`recompute_modules` of `TransformerConfig`).

    Flash attention keeps no scores, and Transformer Engine fuses the norms of dense layers into products, so a dense
    model has nothing that is cheap to recompute but the attention core.

    >>> from p2smt.problem.transformer.named import named_model
    >>> recomputed_modules(named_model("qwen3-30b-a3b", 64))
    ('layernorm', 'moe_act')
    """
    of_experts = () if transformer.experts is None else ("layernorm", "moe_act")
    of_latents = () if transformer.latent is None else ("mla_up_proj",)
    return (*of_experts, *of_latents) or ("core_attn",)


def _dispatcher(dispatcher: Dispatcher) -> Iterator[str]:
    match dispatcher:
        case Dispatcher.ALLTOALL:
            yield "--moe-token-dispatcher-type alltoall"
        case Dispatcher.DEEPEP | Dispatcher.HYBRIDEP:
            yield f"--moe-token-dispatcher-type flex --moe-flex-dispatcher-backend {dispatcher}"
            yield "--moe-router-dtype fp32"  # both backends assert probabilities in float32


def swaps(transformer: Transformer, split: Split) -> bool:
    """True if Megatron-LM accepts `--use-tp-pp-dp-mapping`: both meshes have equal data-parallel sizes.

    Unless stages are outermost, the data-parallel size of attention and that of experts must agree. A dense model also
    has the experts' mesh, with expert tensor parallelism equal to tensor parallelism.
    """
    experts = split.ep * (split.tp if transformer.experts is None else split.etp)
    return split.pp == 1 or split.tp * split.cp * split.dp == experts * split.dp


def _pipeline(transformer: Transformer, split: Split) -> Iterator[str]:
    uneven = layout(transformer, split)
    if uneven is not None:
        yield f"--pipeline-model-parallel-layout '{uneven}'"
    elif split.chunks > 1:
        yield f"--num-layers-per-virtual-pipeline-stage {stage_layers(transformer.layers, split.pp)[0] // split.chunks}"


def _data_parallel(split: Split) -> Iterator[str]:
    match split.zero:
        case Zero.NONE:
            yield "--overlap-grad-reduce"
        case Zero.OPTIMISER:
            yield "--use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather"
        case Zero.GRADIENTS | Zero.PARAMETERS:
            strategy = "optim_grads" if split.zero is Zero.GRADIENTS else "optim_grads_params"
            yield f"--use-megatron-fsdp --data-parallel-sharding-strategy {strategy}"
            yield "--use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather"
            yield "--ckpt-format fsdp_dtensor --no-gradient-accumulation-fusion"
    if split.replicate > 1:
        yield f"--num-distributed-optimizer-instances {split.replicate}"


def _precision(precision: Precision, split: Split) -> str:
    match precision:
        case Precision.BF16:
            return "--bf16"
        case Precision.FP16:
            return "--fp16"
        case Precision.FP8:
            # The default recipe, delayed scaling, does not go with recomputed norms and activation functions.
            found = "--bf16 --fp8-format hybrid --fp8-recipe tensorwise"
            # Otherwise Transformer Engine keeps two copies in 8 bits beside each matrix in 16: 2 bytes a parameter more
            # than is priced. Megatron accepts the flag with its distributed optimizer alone.
            return found if split.zero is Zero.NONE else f"{found} --fp8-param-gather"
