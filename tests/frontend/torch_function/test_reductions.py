"""Whole reductions on eight ranks: verdicts for several lengths, and a few of them on real gloo ranks."""

import pytest
from frontend.torch_function.gloo import on_gloo, written
from frontend.torch_function.reductions import RIGHT, WRONG
from frontend.torch_function.tracing import traced
from looped import looped
from tiers import sample

from p2smt.errors import VerifyError
from p2smt.verify.check import verify
from p2smt.verify.verdict import Proved, Refuted

RANKS = 8


def verdicts(path):
    """With one element per rank, and with one more, where that is taken."""
    try:
        longer = [verify(traced(path, RANKS, RANKS + 1))]
    except VerifyError:
        longer = []
    return [verify(traced(path, RANKS)), *longer]


@looped("name", sample(RIGHT, 4))
def test_right_reductions(tmp_path, name):
    assert {type(one) for one in verdicts(written(tmp_path, RIGHT[name]))} == {Proved}


@looped("name", sample(WRONG, 4))
def test_wrong_reductions(tmp_path, name):
    found = verdicts(written(tmp_path, WRONG[name]))
    assert any(isinstance(one, Refuted) for one in found)
    assert isinstance(found[0], Refuted) or name == "no padding"


@pytest.mark.slow
@pytest.mark.thorough  # this is about torch; what p2smt says of each function is tested above
@pytest.mark.parametrize("name", ["a ring", "in shards, started and waited for"])
def test_what_is_valid_is_right_on_gloo(tmp_path, name):
    assert on_gloo(written(tmp_path, RIGHT[name]), RANKS, 1_000_000).right


@pytest.mark.slow
@pytest.mark.thorough  # as above
@pytest.mark.parametrize(
    ("name", "elements"),
    [("copied before the wait", 4_000_000), ("a ring that adds too early", 1_000_000), ("no padding", 1_000_001)],
)
def test_what_is_invalid_is_wrong_on_gloo(tmp_path, name, elements):
    found = on_gloo(written(tmp_path, WRONG[name]), RANKS, elements)
    assert (found.wrong > 0, found.raised) == (True, "")
