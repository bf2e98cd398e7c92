"""The choices of permutations between the steps of a program that can be cheapest.

Method: dynamic programming over the layouts with dominance, as for shortest paths with several criteria (Martins, "On a
multicriteria shortest path problem", 1984). A label is the multiset of the buffers permuted so far:
    labels[0][start] = {()},
    labels[i+1][o'] = undominated of { w + lacking(c) : w in labels[i][o], c a choice in o, step i leads from o to o' }.
A label dominates another if each of its permutations can be matched with one of the other's whose buffer is no smaller
(`_never_dearer`, greedily), whatever the sizes of levels. The final labels that can be cheapest are kept.

Programs share few layouts, so the choices before each step in each layout are worked out once for all of them.

Complexity: one label for most layouts, as most programs need no permutation (tried first); exponential at worst.
"""

from dataclasses import dataclass
from functools import lru_cache

from p2smt.collective import Collective
from p2smt.reduction.language.language import Step
from p2smt.reduction.plan.buffers import BufferRules, PermutationChoice
from p2smt.reduction.plan.layouts import Orders
from p2smt.reduction.semantics.goal import level_goal


@dataclass(frozen=True, slots=True)
class ScheduleChoices:
    """The permutations chosen before every step and at the end, with the levels along which each buffer is sharded."""

    choices: tuple[PermutationChoice, ...]
    permuted: tuple[int, ...]


class _Node:
    """A layout of all buffers, and what was found of the steps from it.

    `free`: the layout after each step without a permutation, None if it needs one; `further`: all choices before each
    step, the levels that the permuted buffers lack, and the layout after it; `endings`: the same at the end; `is_end`:
    whether a program can end here without a permutation.
    """

    __slots__ = ("endings", "free", "further", "is_end", "orders")

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.is_end: bool | None = None
        self.free: dict[Step, _Node | None] = {}
        self.further: dict[Step, list[tuple[PermutationChoice, tuple[int, ...], _Node]]] = {}
        self.endings: list[tuple[PermutationChoice, tuple[int, ...]]] | None = None


MOST_LAYOUTS = 1 << 14
"""The most layouts that are kept; beyond, all are worked out again."""

_Labels = list[tuple[tuple[PermutationChoice, ...], tuple[int, ...]]]
"""Undominated choices so far, each with the levels along which its permuted buffers are sharded."""


class PermutationSearch:
    """The choices of permutations worth pricing under some buffer rules, for one program after the other."""

    def __init__(self, rules: BufferRules) -> None:
        self.rules = rules
        self._nodes: dict[Orders, _Node] = {}

    def best(self, steps: tuple[Step, ...]) -> tuple[ScheduleChoices, ...]:
        """Return the choices for a valid program: only the empty one if it works, else the undominated ones."""
        if len(self._nodes) > MOST_LAYOUTS:
            self._nodes.clear()
        # Most programs need no permutation; trying that first saves the search.
        if self._is_free(steps):
            return (ScheduleChoices((PermutationChoice(),) * (len(steps) + 1), ()),)
        # Nodes are compared by identity: there is one for each layout.
        reached: dict[_Node, _Labels] = {self._node(self.rules.start): [((), ())]}
        for step in steps:
            further: dict[_Node, _Labels] = {}
            for node, labels in reached.items():
                for choice, lacking, after in self._further(node, step):
                    _extend(further.setdefault(after, []), labels, choice, lacking)
            reached = further
        found: _Labels = []
        for node, labels in reached.items():
            for choice, lacking in self._endings(node):
                _extend(found, labels, choice, lacking)
        return tuple(ScheduleChoices(*label) for label in found)

    def _is_free(self, steps: tuple[Step, ...]) -> bool:
        node: _Node | None = self._node(self.rules.start)
        for step in steps:
            if node is None:
                return False
            if step not in node.free:
                after = self.rules.after(node.orders, step)
                node.free[step] = None if after is None else self._node(after)
            node = node.free[step]
        if node is None:
            return False
        if node.is_end is None:
            node.is_end = self.rules.ended(node.orders) is not None
        return node.is_end

    def _further(self, node: _Node, step: Step) -> list[tuple[PermutationChoice, tuple[int, ...], _Node]]:
        if step not in node.further:
            rules, orders, edges = self.rules, node.orders, []
            for choice in rules.choices(orders, step):
                after = rules.after(rules.changed(orders, choice)[: len(orders)], step)
                if after is not None:
                    edges.append((choice, rules.lacking(choice), self._node(after)))
            node.further[step] = edges
        return node.further[step]

    def _endings(self, node: _Node) -> list[tuple[PermutationChoice, tuple[int, ...]]]:
        if node.endings is None:
            rules, orders = self.rules, node.orders
            can_end = [one for one in rules.last_choices(orders) if rules.ended(rules.changed(orders, one)) is not None]
            node.endings = [(choice, rules.lacking(choice)) for choice in can_end]
        return node.endings

    def _node(self, orders: Orders) -> _Node:
        if orders not in self._nodes:
            self._nodes[orders] = _Node(orders)
        return self._nodes[orders]


@lru_cache(maxsize=64)
def search_of(goal: Collective, levels: int, cut: tuple[int, ...]) -> PermutationSearch:
    """Return the search for a goal and the levels that split the payload; the ones asked for last are kept."""
    return PermutationSearch(BufferRules(goal, level_goal(goal, levels), cut))


def _extend(known: _Labels, labels: _Labels, choice: PermutationChoice, lacking: tuple[int, ...]) -> None:
    for choices, permuted in labels:
        longer = (*choices, choice), tuple(sorted((*permuted, *lacking)))
        if not any(_never_dearer(other, longer[1]) for _, other in known):
            known[:] = [other for other in known if not _never_dearer(longer[1], other[1])]
            known.append(longer)


def _never_dearer(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """True if each permutation of one choice can be matched with one of the other whose buffer is at least as large."""
    free = list(other)
    # The largest buffers (fewest levels lacking) first: they have the fewest partners. Greedy, so it may miss a
    # matching; then a label more is kept, and no answer changes.
    for lacking in sorted(one, key=int.bit_count):
        # The rival lacks a subset of these levels, so its buffer is at least as large whatever the sizes of levels
        # are.
        larger = next((rival for rival in free if not rival & ~lacking), None)
        if larger is None:
            return False
        free.remove(larger)
    return True
