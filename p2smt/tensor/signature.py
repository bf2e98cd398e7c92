"""Signatures of operations, as labels, from which layouts, operation counts and meanings are derived."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from p2smt.tensor.layout import Reduction
from p2smt.tensor.reason import Reason

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parallel:
    """Occurs in the result; each index is computed on its own."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """Occurs in operands only, and is reduced away."""

    reduction: Reduction


@dataclass(frozen=True, slots=True)
class Blocked:
    """The operation needs all of it, for this reason."""

    reason: Reason = Reason.LOOKS_ACROSS


LabelKind = Parallel | Reduced | Blocked


def needs_all(kind: LabelKind) -> bool:
    """True if an element of the result can depend on all indices of a label of this kind."""
    match kind:
        case Blocked():
            return True
        case Parallel() | Reduced():
            return False


@dataclass(frozen=True, slots=True)
class Label:
    """A label: its name, its number of indices, and the effect of the operation along it."""

    name: str
    size: int
    kind: LabelKind


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension of an operand or result: `granule` elements for every index of the label.

    The granule is 1 but in views, where a leading label stands for blocks of all that it is joined with.
    """

    label: str
    granule: int = 1


@dataclass(frozen=True, slots=True)
class Distributes:
    """f(reduce x over ranks, rest) = reduce' f(x, rest) over ranks, x being these operands together.

    Linear in operand i is ({i}, +, +), jointly additive in i and j is ({i, j}, +, +), and a pointwise function that
    increases has ({i}, max, max) and ({i}, min, min).
    """

    operands: frozenset[int]
    before: Reduction
    after: Reduction


@dataclass(frozen=True, slots=True)
class Signature:
    """Labels of every dimension of operands and result; no operand has a label twice.

    Holds: the length of dimension d is size(d.label) * d.granule, unless the label is blocked, which has size length.
    """

    labels: tuple[Label, ...]
    operands: tuple[tuple[Dimension, ...], ...]
    result: tuple[Dimension, ...]
    distributes: tuple[Distributes, ...] = ()

    def label(self, name: str) -> Label:
        """The label of a name."""
        return next(label for label in self.labels if label.name == name)

    @property
    def shape(self) -> Shape:
        """The shape of the result."""
        sizes = {label.name: label.size for label in self.labels}
        return tuple(sizes[dimension.label] * dimension.granule for dimension in self.result)

    @property
    def elements(self) -> int:
        """Elements of all operands and of the result together."""
        sizes = {label.name: label.size for label in self.labels}
        return sum(
            prod(sizes[dimension.label] * dimension.granule for dimension in side)
            for side in (*self.operands, self.result)
        )


def dims(labels: Iterable[str]) -> tuple[Dimension, ...]:
    """The dimensions with these labels, one index each."""
    return tuple(map(Dimension, labels))


def linear(*operands: int) -> tuple[Distributes, ...]:
    """Linear in each of these operands, with the others equal on all ranks."""
    return tuple(Distributes(frozenset({operand}), Reduction.SUM, Reduction.SUM) for operand in operands)


def additive(*operands: int) -> tuple[Distributes, ...]:
    """Additive in these operands together."""
    return (Distributes(frozenset(operands), Reduction.SUM, Reduction.SUM),)


def increasing(*operands: int) -> tuple[Distributes, ...]:
    """Pointwise and nondecreasing in each of these operands."""
    kept = (Reduction.MAX, Reduction.MIN)  # only: rising and falling maps pass these on
    return tuple(Distributes(frozenset({operand}), kind, kind) for operand in operands for kind in kept)


def decreasing(*operands: int) -> tuple[Distributes, ...]:
    """Pointwise and nonincreasing in each of these operands."""
    # only: rising and falling maps pass these on
    turned = ((Reduction.MAX, Reduction.MIN), (Reduction.MIN, Reduction.MAX))
    return tuple(Distributes(frozenset({operand}), *kinds) for operand in operands for kinds in turned)


def moves(operands: int) -> tuple[Distributes, ...]:
    """Moves elements of the operands and does nothing else, so every reduction passes through."""
    return tuple(Distributes(frozenset(range(operands)), kind, kind) for kind in Reduction)
