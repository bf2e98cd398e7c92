"""Restrictions of HAP's published code, as switches: what each of them costs can be measured by any engine."""

from collections.abc import Hashable
from dataclasses import dataclass

from p2smt.spmd.engine import Published
from p2smt.spmd.graph import Graph, Node
from p2smt.spmd.pricing import Rules
from p2smt.spmd.restriction import Restriction
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.program import SourceKind
from p2smt.tensor.rule import Summand

CONTRACTIONS = ("einsum", "matmul", "linear")
VIEWS = ("reshape", "transpose")


def most_collectives(published: frozenset[Published], *, is_source: bool) -> int | None:
    """How many conversions of a tensor may cost something; None: any number."""
    if is_source and Published.SOURCES_STAY in published:
        return 0
    return 1 if Published.ONE_COLLECTIVE in published else None


@dataclass(frozen=True, slots=True)
class NoLinearSums:
    """What another restriction leaves, without rules that leave the results of some operations to be added up."""

    inner: Restriction
    layers: frozenset[int]

    def stored(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """As the other."""
        return self.inner.stored(tensor, layouts)

    def outputs(self, tensor: int, layouts: tuple[Layouts, ...]) -> tuple[Layouts, ...]:
        """As the other."""
        return self.inner.outputs(tensor, layouts)

    def rules(self, node: Node, rules: tuple[Rules, ...]) -> tuple[Rules, ...]:
        """Without those whose result is a summand, of layers."""
        left = self.inner.rules(node, rules)
        if node.result not in self.layers:
            return left
        return tuple([each for each in left if not any(isinstance(rule.result, Summand) for rule in each)])

    def alike(self, node: Node) -> Hashable:
        """Layers, of those that are for the other."""
        return self.inner.alike(node), node.result in self.layers


def linear(graph: Graph) -> frozenset[int]:
    """The results of the first contractions with each parameter, or with a view of it: the layers going forward."""
    parameter = {
        number: number
        for number, tensor in enumerate(graph.tensors)
        if tensor.source is not None and tensor.source.kind is SourceKind.PARAMETER
    }
    seen: set[int] = set()
    layers = set()
    for node in graph.nodes:
        mine = [parameter[each] for each in node.reads if each in parameter]
        if node.operation in VIEWS and mine:
            parameter[node.result] = mine[0]
        elif node.operation in CONTRACTIONS and mine:
            layers |= {node.result} if seen.isdisjoint(mine) else set()
            seen |= set(mine)
    return frozenset(layers)
