"""Calls by which JAX tells the partitioner the shardings of values, and where per-device code begins and ends."""

from p2smt.frontend.xla.ssa import HloInstruction, Module
from p2smt.frontend.xla.ssa_run import MANUAL

_CUSTOM = "stablehlo.custom_call"
SHARDED, TO_PARTS, TO_WHOLES = "@Sharding", "@SPMDFullToShardShape", "@SPMDShardToFullShape"
"""Custom calls with which JAX expressed `sdy.manual_computation` before Shardy."""


def is_manual(module: Module) -> bool:
    """Return True if parameters are global values, and inner regions are per-device."""
    instructions = (one for each in module.computations.values() for one in each.instructions)
    return any(one.spelled == MANUAL or (one.spelled == _CUSTOM and one.callee == TO_PARTS) for one in instructions)


def annotations(module: Module) -> list[str]:
    """Return the shardings in the partitioner's annotation calls, except for those in per-device code."""
    found = [one.shared_after for each in module.computations.values() for one in each.instructions if annotates(one)]
    return [text for texts in found for text in texts if text and "manual" not in text]


def annotates(one: HloInstruction) -> bool:
    """True if an instruction is one of the partitioner's annotation calls."""
    return one.spelled == _CUSTOM and one.callee in (SHARDED, TO_PARTS, TO_WHOLES)
