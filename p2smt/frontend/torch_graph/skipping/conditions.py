"""The blocks of a recorded step, each with the condition under which PyTorch runs it.

A block always runs in the program, with every mask that selects rows in it joined with its condition c:
    x[mask]  ->  x[mask & c],    out[mask] = y  ->  out[mask & c] = y,    likewise where(mask), nonzero, index_add_
so that it selects, writes and passes back nothing where c is false, as a block that PyTorch skips. A mask from before
the block is taken if c says that it has a true element. Two things would differ, and are refused:
    a tensor of the block is read behind it, other than through such a write;
    a number or tensor of all rows in it may be infinite where no row is selected, as 1 / mask.sum() is.
The parameters that get no gradient, and are not updated, if no block on their way to the loss runs: `ways.py`.
Complexity: O(operations) for all checks of a step.
Reference: Allen et al., "Conversion of control dependence to data dependence", 1983 (if-conversion).

Example: `if mask.any(): out[mask] = expert(x[mask])` is out = where(mask & mask.any(), expert(x), out).
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

import torch
from torch._C._autograd import _get_sequence_nr
from torch._subclasses.functional_tensor import FunctionalTensor

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.graph import Reference, TorchNode, references
from p2smt.frontend.torch_graph.guards import Answer
from p2smt.frontend.torch_graph.refusals import WITHOUT_CONDITION
from p2smt.frontend.torch_graph.skipping.blocks import CodeBlock, block_of, repeated_block
from p2smt.frontend.torch_graph.skipping.questions import Values, selecting, telling

_OUTSIDE = 0
"""In place of a block's number: operations in no block."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockCondition:
    """A truth value, as a function of a recorded tensor, under which PyTorch runs a block."""

    asked: torch.Tensor
    truth: Callable[[torch.Tensor], torch.Tensor]
    block: CodeBlock


