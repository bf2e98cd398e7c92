"""A plan as source text for any target."""

from typing import assert_never

from p2smt.emit.target import Target
from p2smt.reduction.plan.model import Plan


def emit(plan: Plan, target: Target) -> str:
    """Return the text of one file; raises PlanError for a plan that the target cannot run."""
    match target:
        case Target.TORCH:
            from p2smt.emit.torch.source import emit_torch

            return emit_torch(plan)
        case Target.DDP:
            from p2smt.emit.torch.ddp_source import emit_ddp

            return emit_ddp(plan)
        case Target.JAX:
            from p2smt.emit.jax.source import emit_jax

            return emit_jax(plan)
        case Target.MSCCL:
            from p2smt.emit.msccl.source import emit_msccl

            return emit_msccl(plan)
        case Target.MSCCLPP:
            from p2smt.emit.mscclpp.source import emit_mscclpp

            return emit_mscclpp(plan)
        case _:
            assert_never(target)
