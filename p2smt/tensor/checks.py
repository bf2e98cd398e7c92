"""Checks of operation attributes: types, and dimension numbers."""

from collections.abc import Iterable, Sequence

from p2smt.tensor.frame import Attribute
from p2smt.tensor.signature import Shape


def whole_number(attribute: Attribute) -> int:
    """Return an attribute that must be an integer."""
    if not isinstance(attribute, int):
        raise ValueError(f"{attribute!r} is not a whole number")
    return attribute


def real_number(attribute: Attribute) -> float:
    """Return an attribute that must be a number."""
    if not isinstance(attribute, int | float):
        raise ValueError(f"{attribute!r} is not a number")
    return float(attribute)


def whole_numbers(attribute: Attribute) -> tuple[int, ...]:
    """Return an attribute that must be a tuple of integers."""
    if not isinstance(attribute, tuple):
        raise ValueError(f"{attribute!r} is not a list of whole numbers")
    return attribute


def dimension(attribute: Attribute, shape: Shape) -> int:
    """Return an attribute that must be a dimension of this shape, counted from 0."""
    number = whole_number(attribute)
    if not 0 <= number < len(shape):
        raise ValueError(f"dimension {number} does not exist; the tensor has {len(shape)} dimensions, numbered from 0")
    return number


def some_dimensions(attribute: Attribute, shape: Shape) -> tuple[int, ...]:
    """Return distinct dimensions of this shape; all of them if the attribute is empty."""
    named = whole_numbers(attribute) or tuple(range(len(shape)))
    numbers = tuple(dimension(number, shape) for number in named)
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"dimensions {list(numbers)} name one twice; name each once")
    return numbers


def positive(numbers: Iterable[Attribute]) -> tuple[int, ...]:
    """Return attributes that must be integers of at least 1."""
    found = tuple(map(whole_number, numbers))
    if min(found, default=1) < 1:
        raise ValueError(f"{min(found)} must be at least 1")
    return found


def rank_is(shape: Sequence[int], rank: int, what: str) -> None:
    """Raise ValueError unless the shape has this number of dimensions."""
    if len(shape) != rank:
        raise ValueError(f"{what} has {len(shape)} dimensions, not {rank}")


def same(left: object, right: object, what: str) -> None:
    """Raise ValueError unless both values are equal."""
    if left != right:
        raise ValueError(f"{what}: {left} and {right} must be equal")
