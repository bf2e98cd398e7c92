"""Dropout masks that the forward pass keeps for the backward pass.

The gradient of a dropout is the dropout of the gradient, with the same seed:

    y = dropout(x, share=0.1, seed=3)      y, y_kept = kept_dropped(x, 0.1, 3, step, (0, 0))
    d_x = dropout(g, share=0.1, seed=3)    d_x = masked(g, y_kept, 0.1)

So the random bits are drawn once, and may come from torch's own kernel. A mask has one byte per element, as in PyTorch.

Invariant: both dropouts cover the same intervals of one shape, so they use the same bits. If a seed has more than two
dropouts, for example in a recomputed checkpoint region, each draws its own bits: a kept mask would occupy memory
between them.
"""

from collections.abc import Sequence

from p2smt.emit.torch.program.names import PythonNames
from p2smt.tensor.expression import Call, Statement, parts
from p2smt.tensor.judgement import InferenceStep, Inferred
from p2smt.tensor.layout import OnRank


class DropoutMasks:
    """The pairs of dropouts among the statements of a program."""

    def __init__(self, statements: Sequence[Statement], inferred: Inferred) -> None:
        last = {step.statement: step for step in inferred.steps}
        groups: dict[object, list[str]] = {}
        for statement in statements:
            for part in parts(statement.expression):
                if isinstance(part, Call) and part.operation == "dropout":
                    whole = part is statement.expression
                    groups.setdefault(part.attributes[1], []).append(statement.name if whole else "")
        self._first: dict[str, str] = {}  # of the one that reads a mask the one that leaves it
        for names in groups.values():
            if len(names) == 2 and all(names) and _alike(last[names[0]], last[names[1]]):
                self._first[names[1]] = names[0]
        self._pairs = {first: second for second, first in self._first.items()}
        self._written: dict[str, str] = {}

    @property
    def reading(self) -> frozenset[str]:
        """The dropouts that read the mask of an earlier one instead of drawing bits."""
        return frozenset(self._first)

    def left(self, statement: str, names: PythonNames) -> str:
        """Return the name of the mask that a dropout keeps; "" if no other dropout reads it."""
        if statement not in self._pairs:
            return ""
        self._written[statement] = names.fresh(f"{statement}_kept")
        return self._written[statement]

    def read(self, statement: str) -> str:
        """Return the name of the mask that a dropout reads; "" if it draws its own bits."""
        return self._written.get(self._first.get(statement, ""), "")


def _alike(first: InferenceStep, second: InferenceStep) -> bool:
    """True if both drop the same share of the same elements, and every rank has some of them."""
    given = [each.expression.attributes for each in (first, second) if isinstance(each.expression, Call)]
    same = given[0] == given[1] and (first.whole.shape, first.layouts) == (second.whole.shape, second.layouts)
    return same and not any(isinstance(each, OnRank) for each in first.layouts)  # only OnRank: others compute nothing
