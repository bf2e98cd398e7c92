"""Kinds of devices on another number of machines: in the same proportions, or refused."""

from fractions import Fraction
from itertools import product

import pytest

from p2smt.errors import ProblemError
from p2smt.problem.system.devices import DeviceKind, with_machines


def kinds_of(counts, devices=None):
    return tuple(
        DeviceKind(name=f"k{number}", machines=count, speed=1e9, devices=devices) for number, count in enumerate(counts)
    )


def test_every_kind_keeps_its_part_of_the_machines_or_none_is_changed():
    refused = 0
    for first, second, third, new in product(range(1, 4), range(1, 4), range(3), range(1, 13)):
        counts = [count for count in (first, second, third) if count]
        old = sum(counts)
        wanted = [Fraction(count * new, old) for count in counts]
        if all(part.denominator == 1 for part in wanted):
            assert [kind.machines for kind in with_machines(kinds_of(counts), old, new, 8)] == wanted
            continue
        refused += 1
        with pytest.raises(ProblemError, match=f"^{new} machines cannot be divided in proportion"):
            with_machines(kinds_of(counts), old, new, 8)
    assert refused > 100


def test_of_smaller_machines_there_are_as_many_devices_as_they_have():
    assert [kind.devices for kind in with_machines(kinds_of([1, 1], 4), 2, 4, 2)] == [2, 2]
    assert [kind.devices for kind in with_machines(kinds_of([1, 1], 4), 2, 4, 8)] == [4, 4]
    assert [kind.devices for kind in with_machines(kinds_of([1, 1]), 2, 4, 2)] == [None, None]


def test_what_devices_get_done_is_the_efficient_part_of_the_speed_of_the_type():
    kind = DeviceKind(name="k", machines=1, speed=4e9, efficiency=0.25, speeds=(("bfloat16", 8e9), ("int8", 16e9)))
    assert [kind.done(dtype) for dtype in ("float32", "bfloat16", "int8")] == [1e9, 2e9, 4e9]
