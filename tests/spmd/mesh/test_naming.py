"""Axes of a mesh by the names of what they are for, which nothing else in the program has."""

from looped import looped

from p2smt.spmd.search.mesh.naming import named, named_for
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program

TEXT = """program p
mesh rows=2, columns=2
{size}input {x} : f32[8, 6] sliced(0, rows)
parameter w : f32[6, 4] sliced(1, columns)
{y} = matmul({x}, w) * ranks(rows)
z = AllGather({y}, 1, axis=columns)
output {y} sliced(0, rows)
output z
"""


@looped(
    ("taken", "names"),
    [
        ({}, ("data", "tensor")),
        ({"x": "data"}, ("data2", "tensor")),
        ({"y": "data"}, ("data2", "tensor")),
        ({"y": "tensor"}, ("data", "tensor2")),
        ({"size": "size tensor = 3\n"}, ("data", "tensor2")),
        ({"x": "data", "y": "data2"}, ("data3", "tensor")),
    ],
)
def test_an_axis_has_a_name_that_nothing_else_has(taken, names):
    program = parse_program(TEXT.format(**({"size": "", "x": "x", "y": "y"} | taken)))
    found = named(program)
    assert tuple(axis.name for axis in found.mesh) == names
    assert parse_program(print_program(found)) == found
    before, after = infer(program), infer(found)
    assert isinstance(after, Inferred)
    assert after.layouts == before.layouts


def test_where_purposes_are_known_axes_have_the_names_that_recognition_finds():
    program = parse_program(TEXT.format(size="", x="x", y="data"))
    assert named_for(program, ("data", "tensor")) == named(program)
    assert [axis.name for axis in named_for(program, ("", "data")).mesh] == ["rows", "data2"]
