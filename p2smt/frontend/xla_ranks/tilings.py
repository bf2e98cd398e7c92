"""Tilings of a tensor over devices, from annotations of XLA (`{devices=[2,1]<=[2]}`) and of Shardy.

XLA: `devices=[c0,c1,...]L` with L a list of devices; block (b0, b1, ...) is on device L[b0, b1, ...] in row-major
order. `<=[d0,d1,...]T(p0,p1,...)` abbreviates L = iota.reshape(d).transpose(p). Trailing dimensions of the grid
replicate.
Shardy: for each dimension the axes that shard it, outermost first, so the block is the mixed-radix number of their
coordinates.

    XLA: device L[b] has block b;      Shardy: block[d] = (...(c[a1] * n[a2] + c[a2]) * n[a3] + ...) over d's axes.

Complexity: O(devices).
Reference: Xu et al., "GSPMD: general and scalable parallelization for ML computation graphs", 2021.

Example: `{devices=[2,1,2]<=[4] last_tile_dim_replicate}`: devices 0 and 1 have block 0 of dimension 0, 2 and 3 block 1.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from p2smt.errors import VerifyError
from p2smt.frontend.xla.mesh import DeviceList, iota
from p2smt.frontend.xla.words import number
from p2smt.verify.limits import MAX_DEVICES

_TILES = re.compile(
    r"devices=\[(?P<counts>[\d,]+)\](?:<=\[(?P<dims>[\d,]+)\](?:T\((?P<order>[\d,]+)\))?|(?P<listed>[\d,]+))(?P<rest>.*)"
)
_SHARDY = re.compile(r"<(?P<mesh>@[^,]+),\[(?P<dims>.*?)\](?P<rest>.*)>")
_ENTRY = re.compile(r'\{(?P<axes>(?:"[^"]*"(?::\(\d+\)\d+)?|\?|,)*)\}(?:p\d+)?')


class UncoveredError(Exception):
    """Raised for unsupported text; the message is the reason, with the line if known."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """The number of equal blocks per dimension, and the block of every device."""

    counts: tuple[int, ...]
    blocks: tuple[tuple[int, ...], ...]

    @property
    def is_whole(self) -> bool:
        """True if every device has the whole tensor."""
        return all(count == 1 for count in self.counts)


def whole_everywhere(devices: int) -> Tiling:
    """Return the replicated tiling, for any number of dimensions."""
    return Tiling((), ((),) * devices)


def tiling(text: str, devices: int, meshes: Mapping[str, DeviceList]) -> Tiling:
    """Parse the tiling in an annotation. VerifyError if malformed, UncoveredError if unsupported."""
    plain = text.replace(" ", "")
    if plain.startswith("<"):
        return _of_shardy(plain, devices, meshes)
    inside = plain.removeprefix("{").removesuffix("}")
    if inside.startswith("replicated"):
        return whole_everywhere(devices)
    match = _TILES.fullmatch(inside)
    if match is None:
        raise UncoveredError(f"the sharding {text[:80]} is not supported; only devices=[...] and replicated are")
    counts = _numbers(match["counts"])
    if match["listed"]:
        listed = _numbers(match["listed"])
    else:
        dims = _numbers(match["dims"])
        listed = iota(dims, _numbers(match["order"]) if match["order"] else range(len(dims)))
    if prod(counts) != devices or sorted(listed) != list(range(devices)):
        raise VerifyError(f"the sharding {text[:80]} must name each of {devices} devices once")
    # The last dimensions of the device grid may be replication: devices that differ there alone have the same block.
    kept = len(counts) - _repeated(match["rest"], text)
    at: list[tuple[int, ...]] = [()] * devices
    for device, block in zip(listed, product(*map(range, counts)), strict=True):
        at[device] = block[:kept]
    return Tiling(counts[:kept], tuple(at))


def _repeated(rest: str, text: str) -> int:
    """Return the number of trailing tile dimensions that replicate."""
    rest = rest.partition("metadata=")[0].strip(",")
    if rest in ("", "last_tile_dim_replicate"):
        return int(bool(rest))
    kinds = rest.removeprefix("last_tile_dims={").removesuffix("}").split(",")
    if set(kinds) != {"replicated"}:
        raise UncoveredError(f"the sharding {text[:80]} is not supported; only devices=[...] and replicated are")
    return len(kinds)


def _numbers(text: str) -> tuple[int, ...]:
    found = [number(word, MAX_DEVICES) for word in text.split(",")]
    if None in found:
        raise VerifyError(f"expected whole numbers from 0 to {MAX_DEVICES}, found {text[:60]}")
    return tuple(each for each in found if each is not None)


def _of_shardy(text: str, devices: int, meshes: Mapping[str, DeviceList]) -> Tiling:
    """Parse a Shardy sharding `<@mesh,[{"data"},{}]>`: for each dimension the axes that shard it, outermost first."""
    match = _SHARDY.fullmatch(text)
    if match is None or match["mesh"] not in meshes:
        raise VerifyError(
            f"the sharding {text[:80]} does not name a mesh of the text; its meshes are "
            f"{', '.join(meshes)[:80] or 'none'}"
        )
    if "unreduced" in match["rest"]:
        raise UncoveredError(f"the sharding {text[:80]} has partial values, which is not supported")
    mesh = meshes[match["mesh"]]
    names = [name.strip('"') for name, _ in mesh.axes]
    cut: list[tuple[int, ...]] = []
    for entry in _ENTRY.finditer(match["dims"]):
        words = [word for word in entry["axes"].split(",") if word not in ("", "?")]
        if any(":" in word or word.strip('"') not in names for word in words):
            raise UncoveredError(
                f"the sharding {text[:80]} uses parts of axes, or unknown axes, which is not supported"
            )
        cut.append(tuple(names.index(word.strip('"')) for word in words))
    return along_axes(cut, mesh, devices)


def along_axes(cut: Sequence[Sequence[int]], mesh: DeviceList, devices: int) -> Tiling:
    """Return the tiling that shards each dimension along these axes of the mesh, outermost first."""
    sizes = [size for _, size in mesh.axes]
    order = mesh.devices or tuple(range(prod(sizes)))
    used = [axis for axes in cut for axis in axes]
    if len(order) != devices or sorted(order) != list(range(devices)) or len(set(used)) != len(used):
        raise VerifyError(f"the sharding is over {len(order)} devices, not {devices}, or shards along one axis twice")
    at: list[tuple[int, ...]] = [()] * devices
    for device, position in zip(order, product(*map(range, sizes)), strict=True):
        at[device] = tuple(_joint(axes, position, sizes) for axes in cut)
    return Tiling(tuple(prod(sizes[axis] for axis in axes) for axes in cut), tuple(at))


def _joint(axes: Sequence[int], position: Sequence[int], sizes: Sequence[int]) -> int:
    found = 0
    for axis in axes:
        found = (found * sizes[axis]) + position[axis]
    return found
