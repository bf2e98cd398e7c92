"""The position of an array in a whole tensor."""

from dataclasses import dataclass

Attribute = int | float | str | tuple[int, ...]
Attributes = tuple[Attribute, ...]


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """The indices start <= i < stop of a dimension."""

    start: int
    stop: int

    @property
    def length(self) -> int:
        """The number of indices."""
        return self.stop - self.start


Intervals = tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """Positions of the operands and the result of one rank's operation in the whole tensors.

    `step` is the number of the training step, which random bits depend on. `types` are those of the operands' elements,
    None for a number; empty where they are not known.
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
    """All of a tensor."""
    return tuple(Interval(0, length) for length in shape)
