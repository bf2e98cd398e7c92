"""Flags and calls of frameworks that lay out ranks by a given axis order.

Sources: Megatron-LM `megatron/training/arguments.py` and `initialize.py` (the flag `--use-tp-pp-dp-mapping`
changes the order to tp-cp-ep-pp-dp; other orders are an argument of
`parallel_state.initialize_model_parallel`), torchtitan `torchtitan/config/job_config.py` (one degree per
dimension, fixed order), DeepSpeed `deepspeed/runtime/pipe/topology.py` (`ProcessTopology(axes, dims)`).
"""

from collections.abc import Sequence

from p2smt.placement.notation import CONVENTIONS, Notation, axis_words, order_text
from p2smt.placement.order import Order
from p2smt.problem.model import Axis

FRAMEWORKS = (
    (Notation.MEGATRON, "Megatron"),
    (Notation.TORCHTITAN, "TorchTitan"),
    (Notation.DEEPSPEED, "DeepSpeed"),
)
"""Frameworks with a notation for orders, and their names."""

_MEGATRON_FLAGS = {
    "tp": "--tensor-model-parallel-size",
    "cp": "--context-parallel-size",
    "ep": "--expert-model-parallel-size",
    "pp": "--pipeline-model-parallel-size",
}
_TORCHTITAN_DEGREES = {
    "pp": "pipeline_parallel_degree",
    "dp_replicate": "data_parallel_replicate_degree",
    "dp_shard": "data_parallel_shard_degree",
    "cp": "context_parallel_degree",
    "tp": "tensor_parallel_degree",
}
_SWAPPED = ("tp", "cp", "ep", "pp", "dp")
"""Megatron's alternative order that has a flag, innermost first."""


def framework_call(notation: Notation, order: Order, axes: Sequence[Axis]) -> str | None:
    """Return a framework's flags or call for an axis order; None if the framework does not support the order.

    Raises ProblemError as `order_text`, for an axis that the framework lacks.

    >>> axes = [Axis("pp", 4), Axis("dp", 2), Axis("tp", 8)]
    >>> framework_call(Notation.MEGATRON, (0, 1, 2), axes)
    '--tensor-model-parallel-size 8 --pipeline-model-parallel-size 4'
    >>> framework_call(Notation.DEEPSPEED, (0, 1, 2), axes)
    'ProcessTopology(axes=["pipe", "data", "model"], dims=[4, 2, 8])'
    >>> framework_call(Notation.TORCHTITAN, (1, 0, 2), axes) is None
    True
    """
    text, words = order_text(notation, order, axes), axis_words(notation, axes)
    sizes = {str(words[axis]): axes[axis].size for axis in order if axes[axis].size > 1}
    match notation:
        case Notation.AXES:
            return None
        case Notation.MEGATRON:
            return _megatron(list(reversed(sizes)), sizes, text)
        case Notation.TORCHTITAN:
            if list(sizes) != [name for name in CONVENTIONS[notation].names if name in sizes]:
                return None
            return " ".join(f"--parallelism.{_TORCHTITAN_DEGREES[name]}={size}" for name, size in sizes.items())
        case Notation.DEEPSPEED:
            named = ", ".join(f'"{name}"' for name in sizes)
            return f"ProcessTopology(axes=[{named}], dims=[{', '.join(map(str, sizes.values()))}])"


def _megatron(names: Sequence[str], sizes: dict[str, int], text: str) -> str | None:
    """Return Megatron's flags for axis names in the order `names`, innermost first; None if not supported.

    Data parallelism takes the remaining devices and has no flag. Unless pipeline stages are outermost,
    Megatron-LM asserts that attention and experts have equal data-parallel sizes (`initialize_model_parallel`).
    The expert mesh, which dense models have too, has no context parallelism, so that cp and ep violate this.
    """
    if "pp" in sizes and names[-1] != "pp" and not {"cp", "ep"}.isdisjoint(sizes):
        return None
    flags = [f"{flag} {sizes[name]}" for name, flag in _MEGATRON_FLAGS.items() if name in sizes]
    if names == [name for name in CONVENTIONS[Notation.MEGATRON].names if name in sizes]:
        return " ".join(flags) or "no flag: data parallelism is what is left of the devices"
    if names == [name for name in _SWAPPED if name in sizes]:
        return " ".join([*flags, "--use-tp-pp-dp-mapping"])
    return f'{" ".join(flags)} and initialize_model_parallel(..., order="{text}")'


def torch_call(order: Order, axes: Sequence[Axis]) -> str:
    """Return torch's call that creates the mesh of an axis order; torch lays out ranks row-major, as the order does.

    >>> torch_call((0, 1), [Axis("dp", 2), Axis("tp", 8)])
    'init_device_mesh("cuda", (2, 8), mesh_dim_names=("dp", "tp"))'
    """
    sizes, names = _dimensions(order, axes)
    return f'init_device_mesh("cuda", ({sizes}), mesh_dim_names=({names}))'


def jax_call(order: Order, axes: Sequence[Axis]) -> str:
    """Return JAX's call that creates the mesh of an axis order, if `jax.devices()` lists devices machine by machine.

    >>> jax_call((0, 1), [Axis("dp", 2), Axis("tp", 8)])
    'Mesh(np.array(jax.devices()).reshape(2, 8), ("dp", "tp"))'
    """
    sizes, names = _dimensions(order, axes)
    return f"Mesh(np.array(jax.devices()).reshape({sizes.removesuffix(',')}), ({names}))"


def _dimensions(order: Order, axes: Sequence[Axis]) -> tuple[str, str]:
    """Return the sizes and the quoted names, each as the inside of a tuple."""
    real = [axes[axis] for axis in order if axes[axis].size > 1]
    end = "," if len(real) == 1 else ""
    return ", ".join(str(axis.size) for axis in real) + end, ", ".join(f'"{axis.name}"' for axis in real) + end
