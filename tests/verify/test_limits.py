"""The largest plans that are followed are taken; one device, step, chunk or division more is refused for that alone."""

from support import refused

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.verify.limits import (
    MAX_CELLS,
    MAX_DEVICES,
    MAX_DIVISIONS,
    MAX_DIVISOR,
    MAX_STEPS,
    check_divisions,
    check_size,
)
from p2smt.verify.plan import BufferRange, VerificationStep


def test_devices_steps_and_chunks():
    for devices, buffers, steps in (
        (1, {"data": 1}, 0),
        (MAX_DEVICES, {"data": MAX_CELLS // MAX_DEVICES}, MAX_STEPS),
        (MAX_DEVICES, {"data": MAX_CELLS // MAX_DEVICES - 1, "more": 1}, 1),
        (1, {"data": MAX_CELLS}, 1),
    ):
        check_size(devices, buffers, steps)
    for devices, buffers, steps, said in (
        (0, {"data": 1}, 0, "0 devices"),
        (-1, {"data": 1}, 0, "-1 devices"),
        (MAX_DEVICES + 1, {"data": 1}, 1, "4097 devices are out of range; a plan has 1 to 4096"),
        (1, {"data": 1}, MAX_STEPS + 1, "the plan has 65537 steps; the limit is 65536"),
        (1, {"data": MAX_CELLS + 1}, 1, "at most 4194304 in all"),
        (2, {"data": MAX_CELLS // 2, "more": 1}, 1, "2 devices with 2097153 chunks each"),
    ):
        message = refused(lambda given=(devices, buffers, steps): check_size(*given), VerifyError)
        assert said in message


def dividing(*divisors):
    part = BufferRange("data", 0, 1)
    return [VerificationStep(Collective.ALL_REDUCE, ((0, 1),), part, part, divisor=divisor) for divisor in divisors]


def test_divisors_and_how_many_of_them():
    check_divisions(dividing())
    check_divisions(dividing(*[1] * 200))  # divisions by one are none
    check_divisions(dividing(*[2] * MAX_DIVISIONS, *[1] * 200, MAX_DIVISOR // MAX_DIVISOR))
    check_divisions(dividing(MAX_DIVISOR, 2))
    for divisors, said in (
        ((0,), "divisor 0 is out of range; it must be from 1 to 65536"),
        ((2, -1), "divisor -1 is"),
        ((2, MAX_DIVISOR + 1), "divisor 65537 is"),
        ((2,) * (MAX_DIVISIONS + 1), "65 steps divide; at most 64 are computed exactly"),
        ((1, *(3,) * (MAX_DIVISIONS + 1)), "65 steps divide"),
    ):
        assert said in refused(lambda given=divisors: check_divisions(dividing(*given)), VerifyError)
