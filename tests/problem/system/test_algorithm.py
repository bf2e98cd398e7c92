"""Figures per algorithm, and that a system file has a key for each."""

from hypothesis import given
from hypothesis import strategies as st

from p2smt.problem.system.algorithm import Algorithm, PerAlgorithm, flow_key
from p2smt.problem.system.file import system_example_text
from p2smt.problem.system.link_entries import LinkEntry

some = st.dictionaries(st.sampled_from(Algorithm), st.floats(1, 1e12))


@given(some, some)
def test_figures_are_equal_as_mappings_are_in_whatever_order_they_were_given(one, other):
    figures = PerAlgorithm(dict(reversed(one.items())))
    assert figures == one
    assert (figures == PerAlgorithm(other)) == (one == other)
    assert hash(figures) == hash(PerAlgorithm(one))
    assert list(figures) == [algorithm for algorithm in Algorithm if algorithm in one]


def test_every_algorithm_has_its_bound_in_system_files():
    for algorithm in Algorithm:
        assert flow_key(algorithm) in LinkEntry.__struct_fields__
        assert f"\n{flow_key(algorithm)} = " in system_example_text()
