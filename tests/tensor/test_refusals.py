"""What no program may say: operations without a meaning on such shapes, numbers that are none, names said twice."""

import pytest
from looped import looped

from p2smt.errors import ProgramError
from p2smt.tensor.expression import Call, Read
from p2smt.tensor.shapes import signature
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
    ('einsum(x, w, "b k n")', "must have the form 'b m k, k n -> b m n'"),
    ('einsum(x, w, "b k, k n -> b, n")', "must have the form 'b m k, k n -> b m n'"),
    ('einsum(x, w, "b k -> b")', "operands of an einsum and of its call: 1 and 2 must be equal"),
    ('einsum(x, w, "b k c, k n -> b")', "the operand 'b k c' has 2 dimensions, not 3"),
    ("linear(s, w)", "linear needs an input with at least one dimension"),
    ("linear(x, im)", "the weight of a linear has 4 dimensions, not 2"),
    ("matmul(s, w)", "matmul of tensors with 0 and 2 dimensions; the second must have 2, or as many as the first"),
    ("matmul(x, im)", "matmul of tensors with 2 and 4 dimensions; the second must have 2, or as many as the first"),
    ("conv2d(im, ke, 1, 0, 2)", "the kernel [3, 3] with elements 2 apart does not fit into [4, 4] padded by 0"),
    ("conv2d(im, ke, 1, 5, 1)", "padding 5 is larger than both the input [4, 4] and the kernel's span [3, 3]"),
    ("conv2d(im, ke, 0, 0, 1)", "0 must be at least 1"),
    ("max_pool2d(im, 5, 1)", "the window 5 does not fit into [4, 4]"),
    ("max_pool2d(x, 2, 1)", "what is pooled has 2 dimensions, not 4"),
    ("rotary(x, 0)", "the base is 0.0; it must be above 0"),
    ("rotary(s, 10)", "the last dimensions must be positions and an even number of features, but the shape is []"),
    (
        "rotary(odd, 10)",
        "the last dimensions must be positions and an even number of features, but the shape is [4, 5]",
    ),
    ("embedding(w, x)", "embedding: indices of type f32, not i32 or i64"),
    ("slice(x, 0, 3, 5)", "slice 3:5 of a length of 4; 0 <= start < stop <= length must hold"),
    ("slice(x, 0, 2, 2)", "slice 2:2 of a length of 4; 0 <= start < stop <= length must hold"),
    ("1e999", "1e999 is not a finite number"),
    ("1234567890123456789", "the whole number has more than 18 digits"),
    ("* x", "expected an expression, found '*'"),
    ("relu(x, 3)", "this is one argument too many; relu takes 1 operands"),
    ('relu(x, "a")', "this is one argument too many; relu takes 1 operands"),
    ("softmax(x, dim=1, dim=1)", "'dim' is twice"),
    ("softmax(x, di=1)", "'di' is no parameter of softmax"),
    ("AllToAll(x, 0, 1, 2)", "a conversion takes at most two numbers after its operand"),
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

UNFIT = (
    ("sum(x, 0, 0)", "dimensions [0, 0] name one twice"),
    ("max(x, 0, 2)", "dimension 2 does not exist; the tensor has 2 dimensions, numbered from 0"),
    ("flip(x, 2)", "dimension 2 does not exist; the tensor has 2"),
    ("pad(x, 2, 1, 1)", "dimension 2 does not exist; the tensor has 2"),
    ("rms_norm(x, 2)", "dimension 2 does not exist; the tensor has 2"),
    ("cat(s, s, dim=0)", "dimension 0 does not exist; the tensor has 0"),
    ("cat(x, w, dim=0)", "shapes beside the dimension: (5,) and (6,) must be equal"),
    ("cat(x, s, dim=0)", "an operand of cat has 0 dimensions, not 2"),
    ("transpose(x, 0, 0)", "the dimensions that are named and those that there are: [0, 0] and [0, 1]"),
    ("transpose(x, 0)", "the dimensions that are named and those that there are: [0] and [0, 1]"),
    ("expand(x, 4, 7)", "shape [4, 6] cannot be broadcast to [4, 7]"),
    ("expand(x, 6)", "shape [4, 6] cannot be broadcast to [6]"),
    ("reshape(x, 5, 5)", "[4, 6] has 24 elements and [5, 5] has 25; they must be equal, and not 0"),
    ("reshape(x, 0, 24)", "[4, 6] has 24 elements and [0, 24] has 0; they must be equal, and not 0"),
    ("x + odd", "shapes [4, 6], [4, 5] cannot be broadcast together"),
    ("where(x, x, odd)", "shapes [4, 6], [4, 6], [4, 5] cannot be broadcast together"),
    ("update(x, odd)", "shapes of the old and of the new version: (4, 6) and (4, 5) must be equal"),
    ("softmax_backward(x, odd, 1)", "shapes: (4, 6) and (4, 5) must be equal"),
    ("topk_values(x, 7)", "the 7 largest along the last dimension of [4, 6]"),
    ("topk_indices(s, 1)", "the 1 largest along the last dimension of []"),
    ("topk_values(x, 0)", "0 must be at least 1"),
    ("attention(im, x, im)", "an operand of attention (batch, heads, positions, features) has 2 dimensions, not 4"),
    ("attention(im, ke, im)", "shape of the keys: (5, 3, 3, 3) and (2, 3, 3, 4) must be equal"),
    ("attention(im, im, ke)", "batch, heads and positions of keys and values: (5, 3, 3) and (2, 3, 4)"),
    ("attention_value_backward(ke, im, im, im, im)", "shapes of the gradient and of the attention: (5, 3, 3, 3) and"),
    ("dropout(x, 1)", "the dropout probability is 1.0; it must be at least 0 and less than 1"),
    ("pick(x, cast(x, i32))", "shapes of the indices and of the rows: (4,) and (4, 6) must be equal"),
    ("pick_backward(x, cast(odd, i32), 3)", "shapes of the gradient and of the indices: (4, 6) and (4, 5)"),
    ("cross_entropy_backward(sum(x, 1), odd, sum(cast(x, i32), 1), 10)", "rows of classes: (4, 5) and (4, 10) must"),
    ("embedding(s, cast(x, i32))", "a table has 0 dimensions, not 2"),
    ("embedding_backward(x, cast(x, i32), 3)", "shapes of the gradient's rows and of the indices: (4,) and (4, 6)"),
    (
        "embedding_backward(s, cast(s, i32), 3)",
        "the gradient of an embedding needs at least one dimension, and is a scalar",
    ),
    ("one_hot(cast(x, i32), 0)", "0 must be at least 1"),
    ("conv2d(x, ke)", "the input of a convolution has 2 dimensions, not 4"),
    ("conv2d(im, x)", "its weight has 2 dimensions, not 4"),
    ("conv2d_input_backward(im, ke, 4, 4)", "positions of the kernel and of the gradient: (2, 2) and (4, 4)"),
    ("conv2d_weight_backward(im, im, 3, 3)", "positions of the kernel and of the gradient: (2, 2) and (4, 4)"),
    ("max_pool2d(im, 2, 0)", "0 must be at least 1"),
    ("max_pool2d_backward(im, im, 2, 2)", "shapes of the pooled and of the gradient: (2, 3, 2, 2) and (2, 3, 4, 4)"),
    ("adaptive_avg_pool2d(x, 2, 2)", "what is pooled has 2 dimensions, not 4"),
    ("adaptive_avg_pool2d(im, 0, 2)", "0 must be at least 1"),
    ("adaptive_avg_pool2d_backward(x, 2, 2)", "the gradient of what is pooled has 2 dimensions, not 4"),
)
"""Shapes and lengths that an operation has no meaning for, and what it says of them."""

