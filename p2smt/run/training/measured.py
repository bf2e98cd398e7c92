"""Measure the ranks' devices and links if no system is given, or if it lacks the devices' speed.

A matrix product of each type yields the devices' speed, and operations of each kind a device model
(measured_device), about ten seconds in all. A small and a large AllReduce over all ranks yield a link's latency and
bandwidth: in a ring of n ranks, each sends 2 (n - 1) / n of the bytes in 2 (n - 1) messages. All ranks compute at
the same time, and the mean of the repeats is used, because ranks that share a core do not sustain their fastest
time. The slowest rank's values are used on all ranks, and are cached in a file by host, versions and number of
ranks, devices apart from links: what a system lacks is measured once, not by every call.
"""

import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import msgspec
import torch
import torch.distributed as dist

from p2smt.cache_folder import user_folder
from p2smt.problem.quantity import format_decimal
from p2smt.problem.system.device_model import DeviceModel, OperationKind
from p2smt.problem.system.device_models import device_models
from p2smt.problem.system.devices import DeviceKind
from p2smt.problem.system.file import parse_system, system_text
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.run.training.joining import RankPlace
from p2smt.run.training.measured_device import measured_device

_TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float64": torch.float64}
_SMALL, _LARGE = 1 << 10, 1 << 21
"""Elements of the small and the large AllReduce: 4 KiB and 8 MiB."""
_REPEATS, _LEAST_S = 8, 0.1


@dataclass(frozen=True, slots=True)
class RankMeasurement:
    """Operations per second by type, seconds per message, and link bytes per second; 0 for a single rank.

    `device` is the device model as a system file with one device; empty if there is none.
    """

    speeds: dict[str, float]
    latency: float
    bandwidth: float
    memory: int | None
    device: str

    @property
    def model(self) -> DeviceModel | None:
        """The device model, with a peak for every type whose products were timed."""
        if not self.device:
            return None
        (model,) = device_models(parse_system(self.device, "measured devices"))
        reached = model.figures(OperationKind.MATMUL, "float32").computing
        more = [(name, speed / reached) for name, speed in self.speeds.items() if name not in dict(model.peaks)]
        return replace(model, peaks=(*model.peaks, *more))

    @property
    def text(self) -> str:
        """The measurement in one line."""
        speeds = ", ".join(
            f"{name} {format_decimal(float(f'{speed:.3g}'))}flop/s" for name, speed in self.speeds.items()
        )
        links = f"; links {self.latency * 1e6:.0f} us, {self.bandwidth / 1e9:.2f} GB/s" if self.bandwidth else ""
        model = self.model
        memory = (
            f"; memory {model.bandwidth / 1e9:.3g} GB/s, launch {model.launch * 1e6:.3g} us"
            if model
            else "; memory and launches not known, which are fitted with scipy (pip install scipy)"
        )
        return f"measured: {speeds}{memory}{links}"


def measured_system(system: System | None, place: RankPlace, device: torch.device) -> System:
    """Return the system with measured device speeds, or a fully measured system if none is given.

    Every rank must call it.
    """
    if system is not None and (system.kinds or system.device is not None):
        return system
    found = _known(place, device, links=system is None)
    if place.rank == 0:
        print(f"p2smt.shard: {found.text}", file=sys.stderr)
    made = find_system(f"node:1,gpu:{place.ranks}") if system is None else system
    if system is None and found.bandwidth:
        links = tuple(replace(link, bandwidth=found.bandwidth, latency=found.latency) for link in made.network.links)
        made = replace(made, name="measured", network=replace(made.network, links=links, memory=found.memory))
    machines = len(made.machine_sizes)
    kind = DeviceKind(
        name="device",
        machines=machines,
        speed=found.speeds["float32"],
        speeds=tuple(found.speeds.items()),
        model=found.model,
    )
    return replace(made, kinds=(kind,))


