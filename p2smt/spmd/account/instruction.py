"""Instructions of a distributed program, and the account of all of them: time by stages, memory of devices."""

from dataclasses import dataclass

from p2smt.reduction.plan.model import Plan
from p2smt.tensor.way import Way

INSIDE = "AllReduce inside"
"""The collective that sums a gradient among the devices of each machine, where machines are devices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountedStep:
    """One operation or conversion: of which statement, in which stage, what it takes (picoseconds).

    `flops` are of each device, `work` is what they count as by the cluster's efforts; `bytes` are those of the whole
    tensor that is converted, `axis` is empty where the mesh has one; `way` is how a collective is done, None for what
    is computed, `plan` its reduction program's. Of a bucket `statement` is the last, `bucket` and `bytes` are of all.
    Of what is computed `launch` are picoseconds of the host, and `kernel` those of the device that takes longest, of
    which `time` is the larger.
    """

    statement: str
    text: str
    stage: int
    time: int
    flops: tuple[int, ...]
    work: tuple[int, ...]
    bytes: int = 0
    way: Way | None = None
    bucket: tuple[str, ...] = ()
    plan: Plan | None = None
    axis: str = ""
    launch: int = 0
    kernel: int = 0


@dataclass(frozen=True, slots=True)
class Account:
    """All instructions in order; picoseconds by stages; bytes that each device holds when it holds most."""

    instructions: tuple[AccountedStep, ...]
    stages: tuple[int, ...]
    memory: tuple[int, ...]

    @property
    def time(self) -> int:
        """Picoseconds by stages: communication, then the device that computes longest in the stage."""
        return sum(self.stages)

    @property
    def apart(self) -> int:
        """Picoseconds if all devices waited for each other after every operation: the sum that the search minimises."""
        return sum(each.time for each in self.instructions)

    @property
    def communication(self) -> int:
        """Picoseconds of collectives."""
        return sum(each.time for each in self.instructions if each.way is not None)

    @property
    def computing(self) -> int:
        """Picoseconds by stages that are not communication."""
        return self.time - self.communication
