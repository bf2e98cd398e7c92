"""Traits of frameworks for the step-time model, such as overlap and fused attention."""

from dataclasses import dataclass, replace
from enum import StrEnum

from p2smt.problem.transformer.memory import USUAL_FOOTPRINT, FrameworkFootprint
from p2smt.problem.transformer.split import Framework


class TensorOverlap(StrEnum):
    """The overlap of tensor-parallel collectives with products.

    NONE and FIRST have no overlap, FIRST with slower collectives (2019 to 2022); BUFFERS overlaps by user
    buffers.
    """

    NONE = "none"
    FIRST = "first"
    BUFFERS = "buffers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """Properties of a framework's implementation.

    `fused_attention`: scores are never written to memory, and masked ones are not computed. `overlaps_data`:
    gradients are reduced during the backward pass. `scatters_sends`: a tensor sent between stages is split into
    tp parts over tp cards (scatter-gather). `fused_accumulation`: products of weight gradients add to the float32
    gradients themselves. `fused_loss`: a single kernel computes the loss and its gradient. `footprint` is the memory
    needed in addition to what all frameworks need.
    """

    fused_attention: bool = True
    tensor: TensorOverlap = TensorOverlap.NONE
    overlaps_data: bool = True
    scatters_sends: bool = False
    fused_accumulation: bool = False
    fused_loss: bool = False
    footprint: FrameworkFootprint = USUAL_FOOTPRINT


PLAIN = Traits()
"""A framework with default traits."""

_FIRST_FOOTPRINT = FrameworkFootprint(gradients=3.0, optimizer=17.0, unfused=True, gaps=0.35, context=3e9)

FIRST_MEGATRON = Traits(
    fused_attention=False,
    tensor=TensorOverlap.FIRST,
    overlaps_data=False,
    scatters_sends=True,
    footprint=_FIRST_FOOTPRINT,
)
"""Megatron-LM before Megatron Core (2019 to 2022), and Megatron-DeepSpeed."""

FIRST_MEGATRON_BF16 = replace(FIRST_MEGATRON, footprint=replace(_FIRST_FOOTPRINT, gradients=7.5))
"""The same in bfloat16, where gradients are accumulated in float32 and kept in both types."""

_SELECTIVE = FrameworkFootprint(selective=0.5)  # every second matrix product is kept

_FINE = FrameworkFootprint(fine=True)  # norms and activation functions are recomputed

_MEGATRON = Traits(
    tensor=TensorOverlap.BUFFERS,
    scatters_sends=True,
    fused_accumulation=True,
    fused_loss=True,
    footprint=_FINE,
)

MEGATRON_BRIDGE_BENCHMARK = replace(_MEGATRON, footprint=replace(_FINE, gradients=2.0))
"""Megatron-Bridge's performance recipes: gradients are kept in 16 bits (`_benchmark_common` in `perf_recipes`)."""

TRAITS = {
    Framework.MEGATRON: _MEGATRON,
    Framework.NEMO: _MEGATRON,
    Framework.TORCHTITAN: Traits(footprint=_SELECTIVE),
    Framework.DEEPSPEED: Traits(scatters_sends=True),
    Framework.TORCH: Traits(footprint=_SELECTIVE),
}
"""Traits of the current versions of the frameworks."""
