"""Kinds of public logs: what a careful person could use is fitted without an edit, others say why not."""

import pytest
from cost.calibration.kinds import kinds, outcome
from tiers import sample


@pytest.mark.parametrize("kind", sample(kinds(), 6), ids=lambda kind: kind.name)
def test_a_kind_of_log_is_fitted_doubted_or_refused_for_its_reason(kind):
    found = outcome(kind)
    assert found.is_expected(kind), found
