"""The `[transformer]` table of a job's file; `Parallelism` is what the `[parallelism]` table holds."""

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.dtype import dtype_name
from p2smt.problem.transformer.check import check_in_range
from p2smt.problem.transformer.model import Biases, Experts, Latent, Transformer, Vision


class ExpertsEntry(msgspec.Struct, frozen=True):
    """The `[transformer.experts]` table; `Experts` documents the keys. `ffn` defaults to the transformer's."""

    count: int
    per_token: int
    ffn: int | None = None
    shared: int = 0
    dense_first: int = 0
    every: int = 1
    capacity: float = 1.0
    biases: bool = False
    router_biases: bool = False


class TransformerEntry(msgspec.Struct, frozen=True):
    """The `[transformer]` table; `Transformer` documents the keys.

    `kv_heads` defaults to `heads`, and `head_size` to hidden / heads.
    """

    layers: int
    hidden: int
    ffn: int
    heads: int
    vocabulary: int
    sequence: int
    batch: int
    kv_heads: int | None = None
    head_size: int | None = None
    micro_batch: int = 1
    gated: bool = True
    biases: bool = False
    tied: bool = False
    positions: int = 0
    experts: ExpertsEntry | None = None
    activations: str = "bfloat16"
    gradients: str = "float32"
    attention_biases: Biases = Biases.NONE
    qk_norm: bool = False
    sinks: bool = False
    layer_vectors: int = 0
    end_vectors: int = 0
    norms: int = 2
    window: int = 0
    full_every: int = 1
    latent: Latent | None = None
    vision: Vision | None = None


def described(transformer: TransformerEntry) -> Transformer:
    """Return the model described by a table, with defaults filled in but unchecked.

    Raises ProblemError if head_size is omitted and heads does not divide hidden.
    """
    given = msgspec.structs.asdict(transformer)
    given |= {what: dtype_name(given[what]) for what in ("activations", "gradients")}
    if transformer.kv_heads is None:
        given["kv_heads"] = transformer.heads
    if transformer.head_size is None:
        check_in_range("heads", transformer.heads)
        check_in_range("hidden", transformer.hidden)
        if transformer.hidden % transformer.heads:
            raise ProblemError(
                f"heads {transformer.heads} do not divide hidden {transformer.hidden}; "
                "choose a divisor, or give head_size too"
            )
        given["head_size"] = transformer.hidden // transformer.heads
    if experts := transformer.experts:
        # Experts have the inner size of the dense part unless they say otherwise.
        ffn = transformer.ffn if experts.ffn is None else experts.ffn
        given["experts"] = Experts(**msgspec.structs.asdict(experts) | {"ffn": ffn})
    return Transformer(**given)
