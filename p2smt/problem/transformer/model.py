"""A transformer that is trained, and how it is spread over the devices; sizes are numbers of elements."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import accumulate


class Zero(IntEnum):
    """Tensors that data-parallel devices shard (Rajbhandari et al. 2020); each number includes those below.

    0: all keep all. 1: the optimiser's state is spread ("distributed optimizer"). 2: gradients too, so that they
    are reduced after every micro batch. 3: parameters too (FSDP), so that they are gathered before every use.
    """

    NONE = 0
    OPTIMISER = 1
    GRADIENTS = 2
    PARAMETERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """A mixture of experts in place of the feed-forward part of some layers.

    `count` experts with `ffn` inner elements each, of which `per_token` (top-k) work on a token; `shared` more
    work on every token. Layer i, counted from 0, has experts if i >= `dense_first` and i is a multiple of
    `every`. An expert takes `capacity` times its even share of tokens (GShard's capacity factor; 1: routing is
    balanced, nothing is padded). `biases`: of the experts' matrices; `router_biases`: one per expert.
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
    """Latent attention (DeepSeek-V2, 2024): queries, keys and values come out of small latent vectors.

    `queries` and `keys` are the sizes of the two vectors; every head has keys of `key_size` + `rotary` elements and
    values of `value_size`.
    """

    queries: int
    keys: int
    key_size: int
    rotary: int
    value_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vision:
    """An image in place of text: tokens are patches, and every token attends to all.

    A patch of `patch` numbers is projected to a token, with a bias. `pooled`: a class token is put before them, and its
    result alone is projected to the `vocabulary`, the classes (ViT: Dosovitskiy et al. 2021); else every token's is, to
    the numbers of its patch (DiT: Peebles and Xie 2023). `modulated` (DiT's adaLN-Zero): norms have no parameters, and
    each layer makes six vectors out of the embedding of the time step and of one of `labels` labels.
    """

    patch: int
    pooled: bool = True
    modulated: bool = False
    labels: int = 0


class Biases(StrEnum):
    """Biases of the attention's matrices where `Transformer.biases` gives none: none, of q, k, v, or all."""

    NONE = "none"
    QKV = "qkv"
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformer:
    """A decoder and one step of its training.

    `heads` queries and `kv_heads` keys and values of `head_size` elements each; `ffn` is the inner size of the
    feed-forward part, which has three matrices if `gated` (SwiGLU), else two. `biases`: all matrices and norms
    have one, but router and output do not. `positions` learned position embeddings (0: rotary or none). `tied`:
    the output uses the token embedding. A step takes `batch` sequences of `sequence` tokens, `micro_batch` of
    them at a time through each replica. Activations and parameters travel as `activations`, gradients of
    parameters as `gradients` (names of `DTYPE_BYTES`). `norms` per layer; `qk_norm`: one more for queries and keys
    each, of a head's size; `sinks`: a learned number per head. A token attends to `window` tokens before it, in
    all layers but every `full_every`-th (0: no windows). `latent`: attention over latent vectors in its place.
    `vision`: patches of images in place of words.
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
    norms: int = 2
    window: int = 0
    full_every: int = 1
    latent: Latent | None = None
    vision: Vision | None = None

    @property
    def outputs(self) -> int:
        """Tokens of a sequence that are projected to the vocabulary."""
        return 1 if self.vision is not None and self.vision.pooled else self.sequence

    @property
    def expert_layers(self) -> int:
        """Number of layers with experts."""
        if self.experts is None:
            return 0
        every = self.experts.every
        return len(range(-(-self.experts.dense_first // every) * every, self.layers, every))

    @property
    def attended(self) -> float:
        """Twice the tokens that a token attends to in the average layer.

        The sequence where those behind a token are masked, less where windows are, twice the sequence of an image.
        """
        if self.vision is not None:
            return 2 * self.sequence
        if not self.window:
            return self.sequence
        whole = 1 / self.full_every if self.full_every else 0.0
        return whole * self.sequence + (1 - whole) * min(2 * self.window, self.sequence)

    @property
    def attention_size(self) -> float:
        """Elements of a head in the attention core, the mean of a key and a value."""
        if self.latent is None:
            return self.head_size
        return (self.latent.key_size + self.latent.rotary + self.latent.value_size) / 2

    def has_experts(self, layer: int) -> bool:
        """True if the layer of this number, from 0, is a mixture of experts."""
        experts = self.experts
        return experts is not None and layer >= experts.dense_first and layer % experts.every == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallelism:
    """Degrees of parallelism of a training step.

    `dp` batches, `tp` parts of every matrix, `cp` parts of every sequence, `pp` stages of layers. `ep` parts of
    the experts lie on the data-parallel devices, so `ep` divides `dp`; every expert is cut into `tp` parts and
    is the same on all `cp` parts of a sequence. `chunks` pieces of layers per stage (interleaved schedule, 1:
    one piece). `sequence_parallel`: what lies between two tensor-parallel blocks is cut along the sequence.
    Holds: number of devices == dp * tp * cp * pp.
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
        """The axes by name, outermost first; `dp` are the devices that hold the same experts, dp / ep."""
        return {"pp": self.pp, "dp": self.dp // self.ep, "ep": self.ep, "cp": self.cp, "tp": self.tp}

    def layers_of(self, stage: int, layers: int) -> tuple[int, ...]:
        """The numbers of the layers of a stage; chunk after chunk of layers goes round the stages.

        >>> Parallelism(pp=2, chunks=2).layers_of(1, 8)
        (2, 3, 6, 7)
        """
        ends = tuple(accumulate(chunk_layers(layers, self.pp * self.chunks), initial=0))
        mine = range(stage, self.pp * self.chunks, self.pp)
        return tuple(layer for chunk in mine for layer in range(ends[chunk], ends[chunk + 1]))


def chunk_layers(layers: int, chunks: int) -> tuple[int, ...]:
    """Layers of each of the chunks that pipeline stages have together, in the order of the layers.

    Equal where `chunks` divides the layers. Else embedding and output count as one layer each if that makes the chunks
    equal (Megatron-LM's `--account-for-embedding-in-pipeline-split`); else the first chunks get one more.

    >>> chunk_layers(126, 8), chunk_layers(61, 4)
    ((15, 16, 16, 16, 16, 16, 16, 15), (16, 15, 15, 15))
    """
    if layers % chunks and not (layers + 2) % chunks and layers + 2 > chunks > 1:
        each = (layers + 2) // chunks
        return each - 1, *(each for _ in range(chunks - 2)), each - 1
    least, more = divmod(layers, chunks)
    return tuple(least + (chunk < more) for chunk in range(chunks))


def micro_batches(transformer: Transformer, parallelism: Parallelism) -> int:
    """The number of micro-batches that go through every replica in one step."""
    return transformer.batch // (parallelism.dp * transformer.micro_batch)


def bubble(transformer: Transformer, parallelism: Parallelism) -> float:
    """The pipeline bubble, as a part of the computing time.

    (p - 1) / (m v) for p stages, m micro batches and v chunks per stage (Narayanan et al. 2021, section 2.2).
    """
    return (parallelism.pp - 1) / (micro_batches(transformer, parallelism) * parallelism.chunks)
