"""The elements of an operation's result as terms, from its signature."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from p2smt.smt.tables import Index, TensorTable, Value, agreement, index, table, total, value
from p2smt.smt.terms import Bool
from p2smt.tensor.layout import Reduction
from p2smt.tensor.signature import Reduced, Signature, needs_all

Operand = Callable[[int, Sequence[Index]], Value]
"""The element of an operand, by its number, at these indices."""
Places = Mapping[str, Index]
Labels = tuple[tuple[str, Reduction], ...]
"""Labels that are reduced, outermost first, and how."""

OVER = {Reduction.SUM: "sum", Reduction.MAX: "largest", Reduction.MIN: "smallest"}
"""Totals over the indices of a label, or over ranks."""


def reduced_labels(signed: Signature, first: str = "") -> Labels:
    """The labels that are reduced, `first` outermost; sums over labels can be exchanged (`lemmas.py`)."""
    # only Reduced: others have no reduction
    found = [(label.name, label.kind.reduction) for label in signed.labels if isinstance(label.kind, Reduced)]
    return tuple(sorted(found, key=lambda pair: pair[0] != first))


def places(signed: Signature) -> dict[str, Index]:
    """A free index for every label that is not reduced: where in the result an element stands."""
    reduced = {name for name, _ in reduced_labels(signed)}
    return {label.name: index(f"i_{label.name}") for label in signed.labels if label.name not in reduced}


@dataclass(frozen=True, slots=True)
class Side:
    """Results over some operands; `rank` is the one that has these operands, if it matters; names begin with `name`."""

    name: str
    signed: Signature
    operand: Operand
    rank: tuple[Index, ...] = ()

    def value(self, labels: Labels, at: Places) -> Value:
        """The element at these places, reduced over the labels."""
        return total(OVER[labels[0][1]], self.table(labels, at)) if labels else self._term(at)

    def table(self, labels: Labels, at: Places) -> TensorTable:
        """The table that is reduced over the first of the labels."""
        (first, _), rest = labels[0], labels[1:]
        return table(self._named(first), self._known(at), lambda here: self.value(rest, {**at, first: here[0]}))

    def rows(self, at: Places) -> dict[int, tuple[TensorTable, int]]:
        """Tables of operands that are looked across: all that is looked at, and over how many labels."""
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
        """An unknown function of where it stands, of elements, and of rows."""
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
    """Two results are one if their operands are the same wherever they are read."""
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
