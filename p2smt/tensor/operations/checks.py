"""Checks of operation attributes: their types, and the dimensions that they name."""

from collections.abc import Iterable, Sequence

from p2smt.tensor.frame import Attribute
from p2smt.tensor.signature import Shape


def whole_number(attribute: Attribute) -> int:
    """An attribute that is a whole number."""
    if not isinstance(attribute, int):
        raise ValueError(f"{attribute!r} is no whole number")
    return attribute


def real_number(attribute: Attribute) -> float:
    """An attribute that is a number."""
    if not isinstance(attribute, int | float):
        raise ValueError(f"{attribute!r} is no number")
    return float(attribute)


def whole_numbers(attribute: Attribute) -> tuple[int, ...]:
    """An attribute that is a row of whole numbers."""
    if not isinstance(attribute, tuple):
        raise ValueError(f"{attribute!r} is no row of whole numbers")
    return attribute


def dimension(attribute: Attribute, shape: Shape) -> int:
    """A dimension of a tensor of this shape."""
    number = whole_number(attribute)
    if not 0 <= number < len(shape):
        raise ValueError(f"dimension {number} of a tensor with {len(shape)}, which are numbered from 0")
    return number


def some_dimensions(attribute: Attribute, shape: Shape) -> tuple[int, ...]:
    """Different dimensions; all of them where none is named."""
    named = whole_numbers(attribute) or tuple(range(len(shape)))
    numbers = tuple(dimension(number, shape) for number in named)
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"dimensions {list(numbers)} name one twice")
    return numbers


def positive(numbers: Iterable[Attribute]) -> tuple[int, ...]:
    """Whole numbers that are at least 1."""
    found = tuple(map(whole_number, numbers))
    if min(found, default=1) < 1:
        raise ValueError(f"{min(found)} has to be at least 1")
    return found


def rank_is(shape: Sequence[int], rank: int, what: str) -> None:
    """A tensor has so many dimensions."""
    if len(shape) != rank:
        raise ValueError(f"{what} has {len(shape)} dimensions, not {rank}")


def same(left: object, right: object, what: str) -> None:
    """Two things that have to be equal."""
    if left != right:
        raise ValueError(f"{what}: {left} and {right} have to be equal")
