"""What may be chosen: everything, or what conditions and baselines leave."""

from collections.abc import Hashable
from typing import Protocol

from p2smt.spmd.graph import Node
from p2smt.tensor.layout import Layout
from p2smt.tensor.rule import Rule


class Restriction(Protocol):
    """Leaves some of what there is to choose from."""

    def stored(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Layouts in which a source may be stored."""
        ...

    def outputs(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Layouts in which an output may be left."""
        ...

    def rules(self, node: Node, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Rules that an operation may follow."""
        ...

    def alike(self, node: Node) -> Hashable:
        """Operations that have the same rules to choose from, and this in common, are left the same."""
        ...


class Freedom:
    """Leaves everything."""

    def stored(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """All."""
        return layouts

    def outputs(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """All."""
        return layouts

    def rules(self, node: Node, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """All."""
        return rules

    def alike(self, node: Node) -> Hashable:
        """All are."""
        return None


FREEDOM = Freedom()
