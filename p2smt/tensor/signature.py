"""Operation signatures as labels of dimensions; layouts, operation counts and meanings derive from them."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.reason import Reason

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ParallelLabel:
    """The label occurs in the result; each of its indices is computed independently."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """The label occurs only in operands, and is reduced."""

    reduction: ReductionOp


@dataclass(frozen=True, slots=True)
class Blocked:
    """The operation needs all indices of the label, for this reason."""

    reason: Reason = Reason.LOOKS_ACROSS


LabelKind = ParallelLabel | Reduced | Blocked


def needs_all(kind: LabelKind) -> bool:
    """True if a result element can depend on all indices of a label of this kind."""
    match kind:
        case Blocked():
            return True
        case ParallelLabel() | Reduced():
            return False


@dataclass(frozen=True, slots=True)
class Label:
    """A label: its name, its number of indices, and the effect of the operation along it."""

    name: str
    size: int
    kind: LabelKind


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension of an operand or result, with `granule` elements for every index of the label.

    The granule is 1 except in views, where the leading label stands for blocks of the dimensions joined with
    it.
    """

    label: str
    granule: int = 1


@dataclass(frozen=True, slots=True)
class Distributes:
    """The operation commutes with a reduction over ranks in the operands x.

        f(reduce x, rest) = reduce' f(x, rest)

    Linear in operand i is ({i}, +, +); jointly additive in i and j is ({i, j}, +, +). A pointwise increasing
    function has ({i}, max, max) and ({i}, min, min).
    """

    operands: frozenset[int]
    before: ReductionOp
    after: ReductionOp


@dataclass(frozen=True, slots=True)
class Signature:
    """The labels of every dimension of operands and result; no operand has a label twice.

    The length of dimension d is size(d.label) * d.granule.
    """

    labels: tuple[Label, ...]
    operands: tuple[tuple[Dimension, ...], ...]
    result: tuple[Dimension, ...]
    distributes: tuple[Distributes, ...] = ()

    def label(self, name: str) -> Label:
        """Return the label of this name."""
        return next(label for label in self.labels if label.name == name)

    @property
    def shape(self) -> Shape:
        """The shape of the result."""
        sizes = {label.name: label.size for label in self.labels}
        return tuple(sizes[dimension.label] * dimension.granule for dimension in self.result)

    @property
    def elements(self) -> int:
        """The number of elements of all operands and the result."""
        sizes = {label.name: label.size for label in self.labels}
        return sum(
            prod(sizes[dimension.label] * dimension.granule for dimension in side)
            for side in (*self.operands, self.result)
        )


def dims(labels: Iterable[str]) -> tuple[Dimension, ...]:
    """Return dimensions with these labels and granule 1."""
    return tuple(map(Dimension, labels))


def linear(*operands: int) -> tuple[Distributes, ...]:
    """Declare linearity in each of these operands, with the others equal on all ranks."""
    return tuple(Distributes(frozenset({operand}), ReductionOp.SUM, ReductionOp.SUM) for operand in operands)


def additive(*operands: int) -> tuple[Distributes, ...]:
    """Declare joint additivity in these operands."""
    return (Distributes(frozenset(operands), ReductionOp.SUM, ReductionOp.SUM),)


def increasing(*operands: int) -> tuple[Distributes, ...]:
    """Declare a function that is pointwise and nondecreasing in each of these operands."""
    kept = (ReductionOp.MAX, ReductionOp.MIN)  # only: rising and falling maps pass these on
    return tuple(Distributes(frozenset({operand}), kind, kind) for operand in operands for kind in kept)


def decreasing(*operands: int) -> tuple[Distributes, ...]:
    """Declare a function that is pointwise and nonincreasing in each of these operands."""
    # only: rising and falling maps pass these on
    turned = ((ReductionOp.MAX, ReductionOp.MIN), (ReductionOp.MIN, ReductionOp.MAX))
    return tuple(Distributes(frozenset({operand}), *kinds) for operand in operands for kinds in turned)


def moves(operands: int) -> tuple[Distributes, ...]:
    """Declare that the operation only moves elements, so every reduction passes through."""
    return tuple(Distributes(frozenset(range(operands)), kind, kind) for kind in ReductionOp)
