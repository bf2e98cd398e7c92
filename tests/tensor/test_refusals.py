"""What no program may say: operations without a meaning on such shapes, numbers that are none, names said twice."""

import pytest

from p2smt.errors import ProgramError
from p2smt.tensor.text.parser import parse_program

HEAD = """program p
input x : f32[4, 6]
parameter w : f32[6, 5]
input im : f32[2, 3, 4, 4]
parameter ke : f32[5, 3, 3, 3]
input s : f32[]
input odd : f32[4, 5]
"""

CALLS = (
    ('einsum(x, w, "b b, k n -> b n")', "'b b' has a label twice"),
    ('einsum(x, w, "b k, k n -> b b")', "'b b' has a label twice"),
    ('einsum(x, w, "b k, k n -> b z")', "no operand has the label 'z'"),
    ('einsum(x, w, "b k n")', "has to be like 'b m k, k n -> b m n'"),
    ('einsum(x, w, "b k, k n -> b, n")', "has to be like 'b m k, k n -> b m n'"),
    ('einsum(x, w, "b k -> b")', "operands of an einsum and of its call: 1 and 2 have to be equal"),
    ('einsum(x, w, "b k c, k n -> b")', "the operand 'b k c' has 2 dimensions, not 3"),
    ("linear(s, w)", "linear of a scalar"),
    ("linear(x, im)", "the weight of a linear has 4 dimensions, not 2"),
    ("matmul(s, w)", "matmul of 0 and 2 dimensions; the second has 2 or as many as the first"),
    ("matmul(x, im)", "matmul of 2 and 4 dimensions; the second has 2 or as many as the first"),
    ("conv2d(im, ke, 1, 0, 2)", "a kernel [3, 3] with elements 2 apart on [4, 4] padded by 0 has no position"),
    ("conv2d(im, ke, 1, 5, 1)", "a padding of 5 is wider than [4, 4] and than a kernel [3, 3]"),
    ("conv2d(im, ke, 0, 0, 1)", "0 has to be at least 1"),
    ("max_pool2d(im, 5, 1)", "a window of 5 on [4, 4] has no position"),
    ("max_pool2d(x, 2, 1)", "what is pooled has 2 dimensions, not 4"),
    ("rotary(x, 0)", "the base is 0.0; it has to be above 0"),
    ("rotary(s, 10)", "positions and an even number of features end the shape, which is []"),
    ("rotary(odd, 10)", "positions and an even number of features end the shape, which is [4, 5]"),
    ("embedding(w, x)", "embedding: indices of type f32, not i32 or i64"),
    ("slice(x, 0, 3, 5)", "indices 3 to 5 of 4; 0 <= start < stop <= length has to hold"),
    ("slice(x, 0, 2, 2)", "indices 2 to 2 of 4; 0 <= start < stop <= length has to hold"),
    ("1e999", "1e999 is no finite number"),
    ("1234567890123456789", "a whole number of more than 18 digits"),
    ("* x", "expected an expression, found '*'"),
    ("relu(x, 3)", "relu takes no argument more"),
    ('relu(x, "a")', "relu takes no argument more"),
    ("softmax(x, dim=1, dim=1)", "'dim' is twice"),
    ("softmax(x, di=1)", "'di' is no parameter of softmax"),
    ("AllToAll(x, 0, 1, 2)", "more than two numbers behind the operand of a conversion"),
    ("AllReduce(x, sizes=1/2)", "AllReduce is written AllReduce(x), or with max or min behind x"),
    ("AllGather(x, 0, 1)", "AllGather is written AllGather(x, dimension)"),
    ("AllReduce(x, axis=a, axis=b)", "column 26: 'axis' is twice"),
    ("AllReduce(x, axis=a, axis=a)", "'axis' is twice"),
    ("Slice(x, 0, sizes=1/3, sizes=2/2)", "'sizes' is twice"),
    ("AllReduce(x, max, min)", "'min' is a second reduction"),
    ("AllReduce(x, max, +)", "'+' is a second reduction"),
    ("AllReduce(x, +, axis=a, max)", "'max' is a second reduction"),
    ("Send(x, next, next)", "'next' is twice"),
)

TEXTS = (
    ("program q", "a second program in one text"),
    ("size B = 3\nsize B = 4", "'B' has a meaning already"),
    ("size B = 3\ninput y : f32[B = 4]", "'B' is a size already"),
    ("mesh a = 2, a = 2", "the axis 'a' is there already"),
    ("mesh a = 0", "the ranks of an axis is 0; it has to be 1 to 65536"),
    ("input x : f32[4]", "'x' has a meaning already"),
    ("input e : f32[4, 0]", "a length is 0; it has to be 1 to"),
    ("ranks = x", "'ranks' has a meaning already"),
    ("output x\noutput x", "'x' is an output already"),
    ("input y : f32[4] sliced(0, a) sliced(0, a)", "a second layout on the axis 'a'"),
    ("input y : f32[4] sliced(0) partial(+)", "a second layout on the axis ''"),
    ("input y : f32[4] sliced(0, a, size=1/3)", "expected sizes=, found 'size'"),
    ("size B = 3\ninput B : f32[4]", "'B' has a meaning already"),
    ("size B = 3\nB = relu(x)", "'B' has a meaning already"),
    ("size B = 3\nscalar B", "'B' has a meaning already"),
    ("input y : f32[4]\nsize y = 3", "'y' has a meaning already"),
    ("constant y : f32[4] = 1e999", "1e999 is no finite number"),
    ("constant y : f32[4] = -1e999", "1e999 is no finite number"),
)


def test_the_head_is_a_program():
    assert [each.name for each in parse_program(HEAD + "y = matmul(x, w)\noutput y").statements] == ["y"]


@pytest.mark.parametrize(("call", "wanted"), CALLS, ids=[call for call, _ in CALLS])
def test_a_call_without_a_meaning_is_refused_where_it_stands(call, wanted):
    with pytest.raises(ProgramError, match=r"^line 8, column ") as error:
        parse_program(f"{HEAD}y = {call}\noutput y")
    assert wanted in str(error.value)


@pytest.mark.parametrize(("lines", "wanted"), TEXTS, ids=[lines for lines, _ in TEXTS])
def test_what_is_said_twice_or_of_nothing_is_refused_where_it_stands(lines, wanted):
    with pytest.raises(ProgramError, match=r"^line [89], column ") as error:
        parse_program(f"{HEAD}{lines}\noutput x")
    assert wanted in str(error.value)
