"""What rows tell: calls where something is sent, what calls take by payloads apart, unlike programs little."""

from types import SimpleNamespace

import pytest

from p2smt.collective import Collective
from p2smt.cost.calibration.fit import APART, _untold
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.parameters import LAUNCH
from p2smt.cost.calibration.prediction import predictor
from p2smt.cost.calibration.speeds import BEGIN, _per_unit
from p2smt.cost.network.backend import Nccl
from p2smt.cost.network.cost import LocalWork, Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.text import find_system


def test_what_it_takes_to_begin_a_call_is_told_by_payloads_that_lie_apart():
    def rows(*sizes):
        return [SimpleNamespace(most_bytes=size) for size in sizes]

    for sizes, told in (
        ((1000, 1000 * APART), True),
        ((1000, 1000 * APART - 1), False),
        ((5000,), False),
        ((3000, 1000, 16_000, 2000), True),
        ((3000, 2000, 16_000), False),
    ):
        assert _untold(rows(*sizes)) == (frozenset() if told else frozenset({LAUNCH}))


def test_a_program_that_is_unlike_the_others_of_its_kind_moves_little():
    """Ten programs take a nanosecond for each of their operations, and one takes five times that."""
    probes = [
        SimpleNamespace(name=f"p{n}", work=(("map", n * 10**6),), contractions=(), begun=n % 3) for n in range(1, 11)
    ]
    seconds = [n * 1e-3 + (n % 3) * 1e-4 for n in range(1, 11)]
    odd = SimpleNamespace(name="odd", work=(("map", 10**6),), contractions=(), begun=0)
    (exact, _), (moved, _) = _per_unit(probes, seconds, 0.0), _per_unit([*probes, odd], [*seconds, 5e-3], 0.0)
    assert exact == {"map": pytest.approx(1e-9, rel=1e-6), BEGIN: pytest.approx(1e-4, rel=1e-6)}
    assert moved["map"] == pytest.approx(1e-9, rel=0.01)


def test_what_a_device_does_alone_begins_no_call():
    """Whether a permutation or a collective of one; a collective of four begins one."""
    alone, four = Pattern((((Role.FREE, 4),),)), Pattern((((Role.VARYING, 4),),))
    works = (LocalWork(4096.0), Work(Collective.ALL_REDUCE, four, 4096.0), Work(Collective.ALL_REDUCE, alone, 4096.0))
    row = Measurement(place="p", group="g", sizes=(4,), backend=Nccl(Algorithm.RING), works=works, seconds=1.0)
    assert predictor(find_system("4"), [row]).calls.ravel().tolist() == [0, 1, 0]
