"""What plans are emitted for."""

from enum import StrEnum


class Target(StrEnum):
    """A kind of file: a torch module, one with a hook for DistributedDataParallel, a JAX module, MSCCL's, MSCCL++'s."""

    TORCH = "torch"
    DDP = "ddp"
    JAX = "jax"
    MSCCL = "msccl"
    MSCCLPP = "mscclpp"


class KernelLanguage(StrEnum):
    """What the kernels of a schedule are written in: calls of torch, or functions of Triton's."""

    TORCH = "torch"
    TRITON = "triton"


class MeshTarget(StrEnum):
    """What a placement is written for: a mesh, an order of the axes in a framework's words, or which rank runs where.

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
        """Whether it is an order of the axes itself, not something that is written for one."""
        match self:
            case MeshTarget.MEGATRON | MeshTarget.TORCHTITAN | MeshTarget.DEEPSPEED:
                return True
            case MeshTarget.DEVICEMESH | MeshTarget.JAX | MeshTarget.RANKFILE | MeshTarget.HOSTFILE:
                return False

    @property
    def names_hosts(self) -> bool:
        """Whether hosts stand in it by name."""
        match self:
            case MeshTarget.RANKFILE | MeshTarget.HOSTFILE:
                return True
            case MeshTarget.DEVICEMESH | MeshTarget.JAX:
                return False
            case MeshTarget.MEGATRON | MeshTarget.TORCHTITAN | MeshTarget.DEEPSPEED:
                return False
