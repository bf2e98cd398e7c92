"""What repeats itself is written once: the same bits as from lines one behind the other, and a file that reads well."""

import ast
import re
from itertools import accumulate

import pytest
import torch
from command_line import golden
from emit.emitted import check_style
from emit.torch.sharded_models import sharded_model

from p2smt.emit.torch.program.marks import StatementLine, marked
from p2smt.emit.torch.program.repeats import repeats
from p2smt.emit.torch.program.source import emit_program
from p2smt.tensor.text.parser import parse_program

STEPS = 2  # of three some models' losses leave the range of numbers, and what is none equals nothing
SEEDS = """program layers
mesh device=2
input x : f32[4, 6] sliced(0)
parameter blocks.0.weight : f32[6, 6]
parameter blocks.0.bias : f32[6]
parameter blocks.1.weight : f32[6, 6]
parameter blocks.1.bias : f32[6]
parameter blocks.2.weight : f32[6, 6]
parameter blocks.2.bias : f32[6]
h0 = tanh(matmul(x, blocks.0.weight) + blocks.0.bias)
d0 = dropout(h0, share=0.25, seed=4)
c0 = d0 * d0
a0 = x + c0
h1 = tanh(matmul(a0, blocks.1.weight) + blocks.1.bias)
d1 = dropout(h1, share=0.25, seed=5)
c1 = d1 * d1
a1 = a0 + c1
h2 = tanh(matmul(a1, blocks.2.weight) + blocks.2.bias)
d2 = dropout(h2, share=0.25, seed=9)
c2 = d2 * d2
a2 = a1 + c2
h3 = tanh(matmul(a2, blocks.2.weight) + blocks.2.bias)
d3 = dropout(h3, share=0.25, seed=7)
c3 = d3 * d3
a3 = a2 + c3
loss = AllReduce(sum(a3))
output loss
"""


def module_of(text):
    names = {"__name__": "emitted"}
    exec(compile(text, "emitted", "exec"), names)
    return names