TEXTS = (
    ("program q", "a file holds one program"),
    ("size B = 3\nsize B = 4", "'B' is already defined or reserved"),
    ("size B = 3\ninput y : f32[B = 4]", "'B' is already a size"),
    ("mesh a = 2, a = 2", "the axis 'a' already exists"),
    ("mesh a = 0", "the ranks of an axis is 0; it must be 1 to 65536"),
    ("input x : f32[4]", "'x' is already defined or reserved"),
    ("input e : f32[4, 0]", "a length is 0; it must be 1 to"),
    ("ranks = x", "'ranks' is already defined or reserved"),
    ("output x\noutput x", "'x' is already an output"),
    ("input y : f32[4] sliced(0, a) sliced(0, a)", "the axis 'a' has two layouts"),
    ("input y : f32[4] sliced(0) partial(+)", "the axis '' has two layouts"),
    ("input y : f32[4] sliced(0, a, size=1/3)", "expected sizes=, found 'size'"),
    ("size B = 3\ninput B : f32[4]", "'B' is already defined or reserved"),
    ("size B = 3\nB = relu(x)", "'B' is already defined or reserved"),
    ("size B = 3\nscalar B", "'B' is already defined or reserved"),
    ("input y : f32[4]\nsize y = 3", "'y' is already defined or reserved"),
    ("constant y : f32[4] = 1e999", "1e999 is not a finite number"),
    ("constant y : f32[4] = -1e999", "1e999 is not a finite number"),
)


def test_the_head_is_a_program():
    assert [each.name for each in parse_program(HEAD + "y = matmul(x, w)\noutput y").statements] == ["y"]


@looped(("call", "wanted"), CALLS)
def test_a_call_without_a_meaning_is_refused_where_it_stands(call, wanted):
    with pytest.raises(ProgramError, match=r"^line 8, column ") as error:
        parse_program(f"{HEAD}y = {call}\noutput y")
    assert wanted in str(error.value)


def test_shapes_that_do_not_fit_an_operation_are_refused_for_what_is_wrong():
    for call, wanted in UNFIT:
        with pytest.raises(ProgramError, match=r"^line 8, column 1: ") as error:
            parse_program(f"{HEAD}y = {call}\noutput y")
        assert wanted in str(error.value), call


def test_nothing_is_cut_off_by_padding():
    """A text has no negative lengths; a program that is made may."""
    for widths, right in (((0, 0), True), ((1, 2), True), ((-1, 1), False), ((1, -1), False), ((0, -1), False)):
        call = Call("pad", (Read("x"),), (0, *widths))
        if right:
            assert signature(call, ((4,),)).shape == (4 + sum(widths),)
            continue
        with pytest.raises(ProgramError, match="both must be at least 0"):
            signature(call, ((4,),))


@looped(("lines", "wanted"), TEXTS)
def test_what_is_said_twice_or_of_nothing_is_refused_where_it_stands(lines, wanted):
    with pytest.raises(ProgramError, match=r"^line [89], column ") as error:
        parse_program(f"{HEAD}{lines}\noutput x")
    assert wanted in str(error.value)
