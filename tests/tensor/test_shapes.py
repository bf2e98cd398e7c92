"""Flops of calls against their definitions."""

import pytest

from p2smt.tensor.program import Call, Read
from p2smt.tensor.shapes import flops

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


@pytest.mark.parametrize(("name", "attributes", "shapes", "count"), CALLS)
def test_flops_are_counted_as_defined(name, attributes, shapes, count):
    operands = tuple(Read(f"x{number}") for number in range(len(shapes)))
    assert flops(Call(name, operands, attributes), shapes) == count
