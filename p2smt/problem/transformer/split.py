"""The division of a training step over devices: the choices of the search for the shortest step."""

from dataclasses import dataclass
from enum import StrEnum

from p2smt.problem.transformer.model import Parallelism, Zero, chunk_layers


class Recompute(StrEnum):
    """The activations that are computed once more in the backward pass.

    none: none. selective: those that are large and cheap (the attention core, or every second matrix product).
    full: all of a layer but its input.
    """

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


class Precision(StrEnum):
    """Number format of the matrix products; attention and what is between them stay in 16 bits under fp8."""

    BF16 = "bf16"
    FP16 = "fp16"
    FP8 = "fp8"


class Pipeline(StrEnum):
    """Order in which a pipeline stage works on micro-batches.

    1f1b: one forward, one backward; with several chunks a stage interleaved (Narayanan et al. 2021). gpipe: all
    forwards, then all backwards (Huang et al. 2019). zero-bubble: as 1f1b, but gradients of weights are computed when
    a stage would wait (ZB-H1 of Qi et al. 2024; with several chunks torch's `ScheduleInterleavedZeroBubble`).
    """

    ONE_FORWARD_ONE_BACKWARD = "1f1b"
    GPIPE = "gpipe"
    ZERO_BUBBLE = "zero-bubble"


class Framework(StrEnum):
    """Training framework that runs the step."""

    MEGATRON = "megatron"
    TORCHTITAN = "torchtitan"
    DEEPSPEED = "deepspeed"
    TORCH = "torch"
    NEMO = "nemo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Degrees of parallelism of a step and what trades memory for time.

    `dp` counts replicas of the batch: devices = tp * cp * pp * dp. With ZeRO, states are sharded over
    dp / replicate devices (times cp) and replicated `replicate` times (hybrid sharding). The expert mesh lies over
    the same devices: dp * cp * tp = ep * etp * copies of each expert. `chunks` > 1 is the interleaved schedule.
    `pipeline` says nothing of a single stage.
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
        """Number of devices."""
        return self.tp * self.pp * self.dp * self.cp

    @property
    def shard(self) -> int:
        """Devices that share one copy of what ZeRO shards, without cp."""
        return self.dp // self.replicate

    @property
    def expert_copies(self) -> int:
        """Devices of a stage that hold the same part of the same expert."""
        return max(1, self.tp * self.cp * self.dp // (self.ep * self.etp))

    @property
    def stays_gathered(self) -> bool:
        """True if ZeRO 3 keeps gathered parameters for all micro-batches, as TorchTitan does in a pipeline."""
        return self.zero is Zero.PARAMETERS and self.pp > 1

    def micro_batches(self, batch: int) -> int:
        """Micro-batches of each replica in a step of `batch` sequences."""
        return max(1, batch // (self.dp * self.micro_batch))


def stage_layers(layers: int, pp: int, chunks: int = 1) -> tuple[int, ...]:
    """Layers of each pipeline stage.

    >>> stage_layers(94, 4, 12)
    (23, 24, 24, 23)
    """
    each = chunk_layers(layers, pp * chunks)
    return tuple(sum(each[stage::pp]) for stage in range(pp))


def split_of(parallelism: Parallelism, micro_batch: int, recompute: Recompute) -> Split:
    """The split that the tables of a job describe; tensor parallelism cuts experts too."""
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
