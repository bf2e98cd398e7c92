"""Targets of emitted plans and placements."""

from enum import StrEnum


class Target(StrEnum):
    """The kind of an emitted file.

    torch: a torch module. ddp: a torch module with a communication hook for DistributedDataParallel. jax: a JAX module.
    msccl, mscclpp: a schedule for MSCCL or MSCCL++.
    """

    TORCH = "torch"
    DDP = "ddp"
    JAX = "jax"
    MSCCL = "msccl"
    MSCCLPP = "mscclpp"


class KernelLanguage(StrEnum):
    """The languages of a schedule's kernels: PyTorch calls, or Triton functions.

    triton-fused: a fused all-reduce is one function, collectives included, over memory that all its ranks reach.
    """

    TORCH = "torch"
    TRITON = "triton"
    TRITON_FUSED = "triton-fused"


class MeshTarget(StrEnum):
    """The targets of a placement: a mesh, a framework's order of the axes, or a mapping of ranks to hosts.

    The orders are named after their notations.
    """

    DEVICEMESH = "devicemesh"
    JAX = "jax"
    MEGATRON = "megatron"
    TORCHTITAN = "torchtitan"
    DEEPSPEED = "deepspeed"
    RANKFILE = "rankfile"
    HOSTFILE = "hostfile"

    @property
    def is_order(self) -> bool:
        """True if the target is an order of the axes, not a file or call that creates one."""
        match self:
            case MeshTarget.MEGATRON | MeshTarget.TORCHTITAN | MeshTarget.DEEPSPEED:
                return True
            case MeshTarget.DEVICEMESH | MeshTarget.JAX | MeshTarget.RANKFILE | MeshTarget.HOSTFILE:
                return False

    @property
    def names_hosts(self) -> bool:
        """True if the target contains host names."""
        match self:
            case MeshTarget.RANKFILE | MeshTarget.HOSTFILE:
                return True
            case MeshTarget.DEVICEMESH | MeshTarget.JAX:
                return False
            case MeshTarget.MEGATRON | MeshTarget.TORCHTITAN | MeshTarget.DEEPSPEED:
                return False
