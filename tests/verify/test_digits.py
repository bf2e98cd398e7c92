"""Numbers of counter-examples are written out up to 200 digits, in every line of a verdict."""

import re

import pytest
from command_line import output
from tiers import sample

from p2smt.wording import MOST_DIGITS

STEP = '[[step]]\noperation = "AllReduce"\n'


@pytest.mark.parametrize(("steps", "rounded"), sample([(600, False), (1000, True), (700, True)], 2))
def test_a_contribution_that_is_counted_very_often_is_rounded(steps, rounded, tmp_path, capsys):
    """After n sums of two devices each contribution counts 2^(n - 1) times: 2^599 has 181 digits, 2^699 has 211."""
    file = tmp_path / "plan.toml"
    file.write_text("version = 1\ndevices = 2\nchunks = 1\n" + STEP * steps, encoding="utf-8")
    text = output(["verify", str(file)], capsys, code=1)
    assert max(map(len, re.findall(r"\d+", text))) <= MOST_DIGITS
    assert ("about " in text) is rounded
    if rounded:
        leading = str(2 ** (steps - 1))
        assert f"about {leading[0]}.{leading[1:7]} * 10^{len(leading) - 1}" in text
    else:
        assert str(2 ** (steps - 1)) in text
