"""The settings of a split by framework, or the reason why a framework does not support it."""

from p2smt.emit.frameworks import deepspeed, megatron, nemo, torch_mesh, torchtitan
from p2smt.problem.transformer.model import Transformer
from p2smt.problem.transformer.split import Dispatcher, Framework, Precision, Split

NAMES = {
    Framework.MEGATRON: "Megatron-LM",
    Framework.TORCHTITAN: "TorchTitan",
    Framework.DEEPSPEED: "DeepSpeed",
    Framework.TORCH: "torch",
    Framework.NEMO: "NeMo (Megatron-Bridge)",
}
"""The display names of the frameworks."""


def swaps(framework: Framework, transformer: Transformer, split: Split) -> bool:
    """True if a flag of the framework orders ranks with data parallelism outermost and stages inside."""
    return framework is Framework.MEGATRON and megatron.swaps(transformer, split)


def refusal(framework: Framework, transformer: Transformer, split: Split) -> str | None:
    """Return the reason why a framework does not support a split; None if it does."""
    match framework:
        case Framework.MEGATRON | Framework.NEMO:
            return megatron.refusal(transformer, split)
        case Framework.TORCHTITAN:
            return torchtitan.refusal(transformer, split)
        case Framework.DEEPSPEED:
            return deepspeed.refusal(transformer, split)
        case Framework.TORCH:
            return torch_mesh.refusal(transformer, split)


def dispatcher_of(framework: Framework, wanted: Dispatcher, split: Split) -> Dispatcher:
    """Return `wanted` if the framework can use it for a split, otherwise `alltoall`.

    DeepEP asserts that tokens leave a device (expert tp x ep > 1). TorchTitan v0.2.2 has it for experts that are not
    split themselves (`models/llama4/infra/parallelize.py`), and does not have HybridEP.
    """
    match framework:
        case Framework.MEGATRON | Framework.NEMO:
            usable = split.ep * split.etp > 1
        case Framework.TORCHTITAN:
            usable = split.ep > 1 and split.etp == 1 and wanted is Dispatcher.DEEPEP
        case Framework.DEEPSPEED | Framework.TORCH:
            usable = False
    return wanted if usable else Dispatcher.ALLTOALL


def typed(
    framework: Framework,
    transformer: Transformer,
    split: Split,
    precision: Precision,
    *,
    dispatcher: Dispatcher = Dispatcher.ALLTOALL,
    swapped: bool = False,
) -> list[str]:
    """Return the settings for a split that the framework supports; `swapped` sets the flag that `swaps` describes.

    Tokens are sent to experts by `dispatcher` where the framework can use it (`dispatcher_of`).
    """
    used = dispatcher_of(framework, dispatcher, split)
    match framework:
        case Framework.MEGATRON:
            return megatron.flags(transformer, split, precision, dispatcher=used, swapped=swapped)
        case Framework.NEMO:
            return nemo.fields(transformer, split, precision, dispatcher=used)
        case Framework.TORCHTITAN:
            return torchtitan.job_file(transformer, split, precision, dispatcher=used)
        case Framework.DEEPSPEED:
            return deepspeed.config(transformer, split, precision)
        case Framework.TORCH:
            return torch_mesh.calls(split)
