"""Check the rules for a transformer and its parallelism."""

from math import prod

from p2smt.errors import ProblemError
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.transformer.model import Experts, Parallelism, Transformer

MAX_LAYERS = 4096
MAX_SIZE = 10**9
MAX_CAPACITY = 100.0


def check_transformer(transformer: Transformer, parallelism: Parallelism) -> None:
    """Raise ProblemError unless all sizes are in range and all degrees divide the sizes that they split."""
    _check_ranges(transformer, parallelism)
    if prod(parallelism.axes.values()) == 1:
        raise ProblemError("dp, tp, cp, pp are all 1; one device has nothing to reduce, so make one of them larger")
    _check_tensor_parallel(transformer, parallelism)
    _check_batch(transformer, parallelism)
    if transformer.layers < parallelism.pp * parallelism.chunks:
        raise ProblemError(
            f"layers {transformer.layers} are fewer than pp {parallelism.pp} x chunks "
            f"{parallelism.chunks}; every chunk of a stage needs a layer, so choose fewer stages or "
            "chunks"
        )
    if parallelism.chunks > 1 and parallelism.pp == 1:
        raise ProblemError(f"chunks {parallelism.chunks} need several stages, but pp is 1; leave chunks out")
    if transformer.experts:
        _check_experts(transformer, transformer.experts, parallelism)
    elif parallelism.ep > 1:
        raise ProblemError(f"ep {parallelism.ep} needs experts, but the transformer has none; set ep to 1")


def _check_ranges(transformer: Transformer, parallelism: Parallelism) -> None:
    _at_least_one(
        transformer,
        ("layers", "hidden", "ffn", "heads", "kv_heads", "head_size", "vocabulary", "sequence", "batch", "micro_batch"),
    )
    if transformer.layers > MAX_LAYERS:
        raise ProblemError(f"layers {transformer.layers} is out of range; a transformer has at most {MAX_LAYERS}")
    for name in ("positions", "layer_vectors", "end_vectors"):
        check_in_range(name, getattr(transformer, name), least=0)
    if transformer.vision is not None:
        check_in_range("patch", transformer.vision.patch)
        check_in_range("labels", transformer.vision.labels, least=0)
    _at_least_one(parallelism, ("dp", "tp", "cp", "pp", "ep", "chunks"))
    for what, dtype in (("activations", transformer.activations), ("gradients", transformer.gradients)):
        if dtype not in DTYPE_BYTES:
            raise ProblemError(f"{what} {dtype[:40]!r} is not a data type; choose one of {', '.join(DTYPE_BYTES)}")
    if parallelism.dp % parallelism.ep:
        raise ProblemError(
            f"ep {parallelism.ep} does not divide dp {parallelism.dp}; experts are distributed over "
            "data-parallel devices, so choose a divisor"
        )


def _check_tensor_parallel(transformer: Transformer, parallelism: Parallelism) -> None:
    cut = {"hidden": transformer.hidden, "ffn": transformer.ffn, "heads": transformer.heads}
    _divides("tp", parallelism.tp, cut | {"kv_heads": transformer.kv_heads}, "tensor parallelism cuts every matrix")
    if transformer.heads % transformer.kv_heads:
        raise ProblemError(
            f"kv_heads {transformer.kv_heads} do not divide heads {transformer.heads}; every key is shared by "
            "the same number of queries, so choose a divisor of heads"
        )
    if parallelism.sequence_parallel and parallelism.tp == 1:
        raise ProblemError("sequence_parallel needs tensor parallelism, but tp is 1; leave it out")


def _check_batch(transformer: Transformer, parallelism: Parallelism) -> None:
    together = parallelism.dp * transformer.micro_batch
    if transformer.batch % together:
        raise ProblemError(
            f"batch {transformer.batch} is not a multiple of dp {parallelism.dp} x micro_batch "
            f"{transformer.micro_batch} = {together} sequences; choose a multiple"
        )
    parts = {"2 x cp": 2 * parallelism.cp} if parallelism.cp > 1 else {}
    if parallelism.sequence_parallel:
        parts["cp x tp"] = parallelism.cp * parallelism.tp
    for what, count in parts.items():
        _divides(what, count, {"sequence": transformer.sequence}, "every device takes equally many tokens")


def _check_experts(transformer: Transformer, experts: Experts, parallelism: Parallelism) -> None:
    _at_least_one(experts, ("count", "per_token", "ffn", "every"), "experts.")
    check_in_range("experts.shared", experts.shared, least=0)
    check_in_range("experts.dense_first", experts.dense_first, least=0)
    if not 0 < experts.capacity <= MAX_CAPACITY:
        raise ProblemError(
            f"experts.capacity {experts.capacity} is out of range; give a number above 0 and at most 100"
        )
    if experts.per_token > experts.count:
        raise ProblemError(
            f"experts.per_token {experts.per_token} is more than experts.count {experts.count}; give at "
            "most experts.count"
        )
    if not any(map(transformer.has_experts, range(transformer.layers))):
        raise ProblemError(
            f"experts.dense_first {experts.dense_first} and every {experts.every} leave none of the "
            f"{transformer.layers} layers with experts; decrease them or leave experts out"
        )
    _divides("ep", parallelism.ep, {"experts.count": experts.count}, "every device has equally many experts")
    _divides("tp", parallelism.tp, {"experts.ffn": experts.ffn}, "tensor parallelism cuts every expert")
    if parallelism.tp > 1 and not parallelism.sequence_parallel:
        raise ProblemError(
            f"experts with tp {parallelism.tp} need sequence parallelism, as in Megatron-LM; set "
            "sequence_parallel = true"
        )


def _at_least_one(part: Transformer | Parallelism | Experts, names: tuple[str, ...], prefix: str = "") -> None:
    for name in names:
        check_in_range(prefix + name, getattr(part, name))


def check_in_range(name: str, value: int, least: int = 1, most: int = MAX_SIZE) -> None:
    """Raise ProblemError unless a size is between `least` and `most`."""
    if not least <= value <= most:
        shown = value if abs(value) < 10**12 else "of more than 12 digits"
        raise ProblemError(f"{name} {shown} is out of range; give a whole number from {least} to {most}")


def _divides(what: str, parts: int, wholes: dict[str, int], reason: str) -> None:
    for name, whole in wholes.items():
        if whole % parts:
            raise ProblemError(f"{what} {parts} does not divide {name} {whole}; {reason}, so choose a divisor")
