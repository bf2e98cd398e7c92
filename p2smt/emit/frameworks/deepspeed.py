"""DeepSpeed's configuration (JSON) for a split, and the splits that it does not support.

Sources: `deepspeed/runtime/config.py`, `zero/config.py` and `runtime/pipe/engine.py` (ZeRO 2 and 3 are incompatible
with pipeline parallelism). Tensor parallelism is up to the model, with an `mpu` or a `ProcessTopology`.
"""

import json
from collections.abc import Iterator

from p2smt.problem.transformer.model import Transformer, Zero
from p2smt.problem.transformer.split import Pipeline, Precision, Split


def refusal(transformer: Transformer, split: Split) -> str | None:
    """Return the reason why DeepSpeed does not support a split; None if it does."""
    return next(_refusals(transformer, split), None)


def _refusals(transformer: Transformer, split: Split) -> Iterator[str]:
    if split.pp > 1 and split.zero >= Zero.GRADIENTS:
        yield f"ZeRO {int(split.zero)} is incompatible with pipeline parallelism; ZeRO 1 is not"
    if split.pipeline is not Pipeline.ONE_FORWARD_ONE_BACKWARD:
        yield f"its pipeline runs 1F1B, not {split.pipeline}"
    if split.chunks > 1:
        yield "its pipeline has no interleaved schedule"
    if split.cp > 1:
        yield "it has no context parallelism of this kind; Ulysses splits heads"
    if split.etp != 1 and split.ep > 1:
        yield "its experts are not cut by tensor parallelism"
    if transformer.experts is not None and split.pp > 1:
        yield "its experts do not run in its pipeline"
    if split.ep > split.dp:
        yield f"ep {split.ep} is more than its data-parallel size {split.dp}"
    if split.replicate > 1:
        yield "hybrid sharding is ZeRO++'s zero_hpz_partition_size, which keeps a second copy"
    if transformer.batch % (split.dp * split.micro_batch):
        yield f"train_batch_size {transformer.batch} is not a multiple of {split.dp} x {split.micro_batch}"


def config(transformer: Transformer, split: Split, precision: Precision) -> list[str]:
    """Return the JSON, and the topology if there are several axes."""
    document: dict[str, object] = {
        "train_batch_size": transformer.batch,
        "train_micro_batch_size_per_gpu": split.micro_batch,
        "gradient_accumulation_steps": split.micro_batches(transformer.batch),
        "zero_optimization": {"stage": int(split.zero), "overlap_comm": True},
        "fp16" if precision is Precision.FP16 else "bf16": {"enabled": True},
    }
    if split.pp > 1:
        document["pipeline"] = {"stages": split.pp}
    lines = json.dumps(document, indent=2).splitlines()
    if split.tp * split.pp > 1:
        axes = {"pipe": split.pp, "data": split.dp, "model": split.tp}
        names = ", ".join(f'"{name}"' for name, size in axes.items() if size > 1)
        sizes = ", ".join(str(size) for size in axes.values() if size > 1)
        lines.append(f"ProcessTopology(axes=[{names}], dims=[{sizes}])")
    return lines
