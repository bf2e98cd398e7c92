"""Emitted files whose computing torch.compile turns into graphs.

`compute` is compiled as a whole, with its lines one behind the other: a function for all layers would be compiled again
for each. Collectives and optimizer steps are not part of graphs. So calls of ranks stay calls, in the same order, and
those that are begun early are under way while the next graph runs; kernels of optimizers are fused already. Dropout by
seed and step is a call too, and attention but for CUDA's flash kernel; on one CUDA device dropout is part of the graph,
and its bits are those of torch's own generator, as in compiled modules.
"""

import re
from collections.abc import Collection

_CALLED = frozenset(
    {
        *("adam", "adamw", "sgd"),
        *("dropped", "drawn_dropped", "dropped_attention", "kept_dropped_attention", "dropped_attention_gradients"),
        *("uniform", "differentiable_attention", "differentiated"),
    }
)
"""Calls besides collectives: those that depend on the step number, which a graph would bake in as a constant, and those
that run torch's own backward pass inside."""


def compiled(text: str, collectives: Collection[str]) -> str:
    """The file with `compute` under torch.compile, and without the functions that stay calls."""
    names = "|".join(sorted({*collectives, *_CALLED}))
    apart = re.sub(rf"^(?=def (?:{names})\()", "@torch.compiler.disable\n", text, flags=re.MULTILINE)
    return apart.replace("@torch.no_grad()\ndef compute(", "@torch.no_grad()\n@torch.compile\ndef compute(")
