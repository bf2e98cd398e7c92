"""A cluster as a graph: nodes are units, switches and buses, edges are links; and the path of a hop through it.

Routing in a tree: the path from device a to device b leaves through the uplinks of the inner levels, crosses at
    crossing(a, b) = the outermost level at which their digits differ,
over a point-to-point link if one joins the two units there, else through the hub (switch or bus) of the parent, and
enters through the uplinks again. So the path is unique, and has at most 2 x levels edges.
Complexity: O(levels) for each path.
Reference: Leiserson, "Fat-trees: universal networks for hardware-efficient supercomputing", 1985 (unique paths in
trees).

Example: 2 machines of 4 GPUs with uplinks. The path from GPU 00 to GPU 13 takes the port of 00, machine 0's card, the
switch, machine 1's card and the port of 13.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import networkx as nx

from p2smt.errors import ProblemError
from p2smt.placement.digits import join, split
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import System

MOST_DEVICES = 4096

Unit = tuple[int, ...]
"""The numbers of a unit and of the units that contain it, outermost first; () is the whole cluster."""


@dataclass(frozen=True, slots=True)
class Hub:
    """The switch (for ports) or the medium (of a bus) that joins the units of one parent."""

    link: Link
    parent: Unit


Place = Unit | Hub


@dataclass(frozen=True, slots=True)
class Passage:
    """One edge on the path of a hop."""

    source: Place
    target: Place

    @property
    def outward(self) -> bool:
        """True if bytes leave a unit for a hub."""
        return isinstance(self.target, Hub)

    @property
    def unit(self) -> Unit:
        """The unit at the edge's end; the sending one if both ends are units."""
        unit = self.target if isinstance(self.source, Hub) else self.source
        assert not isinstance(unit, Hub)
        return unit

    @property
    def hub(self) -> Hub:
        """The hub at the edge's other end."""
        hub = self.source if isinstance(self.source, Hub) else self.target
        assert isinstance(hub, Hub)
        return hub


class ClusterGraph:
    """The directed graph of a system of at most 4096 devices.

    Edges between a unit and a hub are the unit's ports (or its tap on the bus). Edges between units are point-to-point
    links. The edge attribute `link` is the class of links.
    """

    def __init__(self, system: System) -> None:
        """Create the graph; raises ProblemError for more devices than `MOST_DEVICES`."""
        if system.devices > MOST_DEVICES:
            raise ProblemError(
                f"the system has {system.devices} devices; at most {MOST_DEVICES} are supported link by "
                "link; price larger systems by level"
            )
        self.sizes = tuple(level.size for level in system.levels)
        self.graph: nx.DiGraph[Place] = nx.DiGraph()
        self._links = [system.network.at(level.name) for level in system.levels]
        for level, links in enumerate(self._links):
            for link in links:
                self._draw(link, level)

    def device(self, number: int) -> Unit:
        """Return the unit of a device number."""
        return split(number, self.sizes)

    def crossing(self, source: Unit, target: Unit) -> int:
        """Return the outermost level at which two devices differ."""
        return next(level for level, (a, b) in enumerate(zip(source, target, strict=True)) if a != b)

    def way(self, source: Unit, target: Unit) -> Iterator[Passage]:
        """Yield the edges on the path from one device to another.

        The path goes out through the uplinks of the inner levels, crosses at the outermost level at which the devices
        differ (over a point-to-point link if one joins the two units), and goes in again.
        """
        crossing = self.crossing(source, target)
        # Levels with uplinks only: other links connect neighbours and do not lead outwards.
        deeper = [level for level in range(crossing + 1, len(source)) if self._links[level][-1].uplink]
        for level in reversed(deeper):
            yield Passage(source[: level + 1], Hub(self._links[level][-1], source[:level]))
        one, other = source[: crossing + 1], target[: crossing + 1]
        if self.graph.has_edge(one, other):
            yield Passage(one, other)
        else:
            hub = Hub(self._links[crossing][-1], one[:-1])
            yield from (Passage(one, hub), Passage(hub, other))
        for level in deeper:
            yield Passage(Hub(self._links[level][-1], target[:level]), target[: level + 1])

    def link(self, passage: Passage) -> Link:
        """Return the class of links that an edge belongs to."""
        link = self.graph.edges[passage.source, passage.target]["link"]
        assert isinstance(link, Link)
        return link

    def joins(self, source: Unit, target: Unit) -> Link:
        """Return the link at the level at which the paths of two devices cross."""
        level = self.crossing(source, target)
        direct = self.graph.has_edge(source[: level + 1], target[: level + 1])
        return self._links[level][0 if direct else -1]

    def ports_near(self, link: Link, unit: Unit, members: Sequence[Unit]) -> frozenset[int]:
        """Return the ports of a unit that are next to the group members inside it."""
        inner = self.sizes[len(unit) :]
        inside = [member[len(unit) :] for member in members if member[: len(unit)] == unit]
        # Ports are spread evenly over a unit's devices, in the order of device numbers.
        return frozenset(join(digits, inner) * link.count // prod(inner) for digits in inside)

    def _draw(self, link: Link, level: int) -> None:
        size = self.sizes[level]
        for parent in product(*map(range, self.sizes[:level])):
            if link.wiring is Wiring.RING:
                for one, other in link.neighbours or [(unit, (unit + 1) % size) for unit in range(size)]:
                    self._join((*parent, one), (*parent, other), link)
            else:
                for unit in range(size):
                    self._join((*parent, unit), Hub(link, parent), link)

    def _join(self, one: Place, other: Place, link: Link) -> None:
        self.graph.add_edge(one, other, link=link)
        self.graph.add_edge(other, one, link=link)
