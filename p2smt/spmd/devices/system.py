"""The cluster that a system file describes: its devices, and the prices of collectives between them."""

from collections.abc import Iterator

from p2smt.cost.network.backend import Backend, cost_of
from p2smt.cost.network.members import MembersCost
from p2smt.errors import ProblemError
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.device_models import computing_of, computing_text, device_models
from p2smt.problem.system.devices import ComputingMethod
from p2smt.problem.system.network import System
from p2smt.spmd.devices.carried_network import CarriedNetwork
from p2smt.spmd.devices.cluster import Cluster, Device
from p2smt.spmd.devices.effort import efforts_of
from p2smt.spmd.devices.kernel_times import dtype_name
from p2smt.spmd.devices.level_programs import LevelPrograms
from p2smt.spmd.devices.network import LevelCost, ModelledNetwork, NetworkModel, NoNetwork, ProfiledNetwork
from p2smt.spmd.devices.programmed_network import ProgrammedNetwork
from p2smt.spmd.devices.timed_network import TimedNetwork
from p2smt.tensor.dtype import DType

SPEED = 10**14
"""Default operations per second of an unknown device: about a third of the half-precision peak of an A100."""

MOST_DEVICES = 65_536


def cluster_of(
    system: System,
    backend: Backend,
    speed: float | None = None,
    dtype: DType = DType.F32,
    *,
    programs: bool = False,
    tf32: bool = False,
) -> Cluster:
    """Return the cluster of all devices of a system, with their speeds for `dtype`.

    `speed`, if given, is the operations per second of every device; otherwise computation is priced as `computing_of`
    says. With `programs`, a collective costs what the fastest reduction program takes if that is less than the
    library's call; both are then priced by link models, even if the system has timings. Raises ProblemError for more
    devices than `MOST_DEVICES`, and for `programs` on a system that does not support them.
    """
    if system.devices > MOST_DEVICES:
        raise ProblemError(f"{system.devices} devices are too many to shard over; the limit is {MOST_DEVICES}")
    devices = tuple(_devices(system, speed, dtype))
    network, efforts = _network(system, backend, len(devices), timed=not programs), efforts_of(system.effort)
    carrying = tuple(efforts.send / device.speed for device in devices) if efforts.send else ()
    if carrying and len(devices) > 1 and not isinstance(network, TimedNetwork):
        network = CarriedNetwork(network, carrying)
    if programs:
        network = ProgrammedNetwork(network, LevelPrograms(system, backend, carrying))
    return Cluster(system.name, devices, network, efforts=efforts, tf32=tf32, computing=computing_text(system, speed))


def _devices(system: System, speed: float | None, dtype: DType) -> Iterator[Device]:
    rooflines = speed is None and computing_of(system) is ComputingMethod.ROOFLINE
    models = device_models(system) if rooflines else (None,) * max(1, len(system.kinds))
    if not system.kinds:
        (model,), memory = models, system.network.memory
        name = "device" if model is None else model.name
        yield from [Device(name, _speed(speed or SPEED, model, dtype), memory, model)] * system.devices
    # Machines may have unequal numbers of devices, so sizes are drawn one by one.
    sizes = iter(system.machine_sizes)
    for kind, model in zip(system.kinds, models, strict=False):
        memory = kind.memory if kind.memory is not None else system.network.memory
        done = _speed(speed or kind.done(dtype_name(dtype)), model, dtype)
        for _ in range(kind.machines):
            yield from [Device(kind.name, done, memory, model)] * next(sizes)


def _speed(speed: float, model: DeviceModel | None, dtype: DType) -> int:
    """Return a device's operations per second: with a model, its rate for large matrix products."""
    return max(1, round(speed if model is None else model.speed(dtype_name(dtype))))


def _network(system: System, backend: Backend, devices: int, *, timed: bool) -> NetworkModel:
    if devices == 1:
        return NoNetwork()
    if system.profile is not None:
        return ProfiledNetwork(system.profile)
    uneven = system.is_uneven
    group = MembersCost(system, backend, system.present) if uneven else LevelCost(cost_of(system, backend))
    modelled = ModelledNetwork(group)
    return modelled if system.timings is None or not timed else TimedNetwork(system.timings, modelled)
