"""Distributed programs of the models that `tests/spmd/data` has: searched for devices with given shares."""

from fractions import Fraction

from paths import TESTS
from spmd.joint_problems import cluster

from p2smt.spmd.devices.shares import given
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.model.restriction import FREEDOM, PerAxis
from p2smt.spmd.search.baselines import BASELINES
from p2smt.tensor.text.parser import parse_program


def sharded_model(name, shares, unit=1000, baseline=None):
    """The program of a model on so many devices, the fastest or that of a way of the trade."""
    single = parse_program((TESTS / "spmd" / "data" / f"{name}.tp").read_text(encoding="utf-8"))
    graph = graph_of(single)
    classes = classes_of(graph)
    machines = cluster((10**7,) * len(shares), unit=unit)
    sharding = build(
        OptionCache(on_one_axis(graph, classes, machines, given(tuple(map(Fraction, shares))))),
        PerAxis((dict(BASELINES)[baseline](graph, classes),)) if baseline else FREEDOM,
    )
    return emit(sharding, eliminate(sharding.problem).answer.assignment)
