"""Texts for XLA are judged as they ran: right ones are proved, wrong ones shown, and no other is called either."""

import importlib.util
from pathlib import Path

import pytest
from frontend.xla_ranks.executed import EQUAL, EXECUTED, TEXTS, judged, written_again
from tiers import is_full, sample

from p2smt.verify.verdict import Proved, Refuted, Unknown

NOT_PROVED = {
    "ulysses/right.hlo": "an all-to-all of several tensors at once is not supported",
    "exchanged/right.hlo": "an all-to-all of several tensors at once is not supported",
    "experts/right.hlo": "an all-to-all of several tensors at once is not supported",
    "clipped/right.hlo": "it has other expressions than single",
}
"""Right texts that are not proved, and why: arrays that are no parts of one tensor, or what XLA made of expressions."""
RIGHT = [
    name
    for key, difference in EXECUTED.items()
    if difference < EQUAL
    for name in (f"{key}.mlir", *([f"{key}.hlo"] if key.endswith("/right") else []))
    if name not in NOT_PROVED
]
PARTITIONED = sorted(str(path.relative_to(TEXTS)) for path in TEXTS.glob("*/partitioned_[0-9]*.hlo"))
"""What XLA made of functions for one device whose parameters are cut at random: messages, slices by device's number."""
WRONG = [f"{key}.mlir" for key, difference in EXECUTED.items() if difference >= EQUAL]


SOME = [name for name in RIGHT if not name.startswith(("mlp/", "sgd/", "momentum/"))]
"""Without those that do nothing that mlp_two_axes or adam does not do too."""


def test_there_are_enough_of_each():
    assert len([name for name in RIGHT if name.endswith(".mlir")]) >= 20
    assert len([name for name in RIGHT if name.endswith(".hlo")]) >= 15
    assert len(WRONG) >= 40
    texts = [(TEXTS / name).read_text(encoding="utf-8") for name in PARTITIONED]
    assert all(any(word in text for text in texts) for word in ("collective-permute(", "partition-id", "all-gather("))


@pytest.mark.thorough  # wrong texts are told from right ones below
def test_right_texts_are_proved():
    """The standard tier takes every text in one of its two forms, the forms in turn."""
    for name in RIGHT + PARTITIONED if is_full() else sample(alternating(SOME), 9) + sample(PARTITIONED, 1):
        verdict = judged(TEXTS / name)
        assert isinstance(verdict, Proved), (name, verdict)


def alternating(names):
    """Of texts that there are in two forms the one and the other, from text to text."""
    forms = {}
    for name in names:
        forms.setdefault(Path(name).with_suffix(""), []).append(name)
    return [one[number % len(one)] for number, one in enumerate(forms.values())]


LONGEST = ("sgd/sum_of_parameters.mlir", "adam/squares_of_parts.mlir")
"""No equation explains them, so that all are tried. A sum of momenta and the norm of parts are as wrong."""


def test_wrong_texts_are_shown_with_result_and_rank():
    """The standard tier takes some kinds of faults, one of each."""
    kinds = {Path(name).stem: name for name in WRONG if name not in LONGEST}
    for name in WRONG if is_full() else sample(kinds.values(), 3):
        verdict = judged(TEXTS / name)
        assert isinstance(verdict, Refuted), (name, verdict)
        assert verdict.counter_example.wrong is not None, name
        assert verdict.counter_example.wrong.rank is not None, name
        assert verdict.counter_example.wrong.name.startswith("result"), name


def test_what_is_right_and_not_proved_says_why():
    for name, reason in NOT_PROVED.items():
        verdict = judged(TEXTS / name)
        assert isinstance(verdict, Unknown), (name, verdict)
        assert reason in verdict.reason, name


@pytest.mark.thorough  # what JAX wrote is stored and judged above; this is about the JAX that is installed
def test_jax_still_writes_such_texts(tmp_path):
    if importlib.util.find_spec("jax") is None:
        pytest.skip("needs jax")
    executed = written_again(tmp_path, "mlp_two_axes")
    for key, difference in executed.items():
        verdict = judged(tmp_path / f"{key}.mlir")
        assert isinstance(verdict, Proved if difference < EQUAL else Refuted), (key, verdict)
    assert len(executed) == 4
    assert isinstance(judged(tmp_path / "mlp_two_axes/right.hlo"), Proved)
