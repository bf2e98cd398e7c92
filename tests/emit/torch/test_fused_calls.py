"""Biases inside calls, and products of matrices in the place of einsums: on every rank, and only where due."""

import numpy as np
from emit.torch.one_rank import computed, given_to
from looped import looped

from p2smt.emit.torch.program.biases import with_biases_inside
from p2smt.emit.torch.program.source import emit_program
from p2smt.tensor.interpreter import run
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

BEGIN = "program fused\nmesh r=3\n"
GIVEN = "input x : f32[4, 2, 5]{x}\nparameter w : f32[6, 5]{w}\nparameter b : f32[6]{b}\n"
IMAGES = "input x : f32[2, 3, 5, 5]{x}\nparameter w : f32[6, 3, 3, 3]{w}\nparameter b : f32[6]{b}\n"
SUM = "h = linear(x, w)\ny = h + b\n"
CONVOLVED = "h = conv2d(x, w, padding=1)\ny = h + reshape(b, 6, 1, 1)\n"
ROWS = " sliced(0, sizes=3/0/1)"
COLUMNS = " sliced(0, sizes=1/5/0)"


def agrees(program):
    """The emitted statements give on every rank what the interpreter gives."""
    generator = np.random.default_rng(4)
    arrays = {each.name: generator.normal(size=each.shape) for each in program.sources}
    given = given_to(program, arrays, Reals())
    expected = run(program, given, Reals(), 1)["y"]
    found = computed(with_biases_inside(program), given)
    return all(np.allclose(mine["y"], theirs.array) for mine, theirs in zip(found, expected, strict=True))


@looped(
    ("sources", "layouts", "lines", "output", "calls"),
    [
        (GIVEN, {}, SUM, "y", 1),
        (GIVEN, {"x": ROWS}, SUM, f"y{ROWS}", 1),
        (GIVEN, {"w": COLUMNS, "b": COLUMNS}, SUM, f"y{COLUMNS.replace('0', '2', 1)}", 1),
        (IMAGES, {}, CONVOLVED, "y", 1),
        (IMAGES, {"w": COLUMNS, "b": COLUMNS}, CONVOLVED, f"y{COLUMNS.replace('0', '1', 1)}", 1),
        # read elsewhere too, observed, or another sum
        (GIVEN, {}, f"{SUM}z = h * 2\nv = y + z\n", "y\noutput v", 0),
        (GIVEN, {}, SUM, "y\noutput h", 0),
        (GIVEN, {}, "h = linear(x, w)\ny = h + reshape(b, 1, 6)\n", "y", 0),
        (GIVEN, {}, "h = linear(x, w)\ny = h + sum(h)\n", "y", 0),
        (GIVEN, {}, "h = linear(x, w)\ny = h - b\n", "y", 0),
    ],
)
def test_a_bias_is_added_by_the_call_that_makes_the_product(sources, layouts, lines, output, calls):
    text = sources.format(**{name: layouts.get(name, "") for name in "xwb"})
    program = parse_program(f"{BEGIN}{text}{lines}output {output}\n")
    emitted = emit_program(program)
    product = "y = torch.nn.functional.linear(x, w, b)", "y = conv2d(x, w, 1, 1, 1, "
    assert any(each in emitted for each in product) == calls
    assert agrees(program)


@looped(
    ("left", "right", "einsum", "text"),
    [
        ("4, 2, 5", "4, 2, 3", "a b m, a b n -> m n", "torch.mm(x.flatten(0, 1).t(), w.flatten(0, 1))"),
        ("4, 5", "4, 3", "a m, a n -> n m", "torch.mm(w.t(), x)"),
        ("4, 2, 5", "2, 4, 3", "a b m, b a n -> m n", "torch.einsum("),
        ("5, 4", "4, 3", "m a, a n -> m n", "torch.einsum("),
        ("4, 2, 5", "4, 2, 3", "a b m, a b n -> b m n", "torch.einsum("),
    ],
)
def test_gradients_of_weights_are_products_of_two_matrices(left, right, einsum, text):
    program = parse_program(
        f'{BEGIN}input x : f32[{left}]\nparameter w : f32[{right}]\ny = einsum("{einsum}", x, w)\noutput y\n'
    )
    assert f"y = {text}" in emit_program(program)
    assert agrees(program)
