"""Emitted files whose computing torch.compile turns into graphs.

`compute` is compiled as a whole, with its lines one behind the other: a function for all layers would be compiled again
for each. Collectives, dropout and optimizer steps are not part of graphs. So calls of ranks stay calls, in the same
order, and those that are begun early are under way while the next graph runs; kernels of optimizers are fused already.
"""

import re
from collections.abc import Collection

_CALLED = frozenset(
    {
        *("adam", "adamw", "sgd"),
        *("dropped", "kept_dropped", "dropped_attention", "kept_dropped_attention", "dropped_attention_gradients"),
        *("uniform", "kept_attention", "attention_gradients"),
    }
)
"""Calls besides collectives: those that depend on the step number, which a graph would bake in as a constant, and those
that run torch's own backward pass inside."""


def compiled(text: str, collectives: Collection[str]) -> str:
    """The file with `compute` under torch.compile, and without the functions that stay calls."""
    names = "|".join(sorted({*collectives, *_CALLED}))
    apart = re.sub(rf"^(?=def (?:{names})\()", "@torch.compiler.disable\n", text, flags=re.MULTILINE)
    return apart.replace("@torch.no_grad()\ndef compute(", "@torch.no_grad()\n@torch.compile\ndef compute(")
