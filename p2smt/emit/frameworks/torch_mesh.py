"""PyTorch's own calls for a split: a DeviceMesh, tensor parallelism and `fully_shard`."""

from collections.abc import Iterator

from p2smt.problem.transformer.model import Transformer, Zero
from p2smt.problem.transformer.split import Split


def refusal(transformer: Transformer, split: Split) -> str | None:
    """Return the reason why PyTorch's own calls do not support a split; None if they do."""
    return next(_refusals(transformer, split), None)


def _refusals(transformer: Transformer, split: Split) -> Iterator[str]:
    if split.zero is Zero.OPTIMISER:
        yield "ZeRO 1 is ZeroRedundancyOptimizer, which is for DDP alone; fully_shard is ZeRO 2 or 3"
    if split.pp > 1:
        yield "pipeline stages are torch.distributed.pipelining's, which needs the model's own split points"
    if split.ep > 1:
        yield "it has no expert parallelism of its own; TorchTitan builds it on DeviceMesh"
    if split.cp > 1:
        yield "context parallelism is experimental; TorchTitan builds it on DeviceMesh"
    if split.zero >= Zero.GRADIENTS and transformer.batch % split.dp:
        yield f"batch {transformer.batch} is not a multiple of dp {split.dp}"


def calls(split: Split) -> list[str]:
    """Return the call that creates the mesh, then the calls for every layer and for the model."""
    axes = {"pp": split.pp, "dp_replicate": split.replicate, "dp_shard": split.shard, "tp": split.tp}
    kept = {name: size for name, size in axes.items() if size > 1} or {"dp_shard": 1}
    sizes = ", ".join(map(str, kept.values())) + ("," if len(kept) == 1 else "")
    names = ", ".join(f'"{name}"' for name in kept) + ("," if len(kept) == 1 else "")
    lines = [f'mesh = init_device_mesh("cuda", ({sizes}), mesh_dim_names=({names}))']
    if split.tp > 1:
        lines.append('parallelize_module(layer, mesh["tp"], plan)  # every layer; SequenceParallel for its norms')
    dense = [name for name in ("dp_replicate", "dp_shard") if name in kept]
    if not dense:
        return lines
    part = f'mesh["{dense[0]}"]' if len(dense) == 1 else 'mesh["dp_replicate", "dp_shard"]'
    match split.zero:
        case Zero.NONE | Zero.OPTIMISER:
            lines.append(f"replicate(model, device_mesh={part})")
        case Zero.GRADIENTS:
            lines.append(f"fully_shard(layer, mesh={part}, reshard_after_forward=False)  # every layer, then the model")
        case Zero.PARAMETERS:
            lines.append(f"fully_shard(layer, mesh={part}, reshard_after_forward=True)  # every layer, then the model")
    return lines
