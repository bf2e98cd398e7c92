"""The time of an operation on each device by rooflines, from its fraction of each operand, the result and the flops.

On a device with parts f of the flops, and p[i] of operand i or the result, the kernel takes
    roofline(f * flops, sum over sides of p[side] * bytes of the side, p[row side] * rows)
of `kernel_times.py`. Devices with the same kind, speed and parts are alike and are priced once, so a mesh of equal
devices takes one evaluation.
Complexity: O(devices) look-ups, and one roofline for each different combination of parts.
Reference: Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for multicore
architectures", 2009.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.kernel_times import least_picoseconds, picoseconds
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.model.computing_cache import Division, Parts
from p2smt.spmd.model.divisions import Divisions
from p2smt.spmd.model.graph import Graph, Node
from p2smt.tensor.expression import Call
from p2smt.tensor.kernel_work import KernelWork, kernel_work
from p2smt.tensor.shapes import Whole


def work_of(graph: Graph, node: Node) -> KernelWork:
    """Return the kernel work of an unsharded operation."""
    operands = []
    for operand in node.operands:
        tensor = graph.tensors[operand] if isinstance(operand, int) else None
        operands.append(Whole() if tensor is None else Whole(tensor.shape, tensor.dtype))
    return kernel_work(Call(node.operation, (), node.attributes), operands)


def parts_of_devices(divisions: Divisions, cut: tuple[Division, ...]) -> Mapping[Parts, int]:
    """Return the number of devices for each combination of fractions, kind and speed."""
    columns = [divisions.rank_parts(division) for division in cut]
    numbers = [divisions.part_numbers(division) for division in cut]
    devices = divisions.cluster.devices
    # ranks are compared by the numbers of their parts, which is faster than by the parts themselves
    found: dict[tuple[object, ...], list[int]] = {}
    for rank, (device, *mine) in enumerate(zip(devices, *numbers, strict=True)):
        found.setdefault((device.kind, device.speed, *mine), []).append(rank)
    return {
        (tuple([parts[ranks[0]] for parts in columns]), devices[ranks[0]].kind, devices[ranks[0]].speed): len(ranks)
        for ranks in found.values()
    }


def kernel_times(cluster: Cluster, work: KernelWork, devices: Mapping[Parts, int]) -> Mapping[tuple[int, int], int]:
    """Return the number of devices for each pair of kernel time in picoseconds and speed."""
    models = {device.kind: device.model for device in cluster.devices}
    found = Counter[tuple[int, int]]()
    for (parts, kind, speed), count in devices.items():
        model = models[kind]
        assert model is not None
        flops, *sides = parts
        size = sum([int(each * sides[side]) for side, each in work.moved])
        rows = int(work.rows * sides[work.row_side])
        found[picoseconds(model, work, ceil(work.flops * flops), size, rows, tf32=cluster.tf32), speed] += count
    return found


def least_work(divisions: Divisions, work: KernelWork) -> tuple[Fraction, int]:
    """Return lower bounds on a kernel's divisible and fixed work, in operations at the devices' speeds.

    If a device stands for several (`model.count`), fixed work counts at the speed of a single one.
    """
    found = []
    devices = {(device.kind, device.speed): device.model for device in divisions.cluster.devices}
    for (_, speed), model in devices.items():
        assert model is not None
        divided, least = least_picoseconds(model, work, tf32=divisions.cluster.tf32)
        found.append((divided * speed / PICO, least * speed // (PICO * model.count)))
    return min(each for each, _ in found), min(each for _, each in found)
