"""The `[transformer]` and `[parallelism]` tables of a job's file."""

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.dtype import dtype_name
from p2smt.problem.model import Axis
from p2smt.problem.transformer.check import check_in_range
from p2smt.problem.transformer.model import Biases, Experts, Latent, Parallelism, Transformer, Vision, Zero
from p2smt.problem.transformer.traffic import axes_and_reductions
from p2smt.problem.workload import Reduction


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


class LatentEntry(msgspec.Struct, frozen=True):
    """The `[transformer.latent]` table; `Latent` documents the keys."""

    queries: int
    keys: int
    key_size: int
    rotary: int
    value_size: int


class VisionEntry(msgspec.Struct, frozen=True):
    """The `[transformer.vision]` table; `Vision` documents the keys."""

    patch: int
    pooled: bool = True
    modulated: bool = False
    labels: int = 0


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
    norms: int = 2
    window: int = 0
    full_every: int = 1
    latent: LatentEntry | None = None
    vision: VisionEntry | None = None


class ParallelismEntry(msgspec.Struct, frozen=True):
    """The `[parallelism]` table; `Parallelism` documents the keys."""

    dp: int = 1
    tp: int = 1
    cp: int = 1
    pp: int = 1
    ep: int = 1
    chunks: int = 1
    sequence_parallel: bool = False
    zero: Zero = Zero.NONE


def described(transformer: TransformerEntry, parallelism: ParallelismEntry) -> tuple[Transformer, Parallelism]:
    """Return the model and split described by two tables, with defaults filled in but unchecked.

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
    if transformer.latent is not None:
        given["latent"] = Latent(**msgspec.structs.asdict(transformer.latent))
    if transformer.vision is not None:
        given["vision"] = Vision(**msgspec.structs.asdict(transformer.vision))
    return Transformer(**given), Parallelism(**msgspec.structs.asdict(parallelism))


def of_entries(
    transformer: TransformerEntry, parallelism: ParallelismEntry
) -> tuple[tuple[Axis, ...], tuple[Reduction, ...]]:
    """Return the axes and reductions described by two tables. Raises ProblemError as `axes_and_reductions`."""
    return axes_and_reductions(*described(transformer, parallelism))