def functions(text):
    """How often functions of what repeats itself say that they are called, and how often `compute` calls them."""
    made = {each.name: each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)}
    often = {name: re.match(r"What is done (\d+) times", ast.get_docstring(each) or "") for name, each in made.items()}
    calls = [
        node.func.id
        for node in ast.walk(made["compute"])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    return {name: (int(match[1]), calls.count(name)) for name, match in often.items() if match}


def trained(text):
    """Outputs of some steps, and the state behind them, on one device."""
    names = module_of(text)
    torch.manual_seed(0)
    tensors = names["TENSORS"]
    state = {
        name: names["drawn"](tensor, torch.float64)
        for name, tensor in tensors.items()
        if tensor.kind in ("parameter", "state")
    }
    alone = names["OneDevice"](torch.device("cpu"), torch.float64)
    step = names["Step"](state, real=torch.float64, ranks=alone)
    found = []
    for _ in range(STEPS):
        batch = {
            name: names["drawn"](tensor, torch.float64) for name, tensor in tensors.items() if tensor.kind == "input"
        }
        found += step(batch).values()
    kept = step.state_dict()
    moments = [each for table in kept["optimizer"].values() for each in table.values()]
    return [*found, *kept["module"].values(), *moments]


@pytest.mark.thorough  # emitted functions are compared with the interpreter in test_program_operations.py
@pytest.mark.parametrize(
    ("model", "shares", "wanted"),
    [
        ("blocks", (1, 2, 1), {"layer", "layer_backward"}),
        ("blocks", (1, 1), set()),
        ("gpt", (2, 0, 1), set()),
        # nothing has to be folded in these: what is, is made as in those above
        ("vit", (3, 2, 1), set()),
        ("bert", (1, 1, 1), set()),
        ("bert-moe", (0, 1, 3), set()),
        ("vgg", (1, 0, 1), set()),
    ],
)
def test_functions_compute_the_same_bits(model, shares, wanted, tmp_path):
    program = sharded_model(model, shares)
    once, unrolled = emit_program(program), emit_program(program, fold=False)
    made = functions(once)
    assert wanted <= made.keys()
    assert all(count == calls > 1 for count, calls in made.values())
    assert not functions(unrolled)
    if made:
        assert len(once.splitlines()) < 1.1 * len(unrolled.splitlines())
        pairs = list(zip(trained(once), trained(unrolled), strict=True))
        assert all(torch.equal(mine, theirs) for mine, theirs in pairs)
    check_style(tmp_path, [once])


def test_a_model_of_two_layers_reads_well():
    text = emit_program(sharded_model("blocks", (1, 2, 1), baseline="data parallel"))
    assert functions(text).keys() == {"layer", "layer_backward"}
    golden("step_layers.py.txt", text)


def test_layers_have_seeds_of_their_own():
    text = emit_program(parse_program(SEEDS))
    assert functions(text) == {"blocks": (4, 4)}
    assert re.findall(r"= blocks\(at, given, step, (.*)\)", text) == [
        '"0", x, 4',
        '"1", a0, 5',
        '"2", a1, 9',
        '"2", a2, 7',
    ]
    unrolled = emit_program(parse_program(SEEDS), fold=False)
    assert all(torch.equal(*pair) for pair in zip(trained(text), trained(unrolled), strict=True))


def memory(text, side):
    """The most that a step allocates beyond what it begins with, in matrices of so many rows and columns."""
    names = module_of(text)
    tensors = {name: torch.ones(tensor.shape) for name, tensor in names["TENSORS"].items() if tensor.kind != "output"}
    state = {name: each for name, each in tensors.items() if names["TENSORS"][name].kind == "parameter"}
    step = names["Step"](state, ranks=names["OneDevice"](torch.device("cpu"), torch.float32))
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        step({"x": tensors["x"]})
    events = [each for each in profile.profiler.kineto_results.events() if each.name() == "[memory]"]
    held = accumulate(each.nbytes() for each in sorted(events, key=lambda each: each.start_ns()))
    return max(held) / (4 * side * side)


def test_a_function_frees_what_it_is_given_after_its_last_reader():
    """Of the backward passes of four layers whose forward passes are unlike, so that these are no function."""
    side, unlike = 64, ("tanh", "exp", "sigmoid", "relu")
    forward = [f"a{n} = {name}(b{n - 1} * blocks.{n}.weight)\nb{n} = {name}(a{n})" for n, name in enumerate(unlike, 1)]
    backward = [
        f"g{n}_1 = g{n} * b{n}\ng{n}_2 = g{n}_1 * a{n}\ng{n}_3 = g{n}_2 + blocks.{n}.weight\n"
        + "".join(f"g{n}_{k} = g{n}_{k - 1} * g{n}_{k - 2}\n" for k in range(4, 20))
        + f"g{n - 1} = g{n}_19 * b{n - 1}"
        for n in (4, 3, 2, 1)
    ]
    declared = [f"parameter blocks.{n}.weight : f32[{side}, {side}]" for n in (1, 2, 3, 4)]
    text = "\n".join(
        [
            "program layers\nmesh device=1",
            f"input x : f32[{side}, {side}] replicated",
            *declared,
            "b0 = x * 2",
            *forward,
            "g4 = b4 * 3",
            *backward,
            "output g0\n",
        ]
    )
    once, unrolled = emit_program(parse_program(text)), emit_program(parse_program(text), fold=False)
    assert functions(once) == {"repeated": (4, 4)}
    assert once.count("repeated_ended = [") == 4
    assert memory(once, side) == pytest.approx(memory(unrolled, side), abs=0.1)


def lines(text):
    return [StatementLine(line, "# replicated") for line in text.splitlines()]


LAYER = "h{0} = a{0} @ w{0}\nr{0} = relu(h{0})\ns{0} = r{0} * {1}\nq{0} = s{0} + 1\na{2} = a{0} + q{0}\n"


def found(text, given=("a0", "w0", "w1", "w2", "w3", "w4", "w5")):
    return [(each.length, each.starts) for each in repeats(marked(lines(text), given))]


def test_lines_that_depend_on_each_other_in_another_way_are_no_repeat():
    alike = "".join(LAYER.format(number, f"r{number}", number + 1) for number in range(6))
    assert found(alike) == [(5, (0, 5, 10, 15, 20, 25))]
    one_apart = alike.replace("s2 = r2 * r2", "s2 = r2 * r1")
    assert (5, (0, 5, 15, 20, 25)) in found(one_apart)
    every_other = re.sub(r"relu\((h[135])\)", r"tanh(\1)", alike)
    assert found(every_other) == [(10, (0, 10, 20))]


def test_few_lines_are_no_function():
    assert found("b = f(a0)\nc = f(b)\nd = f(c)\n") == []
