"""Targets of emitted plans."""

from enum import StrEnum


class Target(StrEnum):
    """A kind of file: a torch module, one with a hook for DistributedDataParallel, a JAX module, MSCCL's, MSCCL++'s."""

    TORCH = "torch"
    DDP = "ddp"
    JAX = "jax"
    MSCCL = "msccl"
    MSCCLPP = "mscclpp"


class KernelLanguage(StrEnum):
    """Languages of a schedule's kernels: calls of torch, or functions of Triton's."""

    TORCH = "torch"
    TRITON = "triton"


class MeshTarget(StrEnum):
    """Targets of a placement: a mesh, an order of the axes in a framework's words, or which rank runs where.

    The orders have the names of their notations.
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
        """True if it is an order of the axes itself, not a file or call that makes one."""
        match self:
            case MeshTarget.MEGATRON | MeshTarget.TORCHTITAN | MeshTarget.DEEPSPEED:
                return True
            case MeshTarget.DEVICEMESH | MeshTarget.JAX | MeshTarget.RANKFILE | MeshTarget.HOSTFILE:
                return False

    @property
    def names_hosts(self) -> bool:
        """True if it contains names of hosts."""
        match self:
            case MeshTarget.RANKFILE | MeshTarget.HOSTFILE:
                return True
            case MeshTarget.DEVICEMESH | MeshTarget.JAX:
                return False
            case MeshTarget.MEGATRON | MeshTarget.TORCHTITAN | MeshTarget.DEEPSPEED:
                return False
