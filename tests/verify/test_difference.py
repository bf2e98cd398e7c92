"""What the solver says of plans by hand."""

import pytest
from tiers import is_full, sample

from p2smt.collective import Collective
from p2smt.smt.answer import Sat, Unsat
from p2smt.verify.difference import difference
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep


def counted(doublings, more):
    """All-reduce, and then everyone takes the sum 2^doublings times, and once more if so asked."""
    data, scratch, alone = BufferRange("data", 0, 1), BufferRange("scratch", 0, 1), ((0,), (1,))
    return VerificationPlan(
        devices=2,
        buffers=(("data", 1), ("scratch", 1)),
        goal=Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=data, target=data),
        steps=(
            VerificationStep(Collective.ALL_REDUCE, ((0, 1),), data, data),
            VerificationStep(LocalOperation.COPY, alone, data, scratch),
            *[VerificationStep(LocalOperation.ADD, alone, data, data)] * doublings,
            *[VerificationStep(LocalOperation.ADD, alone, scratch, data)] * more,
        ),
    )


@pytest.mark.parametrize("doublings", sample([1, 31, 32, 33, 64], 3))
def test_no_count_is_taken_for_one_however_large_it_is(doublings):
    """2^32 + 1 is 1 in 32 bits."""
    answer = difference(counted(doublings, more=1))
    assert isinstance(answer, Sat)
    assert answer.model.got != answer.model.wanted


def test_a_count_of_one_is_right():
    assert difference(counted(0, more=0)) == Unsat()


@pytest.mark.parametrize("halvings", [1, 31, 32, 33, 64, 200] if is_full() else [1, 32, 33])
def test_nothing_is_taken_for_everything_however_often_it_is_halved(halvings):
    """Times 2^32 every number is 0 in 32 bits, as the zeros are that were never added to."""
    out, alone = BufferRange("out", 0, 1), ((0,), (1,))
    plan = VerificationPlan(
        devices=2,
        buffers=(("data", 1), ("out", 1)),
        goal=Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=BufferRange("data", 0, 1), target=out),
        steps=(VerificationStep(LocalOperation.SCALE, alone, out, out, divisor=2),) * halvings,
        zeros=("out",),
    )
    assert isinstance(difference(plan), Sat)