class SkippedCode:
    """The blocks of a tape, numbered from 1, the one that is running, and what was recorded in each."""

    def __init__(
        self,
        nodes: Sequence[TorchNode],
        reference: Callable[[torch.Tensor], Reference],
        refused: Callable[[CaptureError], CaptureError],
    ) -> None:
        """Start without blocks; `reference` finds tensors on the tape, `refused` notes errors that code may catch."""
        self.values = Values(nodes)
        self._reference, self._refused = reference, refused
        self.conditions: list[BlockCondition] = []
        self.ran: list[tuple[int, int, int]] = []
        """Blocks with the numbers of autograd's first node in them, and of the first behind it."""
        self.merged: list[tuple[int, int, int]] = []
        """The same of writes whose rows a condition masks."""
        self._running: CodeBlock | None = None
        self._began = 0
        self._merging = self._aside = False
        self._truths: dict[int, torch.Tensor] = {}
        self._made: dict[str, int] = {}
        self._merges: dict[str, int] = {}
        self._counts: dict[str, set[int]] = {}

    def answer(self, asked: torch.Tensor, frame: FrameType | None) -> Answer | None:
        """Return the answer with which a block runs that may be skipped; None if the question is of another kind."""
        is_truth = asked.dtype is torch.bool
        if frame is None or self.running() or asked.dtype.is_floating_point:
            return None
        found = block_of(frame, (True, False) if is_truth else (1, 0))
        if found is None:
            return None
        self._begin(BlockCondition(asked, found.condition, found.block))
        return found.answer

    def truth(self, number: int) -> torch.Tensor:
        """The condition of a block, recorded where it is first needed."""
        if number not in self._truths:
            condition, before, self._aside = self.conditions[number - 1], self._aside, True
            try:
                asked = condition.asked
                if not isinstance(asked, FunctionalTensor):
                    asked = FunctionalTensor.to_functional(asked)
                self._truths[number] = condition.truth(asked)
            finally:
                self._aside = before
        return self._truths[number]

    def rounds(self, frame: FrameType, truths: Sequence[torch.Tensor]) -> Iterator[int] | None:
        """Yield the rounds of a loop, each of which PyTorch runs if its truth value holds; None if code forbids it."""
        block = None if self.running() else repeated_block(frame)
        return None if block is None else self._rounds(block, truths)

    def _rounds(self, block: CodeBlock, truths: Sequence[torch.Tensor]) -> Iterator[int]:
        for number, truth in enumerate(truths):
            self._end()
            self._begin(BlockCondition(truth, lambda asked: asked, block))
            yield number
            # The body begins where the frame is next, and nothing between may ask for its position.
            assert self._running is block, "a round of a loop ended before its body"
        self._end()

    def _begin(self, condition: BlockCondition) -> None:
        self.conditions.append(condition)
        for name in telling(self.values, self._reference(condition.asked)):
            self._counts.setdefault(name, set()).add(len(self.conditions))
        self._running, self._began = condition.block, _get_sequence_nr()

    def _end(self) -> None:
        if self._running is not None:
            self.ran.append((len(self.conditions), self._began, _get_sequence_nr()))
            running, self._running = self._running, None
            if running.changes_lists():
                error = CaptureError(
                    f"{running.line}: code that may be skipped changes a list there; {WITHOUT_CONDITION}"
                )
                raise self._refused(error)

    def running(self) -> int:
        """The number of the block that is running, or 0. To be asked before autograd sees an operation."""
        if self._running is not None and not self._running.runs(sys._getframe(1)):
            self._end()
        return len(self.conditions) if self._running is not None else _OUTSIDE

    @contextmanager
    def merging(self) -> Iterator[None]:
        """A context for a write into rows of a mask that holds nowhere if the running block is skipped."""
        began, self._merging = _get_sequence_nr(), True
        try:
            yield
        finally:
            self._merging = False
            self.merged.append((len(self.conditions), began, _get_sequence_nr()))

    def made(self, name: str) -> None:
        """Note which block a recorded node belongs to, or which one it merges."""
        if self._running is not None and not self._aside:
            (self._merges if self._merging else self._made)[name] = len(self.conditions)

    def takes(self, count: torch.Tensor) -> bool:
        """True if the mask of this count, from before the running block, has a true element only where that runs."""
        counted = self._reference(count)
        self.counted(count)
        mask = selecting(self.values, self._reference(self.truth(len(self.conditions))))
        return mask is not None and mask == selecting(self.values, counted)

    def counted(self, count: torch.Tensor) -> None:
        """Note a number of rows that is 0 where the running block does not run."""
        self._counts.setdefault(self._reference(count).node, set()).add(len(self.conditions))

    def check(self, nodes: Sequence[TorchNode], results: Sequence[Reference]) -> None:
        """Raise CaptureError if a block leaves something behind, or computes with the number of its rows."""
        counts = {name: frozenset(each) for name, each in self._counts.items()}
        for node in nodes:
            block = self._made.get(node.name, _OUTSIDE)
            given = references(node)
            if any(self._made.get(each.node, block) not in (block, self._merges.get(node.name)) for each in given):
                self._refuse(f"{node.line}: the step uses a tensor there", given, block)
            of_counts = counts.get(node.name, frozenset[int]()).union(*(counts.get(each.node, ()) for each in given))
            # Truth values select, and are never infinite.
            if of_counts and any(each is not None and each.dtype != "bool" for each in node.results):
                counts[node.name] = of_counts
            if (
                block
                and block in of_counts
                and any(each is not None and "float" in each.dtype for each in node.results)
            ):
                raise self._refused(
                    CaptureError(
                        f"{node.line}: {node.operation} is called there with the number of rows that a mask selects, "
                        f"in code that runs only if there are some; for none it may give no number; {WITHOUT_CONDITION}"
                    )
                )
        for each in results:
            if each.node in self._made:
                self._refuse("the step gives or keeps a tensor", results, _OUTSIDE)

    def _refuse(self, what: str, given: Sequence[Reference], block: int) -> None:
        other = next(found for each in given if (found := self._made.get(each.node, block)) != block)
        raise self._refused(
            CaptureError(
                f"{what} that is made in code that may be skipped ({self.conditions[other - 1].block.line}), which "
                "depends on the values of tensors, and they have none while a step is captured; let such code only "
                f"write rows by their mask, or {WITHOUT_CONDITION}"
            )
        )
