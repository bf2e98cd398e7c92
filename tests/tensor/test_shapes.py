"""Flops of calls against their definitions, and which type of elements a call has."""

from looped import looped

from p2smt.tensor.expression import Call, Read
from p2smt.tensor.shapes import flops, wholes
from p2smt.tensor.text.parser import parse_program

CALLS = (
    ("matmul", (), ((2, 3, 4), (4, 5)), 2 * 2 * 3 * 4 * 5),
    ("einsum", ("b m k, k n -> b m n",), ((2, 3, 4), (4, 5)), 2 * 2 * 3 * 4 * 5),
    ("conv2d", (1, 1, 1), ((2, 3, 8, 8), (5, 3, 3, 3)), 2 * (2 * 5 * 8 * 8) * (3 * 3 * 3)),
    ("conv2d_weight_backward", (3, 3, 1, 1, 1), ((2, 5, 8, 8), (2, 3, 8, 8)), 2 * (2 * 5 * 8 * 8) * (3 * 3 * 3)),
    ("add", (), ((3, 4), (4,)), 12),
    ("sum", ((0,),), ((3, 4),), 12),
    ("reshape", ((12,),), ((3, 4),), 0),
    ("embedding", (), ((100, 3), (7,)), 21),
)

GIVEN = """program p
input x : f32[4]
input h : bf16[4]
input i : i64[4]
input b : bool[4]
scalar s : bf16
scalar n : i32
scalar c : bool
parameter w : f16[4, 4]
"""
TYPES = {
    "x * s": "f32",
    "s * x": "f32",
    "n + h": "bf16",
    "s + n": "bf16",
    "s * 2": "bf16",
    "2 * 3": None,
    "where(b, x, x)": "f32",
    "where(c, s, s)": "bf16",
    "where(b, 1, 2)": None,
    "where(b, 1, s)": "bf16",
    "where(c, h, 0)": "bf16",
    "b * x": "f32",
    "gt(x, 1)": "bool",
    "eq(i, i)": "bool",
    "lt(s, 2)": "bool",
    "cast(gt(x, 1), i32)": "i32",
    "cast(s, f64)": "f64",
    "topk_indices(x, 1)": "i64",
    "topk_values(h, 1)": "bf16",
    "one_hot(i, 3)": "f32",
    "embedding(w, i)": "f16",
    "pick(w, i)": "f16",
    "pick_backward(h, i, 3)": "bf16",
    "embedding_backward(w, i, 3)": "f16",
    "cat(h, h, dim=0)": "bf16",
}
"""Arrays say the type and scalars follow; numbers have none; truth and indices say nothing of it."""


def test_a_call_has_the_type_of_its_arrays_or_else_of_its_scalars():
    for call, wanted in TYPES.items():
        found = wholes(parse_program(f"{GIVEN}y = {call}\noutput y\n"))["y"].dtype
        assert found == wanted, call


@looped(("name", "attributes", "shapes", "count"), CALLS)
def test_flops_are_counted_as_defined(name, attributes, shapes, count):
    operands = tuple(Read(f"x{number}") for number in range(len(shapes)))
    assert flops(Call(name, operands, attributes), shapes) == count
