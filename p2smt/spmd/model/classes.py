"""Dimensions that must be cut at the same places: classes, and atoms that a cut cannot go through.

Labels that operations share join the dimensions that they stand for. A class is cut into `atoms` equal parts, whole
numbers of which go to each device: as many as every label of the class has indices, or a common part of that. So a
hidden dimension that is viewed as heads is cut between heads everywhere, and all roundings agree.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from p2smt.spmd.engines.disjoint_sets import DisjointSets
from p2smt.spmd.model.graph import Graph
from p2smt.tensor.signature import Blocked, Signature

Place = tuple[int, int]
"""A tensor and one of its dimensions."""


@dataclass(frozen=True, slots=True)
class Classes:
    """The class of every dimension, and the atoms of every class."""

    class_of: dict[Place, int]
    atoms: tuple[int, ...]

    def can_cut(self, place: Place) -> bool:
        """True if there is more than one atom."""
        return self.atoms[self.class_of[place]] > 1


def classes_of(graph: Graph) -> Classes:
    """The classes of a program's dimensions; none goes over the border of a segment."""
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
    """For every label that can be cut its size, and the dimensions of tensors that it stands for."""
    places: dict[str, list[Place]] = {}
    for tensor, dimensions in zip(tensors, (*signed.operands, signed.result), strict=True):
        for number, dimension in enumerate(dimensions):
            if isinstance(tensor, int):
                places.setdefault(dimension.label, []).append((tensor, number))
    for label in signed.labels:
        # only Blocked: a class may hold dimensions that no rule cuts
        if not isinstance(label.kind, Blocked) and label.name in places:
            yield label.size, places[label.name]
