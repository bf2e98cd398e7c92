"""Sharded programs: right by inference, by the checker of derivations and by comparison; as cheap as trying all is."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from looped import looped
from spmd.joint_problems import cluster
from tensor.random_programs import single_program
from tiers import is_full

import p2smt.tensor
from p2smt.errors import ProgramError
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.shares import even, given, proportional, vertices
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.layouts import layout_of, usable_rules
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.search.bound import relaxations
from p2smt.tensor.comparison import compare, names_agree
from p2smt.tensor.derivation import check
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Partial, Replicated, Sliced
from p2smt.tensor.prime_field import PrimeField, covers
from p2smt.tensor.printer import print_program
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

FOLDER = Path(p2smt.tensor.__file__).parent / "examples"
SINGLE = {
    path.stem: program
    for path in sorted(FOLDER.glob("*.tp"))
    if not (program := parse_program(path.read_text(encoding="utf-8"))).is_distributed
}
CLUSTERS = {
    "unlike": cluster((3 * 10**7, 10**7, 10**7)),
    "free computing": cluster((10**15, 10**15)),
    "one": cluster((10**9,)),
}


def sharded(program, machines, shares):
    graph = graph_of(program)
    sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), machines, shares)))
    eliminated = eliminate(sharding.problem)
    return sharding, eliminated, emit(sharding, eliminated.answer.assignment)


def is_right(program, single):
    assert parse_program(print_program(program)) == program
    names_agree(program, single)
    inferred = infer(program)
    assert isinstance(inferred, Inferred), inferred
    assert check(program, inferred) is None
    assert compare(program, single, PrimeField(7) if covers(program) else Reals()) is None


@looped("name", [name for name in SINGLE if is_full() or name not in ("lamb", "lars")])  # as adamw, sgd
def test_an_example_is_sharded_right_and_costs_what_the_search_says(name):
    """In the standard tier with one of the shares, another for each example; one example on the other clusters."""
    number = sorted(SINGLE).index(name)
    cases = [(machines, shares) for machines in CLUSTERS.values() for shares in vertices(machines.speeds)]
    if not is_full():
        unlike = [case for case in cases if case[0] is CLUSTERS["unlike"]]
        cases = cases if name == "sgd" else [unlike[number % len(unlike)]]
    for machines, shares in cases:
        sharding, eliminated, program = sharded(SINGLE[name], machines, shares)
        is_right(program, SINGLE[name])
        made = account(program, machines)
        assert made.apart == eliminated.answer.cost
        bounds = [eliminate(problem).answer.cost for problem in relaxations(sharding)]
        assert max(bounds) <= made.time <= made.apart
        assert len(set(machines.speeds)) > 1 or made.apart - max(bounds) <= len(made.instructions)
        assert check_certificate(sharding.problem, eliminated.certificate, eliminated.answer.assignment) is None


@pytest.mark.thorough  # shares of 0/1 train in tests/run/training/test_shard.py
def test_shares_of_nothing_and_cuts_smaller_than_the_cluster():
    parts = given((Fraction(0), Fraction(1), Fraction(3)))
    for single in SINGLE.values() if is_full() else (SINGLE["momentum"],):
        _, _, program = sharded(single, cluster((10**7,) * 3), parts)
        is_right(program, single)
    wide = SINGLE["gpt_block" if is_full() else "mlp_step"]
    is_right(sharded(wide, cluster((10**6,) * 9), even(9))[2], wide)


def test_random_programs_are_sharded_right():
    rng = random.Random(11)
    cut = 0
    tried = 40 if is_full() else 20
    for _ in range(tried):
        single = single_program(rng)
        speeds = tuple(rng.choice((10**5, 10**6, 3 * 10**6)) for _ in range(rng.randint(2, 5)))
        machines = cluster(speeds, unit=rng.choice((1, 10, 10**4)))
        _, eliminated, program = sharded(single, machines, rng.choice(vertices(speeds)))
        is_right(program, single)
        assert compare(program, single, Reals(3)) is None
        assert account(program, machines).apart == eliminated.answer.cost
        cut += "sliced" in print_program(program)
    assert cut > tried / 4


def layouts_of(pricing, tensor, *more):
    """Every layout of a tensor, from the page alone: an axis cuts what the largest block before it leaves to cut."""
    sizes, dimensions = pricing.mesh.sizes, range(len(pricing.graph.tensors[tensor].shape))
    atoms = [pricing.classes.atoms[pricing.classes.class_of[tensor, d]] for d in dimensions]
    found = []
    for layouts in product([Replicated(), *map(Sliced, dimensions), *more], repeat=len(sizes)):
        left, is_one = list(atoms), True
        for size, layout in zip(sizes, layouts, strict=True):
            is_one &= size > 1 or layout == Replicated()
            if isinstance(layout, Sliced):
                is_one &= left[layout.dimension] > 1
                left[layout.dimension] = -(-left[layout.dimension] // size)
        if is_one:
            found.append(layouts)
    return found


def costs_of_sets(prices, most=None):
    """The least cost of every set of layouts that can be had of the first, by all conversions in all orders."""
    least, waiting = {(1, 0): 0}, [(1, 0)]
    while waiting:
        there, paid = waiting.pop()
        for before, after in ((i, j) for i in range(len(prices)) for j in range(len(prices))):
            price = prices[before][after]
            if price is None or not (there >> before) & 1 or (there >> after) & 1:
                continue
            grown = (there | 1 << after, paid + (price > 0))
            cost = least[there, paid] + price
            if (most is None or grown[1] <= most) and cost < least.get(grown, cost + 1):
                least[grown] = cost
                waiting.append(grown)
    sets = {there for there, _ in least}
    return {there: min(cost for (same, _), cost in least.items() if same == there) for there in sets}


def cheapest_ways(pricing, tensor, root, needs):
    """The minimum arborescence: on one axis by trying every parent of every layout, on several by all sets of them."""
    layouts = list(dict.fromkeys([root, *layouts_of(pricing, tensor), *needs]))
    if len(pricing.mesh.sizes) > 1:
        prices = [[pricing.conversion(tensor, before, after) for after in layouts] for before in layouts]
        every = costs_of_sets([[None if price is None else price.time for price in row] for row in prices])
        wanted = sum(1 << layouts.index(need) for need in needs)
        return min((cost for there, cost in every.items() if not wanted & ~there), default=None)
    others, best = layouts[1:], None
    for parents in product([None, *layouts], repeat=len(others)):
        tree = {layout: parent for layout, parent in zip(others, parents, strict=True) if parent is not None}
        if any(need != root and need not in tree for need in needs) or not all(
            _leads(tree, each, root) for each in tree
        ):
            continue
        prices = [pricing.conversion(tensor, parent, layout) for layout, parent in tree.items()]
        if None not in prices:
            total = sum(price.time for price in prices)
            best = total if best is None else min(best, total)
    return best


def _leads(tree, layout, root):
    for _ in range(len(tree) + 1):
        if layout == root:
            return True
        layout = tree.get(layout)
    return False


def cheapest(pricing):
    """The least cost of a program without new versions, by definition: rules of all operations times stored layouts."""
    graph, classes, axes = pricing.graph, pricing.classes, len(pricing.mesh.sizes)
    sources = [number for number, tensor in enumerate(graph.tensors) if tensor.source is not None]
    stores = [layouts_of(pricing, number) for number in sources]
    choices = [list(product(usable_rules(graph, node, classes), repeat=axes)) for node in graph.nodes]
    goals = {
        output: layouts_of(pricing, output, *([] if graph.tensors[output].shape else [Partial()]))
        for output in graph.outputs
    }
    known, best = {}, None
    for stored in product(*stores):
        for rules in product(*choices):
            total = sum(pricing.slowest(node, each) for node, each in zip(graph.nodes, rules, strict=True))
            root = dict(zip(sources, stored, strict=True))
            needs = {}
            for node, each in zip(graph.nodes, rules, strict=True):
                root[node.result] = tuple(layout_of(rule.result) for rule in each)
                for position, operand in enumerate(node.operands):
                    if isinstance(operand, int):
                        need = tuple(layout_of(rule.operands[position]) for rule in each)
                        needs.setdefault(operand, set()).add(need)
            for tensor in needs.keys() | goals.keys():
                costs = []
                for goal in goals.get(tensor, (None,)):
                    wanted = frozenset(needs.get(tensor, set()) | ({goal} if goal is not None else set()))
                    key = (tensor, root[tensor], wanted)
                    if key not in known:
                        known[key] = cheapest_ways(pricing, tensor, root[tensor], wanted)
                    costs.append(known[key])
                able = [cost for cost in costs if cost is not None]
                total = None if not able or total is None else total + min(able)
            if total is not None:
                best = total if best is None else min(best, total)
    return best


SMALL = (
    "input x : f32[4, 6]\nparameter w : f32[6, 4]\ny = relu(matmul(x, w))\nz = sum(y * y)\noutput z\n",
    "input x : f32[4, 6]\nparameter w : f32[6, 4]\na = matmul(x, w)\nb = softmax(a, 1)\nc = a + b\noutput c\n",
    "input x : f32[6, 3]\ny = softmax(x, 0)\nz = softmax(y, 1)\nm = max(z, 0)\noutput m\noutput z\n",
    "input x : f32[4, 4]\ny = matmul(x, transpose(x, 1, 0))\nz = y + y\noutput z\n",
)


@pytest.mark.parametrize("text", SMALL if is_full() else SMALL[2:])
def test_the_optimum_is_that_of_every_program_tried_out(text):
    single = parse_program("program small\n" + text)
    graph = graph_of(single)
    found = set()
    for speeds, unit in (((10**6,) * 2, 1), ((10**7, 2 * 10**6, 10**6), 10**5)):
        machines = cluster(speeds, unit)
        pricing = on_one_axis(graph, classes_of(graph), machines, proportional(speeds))
        eliminated = eliminate(build(OptionCache(pricing)).problem)
        assert eliminated.answer.cost == cheapest(pricing)
        found.add(eliminated.answer.cost)
    assert len(found) > 1


def test_a_program_that_is_distributed_already_is_refused():
    with pytest.raises(ProgramError, match="already has layouts or collectives; give the single-device program"):
        graph_of(parse_program((FOLDER / "moe_layer_experts.tp").read_text(encoding="utf-8")))


def test_outputs_that_are_one_value_keep_their_names_whatever_is_chosen():
    single = parse_program("""program same
input x : f32[4, 6]
parameter w : f32[6, 6]
y = matmul(x, w)
z = matmul(x, w)
v = relu(z)
u = relu(y)
output z
output y
output v
output u
""")
    rng = random.Random(8)
    graph = graph_of(single)
    sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), CLUSTERS["unlike"], even(3))))
    for _ in range(12):
        choices = tuple(
            each._replace(costs=tuple(rng.randrange(9) for _ in each.costs)) for each in sharding.problem.choices
        )
        program = emit(sharding, eliminate(replace(sharding.problem, choices=choices)).answer.assignment)
        is_right(program, single)
        assert [each.name for each in program.outputs] == ["z", "y", "v", "u"]
