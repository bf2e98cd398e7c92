"""Numbers of an optimizer that count its steps."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from p2smt.errors import CaptureError


@dataclass(frozen=True, slots=True)
class NumberSlot:
    """The location of a number that changes between steps: in a parameter's states, a group, or the optimizer."""

    kind: str
    owner: str
    key: str


def step_counters(
    kind: str, before: Mapping[NumberSlot, object], after: Mapping[NumberSlot, object]
) -> Iterator[NumberSlot]:
    """Yield the locations of numbers that are 1 after the first step and 2 after the second.

    CaptureError for other numbers that change; `kind` is the optimizer's class in its message.

    >>> slot, rate = NumberSlot("state", "w", "step"), NumberSlot("group", "0", "lr")
    >>> [each.key for each in step_counters("Mine", {slot: 1, rate: 0.1}, {slot: 2, rate: 0.1})]
    ['step']
    """
    for slot in before.keys() | after.keys():
        pair = before.get(slot), after.get(slot)
        if pair == (1, 2):
            yield slot
        elif pair[0] != pair[1]:
            raise CaptureError(
                f"{slot.key} of {kind} is {pair[0]} after its first step and {pair[1]} after its second; the only "
                "changing numbers supported are counts of steps"
            )
