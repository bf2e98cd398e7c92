"""Fields of NeMo's Megatron-Bridge (`ConfigContainer`) for a split; it supports the splits of Megatron Core."""

from collections.abc import Iterator

from p2smt.emit.frameworks.megatron import layout, recomputed_modules
from p2smt.problem.transformer.model import Transformer, Zero
from p2smt.problem.transformer.split import Dispatcher, Precision, Recompute, Split


def fields(
    transformer: Transformer, split: Split, precision: Precision, *, dispatcher: Dispatcher = Dispatcher.ALLTOALL
) -> list[str]:
    """Return assignments to a recipe's `cfg`."""
    lines = [
        f"cfg.model.tensor_model_parallel_size = {split.tp}",
        f"cfg.model.pipeline_model_parallel_size = {split.pp}",
        f"cfg.model.virtual_pipeline_model_parallel_size = {split.chunks if split.chunks > 1 else None}",
        f"cfg.model.context_parallel_size = {split.cp}",
        f"cfg.model.sequence_parallel = {split.sequence_parallel}",
    ]
    if split.sequence_parallel and transformer.experts is None:
        lines.append("cfg.comm_overlap.tp_comm_overlap = True")
    uneven = layout(transformer, split)
    if uneven is not None:
        lines.append(f'cfg.model.pipeline_model_parallel_layout = "{uneven}"')
    if transformer.experts is not None:
        lines += [
            f"cfg.model.expert_model_parallel_size = {split.ep}",
            f"cfg.model.expert_tensor_parallel_size = {split.etp}",
            "cfg.model.moe_grouped_gemm = True",
            *_dispatcher(dispatcher),
        ]
    match split.recompute:
        case Recompute.NONE:
            lines.append("cfg.model.recompute_granularity = None")
        case Recompute.SELECTIVE:
            modules = ", ".join(f'"{module}"' for module in recomputed_modules(transformer))
            lines.append('cfg.model.recompute_granularity = "selective"')
            lines.append(f"cfg.model.recompute_modules = [{modules}]")
        case Recompute.FULL:
            lines += [
                'cfg.model.recompute_granularity = "full"',
                'cfg.model.recompute_method = "uniform"',
                "cfg.model.recompute_num_layers = 1",
            ]
    lines += [
        f"cfg.model.seq_length = {transformer.sequence}",
        "cfg.model.cross_entropy_loss_fusion = True",
        f"cfg.train.micro_batch_size = {split.micro_batch}",
        f"cfg.train.global_batch_size = {transformer.batch}",
        f"cfg.ddp.use_distributed_optimizer = {split.zero is not Zero.NONE}",
    ]
    if split.zero is Zero.PARAMETERS:
        lines += [
            "cfg.ddp.use_megatron_fsdp = True",
            'cfg.ddp.data_parallel_sharding_strategy = "optim_grads_params"',
        ]
    if split.replicate > 1:
        lines.append(f"cfg.ddp.num_distributed_optimizer_instances = {split.replicate}")
    lines.append(f'cfg.mixed_precision = "{_MIXED[precision]}"')
    return lines


def _dispatcher(dispatcher: Dispatcher) -> Iterator[str]:
    match dispatcher:
        case Dispatcher.ALLTOALL:
            yield 'cfg.model.moe_token_dispatcher_type = "alltoall"'
        case Dispatcher.DEEPEP | Dispatcher.HYBRIDEP:
            yield 'cfg.model.moe_token_dispatcher_type = "flex"'
            yield f'cfg.model.moe_flex_dispatcher_backend = "{dispatcher}"'
            yield 'cfg.model.moe_router_dtype = "fp32"'


_MIXED = {
    Precision.BF16: "bf16_mixed",
    Precision.FP16: "fp16_mixed",
    Precision.FP8: "bf16_with_fp8_current_scaling_mixed",
}
