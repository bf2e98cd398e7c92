"""TorchTitan's job file for a split (TOML, as of v0.2), and the splits that it does not support.

Sources: `torchtitan/config/job_config.py`, `distributed/parallel_dims.py` and `distributed/pipeline_parallel.py` at
v0.2.2. After v0.2, configurations are Python functions; `ParallelismConfig` has the same fields except for
`expert_tensor_parallel_degree`, and counts tokens instead of sequences.
"""

from collections.abc import Iterator

from p2smt.problem.transformer.model import Transformer, Zero
from p2smt.problem.transformer.split import Dispatcher, Pipeline, Precision, Recompute, Split


def refusal(transformer: Transformer, split: Split) -> str | None:
    """Return the reason why TorchTitan does not support a split; None if it does."""
    return next(_refusals(transformer, split), None)


def _refusals(transformer: Transformer, split: Split) -> Iterator[str]:
    if split.zero in (Zero.OPTIMISER, Zero.GRADIENTS):
        yield f"ZeRO {int(split.zero)} is not a mode of TorchTitan; its data_parallel_shard_degree is ZeRO 3 (FSDP)"
    if split.zero is Zero.NONE and split.dp > 1 and split.tp * split.pp * split.cp > 1:
        yield "replicas without sharding run with no other parallelism; use ZeRO 3"
    if split.ep > 1 and split.etp not in (1, split.tp):
        yield f"expert_tensor_parallel_degree {split.etp} is neither 1 nor tp {split.tp}"
    if split.ep > 1 and (split.shard * split.cp * split.tp) % (split.ep * split.etp):
        yield f"ep {split.ep} x etp {split.etp} do not divide dp_shard x cp x tp"
    if transformer.experts is not None and split.ep == 1 and split.etp != split.tp:
        yield "expert tensor parallelism of its own needs expert parallelism"
    if split.tp > 1 and not split.sequence_parallel:
        yield "tensor parallelism comes with sequence parallelism"
    if split.pp > 1 and split.micro_batches(transformer.batch) < split.pp * split.chunks:
        yield f"a schedule of {split.pp * split.chunks} stages idles with fewer micro-batches"
    if split.pipeline is Pipeline.ZERO_BUBBLE and split.chunks == 1:
        yield "its zero-bubble schedule needs several chunks a stage"
    if transformer.heads % split.tp or transformer.kv_heads % split.tp:
        yield f"tp {split.tp} does not divide the heads"


def job_file(
    transformer: Transformer, split: Split, precision: Precision, *, dispatcher: Dispatcher = Dispatcher.ALLTOALL
) -> list[str]:
    """Return the TOML tables of the split, for `--job.config_file`; the user adds model and data."""
    sharded = split.zero is Zero.PARAMETERS
    lines = [
        "[parallelism]",
        f"data_parallel_replicate_degree = {split.replicate if sharded else split.dp}",
        f"data_parallel_shard_degree = {split.shard if sharded else 1}",
        f"tensor_parallel_degree = {split.tp}",
        f"pipeline_parallel_degree = {split.pp}",
        f"context_parallel_degree = {split.cp}",
    ]
    if split.pp > 1:
        ends = 0 if transformer.layers % (split.pp * split.chunks) == 0 else 1
        lines += [
            f'pipeline_parallel_schedule = "{_schedule(split)}"',
            f"pipeline_parallel_microbatch_size = {split.micro_batch}",
            f"pipeline_parallel_first_stage_less_layers = {ends}",
            f"pipeline_parallel_last_stage_less_layers = {ends}",
        ]
    if transformer.experts is not None:
        lines += [f"expert_parallel_degree = {split.ep}", f"expert_tensor_parallel_degree = {split.etp}"]
        if dispatcher is not Dispatcher.ALLTOALL:  # "standard" is the default
            lines.append(f'expert_parallel_comm_backend = "{dispatcher}"')
    local = transformer.batch // split.dp if split.pp > 1 else split.micro_batch
    lines += [
        "",
        "[training]",
        f"local_batch_size = {local}",
        f"global_batch_size = {transformer.batch}",
        f"seq_len = {transformer.sequence}",
    ]
    lines += ["", "[activation_checkpoint]", f'mode = "{_mode(split.recompute)}"']
    if precision is Precision.FP8:
        lines += ["", "[model]", 'converters = ["quantize.linear.float8"]']
    return lines


def _schedule(split: Split) -> str:
    match split.pipeline:
        case Pipeline.GPIPE:
            return "GPipe"
        case Pipeline.ZERO_BUBBLE:
            return "InterleavedZeroBubble"
        case Pipeline.ONE_FORWARD_ONE_BACKWARD:
            return "1F1B" if split.chunks == 1 else "Interleaved1F1B"


def _mode(recompute: Recompute) -> str:
    match recompute:
        case Recompute.NONE:
            return "none"
        case Recompute.SELECTIVE:
            return "selective"
        case Recompute.FULL:
            return "full"
