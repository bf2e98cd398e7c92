"""Distributed programs of the models that `tests/spmd/data` has: searched for devices with given shares."""

from fractions import Fraction

from paths import TESTS
from spmd.joint_problems import cluster

from p2smt.spmd.build import build
from p2smt.spmd.classes import classes_of
from p2smt.spmd.elimination import eliminate
from p2smt.spmd.emission import emit
from p2smt.spmd.graph import graph_of
from p2smt.spmd.pricing import Pricing
from p2smt.spmd.shares import given
from p2smt.tensor.text.parser import parse_program


def sharded_model(name, shares, unit=1000):
    """The program of a model on so many devices."""
    single = parse_program((TESTS / "spmd" / "data" / f"{name}.tp").read_text(encoding="utf-8"))
    graph = graph_of(single)
    machines = cluster((10**7,) * len(shares), unit=unit)
    sharding = build(Pricing(graph, classes_of(graph), machines, given(tuple(map(Fraction, shares)))))
    return emit(sharding, eliminate(sharding.problem).answer.assignment)
