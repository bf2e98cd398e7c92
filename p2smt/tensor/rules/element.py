"""Elements of an operation's result as solver terms, built from its signature.

From the signature, with l the reduced labels and i the position of the element,
    result[i] = reduce over l of  f(operand1[i, l], operand2[i, l], ..., rows read whole)
where f is an uninterpreted function named after the operation: all that a proof may use is that equal arguments give
equal values (congruence; Nelson and Oppen, "Fast decision procedures based on congruence closure", 1980). Nested
reductions are tables, outermost label first.
Complexity: one table for each reduced label, and a term linear in the operands.

Example: matmul:  y[i, j] = sum over k of f(x[i, k], w[k, j]).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from p2smt.smt.tables import Index, TensorTable, Value, agreement, index, table, total, value
from p2smt.smt.terms import Bool
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.signature import Reduced, Signature, needs_all

Operand = Callable[[int, Sequence[Index]], Value]
"""Returns an operand's element, given the operand number and indices."""
Places = Mapping[str, Index]
Labels = tuple[tuple[str, ReductionOp], ...]
"""Reduced labels with their reductions, outermost first."""

OVER = {ReductionOp.SUM: "sum", ReductionOp.MAX: "largest", ReductionOp.MIN: "smallest"}
"""Names of the solver functions for reductions over label indices or ranks."""


def reduced_labels(signed: Signature, first: str = "") -> Labels:
    """Return the reduced labels with `first` outermost; sums over labels commute (`lemmas.py`)."""
    # only Reduced: others have no reduction
    found = [(label.name, label.kind.reduction) for label in signed.labels if isinstance(label.kind, Reduced)]
    return tuple(sorted(found, key=lambda pair: pair[0] != first))


def places(signed: Signature) -> dict[str, Index]:
    """Return a free index for every label that is not reduced: the position of a result element."""
    reduced = {name for name, _ in reduced_labels(signed)}
    return {label.name: index(f"i_{label.name}") for label in signed.labels if label.name not in reduced}


@dataclass(frozen=True, slots=True)
class Side:
    """Results of an operation over given operands.

    `rank` is the rank that holds the operands, if it matters; `name` prefixes solver names.
    """

    name: str
    signed: Signature
    operand: Operand
    rank: tuple[Index, ...] = ()

    def value(self, labels: Labels, at: Places) -> Value:
        """Return the element at these places, reduced over the labels."""
        return total(OVER[labels[0][1]], self.table(labels, at)) if labels else self._term(at)

    def table(self, labels: Labels, at: Places) -> TensorTable:
        """Return the table that the first of the labels reduces."""
        (first, _), rest = labels[0], labels[1:]
        return table(self._named(first), self._known(at), lambda here: self.value(rest, {**at, first: here[0]}))

    def rows(self, at: Places) -> dict[int, tuple[TensorTable, int]]:
        """Return the tables of operand rows that the operation reads whole, with the number of labels of each."""
        found = {}
        for number, across in enumerate(self._across):
            if across:
                found[number] = (self._row(number, across, at), len(across))
        return found

    def _row(self, number: int, across: list[str], at: Places) -> TensorTable:
        def body(here: Sequence[Index]) -> Value:
            return self._element(number, {**at, **dict(zip(across, here, strict=True))})

        return table(self._named(f"row{number}"), self._known(at), body)

    @property
    def _across(self) -> list[list[str]]:
        blocked = {label.name for label in self.signed.labels if needs_all(label.kind)}
        return [[each.label for each in dims if each.label in blocked] for dims in self.signed.operands]

    def _element(self, number: int, at: Places) -> Value:
        return self.operand(number, [at[dimension.label] for dimension in self.signed.operands[number]])

    def _term(self, at: Places) -> Value:
        """Return an unknown function of the element's position, of operand elements, and of rows."""
        rows = self.rows(at)
        read = [
            rows[number][0].term if across else self._element(number, at) for number, across in enumerate(self._across)
        ]
        blocked = {label.name for label in self.signed.labels if needs_all(label.kind)}
        shown = {dimension.label for dimension in self.signed.result}
        return value("operation", [*(at[name] for name in sorted(at) if name not in blocked or name in shown), *read])

    def _named(self, part: str) -> str:
        return f"{self.name}_{part}_"

    def _known(self, at: Places) -> list[Index]:
        return [*self.rank, *(at[name] for name in sorted(at))]


def congruence(left: Side, right: Side, labels: Labels, at: Places) -> tuple[Bool, ...]:
    """Return lemmas that two results are equal if their operands are equal wherever they are read."""
    if labels:
        here = index(f"any_{labels[0][0]}")
        one = agreement(left.table(labels, at), right.table(labels, at), [here])
        return (*one, *congruence(left, right, labels[1:], {**at, labels[0][0]: here}))
    found: list[Bool] = []
    others = right.rows(at)
    for number, (row, count) in left.rows(at).items():
        anywhere = [index(f"any_{number}_{position}") for position in range(count)]
        found += agreement(row, others[number][0], anywhere)
    return tuple(found)
