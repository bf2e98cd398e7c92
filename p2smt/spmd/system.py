"""The cluster that a system file describes: its devices one by one, and the prices of collectives among them."""

from p2smt.cost.network.backend import Backend, cost_of
from p2smt.errors import ProblemError
from p2smt.problem.system.network import System
from p2smt.spmd.cluster import Cluster, Device
from p2smt.spmd.network import ModelledNetwork, Network, NoNetwork, ProfiledNetwork

SPEED = 10**14
"""Operations on numbers per second of a device of which nothing is known: about a third of an A100's data sheet for
half precision."""

MOST_DEVICES = 65_536


def cluster_of(system: System, backend: Backend, speed: float | None = None) -> Cluster:
    """All devices of a system. `speed`, where given, is that of each.

    Machines that have fewer devices than the levels say are priced as if they had all of them. ProblemError for more
    devices than are listed one by one.
    """
    if system.devices > MOST_DEVICES:
        raise ProblemError(f"{system.devices} devices are too many to shard over; at most {MOST_DEVICES}")
    devices = tuple(_devices(system, speed))
    return Cluster(system.name, devices, _network(system, backend, len(devices)))


def knows_speeds(system: System) -> bool:
    """Whether the system says how fast its devices compute."""
    return bool(system.kinds)


def _devices(system: System, speed: float | None) -> list[Device]:
    inside = system.devices // system.machines
    if not system.kinds:
        return [Device("device", round(speed or SPEED), system.network.memory)] * system.devices
    found = []
    for kind in system.kinds:
        memory = kind.memory if kind.memory is not None else system.network.memory
        count = kind.machines * (inside if kind.devices is None else kind.devices)
        found += [Device(kind.name, max(1, round(speed or kind.speed)), memory)] * count
    return found


def _network(system: System, backend: Backend, devices: int) -> Network:
    if devices == 1:
        return NoNetwork()
    if system.profile is not None:
        return ProfiledNetwork(system.profile)
    return ModelledNetwork(cost_of(system, backend))
