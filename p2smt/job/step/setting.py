"""A training step to be priced: model, split, cluster, and implementation."""

from dataclasses import dataclass, replace
from functools import cached_property

from p2smt.job.step.cluster import StepCluster
from p2smt.job.step.constants import CONSTANTS, Constants
from p2smt.job.step.traits import PLAIN, Traits
from p2smt.problem.transformer.memory import FrameworkFootprint
from p2smt.problem.transformer.model import Transformer
from p2smt.problem.transformer.split import Dispatcher, Precision, Recompute, Split, stage_layers


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A step over `transformer.batch` sequences; `factor` corrects for its device, precision and framework.

    `utilisation` is an assumed fraction of peak for layers and output; None derives it from the shapes of
    products.
    """

    transformer: Transformer
    split: Split
    cluster: StepCluster
    traits: Traits = PLAIN
    precision: Precision = Precision.BF16
    dispatcher: Dispatcher = Dispatcher.DEEPEP
    factor: float = 1.0
    constants: Constants = CONSTANTS
    utilisation: float | None = None

    @property
    def footprint(self) -> FrameworkFootprint:
        """The framework's memory footprint in the step's precision."""
        return replace(self.traits.footprint, eight_bits=self.precision is Precision.FP8)

    @cached_property
    def tokens(self) -> float:
        """The tokens per micro-batch that one tensor-parallel group processes."""
        return self.split.micro_batch * self.transformer.sequence / self.split.cp

    @cached_property
    def outputs(self) -> float:
        """The tokens per micro-batch that are projected to the vocabulary."""
        return self.split.micro_batch * self.transformer.outputs / self.split.cp

    @cached_property
    def micro_batches(self) -> int:
        """The number of micro-batches per step."""
        return self.split.micro_batches(self.transformer.batch)

    @cached_property
    def stages(self) -> tuple[int, ...]:
        """The number of layers in each stage."""
        return stage_layers(self.transformer.layers, self.split.pp, self.split.chunks)

    @cached_property
    def recomputed(self) -> float:
        """The amount of recomputed forward work, in forward passes of a layer."""
        match self.split.recompute:
            case Recompute.NONE:
                return 0.0
            case Recompute.SELECTIVE:
                return self.constants.recompute * (1 - self.traits.footprint.selective)
            case Recompute.FULL:
                return self.constants.recompute

    @property
    def is_fine(self) -> bool:
        """True if norms, activation functions and projections out of latents are recomputed, and nothing else."""
        return self.split.recompute is Recompute.SELECTIVE and self.traits.footprint.fine

    @cached_property
    def memory_rate(self) -> float:
        """The bytes/s that element-wise work reaches."""
        return self.cluster.device.bandwidth * self.constants.memory_rate

    @cached_property
    def link(self) -> float:
        """The bytes/s of a device inside a domain."""
        return self.cluster.link * self.constants.link_rate

    @cached_property
    def card(self) -> float:
        """The bytes/s of a device between domains."""
        return self.cluster.card * self.constants.link_rate

    def is_inside(self, members: int) -> bool:
        """True if no group of so many consecutive devices leaves a domain; groups of 3 in domains of 8 do."""
        # Groups begin at multiples of their size, so one straddles a border unless the size divides the domain.
        domain = self.cluster.domain
        return members <= domain and (domain % members == 0 or self.cluster.devices <= domain)

    def ring(self, members_inside: float) -> float:
        """Return the bytes/s of a ring with `members_inside` members per domain, all of whose cards it uses."""
        return min(self.link, self.card * max(1.0, members_inside))
