"""What measured gains of reduction programs say, and the programs that are compared."""

import pytest
from scripts.loading import script_module

from p2smt.cost.network.backend import Gloo
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.ways import carried
from p2smt.spmd.devices.system import cluster_of
from p2smt.tensor.way import Way


@pytest.fixture(scope="module")
def measuring():
    return script_module("measure_shard_programs")


def row(measuring, candidate, programs, predicted, seconds, loss=2.0):
    return measuring.Row(
        setting="2x2",
        model="vit",
        candidate=candidate,
        calls=3,
        programs=programs,
        library_predicted=2.0,
        predicted=predicted,
        library_seconds=3.0,
        seconds=seconds,
        loss=loss,
        library_loss=2.0,
    )


def test_gains_are_of_rows_with_programs_alone(measuring):
    rows = [row(measuring, *each) for each in (("a", 3, 1.0, 1.5), ("b", 1, 1.0, 6.0), ("c", 0, 2.0, 9.0))]
    text = measuring.report(rows)
    assert "2 programs: faster 1.00 times (geometric mean), at least 0.50, at most 2.00;" in text
    assert "|ln(predicted / measured)| of the gain 0.693; losses of first steps agree: yes" in text
    assert text.count("2x2\n") == 1
    assert "losses of first steps agree: no" in measuring.report([row(measuring, "a", 3, 1.0, 1.5, loss=2.1)])


@pytest.mark.thorough  # programs among hosts are priced in tests/spmd
def test_data_parallelism_is_among_what_is_compared_and_goes_by_programs_on_two_hosts(measuring):
    both = cluster_of(find_system("lab:2x2"), Gloo(), programs=True)
    many = measuring.candidates(measuring.program_of("mlp"), both)
    assert {*many} == {"fastest", *measuring.TAKEN}
    for name in measuring.TAKEN:
        how = carried(many[name], both)
        assert {*how.ways.values()} == {Way.PROGRAM}
        assert how.programs.keys() == how.ways.keys()
