"""Read meshes from JSON files that contain the names of the dimensions and the nested list of ranks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any  # Any: a user's file before it is checked

import msgspec
import numpy as np

from p2smt.errors import ProblemError
from p2smt.placement.order import Order
from p2smt.placement.rank_tensor import Ranks
from p2smt.problem.model import Axis
from p2smt.problem.names import MAX_NAMES
from p2smt.problem.typed import convert_checked, read_bounded, why_malformed
from p2smt.wording import sizes_text

MAX_RANKS = 65_536
_MAX_BYTES = 2_000_000


class MeshFile(msgspec.Struct, frozen=True):
    """The content of a mesh file; the keys are attributes of torch's `DeviceMesh`."""

    mesh_dim_names: tuple[str, ...]
    mesh: Any


def read_mesh(path: Path, axes: Sequence[Axis]) -> tuple[Ranks, Order]:
    """Return a mesh file's ranks with one dimension per axis, in axis order, and the file's own order of the axes.

    Axes of size 1 may be missing from the file. Raises ProblemError for a file of more than 2 MB, malformed
    content, dimensions that do not match the axes, and ranks that are not a permutation of `range(N)`.
    """
    data = read_bounded(path, _MAX_BYTES, ProblemError)
    try:
        parsed = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        raise ProblemError(f"{path} is not a JSON document: {why_malformed(cause)}; {_FORM}") from cause
    entry = convert_checked(parsed, MeshFile, str(path), ProblemError)
    names = entry.mesh_dim_names
    ranks = _array(entry.mesh, len(names), str(path))
    shards = {axis.name: axis.size for axis in axes}
    found = dict(zip(names, ranks.shape, strict=True))
    if (
        len(found) < len(names)
        or found | shards != shards
        or any(size > 1 and name not in found for name, size in shards.items())
    ):
        dims = sizes_text((repr(name[:80]), size) for name, size in zip(names, ranks.shape, strict=True))
        raise ProblemError(f"{path}: the dimensions {dims} are not the axes {sizes_text(axes)}; name every axis once")
    if not np.array_equal(np.sort(ranks, axis=None), np.arange(ranks.size)):
        raise ProblemError(f"{path}: the ranks are not a permutation of 0 to {ranks.size - 1}; list each rank once")
    by_axis = [names.index(axis.name) for axis in axes if axis.name in found]
    known = [axis.name for axis in axes]
    return ranks.transpose(by_axis).reshape([axis.size for axis in axes]), tuple(map(known.index, names))


_FORM = 'write {"mesh_dim_names": ["data", "model"], "mesh": [[0, 1], [2, 3]]}'


def _array(nested: object, dims: int, path: str) -> Ranks:
    """Return the array of a rectangular nested list of depth `dims`."""
    shape: list[int] = []
    level = [nested]
    if dims > MAX_NAMES:
        raise ProblemError(f"{path}: the mesh has {dims} dimensions; it may have at most {MAX_NAMES}")
    for _ in range(dims):
        # Level by level: every list of one depth must have the same length.
        lengths = {len(entry) if isinstance(entry, list) else -1 for entry in level}
        if len(lengths) > 1 or not lengths or -1 in lengths:
            raise ProblemError(f"{path}: mesh is not a rectangular nested list of {dims} dimensions; {_FORM}")
        shape += lengths
        level = [inner for entry in level if isinstance(entry, list) for inner in entry]
        if len(level) > MAX_RANKS:
            raise ProblemError(
                f"{path}: the mesh has more than {MAX_RANKS} ranks, the limit; give an order with --from instead"
            )
    if any(type(rank) is not int or not 0 <= rank < MAX_RANKS for rank in level):
        raise ProblemError(f"{path}: mesh has an entry that is not a rank; write whole numbers of at least 0")
    return np.array(level, dtype=np.int64).reshape(shape)