def _known(place: RankPlace, device: torch.device, *, links: bool) -> RankMeasurement:
    """Return the measurement cached in rank 0's file, or a new one that is stored there.

    Without `links` one that has them will do, because it says the same of devices.
    """
    paths = [_path(place, device, links=each) for each in ((True,) if links else (True, False))]
    box = [next(filter(None, map(_read, paths)), None) if place.rank == 0 else None]
    dist.broadcast_object_list(box, src=0, device=device)
    if box[0] is not None:
        return box[0]
    found = _measured(place, device, links=links)
    path = paths[-1]
    if place.rank == 0 and path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(msgspec.json.encode(found))
        except OSError:
            pass  # measured again the next time
    return found


def _read(path: Path | None) -> RankMeasurement | None:
    """Return the measurement in a file; None without a complete one that this version has written."""
    try:
        found = None if path is None else msgspec.json.decode(path.read_bytes(), type=RankMeasurement)
    except (OSError, msgspec.MsgspecError):
        return None
    # Measured before scipy was installed, as its message asks for: now a device can be fitted.
    is_partial = found is not None and not found.device and find_spec("scipy") is not None
    return None if is_partial else found


def _path(place: RankPlace, device: torch.device, *, links: bool) -> Path | None:
    """Return the file of a measurement; None if nothing is cached."""
    folder = user_folder()
    if folder is None:
        return None
    card = torch.cuda.get_device_name(device) if device.type == "cuda" else f"cpu{torch.get_num_threads()}"
    measured = "ranks" if links else "devices"
    words = (measured, platform.node(), card, place.backend, str(place.ranks), torch.__version__)
    # Everything that changes a measurement is in the name, so a cached one is never used elsewhere.
    return folder / ("-".join(words).replace("/", "_").replace(" ", "_") + ".json")


def _measured(place: RankPlace, device: torch.device, *, links: bool) -> RankMeasurement:
    dist.barrier()
    speeds = [_speed(dtype, device) for dtype in _TYPES.values()]
    memory = torch.cuda.get_device_properties(device).total_memory if device.type == "cuda" else None
    model = measured_device(place, device, memory)
    box = ["" if model is None else system_text(replace(find_system("device:1"), device=model))]
    dist.broadcast_object_list(box, src=0, device=device)
    small = large = 0.0
    if links and place.ranks > 1:
        small, large = (_all_reduce(count, device) for count in (_SMALL, _LARGE))
    slowest = torch.tensor([*(-each for each in speeds), small, large], dtype=torch.float64, device=device)
    dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
    *negative, small, large = slowest.tolist()
    ring = 2 * (place.ranks - 1)
    latency = small / ring if ring else 0.0
    sent = 4 * (_LARGE - _SMALL) * ring / place.ranks
    bandwidth = sent / max(large - small, 1e-9) if small else 0.0
    return RankMeasurement(
        {name: -each for name, each in zip(_TYPES, negative, strict=True)}, latency, bandwidth, memory, box[0]
    )


def _speed(dtype: torch.dtype, device: torch.device) -> float:
    size = 4096 if device.type == "cuda" else 256
    left, right = (torch.ones(size, size, dtype=dtype, device=device) for _ in range(2))
    return 2 * size**3 / _seconds(lambda: left @ right, device)


def _all_reduce(count: int, device: torch.device) -> float:
    tensor = torch.ones(count, device=device)
    return _seconds(lambda: dist.all_reduce(tensor), device, repeats=_REPEATS)


def _seconds(run: Callable[[], object], device: torch.device, repeats: int | None = None) -> float:
    """Return the mean seconds of `repeats` runs; if None, of as many runs as take 0.1 s."""
    run()
    _wait(device)
    count, begun = 0, perf_counter()
    while True:
        run()
        _wait(device)
        count, gone = count + 1, perf_counter() - begun
        if count == repeats or (repeats is None and gone > _LEAST_S):
            return gone / count


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
