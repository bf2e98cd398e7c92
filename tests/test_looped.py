"""Cases that run one after the other in one item: all of them do, and the one that fails is named."""

import inspect

import pytest
from looped import looped


def test_every_case_runs_with_the_fixtures_of_the_test():
    seen = []

    @looped(("left", "right"), iter([(1, 2), (3, 4)]))
    @looped("kind", "ab")
    def checked(kind, tmp_path, left, right):
        seen.append((left, right, kind, tmp_path))

    assert list(inspect.signature(checked).parameters) == ["tmp_path"]
    checked(tmp_path="here")
    assert seen == [(1, 2, "a", "here"), (1, 2, "b", "here"), (3, 4, "a", "here"), (3, 4, "b", "here")]


@pytest.mark.parametrize("names", ["left, right", ("left", "right")])
def test_the_case_that_fails_is_named(names):
    @looped(names, [(1, 1), (2, 3), (4, 4)])
    def checked(left, right):
        assert left == right

    with pytest.raises(AssertionError) as failed:
        checked()
    assert failed.value.__notes__ == ["case 1: left, right = (2, 3)"]


def test_no_cases_and_marks_are_refused():
    with pytest.raises(AssertionError, match="there is no case of left"):
        looped("left", [])
    with pytest.raises(AssertionError, match="left: marks need"):
        looped("left", [pytest.param(1, marks=pytest.mark.slow)])
