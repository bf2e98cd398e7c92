"""Device meshes, and the groups of devices that differ along some axes only."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod

from p2smt.errors import VerifyError
from p2smt.verify.limits import MAX_DEVICES

Groups = tuple[tuple[int, ...], ...]

MOST_AXES = 32


@dataclass(frozen=True, slots=True)
class DeviceList:
    """Axes with their sizes, outermost first, and the devices in row-major order (empty: 0, 1, 2, ...)."""

    axes: tuple[tuple[str, int], ...]
    devices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MeshDigits:
    """An axis of a mesh, or a sub-axis: the digit of size `size`, after outer digits of product `before`."""

    name: str
    before: int = 1
    size: int = 0


def iota(dims: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """Return 0, 1, 2, ... as an array of these dimensions, with its axes permuted, in row-major order.

    >>> iota([2, 4], [1, 0])
    (0, 4, 1, 5, 2, 6, 3, 7)
    """
    if len(dims) > MOST_AXES or not 1 <= prod(dims) <= MAX_DEVICES:
        raise VerifyError(
            f"devices [{_listed(dims)}] on {len(dims)} axes; at most {MAX_DEVICES} devices and {MOST_AXES} "
            "axes are supported"
        )
    if sorted(order) != list(range(len(dims))):
        raise VerifyError(f"T({_listed(order)}) is not a permutation of the {len(dims)} axes of [{_listed(dims)}]")
    strides = [prod(dims[axis + 1 :]) for axis in order]
    places = product(*(range(dims[axis]) for axis in order))
    return tuple(sum(map(int.__mul__, place, strides)) for place in places)


def along(mesh: DeviceList, axes: Sequence[MeshDigits]) -> Groups:
    """Return the groups of devices that differ along these axes only, the first axis slowest. Raises VerifyError.

    >>> along(DeviceList((("a", 2), ("b", 2))), [MeshDigits("a")])
    ((0, 2), (1, 3))
    """
    if max(len(mesh.axes), len(axes)) > MOST_AXES:
        raise VerifyError(
            f"a mesh of {len(mesh.axes)} axes and groups along {len(axes)}; at most {MOST_AXES} axes are supported"
        )
    if not all(size for _, size in mesh.axes):
        raise VerifyError(f"mesh sizes {_listed([size for _, size in mesh.axes])}; each must be at least 1")
    pieces = [(name, before, size) for name, total in mesh.axes for before, size in _pieces(name, total, axes)]
    sizes = [size for _, _, size in pieces]
    ids = iota(sizes, range(len(sizes)))
    devices = mesh.devices or ids
    if sorted(devices) != list(ids):
        raise VerifyError(f"device_ids of a mesh of {len(ids)} devices must be 0 to {len(ids) - 1}, each once")
    inside = [place for axis in axes for place in _places(pieces, axis)]
    if len(set(inside)) != len(inside):
        raise VerifyError(
            f"groups along {', '.join(axis.name[:60] for axis in axes)} name an axis twice; name each once"
        )
    order = [place for place in range(len(pieces)) if place not in inside] + inside
    return rows([devices[place] for place in iota(sizes, order)], prod(sizes[place] for place in inside))


def rows(values: Sequence[int], size: int) -> Groups:
    """The values in rows of this size."""
    return tuple(tuple(values[at : at + size]) for at in range(0, len(values), size))


def _pieces(name: str, total: int, axes: Sequence[MeshDigits]) -> Iterator[tuple[int, int]]:
    """Yield the digits into which sub-axes split an axis, as (product of outer digits, size), outermost first."""
    own = [axis for axis in axes if axis.name == name and axis.size]
    # Every sub-axis begins and ends at a product of outer digits; neighbours in this list give the digits.
    cuts = sorted({1, total, *(axis.before for axis in own), *(axis.before * axis.size for axis in own)})
    for before, end in pairwise(cuts):
        if end % before or total % end:
            raise VerifyError(
                f"axis {name[:60]} of size {total} has no sub-axis ({before}){end // before}; sub-axes must "
                "divide the axis"
            )
        yield before, end // before
    if total == 1:
        yield 1, 1


def _places(pieces: list[tuple[str, int, int]], axis: MeshDigits) -> list[int]:
    """The positions of the digits that belong to an axis."""
    end = axis.before * axis.size
    found = [
        place
        for place, (name, before, size) in enumerate(pieces)
        if name == axis.name and (not end or (axis.before <= before and before * size <= end))
    ]
    if not found:
        names = dict.fromkeys(name[:60] for name, _, _ in pieces)
        raise VerifyError(f"{axis.name[:60]} is not an axis of the mesh {', '.join(names)}")
    return found


def _listed(values: Sequence[int]) -> str:
    return ",".join(map(str, values[:MOST_AXES]))
