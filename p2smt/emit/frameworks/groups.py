"""Groups of ranks of a split, as Megatron-LM and TorchTitan build them.

There are two meshes over the same ranks, with pipeline stages outermost: stages x data x context x tensor for
attention, and stages x copies x expert x expert-tensor for experts, the last axis innermost. Megatron-LM creates each
with its own rank generator (order tp-cp-ep-dp-pp, with cp = 1 for experts); TorchTitan unflattens its world mesh in the
same way.
"""

from itertools import product
from math import prod

from p2smt.problem.transformer.split import Split

Groups = dict[str, list[list[int]]]


def rank_groups(split: Split, *, experts: bool = False, swapped: bool = False) -> Groups:
    """Return the groups by name, with `experts` also theirs. `swapped`: data outermost, Megatron-LM's other order.

    >>> rank_groups(Split(tp=2, pp=2))["pp"]
    [[0, 2], [1, 3]]
    """
    dense = {"pp": split.pp, "dp": split.dp, "cp": split.cp, "tp": split.tp}
    routed = {"pp": split.pp, "copies": split.expert_copies, "ep": split.ep, "tp": split.etp}
    if swapped:
        dense = {"dp": split.dp, "pp": split.pp, "cp": split.cp, "tp": split.tp}
        routed = {"copies": split.expert_copies, "pp": split.pp, "ep": split.ep, "tp": split.etp}
    found = {name: _groups(dense, (name,)) for name in ("tp", "cp", "dp", "pp")}
    found["dp and cp"] = _groups(dense, ("dp", "cp"))
    if not experts:
        return found
    for name, axis in (("expert tp", "tp"), ("expert ep", "ep"), ("expert dp", "copies")):
        found[name] = _groups(routed, (axis,))
    return found


def _groups(mesh: dict[str, int], over: tuple[str, ...]) -> list[list[int]]:
    """Return the groups of ranks that differ only on some axes; the mesh is row-major, its last axis innermost."""
    names, sizes = list(mesh), list(mesh.values())
    strides = {name: prod(sizes[place + 1 :]) for place, name in enumerate(names)}

    def ranks(axes: list[str]) -> list[int]:
        return [
            sum(strides[name] * at for name, at in zip(axes, place, strict=True))
            for place in product(*(range(mesh[name]) for name in axes))
        ]

    # Offsets inside a group, then one start for each combination of the other axes.
    inside = ranks([name for name in names if name in over])
    return [[start + offset for offset in inside] for start in ranks([name for name in names if name not in over])]
