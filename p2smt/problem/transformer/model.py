"""A transformer and the parallelism of its training; sizes are numbers of elements."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import accumulate


class Zero(IntEnum):
    """ZeRO stages (Rajbhandari et al. 2020), each of which shards what the previous ones shard and more.

    0: nothing is sharded. 1: the optimizer's state is ("distributed optimizer"). 2: gradients, which are
    therefore reduced after every micro-batch. 3: parameters (FSDP), which are therefore gathered before every
    use.
    """

    NONE = 0
    OPTIMISER = 1
    GRADIENTS = 2
    PARAMETERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """A mixture of experts that replaces the feed-forward part of some layers.

    There are `count` experts with inner size `ffn`, of which `per_token` (top-k) process each token; `shared`
    further experts process every token. Layer i, counted from 0, has experts if i >= `dense_first` and i is a
    multiple of `every`. An expert's buffer holds `capacity` times its even share of tokens (GShard's capacity
    factor; 1 means balanced routing without padding). `biases` refers to the experts' matrices; `router_biases`
    adds one bias per expert.
    """

    count: int
    per_token: int
    ffn: int
    shared: int = 0
    dense_first: int = 0
    every: int = 1
    capacity: float = 1.0
    biases: bool = False
    router_biases: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Latent:
    """Multi-head latent attention (DeepSeek-V2, 2024): queries, keys and values are projected from latent vectors.

    `queries` and `keys` are the sizes of the two latent vectors; with 0 `queries`, queries are projected from the
    hidden vector itself (DeepSeek-V2-Lite, Moonlight). Every head has keys of `key_size` + `rotary`
    elements and values of `value_size`.
    """

    queries: int
    keys: int
    key_size: int
    rotary: int
    value_size: int

    def query_inputs(self, hidden: int) -> int:
        """The size of what queries are projected from."""
        return self.queries or hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class Vision:
    """Image input instead of text: tokens are patches, and every token attends to all others.

    A patch of `patch` numbers is projected to a token, with a bias. If `pooled`, a class token is prepended,
    and only its result is projected to the `vocabulary` of classes (ViT: Dosovitskiy et al. 2021); otherwise
    every token is projected to the numbers of its patch (DiT: Peebles and Xie 2023). If `modulated` (DiT's
    adaLN-Zero), norms have no parameters, and each layer computes six vectors from the embeddings of the time
    step and of one of `labels` labels.
    """

    patch: int
    pooled: bool = True
    modulated: bool = False
    labels: int = 0


class Biases(StrEnum):
    """Biases of the attention's matrices if `Transformer.biases` is false: none, of q, k and v, or of all matrices."""

    NONE = "none"
    QKV = "qkv"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformer:
    """A decoder and one step of its training.

    There are `heads` query heads and `kv_heads` key and value heads of `head_size` elements. `ffn` is the inner
    size of the feed-forward part, which has three matrices if `gated` (SwiGLU), else two. With `biases`, all
    matrices and norms have one, except router and output. `positions` is the number of learned position
    embeddings (0: rotary or none). If `tied`, the output uses the token embedding. `norms` is the number per
    layer (0: norms have no parameters, the last one neither); `qk_norm` adds two of a head's size for queries and
    keys; `sinks` adds a learned number per head; `layer_vectors` and `end_vectors` are further parameters of a
    layer, and outside of layers, that no other field counts. A token attends to the previous `window` tokens,
    except in every `full_every`-th layer (0: no windows). `latent` replaces the attention by latent attention,
    and `vision` words by image patches.

    A step processes `batch` sequences of `sequence` tokens, `micro_batch` at a time per replica. Activations
    and parameters are communicated as `activations`, parameter gradients as `gradients` (names in
    `DTYPE_BYTES`).
    """

    layers: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    head_size: int
    vocabulary: int
    sequence: int
    batch: int
    micro_batch: int = 1
    gated: bool = True
    biases: bool = False
    tied: bool = False
    positions: int = 0
    experts: Experts | None = None
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

    @property
    def outputs(self) -> int:
        """The number of tokens per sequence that are projected to the vocabulary."""
        return 1 if self.vision is not None and self.vision.pooled else self.sequence

    @property
    def expert_layers(self) -> int:
        """The number of layers with experts."""
        if self.experts is None:
            return 0
        every = self.experts.every
        return len(range(-(-self.experts.dense_first // every) * every, self.layers, every))

    @property
    def attended(self) -> float:
        """Twice the mean number of tokens to which a token attends, averaged over layers.

        This is the sequence length under a causal mask, less with windows, and twice the sequence length for an
        image.
        """
        if self.vision is not None:
            return 2 * self.sequence
        if not self.window:
            return self.sequence
        whole = 1 / self.full_every if self.full_every else 0.0
        return whole * self.sequence + (1 - whole) * min(2 * self.window, self.sequence)

    @property
    def attention_size(self) -> float:
        """The elements per head in the attention core, averaged over keys and values."""
        if self.latent is None:
            return self.head_size
        return (self.latent.key_size + self.latent.rotary + self.latent.value_size) / 2

    def has_experts(self, layer: int) -> bool:
        """True if layer number `layer`, counted from 0, has experts."""
        experts = self.experts
        return experts is not None and layer >= experts.dense_first and layer % experts.every == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallelism:
    """Degrees of parallelism of a training step.

    `dp` splits the batch, `tp` every matrix, `cp` every sequence, and `pp` the layers into stages. `ep` splits
    the experts over data-parallel devices, so `ep` divides `dp`; every expert is also split by `tp`, and
    replicated over `cp`. `chunks` is the number of chunks of layers per stage (1: no interleaving). With
    `sequence_parallel`, activations between two tensor-parallel blocks are split along the sequence.

    Invariant: number of devices == dp * tp * cp * pp.
    """

    dp: int = 1
    tp: int = 1
    cp: int = 1
    pp: int = 1
    ep: int = 1
    chunks: int = 1
    sequence_parallel: bool = False
    zero: Zero = Zero.NONE

    @property
    def axes(self) -> dict[str, int]:
        """The axes by name, outermost first; here `dp` is the number of devices with the same experts, dp / ep."""
        return {"pp": self.pp, "dp": self.dp // self.ep, "ep": self.ep, "cp": self.cp, "tp": self.tp}

    def layers_of(self, stage: int, layers: int) -> tuple[int, ...]:
        """Return the layer numbers of a stage; chunks of layers are assigned to stages round-robin.

        >>> Parallelism(pp=2, chunks=2).layers_of(1, 8)
        (2, 3, 6, 7)
        """
        ends = tuple(accumulate(chunk_layers(layers, self.pp * self.chunks), initial=0))
        mine = range(stage, self.pp * self.chunks, self.pp)
        return tuple(layer for chunk in mine for layer in range(ends[chunk], ends[chunk + 1]))


def chunk_layers(layers: int, chunks: int) -> tuple[int, ...]:
    """Return the number of layers in each chunk, in the order of the layers; `chunks` counts those of all stages.

    Chunks are equal if `chunks` divides the layers. Otherwise embedding and output count as one layer each if
    that makes the chunks equal (Megatron-LM's `--account-for-embedding-in-pipeline-split`); otherwise the first
    chunks get one more.

    >>> chunk_layers(126, 8), chunk_layers(61, 4)
    ((15, 16, 16, 16, 16, 16, 16, 15), (16, 15, 15, 15))
    """
    if layers % chunks and not (layers + 2) % chunks and layers + 2 > chunks > 1:
        each = (layers + 2) // chunks
        return each - 1, *(each for _ in range(chunks - 2)), each - 1
    least, more = divmod(layers, chunks)
    return tuple(least + (chunk < more) for chunk in range(chunks))


def micro_batches(transformer: Transformer, parallelism: Parallelism) -> int:
    """Return the number of micro-batches per replica and step."""
    return transformer.batch // (parallelism.dp * transformer.micro_batch)


def bubble(transformer: Transformer, parallelism: Parallelism) -> float:
    """Return the pipeline bubble as a fraction of the computing time.

    This is (p - 1) / (m v) for p stages, m micro-batches and v chunks per stage (Narayanan et al. 2021, section
    2.2).
    """
    return (parallelism.pp - 1) / (micro_batches(transformer, parallelism) * parallelism.chunks)
