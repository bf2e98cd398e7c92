"""The mesh on which the devices of a text are ranks, and tilings as layouts along its axes.

A tiling aligns with a mesh if along each dimension
    block = sum over axes of  step[axis] * coordinate[axis],   the steps being those of a row-major order of some axes:
unit moves from rank 0 give the steps, and all other ranks are checked. Without a declared mesh, every order of the
prime factors of the number of devices is tried (at most `MOST_ORDERS`), the one with which most tilings and groups
align is kept, and neighbouring axes are joined as long as as many align.
Complexity: O(orders x tilings x devices).
Reference: Xu et al., "GSPMD: general and scalable parallelization for ML computation graphs", 2021 (tilings).

Example: 4 devices, one tiling with blocks 0, 0, 1, 1 and groups (0, 1), (2, 3): axes of 2 and 2, the tiling on the
first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from math import prod

from p2smt.frontend.xla.mesh import DeviceList as DeviceMesh
from p2smt.frontend.xla.mesh import Groups
from p2smt.frontend.xla_ranks.tilings import Tiling
from p2smt.tensor.expression import AxisLayout, ProgramAxis
from p2smt.tensor.layout import Sliced
from p2smt.tensor.placing import coordinates
from p2smt.tensor.ranks.exchange import axes_of

MOST_ORDERS = 1000
"""The most orders of the prime factors that are tried."""


@dataclass(frozen=True, slots=True)
class RanksMesh:
    """The mesh axes of size above 1, and the device of each rank."""

    axes: tuple[ProgramAxis, ...]
    devices: tuple[int, ...]

    def ranks(self, groups: Groups) -> Groups:
        """Groups of devices as groups of ranks."""
        rank = {device: number for number, device in enumerate(self.devices)}
        return tuple(tuple(rank[device] for device in group) for group in groups)


def declared_mesh(mesh: DeviceMesh) -> RanksMesh:
    """Return the mesh that the text declares, without axes of size 1."""
    axes = tuple(ProgramAxis(_word(name), size) for name, size in mesh.axes if size > 1)
    devices = mesh.devices or tuple(range(prod(size for _, size in mesh.axes)))
    return RanksMesh(axes or (ProgramAxis("ranks", 1),), devices)


def given_mesh(axes: tuple[ProgramAxis, ...]) -> RanksMesh:
    """Return the mesh that the user declares; devices are numbered with the last axis fastest."""
    return RanksMesh(axes, tuple(range(prod(axis.size for axis in axes))))


def common_mesh(devices: int, tilings: Sequence[Tiling], groups: Sequence[Groups]) -> RanksMesh:
    """Return the fewest axes with which all tilings and groups align; the last axis varies fastest.

    If no mesh aligns with all, return one that aligns with as many as possible.
    """

    def along(sizes: Sequence[int]) -> int:
        mesh = _counted(sizes)
        fits = sum(layouts(each, mesh) is not None for each in tilings)
        return fits + sum(axes_of(_sorted(each), mesh.axes) is not None for each in groups)

    # Axes multiply to the number of devices: each finest mesh is an order of its prime factors.
    orders = sorted(set(islice(permutations(_factors(devices)), MOST_ORDERS)))
    best = max(orders, key=along)
    most, sizes = along(best), list(best)
    # Greedily join neighbouring axes while as much aligns as before: fewer axes are easier to read.
    position = 0
    while position + 1 < len(sizes):
        joined = [*sizes[:position], sizes[position] * sizes[position + 1], *sizes[position + 2 :]]
        if along(joined) == most:
            sizes = joined
        else:
            position += 1
    return _counted(sizes)


def _counted(sizes: Sequence[int]) -> RanksMesh:
    names = ["ranks"] if len(sizes) < 2 else [f"axis{number}" for number in range(len(sizes))]
    axes = tuple(ProgramAxis(name, size) for name, size in zip(names, sizes or [1], strict=True))
    return given_mesh(axes)


def _sorted(groups: Groups) -> Groups:
    return tuple(tuple(sorted(group)) for group in groups)


def _factors(number: int) -> list[int]:
    """The prime factors, the smallest first.

    >>> _factors(12)
    [2, 2, 3]
    """
    found, factor = [], 2
    while number > 1:
        if number % factor:
            factor += 1
        else:
            found.append(factor)
            number //= factor
    return found


def layouts(each: Tiling, mesh: RanksMesh) -> tuple[AxisLayout, ...] | None:
    """Return a tiling as layouts on this mesh; None if it does not align with the axes."""
    found: list[AxisLayout] = []
    for dim, count in enumerate(each.counts):
        if count == 1:
            continue
        blocks = [each.blocks[device][dim] for device in mesh.devices]
        axes = _axes_of(blocks, mesh)
        if axes is None or prod(mesh.axes[axis].size for axis in axes) != count:
            return None
        found += [AxisLayout(Sliced(dim), mesh.axes[axis].name) for axis in axes]
    return tuple(found)


def _axes_of(blocks: Sequence[int], mesh: RanksMesh) -> tuple[int, ...] | None:
    """Return the axes, outermost first, whose coordinates enumerate the blocks; None if no axes do."""
    steps: dict[int, int] = {}
    # Unit steps from rank 0 give each axis's stride in the number of the block. Blocks must then be
    # linear in the coordinates, with the strides of a row-major order of the axes that cut.
    for rank, block in enumerate(blocks):
        position = coordinates(mesh.axes, rank)
        moved = [axis for axis, coordinate in enumerate(position) if coordinate]
        if len(moved) == 1 and position[moved[0]] == 1 and block != blocks[0]:
            steps[moved[0]] = block - blocks[0]
    for rank, block in enumerate(blocks):
        position = coordinates(mesh.axes, rank)
        if block != sum(step * position[axis] for axis, step in steps.items()):
            return None
    axes = tuple(sorted(steps, key=lambda axis: -steps[axis]))
    inner = 1
    for axis in reversed(axes):
        if steps[axis] != inner:
            return None
        inner *= mesh.axes[axis].size
    return axes


def _word(name: str) -> str:
    plain = re.sub(r"\W", "_", name.strip('"'))[:60]
    return plain if plain[:1].isalpha() else f"axis_{plain}"
