"""What operations count for: the search's prices, the account of a program, and bounds agree on it."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from looped import looped
from spmd.joint_problems import MOMENTUM, cluster
from tiers import sample

from p2smt.errors import ProblemError
from p2smt.problem.system.devices import Effort
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.effort import PLAIN, Efforts, efforts_of
from p2smt.spmd.devices.shares import even, proportional
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.operation import Kind
from p2smt.tensor.text.parser import parse_program

HEAVY = Efforts(1000, (("map", Fraction(7, 2)), ("transpose", Fraction(3)), ("reduce", Fraction(2))))
ELEMENTS = replace(HEAVY, weights=(*HEAVY.weights, ("element", Fraction(400)), ("join", Fraction(3))))


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


@pytest.mark.parametrize(
    "speeds",
    [
        pytest.param((10**12, 10**12), marks=pytest.mark.thorough),  # a special case of devices that are unlike
        (10**12, 3 * 10**11, 10**11),
    ],
)
def test_no_program_is_below_the_bound_and_none_above_what_the_search_adds_up(speeds):
    program = parse_program(MOMENTUM)
    for shares, efforts in sample(product((even(len(speeds)), proportional(speeds)), (HEAVY, ELEMENTS)), 2):
        found = shard(program, machines(efforts, speeds), (shares,), certify=True)
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


def of_call(text, *operands):
    """The operation of the one statement, what it has to do, and its signature."""
    lines = [f"input {name} : f32[{', '.join(map(str, shape))}]" for name, shape in zip("xyz", operands, strict=False)]
    program = parse_program("\n".join(["program one", *lines, f"r = {text}", "output r", ""]))
    (node,) = graph_of(program).nodes
    return node.operation, node.flops, node.signature


WEIGHED = (("element", Fraction(10)), ("conv2d", Fraction(3)), ("join", Fraction(2)), ("view", Fraction(1)))
ROOFLINE = Efforts(0, WEIGHED)


@looped(
    ("text", "operands", "expected"),
    [
        ("matmul(x, y)", [(100, 200), (200, 300)], 2 * 100 * 200 * 300),
        ("matmul(x, y)", [(100, 2), (2, 300)], 10 * (100 * 2 + 2 * 300 + 100 * 300)),
        ('einsum("a b d, a c d -> b a c", x, y)', [(64, 17, 8), (64, 5, 8)], 10 * 64 * (17 * 8 + 5 * 8 + 17 * 5)),
        ("linear(x, y)", [(7, 5), (3, 5)], 10 * (7 * 5 + 3 * 5 + 7 * 3)),
        ("conv2d(x, y)", [(1, 1, 4, 4), (1, 1, 1, 1)], 3 * 2 * 16),
        ("add(x, y)", [(8, 8), (8, 8)], 64),
    ],
)
def test_a_contraction_takes_what_its_operations_or_its_elements_do_whichever_is_more(text, operands, expected):
    """But where its name has a weight; what is no contraction has no elements beside."""
    work = ROOFLINE.work(*of_call(text.replace("add(x, y)", "x + y"), *operands))
    assert abs(work - expected) <= expected / 1000


@looped(
    ("text", "operands", "elements"),
    [
        ("cat(x, y, dim=0)", [(3, 5), (4, 5)], 2 * 7 * 5),
        ("slice(x, dim=1, start=2, stop=6)", [(3, 9)], 2 * 3 * 4),
        ("pad(x, dim=0, before=1, after=2)", [(3, 5)], 2 * 6 * 5),
        ("reshape(x, 4, 15)", [(12, 5)], 60),
        ("reshape(x, 6, 5, 2)", [(6, 10)], 60),
        ("transpose(x, 1, 0)", [(12, 5)], 0),
    ],
)
def test_what_is_moved_are_the_elements_of_the_result(text, operands, elements):
    """The search and the account of the program agree on it."""
    assert ROOFLINE.work(*of_call(text, *operands)) == elements
    lines = [f"input {name} : f32[{', '.join(map(str, shape))}]" for name, shape in zip("xy", operands, strict=False)]
    program = parse_program("\n".join(["program one", "mesh device=1", *lines, f"r = {text}", "output r", ""]))
    assert account(program, machines(ROOFLINE, (10**12,))).time == elements


def test_work_that_fits_is_not_spoilt_by_the_numerator_of_its_weight():
    """2^44 elements, each of which counts 524.287: the product with the numerator alone has 64 bits."""
    lines = [f"input x : f32[{2**22}, {2**22}]", "y = x * x", "output y"]
    program = parse_program("\n".join(["program one", "mesh device=1", *lines, ""]))
    heavy = machines(Efforts(0, (("map", Fraction(524287, 1000)),)), (10**12,))
    (made,) = account(program, heavy).instructions
    assert made.work == (-(-(2**44) * 524287 // 1000),)


def test_names_of_no_operation_are_refused():
    assert efforts_of(None) == PLAIN
    assert efforts_of(Effort(weights=(("element", 2.5),))) == Efforts(0, (("element", Fraction(5, 2)),))
    assert efforts_of(Effort(start=2.4, weights=(("map", 1.5),))) == Efforts(2, (("map", Fraction(3, 2)),))
    with pytest.raises(
        ProblemError, match=r"effort: 'mapp' is neither an operation nor a kind of operation.*did you mean map\?"
    ):
        efforts_of(Effort(weights=(("mapp", 1.0),)))
    assert {kind.value for kind in Kind if kind.moves} == {"relabel", "view", "join"}
