"""What operations count for: the search's prices, the account of a program, and bounds agree on it."""

from dataclasses import replace
from fractions import Fraction

import pytest
from spmd.joint_problems import MOMENTUM, cluster

from p2smt.errors import ProblemError
from p2smt.problem.system.devices import Effort
from p2smt.spmd.effort import PLAIN, Efforts, efforts_of
from p2smt.spmd.graph import graph_of
from p2smt.spmd.sharding import shard
from p2smt.spmd.shares import even, proportional
from p2smt.tensor.operation import Kind
from p2smt.tensor.text.parser import parse_program

HEAVY = Efforts(1000, (("map", Fraction(7, 2)), ("transpose", Fraction(3)), ("reduce", Fraction(2))))


def machines(efforts, speeds=(10**12, 10**12)):
    return replace(cluster(speeds), efforts=efforts)


def test_an_operation_takes_its_work_by_name_or_kind_and_its_beginning():
    program = parse_program(MOMENTUM)
    graph = graph_of(program)
    alone = shard(program, replace(cluster((10**12,)), efforts=HEAVY), (even(1),))
    expected = 0
    for node in graph.nodes:
        elements = 1
        for label in node.signature.labels:
            elements *= label.size
        match node.operation:
            case "matmul":
                expected += 2 * elements + 1000
            case "mul" | "add" | "sub":
                expected += elements * 7 // 2 + 1000
            case "sum":
                expected += elements * 2 + 1000
            case "transpose":
                expected += elements * 3 + 1000
            case "update":
                pass
            case other:
                raise AssertionError(other)
    assert alone.account.time == expected
    assert [each.work for each in alone.account.instructions if each.text == "update"] == [(0,), (0,)]


@pytest.mark.parametrize("speeds", [(10**12, 10**12), (10**12, 3 * 10**11, 10**11)])
def test_no_program_is_below_the_bound_and_none_above_what_the_search_adds_up(speeds):
    program = parse_program(MOMENTUM)
    for shares in (even(len(speeds)), proportional(speeds)):
        found = shard(program, machines(HEAVY, speeds), (shares,), certify=True)
        assert found.lower_bound <= found.account.time <= found.account.apart
        assert found.proved
        plain = shard(program, machines(PLAIN, speeds), (shares,))
        assert found.account.time > plain.account.time


def test_beginnings_are_not_divided_and_so_many_small_operations_are_no_reason_to_cut():
    program = parse_program(MOMENTUM)
    slow = machines(Efforts(10**9), (10**12, 10**12))
    found = shard(program, slow, (even(2),))
    begun = sum(node.operation != "update" for node in graph_of(program).nodes)
    assert found.lower_bound >= begun * 10**9
    assert found.account.time - begun * 10**9 < 10**9


@pytest.mark.parametrize("turned", [False, True])
def test_a_weight_is_that_of_the_name_before_that_of_the_kind(turned):
    """In whichever order they are said; where nothing is said operations count once, and what moves elements not."""
    said = (("map", Fraction(2)), ("mul", Fraction(3)), ("relabel", Fraction(4)), ("transpose", Fraction(0)))
    weights = Efforts(0, said[::-1] if turned else said)
    wanted = {
        "mul": 3,
        "add": 2,
        "transpose": 0,
        "expand": 4,
        "matmul": 1,
        "sum": 1,
        "softmax": 1,
        "reshape": 0,
        "cat": 0,
    }
    assert {name: weights.weight(name) for name in wanted} == wanted


def test_names_of_no_operation_are_refused():
    assert efforts_of(None) == PLAIN
    assert efforts_of(Effort(start=2.4, weights=(("map", 1.5),))) == Efforts(2, (("map", Fraction(3, 2)),))
    with pytest.raises(ProblemError, match=r"effort: 'mapp' is no operation and no kind of them.*did you mean map\?"):
        efforts_of(Effort(weights=(("mapp", 1.0),)))
    assert {kind.value for kind in Kind if kind.moves} == {"relabel", "view", "join"}
