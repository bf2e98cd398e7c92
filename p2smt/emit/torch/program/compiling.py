"""Emitted files whose computation is compiled by torch.compile.

`compute` is compiled as a whole, without functions for repeated layers, because each call of one would be compiled
separately. Collectives and optimizer steps stay outside of the graphs. So calls of ranks keep their order, and
collectives begun early overlap the next graph; optimizer kernels are fused already. Dropout by seed and step is also a
call, and so is attention, except for CUDA's fused kernels. On a single CUDA device dropout is part of the graph, that
of these kernels too, and draws its bits from torch's own generator, as in compiled modules.
"""

import re
from collections.abc import Collection

_CALLED = frozenset(
    {
        *("adam", "adamw", "sgd"),
        *("dropped", "drawn_dropped", "dropped_attention", "seeded_attention", "seeded_attention_gradients"),
        *("uniform", "differentiable_attention", "differentiated"),
    }
)
"""Functions besides collectives that stay outside of graphs.

They depend on the step number, which a graph would treat as a constant, or they run torch's own backward pass.
"""


def compiled(text: str, collectives: Collection[str]) -> str:
    """Return the file with `compute` under torch.compile, and graph breaks at the functions that stay calls."""
    names = "|".join(sorted({*collectives, *_CALLED}))
    apart = re.sub(rf"^(?=def (?:{names})\()", "@torch.compiler.disable\n", text, flags=re.MULTILINE)
    return apart.replace("@torch.no_grad()\ndef compute(", "@torch.no_grad()\n@torch.compile\ndef compute(")
