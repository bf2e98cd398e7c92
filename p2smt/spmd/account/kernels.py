"""The time of a call of a distributed program on each device.

It prices as `model/kernel_pricing.py` does, but takes the number of elements on each device from the layouts, while
that module works with fractions of an operation before layouts are chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.effort import counted
from p2smt.spmd.devices.kernel_times import kernel_only_picoseconds, launch_picoseconds, picoseconds
from p2smt.spmd.devices.parts import Numbers
from p2smt.tensor.expression import Call
from p2smt.tensor.kernel_work import kernel_work
from p2smt.tensor.shapes import Whole, signature

Side = tuple[int, Numbers]
"""The bytes of an unsharded operand or result, and its bytes on each device."""


@dataclass(frozen=True, slots=True)
class KernelTimes:
    """Picoseconds per device including the launch; the host's launch time; the slowest device's kernel time."""

    devices: Numbers
    launch: int
    kernel: int


def kernel_picoseconds(
    call: Call, operands: Sequence[Whole], units: Numbers, sides: Sequence[Side], cluster: Cluster
) -> KernelTimes:
    """Return the time of a call on each device.

    `units` is each device's part of the counted work; `sides` has the sizes of the operands and the result.
    """
    work = kernel_work(call, operands)
    each, labels = counted(call.operation, signature(call, tuple([operand.shape for operand in operands])))
    whole = max(1, each * prod(label.size for label in labels))
    wholes = [max(1, total) for total, _ in sides]
    columns = np.stack([units, *[held for _, held in sides]]).T.tolist()
    # Most devices hold equal parts, so equal kernels are priced once.
    known: dict[tuple[object, ...], int] = {}
    found, kernel, launch = [], 0, 0
    for device, (mine, *held) in zip(cluster.devices, columns, strict=True):
        key = (device.kind, mine, *held)
        if key not in known:
            assert device.model is not None
            size = sum([moved * held[side] // wholes[side] for side, moved in work.moved])
            rows = work.rows * held[work.row_side] // wholes[work.row_side]
            # Rounded up: a part of an operation is at least one.
            flops = -(-work.flops * mine // whole)
            known[key] = picoseconds(device.model, work, flops, size, rows, tf32=cluster.tf32)
            launch = max(launch, launch_picoseconds(device.model, work))
            alone = kernel_only_picoseconds(device.model, work, flops, size, rows, tf32=cluster.tf32)
            kernel = max(kernel, alone)
        found.append(known[key])
    return KernelTimes(np.array(found, dtype=np.int64), launch, kernel)
