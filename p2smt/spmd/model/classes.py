"""Classes of dimensions that must be sharded at the same places, and atoms, the units that a sharding cannot split.

Dimensions that share a label of an operation are in the same class. A class is divided into `atoms` equal parts, and
each device gets a whole number of them. The number of atoms is the greatest common divisor of the sizes of all labels
of the class. So a hidden dimension that is viewed as heads is split between heads everywhere, and all roundings agree.

Union-find over all (tensor, dimension) pairs; while sets are merged,
    atoms(class) = gcd of the sizes of its dimensions and labels.
Complexity: almost linear in the dimensions of the graph.
Reference: Tarjan, "Efficiency of a good but not linear set union algorithm", 1975.

Example: a hidden dimension of 768 is viewed as 12 heads of 64. The heads' label has size 12, and gcd(768, 12) = 12, so
the hidden dimension is cut in 12 atoms of 64.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from p2smt.spmd.engines.disjoint_sets import DisjointSets
from p2smt.spmd.model.graph import Graph
from p2smt.tensor.signature import Blocked, Signature

Place = tuple[int, int]
"""The number of a tensor and one of its dimensions."""


@dataclass(frozen=True, slots=True)
class Classes:
    """The class of every dimension, and the number of atoms of every class."""

    class_of: dict[Place, int]
    atoms: tuple[int, ...]

    def can_cut(self, place: Place) -> bool:
        """True if a dimension can be sharded: its class has more than one atom."""
        return self.atoms[self.class_of[place]] > 1


def classes_of(graph: Graph) -> Classes:
    """Return the classes of a graph's dimensions; no class crosses the border of a segment."""
    atoms = {(t, d): size for t, tensor in enumerate(graph.tensors) for d, size in enumerate(tensor.shape)}
    sets = DisjointSets(atoms)
    for node in graph.nodes:
        if node.result in graph.borders:
            continue
        for size, places in _labels(node.signature, (*node.operands, node.result)):
            first = sets.first(places[0])
            for place in places[1:]:
                other = sets.first(place)
                if other != first:
                    sets.join(first, other)
                    atoms[first] = gcd(atoms[first], atoms[other])
            atoms[first] = gcd(atoms[first], size)
    numbers: dict[Place, int] = {}
    class_of = {place: numbers.setdefault(sets.first(place), len(numbers)) for place in atoms}
    return Classes(class_of, tuple(atoms[place] for place in numbers))


def _labels(signed: Signature, tensors: tuple[object, ...]) -> Iterator[tuple[int, list[Place]]]:
    """Yield the size of every label that can be sharded, with the tensor dimensions that it stands for."""
    places: dict[str, list[Place]] = {}
    for tensor, dimensions in zip(tensors, (*signed.operands, signed.result), strict=True):
        for number, dimension in enumerate(dimensions):
            if isinstance(tensor, int):
                places.setdefault(dimension.label, []).append((tensor, number))
    for label in signed.labels:
        # only Blocked: a class may hold dimensions that no rule cuts
        if not isinstance(label.kind, Blocked) and label.name in places:
            yield label.size, places[label.name]
