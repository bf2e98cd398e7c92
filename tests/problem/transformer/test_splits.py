"""Splits of a model over devices, against every triple of numbers."""

from itertools import product

import pytest

from p2smt.errors import ProblemError
from p2smt.problem.transformer.check import check_transformer
from p2smt.problem.transformer.model import Parallelism, Zero
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.splits import SplitChoice, every_split, the_split


def by_force(transformer, choice, devices):
    """Every (tp, pp, dp) up to the number of devices, kept if it multiplies to it and the rules let it pass."""
    found = set()
    for tp, pp in product(range(1, devices + 1), repeat=2):
        for dp in range(1, devices + 1) if tp * pp <= devices else ():
            wanted = ((choice.tp, tp), (choice.pp, pp), (choice.dp, dp))
            if tp * pp * dp * choice.cp != devices or any(fixed not in (None, own) for fixed, own in wanted):
                continue
            split = Parallelism(
                tp=tp,
                pp=pp,
                dp=dp,
                cp=choice.cp,
                ep=choice.ep,
                zero=choice.zero,
                sequence_parallel=tp > 1,
                chunks=choice.chunks if pp > 1 else 1,
            )
            try:
                check_transformer(transformer, split)
            except ProblemError:
                continue
            if tp * dp * choice.cp > 1:
                found.add(split)
    return found


CHOICES = [
    SplitChoice(),
    SplitChoice(tp=2),
    SplitChoice(pp=4, zero=Zero.PARAMETERS),
    SplitChoice(dp=3),
    SplitChoice(cp=2, chunks=2),
    SplitChoice(tp=7),
]


@pytest.mark.parametrize("devices", [1, 2, 8, 12, 24, 36])
@pytest.mark.parametrize("name", ["llama-8b", "llama2-13b", "gpt2-xl"])
def test_every_split_is_found_and_no_other(name, devices):
    model, sizes = named_model(name, 144), []
    for choice in CHOICES:
        found = list(every_split(model, choice, devices))
        assert len(set(found)) == len(found)
        assert set(found) == by_force(model, choice, devices)
        sizes.append(len(found))
    assert devices == 1 or any(sizes)


def test_experts_divide_the_data_parallel_devices():
    model = named_model("mixtral-8x7b", 64)
    found = list(every_split(model, SplitChoice(ep=8), 32))
    assert found
    assert all(split.dp % 8 == 0 for split in found)
    assert set(found) == by_force(model, SplitChoice(ep=8), 32)


@pytest.mark.parametrize(
    ("choice", "parts"),
    [
        (SplitChoice(tp=8, pp=4), (8, 4, 2)),
        (SplitChoice(tp=8, pp=4, dp=2), (8, 4, 2)),
        (SplitChoice(dp=64), (1, 1, 64)),
        (SplitChoice(tp=8, cp=2), (8, 1, 4)),
    ],
)
def test_the_one_split_takes_what_is_left(choice, parts):
    split = the_split(choice, 64)
    assert (split.tp, split.pp, split.dp) == parts
    assert split.sequence_parallel == (split.tp > 1)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (SplitChoice(tp=3), "tp 3 x pp 1 x cp 1 = 3 do not divide 64 devices"),
        (SplitChoice(tp=8, dp=4), "x dp 4 needs 32 devices, but the system has"),
    ],
)
def test_a_split_that_is_none(choice, said):
    with pytest.raises(ProblemError, match=said):
        the_split(choice, 64)
