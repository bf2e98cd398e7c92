"""The split of a training step over devices: the variables of the search for the shortest step."""

from dataclasses import dataclass
from enum import StrEnum

from p2smt.problem.transformer.model import Parallelism, Zero, chunk_layers


class Recompute(StrEnum):
    """The activations that are recomputed in the backward pass.

    none: none. selective: large ones that are cheap to compute; which ones is up to the framework (every second
    matrix product, or norms and activation functions: `FrameworkFootprint`). full: all except each layer's input.
    """

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


class Precision(StrEnum):
    """Number format of the matrix products; under fp8, attention and element-wise work stay in 16 bits."""

    BF16 = "bf16"
    FP16 = "fp16"
    FP8 = "fp8"


class Pipeline(StrEnum):
    """Order in which a pipeline stage processes micro-batches.

    1f1b: one forward, one backward; interleaved with several chunks per stage (Narayanan et al. 2021). gpipe:
    all forwards, then all backwards (Huang et al. 2019). zero-bubble: as 1f1b, but weight gradients are
    computed while a stage would wait (ZB-H1 of Qi et al. 2024; with several chunks torch's
    `ScheduleInterleavedZeroBubble`).
    """

    ONE_FORWARD_ONE_BACKWARD = "1f1b"
    GPIPE = "gpipe"
    ZERO_BUBBLE = "zero-bubble"


class Dispatcher(StrEnum):
    """Implementation of the exchange of tokens with experts.

    alltoall: NCCL's all-to-all, a copy for every expert of a token. deepep, hybridep: a token is sent once to each
    domain and device that holds any of its experts (DeepSeek's DeepEP, and NVIDIA's branch of it for NVLink racks).
    """

    ALLTOALL = "alltoall"
    DEEPEP = "deepep"
    HYBRIDEP = "hybridep"


class Framework(StrEnum):
    """The training framework that runs the step."""

    MEGATRON = "megatron"
    TORCHTITAN = "torchtitan"
    DEEPSPEED = "deepspeed"
    TORCH = "torch"
    NEMO = "nemo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Degrees of parallelism of a step, and options that trade memory for time.

    `dp` is the number of batch shards: devices = tp * cp * pp * dp. ZeRO shards states over dp / replicate
    devices (times cp) and replicates them `replicate` times (hybrid sharding). The expert mesh uses the same
    devices: dp * cp * tp = ep * etp * copies of each expert. `chunks` > 1 means the interleaved schedule.
    `pipeline` has no effect on a single stage.
    """

    tp: int = 1
    pp: int = 1
    dp: int = 1
    cp: int = 1
    ep: int = 1
    etp: int = 1
    chunks: int = 1
    replicate: int = 1
    zero: Zero = Zero.OPTIMISER
    micro_batch: int = 1
    recompute: Recompute = Recompute.NONE
    sequence_parallel: bool = False
    pipeline: Pipeline = Pipeline.ONE_FORWARD_ONE_BACKWARD

    @property
    def devices(self) -> int:
        """The number of devices."""
        return self.tp * self.pp * self.dp * self.cp

    @property
    def shard(self) -> int:
        """The number of devices over which ZeRO shards one copy, without cp."""
        return self.dp // self.replicate

    @property
    def expert_copies(self) -> int:
        """The number of devices of a stage that hold the same part of the same expert."""
        return max(1, self.tp * self.cp * self.dp // (self.ep * self.etp))

    @property
    def stays_gathered(self) -> bool:
        """True if ZeRO 3 keeps parameters gathered for all micro-batches, as TorchTitan does in a pipeline."""
        return self.zero is Zero.PARAMETERS and self.pp > 1

    def micro_batches(self, batch: int) -> int:
        """Return the number of micro-batches per replica in a step of `batch` sequences."""
        return max(1, batch // (self.dp * self.micro_batch))


def stage_layers(layers: int, pp: int, chunks: int = 1) -> tuple[int, ...]:
    """Return the number of layers in each pipeline stage.

    >>> stage_layers(94, 4, 12)
    (23, 24, 24, 23)
    """
    each = chunk_layers(layers, pp * chunks)
    return tuple(sum(each[stage::pp]) for stage in range(pp))


def split_of(parallelism: Parallelism, micro_batch: int, recompute: Recompute) -> Split:
    """Return the split described by a job's tables, in which tensor parallelism also splits experts."""
    return Split(
        tp=parallelism.tp,
        pp=parallelism.pp,
        dp=parallelism.dp,
        cp=parallelism.cp,
        ep=parallelism.ep,
        etp=parallelism.tp,
        chunks=parallelism.chunks,
        zero=parallelism.zero,
        micro_batch=micro_batch,
        recompute=recompute,
        sequence_parallel=parallelism.sequence_parallel,
    )
