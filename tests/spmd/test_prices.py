"""What a search counts for a choice is what the program of that choice takes, and what is kept is asked for again."""

import random
from dataclasses import fields, replace
from fractions import Fraction
from itertools import product

from spmd.joint_problems import cluster
from spmd.mesh.meshes import mesh, options
from tensor.one_operation import single
from tensor.operation_cases import CASES
from tiers import is_full, sample

from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.effort import Efforts
from p2smt.spmd.devices.shares import proportional
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.layouts import usable_rules
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import Pricing, in_even_shares, on_one_axis
from p2smt.tensor.layout import Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.text.parser import parse_program

SPEEDS = (5 * 10**9, 2 * 10**9, 10**9)
WEIGHED = Efforts(1000, (("map", Fraction(5)), ("contract", Fraction(3))))


def drawn(rng, problem, of):
    """Some rules of the operations, and the cheapest conversions that go with them."""
    choices = tuple(
        each if hasattr(meaning, "tensor") else each._replace(costs=tuple(rng.randrange(9) << 50 for _ in each.costs))
        for each, meaning in zip(problem.choices, of, strict=True)
    )
    return eliminate(replace(problem, choices=choices)).answer.assignment


def test_whatever_is_chosen_of_any_operation_its_price_is_what_the_program_takes():
    rng = random.Random(1)
    unlike = replace(cluster(SPEEDS, 7), efforts=WEIGHED)
    for call, types in sample(CASES, len(CASES) // 2):
        one = single(call, types)
        graph = graph_of(one)
        sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), unlike, proportional(SPEEDS))))
        for _ in range(3 if is_full() else 1):
            assignment = drawn(rng, sharding.problem, sharding.meanings)
            made = account(emit(sharding, assignment), unlike)
            assert made.apart == sharding.problem.cost(assignment), call


def test_the_same_of_two_axes_with_networks_of_their_own():
    rng = random.Random(2)
    where = mesh((2, 2), 10**9, (11, 3))
    where = replace(where, cluster=replace(where.cluster, efforts=WEIGHED))
    named = (
        "tanh(x0)",
        "add(x0, x1)",
        "matmul(x0, x1)",
        "max(x0, 1)",
        "embedding(x0, x1)",
        "embedding_backward(x0, x1, 6)",
    )
    for call, types in [*CASES, ("tanh(x0)", ("f32[9,9]",)), ("tanh(x0)", ("f32[7,5]",))]:
        if call not in named or any(each.count(",") > 1 for each in types):
            continue
        sharding = build(options(single(call, types), where))
        for _ in range(3 if is_full() else 1):
            assignment = drawn(rng, sharding.problem, sharding.meanings)
            made = account(emit(sharding, assignment), where.cluster, where.networks)
            assert made.apart == sharding.problem.cost(assignment), call


class Forgetful(dict):
    """Says of nothing that it is known."""

    def __contains__(self, key):
        return False


def forgetting(pricing):
    """The same, which works out everything anew."""
    kept = [each.name for each in fields(pricing) if each.name.startswith("_")]
    return replace(pricing, **{name: Forgetful() for name in kept})


ALIKE = """program alike
input x : f32[6, 4]
input b : bf16[6, 4]
input v : f32[4, 6]
input t : f32[9, 4]
input s : f32[6]
input q : f32[9, 9]
y1 = relu(x)
y2 = relu(b)
y3 = relu(v)
y4 = relu(t)
y5 = relu(s)
y6 = matmul(x, v)
y7 = matmul(v, x)
y8 = sum(x, 0)
y9 = sum(x, 1)
y10 = sum(b, 1)
y11 = relu_backward(x, x)
y12 = x * x
y13 = tanh(q)
"""
ALIKE += "".join(f"output y{number}\n" for number in range(1, 14))


CUTS = Sliced(0), Sliced(1)


def asked(known):
    """Everything that is asked of prices."""
    pricing = known.pricing
    graph, axes = pricing.graph, range(len(pricing.mesh.sizes))
    questions = []
    for number, tensor in enumerate(graph.tensors):
        whole = [Replicated(), Partial(), Partial(ReductionOp.MAX), *map(Sliced, range(len(tensor.shape)))]
        layouts = [each for each in product(whole, repeat=len(axes)) if known.forms.is_layout(number, each)]
        questions += [("conversion", number, *pair) for pair in product(layouts, repeat=2)]
        questions += [("device_bytes", number, each) for each in layouts]
        questions += [("sizes", number, each, axis) for each in layouts for axis in axes if each[axis] in CUTS]
    for node in graph.nodes:
        usable = usable_rules(graph, node, pricing.classes)
        rules = product(usable, repeat=len(axes))
        questions += [(name, node, each) for each in rules for name in ("slowest", "computation")]
    return questions


def test_a_price_does_not_depend_on_what_was_asked_before():
    rng = random.Random(4)
    graph = graph_of(parse_program(ALIKE))
    machines = replace(cluster(SPEEDS, 7), efforts=WEIGHED)
    one = on_one_axis(graph, classes_of(graph), machines, proportional(SPEEDS))
    where = mesh((2, 3), tuple(SPEEDS) * 2, (11, 3))
    two = in_even_shares(graph, classes_of(graph), where)
    uneven = Pricing(graph, classes_of(graph), where, (two.shares[0], proportional(SPEEDS)))
    for pricing in (one, two, uneven):
        questions = asked(OptionCache(pricing))
        for name, *rest in rng.sample(questions, min(len(questions), 600)):
            assert getattr(pricing, name)(*rest) == getattr(forgetting(pricing), name)(*rest), (name, rest)


def test_an_operation_is_what_it_is_in_a_program_of_its_own():
    """Equal operations on equal operands are one; those that differ in anything are not."""
    more = "y18 = max(x, 1)\ny14 = pow(s, 2)\ny15 = pow(s, 3)\ny16 = relu_backward(b, b)\ny17 = relu(y1)\noutput y17\n"
    lines = (ALIKE + more + "".join(f"output y{number}\n" for number in (14, 15, 16, 18))).splitlines()
    together = graph_of(parse_program("\n".join(lines)))
    made = {node.result: node for node in together.nodes}
    assert len(made) == 18
    sources = [line for line in lines if line.startswith("input")]
    kinds = {}
    for line in lines:
        name, _, call = line.partition(" = ")
        if call and name != "y17":
            alone = graph_of(parse_program("\n".join(["program one", *sources, line, f"output {name}"])))
            (other,), mine = alone.nodes, made[together.named[name]]
            assert (mine.operation, mine.attributes, mine.flops, mine.signature) == (
                other.operation,
                other.attributes,
                other.flops,
                other.signature,
            )
            here, there = together.tensors[mine.result], alone.tensors[other.result]
            assert (here.shape, here.dtype) == (there.shape, there.dtype)
            kinds[name] = mine.kind
    assert len(set(kinds.values())) == len(kinds)
    assert made[together.named["y17"]].kind == kinds["y1"]
