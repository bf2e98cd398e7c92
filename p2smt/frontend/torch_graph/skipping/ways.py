"""Conditions under which parameters get a gradient: that a block runs on one of their ways to the loss.

PyTorch leaves the gradient None of a parameter that the loss reaches through skipped blocks alone, and its optimizers
leave such a parameter and its states as they are. With c_i the condition of block i,
    touched(p) = or over all ways from the loss to p in autograd's graph of: and of c_i over all blocks i on the way.
Method: autograd's nodes carry numbers in the order of their making, so that a node's users are visited before it; each
passes on its ways, of which only the least sets of blocks are kept (a disjunctive normal form without absorbed terms).
Complexity: O(edges * terms); a step with more than 256 terms at a node is refused.

Example: a layer of expert 3 has touched = c_3; the router has c_0 or c_1 or ..., without a balance loss of its own.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

import torch
from torch.autograd.graph import Node

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.refusals import WITHOUT_CONDITION
from p2smt.frontend.torch_graph.skipping.conditions import SkippedCode

Ways = frozenset[frozenset[int]]
"""Sets of blocks, one of which has to run as a whole."""
_MOST = 256


class _Ranges:
    """Disjoint ranges of numbers, each with a block."""

    def __init__(self, ranges: Sequence[tuple[int, int, int]]) -> None:
        self._ranges = sorted((first, end, block) for block, first, end in ranges)
        self._firsts = [first for first, _, _ in self._ranges]

    def block(self, number: int) -> int:
        """Return the block in whose range a number is; 0 for none."""
        at = bisect_right(self._firsts, number) - 1
        return self._ranges[at][2] if at >= 0 and number < self._ranges[at][1] else 0


def ways_to(loss: torch.Tensor, skipping: SkippedCode) -> Mapping[torch.Tensor, Ways] | None:
    """Return the ways from the loss to all parameters, before its backward pass; None if no code may be skipped."""
    if skipping.running() or not skipping.conditions:
        return None
    assert loss.grad_fn is not None
    ran, merged = _Ranges(skipping.ran), _Ranges(skipping.merged)
    found: dict[Node, Ways] = {loss.grad_fn: frozenset((frozenset(),))}
    reached: dict[torch.Tensor, Ways] = {}
    rest = [(-loss.grad_fn._sequence_nr(), 0, loss.grad_fn)]
    count = 1
    while rest:
        number, _, node = heappop(rest)
        ways = found.pop(node)
        variable = getattr(node, "variable", None)
        if isinstance(variable, torch.Tensor):
            reached[variable] = _joined(reached.get(variable, frozenset()), ways)
            continue
        # A write merges a block's rows: they come from the block's own nodes, and the rest from before it.
        block = 0 if merged.block(-number) else ran.block(-number)
        own = frozenset(each | {block} for each in ways) if block else ways
        for following, _ in node.next_functions:
            if following is None:
                continue
            if following not in found:
                leaf = getattr(following, "variable", None) is not None
                heappush(rest, (1 if leaf else -following._sequence_nr(), count, following))
                count += 1
            found[following] = _joined(found.get(following, frozenset()), own)
    return reached


def _joined(one: Ways, other: Ways) -> Ways:
    """The disjunction, without terms that others imply. CaptureError if there are too many."""
    terms = one | other
    if frozenset() in terms:
        return frozenset((frozenset(),))
    least = frozenset(each for each in terms if not any(smaller < each for smaller in terms))
    if len(least) > _MOST:
        raise CaptureError(
            f"more than {_MOST} combinations of skipped blocks leave a parameter unused; {WITHOUT_CONDITION}"
        )
    return least


def touched_among(
    parameters: Mapping[str, torch.Tensor], ways: Mapping[torch.Tensor, Ways], skipping: SkippedCode
) -> list[tuple[str, torch.Tensor]]:
    """Return truth values that parameters have a gradient in PyTorch, of those that have none if code is skipped."""
    found = []
    for name, each in parameters.items():
        if each.grad is None or not skipping.conditions:
            continue
        if each not in ways:
            raise CaptureError(
                f"{name} has a gradient by another way than the loss's own, such as reentrant checkpointing, and some "
                f"code may be skipped, which leaves parameters without one; {WITHOUT_CONDITION}"
            )
        truth = _touched(ways[each], skipping)
        if truth is not None and (each._backward_hooks or getattr(each, "_post_accumulate_grad_hooks", None)):
            raise CaptureError(
                f"{name} has a hook, which PyTorch does not call where code is skipped; {WITHOUT_CONDITION}"
            )
        if truth is not None:
            found.append((name, truth))
    return found


def _touched(ways: Ways, skipping: SkippedCode) -> torch.Tensor | None:
    """The truth value that one of these ways is open, recorded if the tape is; None if one always is."""
    if frozenset() in ways:
        return None
    found: torch.Tensor | None = None
    for blocks in sorted(ways, key=sorted):
        term: torch.Tensor | None = None
        for number in sorted(blocks):
            truth = skipping.truth(number)
            term = truth if term is None else term & truth
        found = term if found is None or term is None else found | term
    return found
