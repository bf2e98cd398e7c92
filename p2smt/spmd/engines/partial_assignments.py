"""The number of partial assignments that exhaustive search would visit, counted before it begins.

Exhaustive search extends assignments in the order of the choices, so it visits, for every k, the assignments of the
first k choices that satisfy the links among them. Their number is a sum of products of 0 and 1,

    N(k) = sum over o[0] ... o[k-1] of product of allowed[l](o[i], o[j]) over links l = (i, j) with i, j < k,

which sum-product elimination computes without enumeration: summing x out replaces the tables that mention x by
    m(N(x)) = sum over x of product of these tables,
always of the choice with the smallest m (Dechter, "Bucket elimination", 1999). Counts are floats: exact up to 2^53, an
estimate above it.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from p2smt.spmd.engines.problem import JointProblem

_MOST_ENTRIES = 10**6
"""The most entries of a table; beyond it, longer assignments are not counted."""

_Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PartialAssignments:
    """A number of partial assignments; only a lower bound unless `is_complete`."""

    count: float
    is_complete: bool = True

    def __str__(self) -> str:
        """Return the number in words, rounded to two digits if it is large."""
        about = f"{self.count:.0f}" if self.count < 10**6 else f"about {self.count:.1e}"
        return about if self.is_complete else f"more than {self.count:.1e}"


def partial_assignments(problem: JointProblem) -> PartialAssignments:
    """Return the number of partial assignments that `brute` visits, the empty one included."""
    sizes = [len(choice.costs) for choice in problem.choices]
    tables: list[tuple[tuple[int, ...], _Counts]] = []
    total = 1.0
    ends: list[list[tuple[tuple[int, ...], _Counts]]] = [[] for _ in sizes]
    for link in problem.links:
        table = np.array([[mask >> bit & 1 for bit in range(sizes[link.right])] for mask in link.allowed], float)
        ends[max(link.left, link.right)].append(((link.left, link.right), table))
    for length in range(1, len(sizes) + 1):
        tables += ends[length - 1]
        count = _sum_of_products(sizes[:length], tables)
        if count is None:
            return PartialAssignments(total, is_complete=False)
        if not count:
            break
        total += count
    return PartialAssignments(total)


def _sum_of_products(sizes: list[int], tables: list[tuple[tuple[int, ...], _Counts]]) -> float | None:
    """Return the sum over all options of the product of the tables; None if a table would be too large."""
    mine: list[set[int]] = [set() for _ in sizes]
    kept = dict(enumerate(tables))
    for number, (scope, _) in kept.items():
        for choice in scope:
            mine[choice].add(number)
    left, result = set(range(len(sizes))), 1.0
    while left:
        scopes = {choice: {each for number in mine[choice] for each in kept[number][0]} | {choice} for choice in left}
        choice = min(left, key=lambda each: (prod(sizes[other] for other in scopes[each]), each))
        scope = (choice, *sorted(scopes[choice] - {choice}))
        if prod(sizes[each] for each in scope) > _MOST_ENTRIES:
            return None
        product = np.ones([sizes[each] for each in scope])
        for number in sorted(mine[choice]):
            product *= _spread(*kept.pop(number), scope, sizes)
        message = product.sum(axis=0)
        for other in scope[1:]:
            mine[other] -= mine[choice]
        left.remove(choice)
        if len(scope) == 1:
            result *= float(message)
            continue
        added = len(tables) + len(sizes) - len(left)
        kept[added] = scope[1:], message
        for other in scope[1:]:
            mine[other].add(added)
    return result


def _spread(scope: tuple[int, ...], table: _Counts, onto: tuple[int, ...], sizes: list[int]) -> _Counts:
    """Return a table with its axes in the order of `onto`, and axes of length 1 for choices that it lacks."""
    order = sorted(range(len(scope)), key=lambda axis: onto.index(scope[axis]))
    return table.transpose(order).reshape([sizes[each] if each in scope else 1 for each in onto])
