"""The position of an array in an unsharded tensor."""

from dataclasses import dataclass

Attribute = int | float | str | tuple[int, ...]
Attributes = tuple[Attribute, ...]


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """The indices i of a dimension with start <= i < stop."""

    start: int
    stop: int

    @property
    def length(self) -> int:
        """The number of indices."""
        return self.stop - self.start


Intervals = tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """Positions of the operands and the result of one rank's operation in the unsharded tensors.

    `step` is the training step, on which random bits depend. `types` holds the operands' element types, None
    for a number; it is empty if they are unknown.
    """

    attributes: Attributes
    operands: tuple[Intervals, ...]
    result: Intervals
    step: int = 0
    types: tuple[str | None, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of this rank's result."""
        return tuple(interval.length for interval in self.result)


def whole(shape: tuple[int, ...]) -> Intervals:
    """Return the intervals that cover a whole tensor."""
    return tuple(Interval(0, length) for length in shape)
