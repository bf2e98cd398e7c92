"""The bus bandwidth of a program's collectives, as nccl-tests defines it."""

from p2smt.collective import Collective, Exchange
from p2smt.cost.bus_bandwidth import bus_bandwidth
from p2smt.spmd.account.instruction import AccountedStep
from p2smt.spmd.devices.network import PICO
from p2smt.tensor.placing import Mesh

_COLLECTIVES = {str(one): one for one in Collective}


def instruction_bus_bandwidth(instruction: AccountedStep, mesh: Mesh) -> float | None:
    """Return the bus bandwidth of an instruction in bytes/s.

    None for anything but a collective over all ranks, and on meshes of several axes, where other axes may shard the
    tensor. The byte count is that of the unsharded tensor; in an all-to-all each of n ranks holds 1/n of it.
    """
    if len(mesh) != 1 or instruction.way is None:
        return None
    ranks, seconds = mesh[0].size, instruction.time / PICO
    if instruction.text == Exchange.ALL_TO_ALL:  # only: what Send moves is on one rank alone
        return bus_bandwidth(Exchange.ALL_TO_ALL, ranks, instruction.bytes / ranks, seconds)
    known = _COLLECTIVES.get(instruction.text)
    return None if known is None else bus_bandwidth(known, ranks, instruction.bytes, seconds)
