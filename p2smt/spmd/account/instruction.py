"""Instructions of a distributed program, and their account: the time by stages and the memory of each device."""

from dataclasses import dataclass
from typing import NamedTuple

from p2smt.reduction.plan.model import Plan
from p2smt.tensor.way import Way

INSIDE = "AllReduce inside"
"""The name of the AllReduce of a gradient inside each machine, used if the cluster's devices are whole machines."""


class AccountedStep(NamedTuple):
    """One operation or conversion of a statement, with its stage and its time in picoseconds.

    `flops` are the operations per device, and `work` the same weighted by the cluster's cost weights (picoseconds if
    devices have roofline models). For a collective, `bytes` is the size of the unsharded tensor, `axis` the mesh axis
    (empty on a mesh of one axis), `way` the implementation (None for computation), and `plan` its reduction program,
    if any. For a bucket, `statement` is the last of its statements, `bucket` lists all of them, and `bytes` is their
    sum. For computation, `launch` is the host's launch time and `kernel` the slowest device's kernel time, in
    picoseconds. A tuple, because a comparison of large programs makes a hundred thousand of them.
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
    """All instructions in program order, the picoseconds of each stage, and the peak resident bytes of each device."""

    instructions: tuple[AccountedStep, ...]
    stages: tuple[int, ...]
    memory: tuple[int, ...]

    @property
    def time(self) -> int:
        """Total picoseconds: for each stage, its communication plus the computation of its slowest device."""
        return sum(self.stages)

    @property
    def apart(self) -> int:
        """Picoseconds if all devices synchronised after every operation: the sum that the search minimises."""
        return sum(each.time for each in self.instructions)

    @property
    def communication(self) -> int:
        """Total picoseconds of all collectives."""
        return sum(each.time for each in self.instructions if each.way is not None)

    @property
    def computing(self) -> int:
        """Total picoseconds of all stages less their communication."""
        return self.time - self.communication
