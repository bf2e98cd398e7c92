"""Conversions: the solver proves those that inference allows, and of all others none that is wrong in numpy."""

from p2smt.smt.answer import Sat, Unsat
from p2smt.tensor.comparison import compare
from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.conversion_rules import converted
from p2smt.tensor.expression import AxisLayout, Convert, Output, ProgramAxis, Read, Source, SourceKind, Statement
from p2smt.tensor.layout import Layout, OnRank, Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.program import Program
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Refusal
from p2smt.tensor.rules.conversions import conversion_obligation
from p2smt.tensor.verification.whole_numbers import WholeNumbers

SHAPE, RANKS = (6, 7), 3
MAX = ReductionOp.MAX
BEFORE = (Replicated(), Sliced(0, (1, 3, 2)), Sliced(1, (4, 1, 2)), Partial(), Partial(MAX), OnRank(0), OnRank(1))
CONVERSIONS = (
    (AllReduce(), Replicated()),
    (AllReduce(MAX), Replicated()),
    (ReduceScatter(0), Sliced(0)),
    (ReduceScatter(1, (2, 2, 3)), Sliced(1)),
    (ReduceScatter(1, None, MAX), Sliced(1)),
    (AllGather(0), Replicated()),
    (AllGather(1), Replicated()),
    (AllToAll(0, 1), Sliced(1)),
    (AllToAll(1, 0, (1, 4, 1)), Sliced(0)),
    (Rebalance(0), Sliced(0)),
    (Rebalance(1, (1, 1, 5)), Sliced(1)),
    (Reduce(1), OnRank(1)),
    (Reduce(0, MAX), OnRank(0)),
    (Broadcast(1), Replicated()),
    (Send(), OnRank(1)),
    (Slice(0, (3, 2, 1)), Sliced(0)),
    (Slice(1), Sliced(1)),
    (Keep(1), Partial()),
)
EVERY = [(conversion, before, after) for conversion, after in CONVERSIONS for before in BEFORE]
READ_BY_OWNER = AllGather, AllToAll, Rebalance


def allowed(conversion, before):
    known = Sliced(before.dimension, before.sizes) if isinstance(before, Sliced) else before
    return not isinstance(converted(conversion, (known,), (ProgramAxis("r", RANKS),), 0, SHAPE), Refusal)


def difference(conversion, before, after):
    """What differs in numpy between three ranks and one; None if nothing does."""
    given = Source(kind=SourceKind.INPUT, name="x", shape=SHAPE, names=("", ""))
    placed = () if isinstance(before, Replicated) else (AxisLayout(before),)
    many = Program(
        name="many",
        mesh=(ProgramAxis("r", RANKS),),
        sources=(Source(kind=SourceKind.INPUT, name="x", shape=SHAPE, names=("", ""), layouts=placed),),
        statements=(Statement("y", Convert(conversion, Read("x"))),),
        outputs=(Output("y", (AxisLayout(after),) if isinstance(after, Partial) else ()),),
    )
    one = Program(name="one", sources=(given,), statements=(Statement("y", Read("x")),), outputs=(Output("y"),))
    wrongs = (compare(many, one, meaning) for meaning in (WholeNumbers(1), Reals(2)))
    return next((wrong for wrong in wrongs if wrong is not None), None)


def has_no_meaning(conversion, before):
    """Without a cut there is no owner to read from; who has nothing can make no zeros of its shape."""
    owners = isinstance(conversion, READ_BY_OWNER) and not isinstance(before, Sliced)
    return owners or (isinstance(conversion, Keep) and isinstance(before, OnRank))


def is_true_for_nothing(conversion, before: Layout):
    """What is right though inference refuses it, and is not proved.

    Of equal values the maximum is the value.
    """
    return before == Replicated() and getattr(conversion, "reduction", None) is MAX


def test_it_is_proved_just_if_it_is_right():
    for case in EVERY:
        conversion, before, after = case
        wrong = difference(conversion, before, after)
        if has_no_meaning(conversion, before):
            assert not allowed(conversion, before), case
            assert wrong is not None, case
            continue
        question = conversion_obligation(conversion, before, after, len(SHAPE))
        # Where the claim is refuted, the lemmas have a model: that of the refutation.
        assert wrong is not None or isinstance(question.ask_lemmas(), Sat), case
        if is_true_for_nothing(conversion, before):
            assert wrong is None, case
            continue
        assert isinstance(question.ask(), Unsat if wrong is None else Sat), (case, wrong)
        assert wrong is None or not allowed(conversion, before), case


def test_both_happen_often_enough():
    right = [each for each in EVERY if allowed(each[0], each[1])]
    assert len(right) >= len(CONVERSIONS)
    assert len(EVERY) - len(right) > 90
