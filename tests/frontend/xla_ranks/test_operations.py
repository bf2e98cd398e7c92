"""Operations of XLA one by one: what is read of a text computes what numpy computes; the rest is refused by name."""

import numpy as np
import pytest

from p2smt.errors import VerifyError
from p2smt.frontend.xla_ranks.module import single_program
from p2smt.frontend.xla_ranks.tilings import UncoveredError
from p2smt.tensor.frame import whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import Part
from p2smt.tensor.reals import Reals

X = np.array([[-2.0, 0.0, 1.0], [3.0, 0.25, -1.0]])
Y = np.array([[1.0, 0.0, -1.0], [3.0, 0.5, 2.0]])
W = np.array([[1.0, -2.0, 0.5, 3.0], [0.25, 4.0, -1.0, 2.0], [5.0, 1.5, -3.0, 0.75]])
B = np.arange(12.0).reshape(2, 3, 2) - 4
P = np.abs(X) + 0.5
V = W[:, 0]
N = np.array([[1.0, 2, 2], [-3, 4, 0]])
GIVEN = {
    "x": ("f32[2,3]", X),
    "y": ("f32[2,3]", Y),
    "w": ("f32[3,4]", W),
    "b": ("f32[2,3,2]", B),
    "p": ("f32[2,3]", P),
    "v": ("f32[3]", V),
    "n": ("s32[2,3]", N),
    "s": ("f32[]", np.array(1.5)),
}
FOLDS = "".join(
    f"{name} {{\n  {name}.a = f32[] parameter(0)\n  {name}.b = f32[] parameter(1)\n"
    f"  ROOT {name}.c = f32[] {operation}({name}.a, {name}.b)\n}}\n"
    for name, operation in (("sums", "add"), ("most", "maximum"), ("least", "minimum"), ("times", "multiply"))
)
FOLDS += "".join(
    f"{name} {{\n  {name}.a = f32[] parameter(0)\n  {name}.b = f32[] parameter(1)\n"
    f"  ROOT {name}.c = f32[] {operation}({name}.a, {name}.a)\n}}\n"
    for name, operation in (("twice", "add"), ("alone", "maximum"))
)
CALLED = """
up {
  up.x = f32[2,3] parameter(0)
  up.one = f32[] constant(1)
  up.ones = f32[2,3] broadcast(up.one), dimensions={}
  ROOT up.y = f32[2,3] add(up.x, up.ones)
}
same {
  ROOT same.x = f32[2,3] parameter(0)
}
down {
  down.x = f32[2,3] parameter(0)
  ROOT down.y = f32[2,3] negate(down.x)
}
"""


def text(lines, module="HloModule m"):
    """A text of these lines, the last of which is its result, with the parameters that they name."""
    words = set(" ".join(lines).replace("(", " ").replace(")", " ").replace(",", " ").split())
    names = [name for name in GIVEN if name in words]
    given = [f"  {name} = {GIVEN[name][0]} parameter({number})" for number, name in enumerate(names)]
    body = [f"  {line}" for line in lines[:-1]] + [f"  ROOT {lines[-1]}"]
    return names, "\n".join([module, FOLDS, CALLED, "ENTRY main {", *given, *body, "}", ""])


def program(tmp_path, lines, module="HloModule m"):
    names, written = text(lines, module)
    path = tmp_path / "one.hlo"
    path.write_text(written, encoding="utf-8")
    return names, single_program(path)


def computed(tmp_path, *lines):
    names, made = program(tmp_path, lines)
    given = {source.name: GIVEN[name][1] for source, name in zip(made.sources, names, strict=True)}
    parts = {name: (Part(array, whole(array.shape)),) for name, array in given.items()}
    return run(made, parts, Reals())[made.outputs[0].name][0].array


ZEROS = ["o = f32[] constant(0)", "z = f32[2,3] broadcast(o), dimensions={}"]
OPERATIONS = {
    "x to the power of 1": (["c = f32[2,3] constant({ {1,1,1}, {1,1,1} })", "r = f32[2,3] power(x, c)"], X),
    "x to the power of 2": (
        ["c = f32[] constant(2)", "d = f32[2,3] broadcast(c), dimensions={}", "r = f32[2,3] power(x, d)"],
        X * X,
    ),
    "the root as a power": (
        ["c = f32[] constant(0.5)", "d = f32[2,3] broadcast(c), dimensions={}", "r = f32[2,3] power(p, d)"],
        np.sqrt(P),
    ),
    "any power": (["r = f32[2,3] power(p, x)"], P**X),
    "difference": (["r = f32[2,3] subtract(x, y)"], X - Y),
    "quotient": (["r = f32[2,3] divide(x, p)"], X / P),
    "the larger one": (["r = f32[2,3] maximum(x, y)"], np.maximum(X, Y)),
    "the smaller one": (["r = f32[2,3] minimum(x, y)"], np.minimum(X, Y)),
    "more than 0": ([*ZEROS, "r = f32[2,3] maximum(z, x)"], np.maximum(X, 0)),
    "less than 0": ([*ZEROS, "r = f32[2,3] minimum(z, x)"], np.minimum(X, 0)),
    "kept between": (["l = f32[2,3] negate(p)", "r = f32[2,3] clamp(l, x, y)"], np.minimum(np.maximum(-P, X), Y)),
    "log of 1 + x": (["r = f32[2,3] log-plus-one(p)"], np.log1p(P)),
    "exp of x - 1": (["r = f32[2,3] exponential-minus-one(x)"], np.expm1(X)),
    "logistic": (["r = f32[2,3] logistic(x)"], 1 / (1 + np.exp(-X))),
    "inverse root": (["r = f32[2,3] rsqrt(p)"], 1 / np.sqrt(P)),
    "sign and size": (
        ["g = f32[2,3] sign(x)", "a = f32[2,3] abs(x)", "r = f32[2,3] add(g, a)"],
        np.sign(X) + np.abs(X),
    ),
    "sine and cosine": (
        ["g = f32[2,3] sine(x)", "a = f32[2,3] cosine(y)", "r = f32[2,3] subtract(g, a)"],
        np.sin(X) - np.cos(Y),
    ),
    **{
        f"compared, {direction}": ([f"r = pred[2,3] compare(x, y), direction={direction}"], relation(X, Y))
        for direction, relation in (
            ("EQ", np.equal),
            ("NE", np.not_equal),
            ("LT", np.less),
            ("LE", np.less_equal),
            ("GT", np.greater),
            ("GE", np.greater_equal),
        )
    },
    **{
        f"truths, {name}": (
            [
                "a = pred[2,3] compare(x, y), direction=LE",
                "c = pred[2,3] compare(x, p), direction=LT",
                "q = pred[2,3] not(c)",
                f"r = pred[2,3] {name}(a, q)",
            ],
            meaning(X <= Y, X >= P),
        )
        for name, meaning in (
            ("and", np.logical_and),
            ("or", np.logical_or),
            ("add", np.logical_or),
            ("maximum", np.logical_or),
            ("multiply", np.logical_and),
            ("minimum", np.logical_and),
        )
    },
    "truths as numbers": (["a = pred[2,3] compare(x, y), direction=LT", "r = f32[2,3] convert(a)"], X < Y),
    "truths as whole numbers": (
        ["a = pred[2,3] compare(x, y), direction=LT", "c = s32[2,3] convert(a)", "r = s32[2,3] add(c, n)"],
        (X < Y) + N,
    ),
    "whole numbers as others": (["a = f32[2,3] convert(n)", "r = f32[2,3] add(a, x)"], N + X),
    "no conversion": (["r = f32[2,3] convert(x)"], X),
    "chosen where above 0": (
        [*ZEROS, "c = pred[2,3] compare(x, z), direction=GT", "r = f32[2,3] select(c, y, z)"],
        np.where(X > 0, Y, 0),
    ),
    "chosen where at least 0": (
        [*ZEROS, "c = pred[2,3] compare(x, z), direction=GE", "r = f32[2,3] select(c, p, z)"],
        np.where(X >= 0, P, 0),
    ),
    "chosen where above another": (
        [*ZEROS, "c = pred[2,3] compare(x, y), direction=GT", "r = f32[2,3] select(c, p, z)"],
        np.where(X > Y, P, 0),
    ),
    "chosen, else another": (
        [*ZEROS, "c = pred[2,3] compare(x, z), direction=GT", "r = f32[2,3] select(c, y, p)"],
        np.where(X > 0, Y, P),
    ),
    **{
        f"folded, {name} from {start}": (
            [f"o = f32[] constant({start})", f"r = f32[3] reduce(x, o), dimensions={{0}}, to_apply={name}"],
            meaning,
        )
        for name, start, meaning in (
            ("sums", "0", X.sum(0)),
            ("sums", "1", X.sum(0) + 1),
            ("sums", "inf", np.full(3, np.inf)),
            ("most", "-inf", X.max(0)),
            ("most", "0.5", np.maximum(X.max(0), 0.5)),
            ("most", "inf", np.full(3, np.inf)),
            ("least", "inf", X.min(0)),
            ("least", "-inf", np.full(3, -np.inf)),
            ("least", "0.5", np.minimum(X.min(0), 0.5)),
        )
    },
    "folded along two": (
        ["o = f32[] constant(0)", "r = f32[3] reduce(b, o), dimensions={0,2}, to_apply=sums"],
        B.sum((0, 2)),
    ),
    "folded along none": (["o = f32[] constant(2)", "r = f32[2,3] reduce(x, o), dimensions={}, to_apply=sums"], X + 2),
    "repeated, turned": (["r = f32[3,5,2] broadcast(x), dimensions={2,0}"], np.repeat(X.T[:, None], 5, 1)),
    "repeated behind": (["r = f32[3,2] broadcast(v), dimensions={0}"], np.repeat(V[:, None], 2, 1)),
    "reshaped": (["r = f32[3,2] reshape(x)"], X.reshape(3, 2)),
    "with ones": (
        ["t = f32[3,2] transpose(x), dimensions={1,0}", "r = f32[1,3,1,2] reshape(t)"],
        X.T.reshape(1, 3, 1, 2),
    ),
    "a number from one": (["o = f32[1,1] broadcast(s), dimensions={}", "r = f32[] reshape(o)"], np.array(1.5)),
    "as it lies in memory": (["t = f32[2,3]{0,1} copy(x)", "r = f32[3,2]{1,0} bitcast(t)"], X.T),
    "read in another order": (["r = f32[3,2]{0,1} bitcast(x)"], X.reshape(2, 3).T),
    "three turned in memory": (
        ["t = f32[2,3,2]{0,2,1} copy(b)", "r = f32[3,4]{1,0} bitcast(t)"],
        B.transpose(1, 2, 0).reshape(3, 4),
    ),
    "a part": (["r = f32[1,2] slice(x), slice={[1:2], [0:2]}"], X[1:2, 0:2]),
    "the part where a number says": (
        [
            "i = s32[] constant(0)",
            "j = s32[] constant(1)",
            "r = f32[2,2] dynamic-slice(x, i, j), dynamic_slice_sizes={2,2}",
        ],
        X[:, 1:3],
    ),
    "a part that would stand out": (
        [
            "i = s32[] constant(-4)",
            "j = s32[] constant(9)",
            "r = f32[1,2] dynamic-slice(x, i, j), dynamic_slice_sizes={1,2}",
        ],
        X[:1, 1:3],
    ),
    **{
        f"put in at {at}": (
            [
                f"i = s32[] constant({at})",
                "j = s32[] constant(0)",
                "q = f32[1,4] slice(w), slice={[0:1], [0:4]}",
                "r = f32[3,4] dynamic-update-slice(w, q, i, j)",
            ],
            np.stack([W[0] if row == min(max(at, 0), 2) else W[row] for row in range(3)]),
        )
        for at in (-1, 0, 1, 2, 7)
    },
    "put in whole": (["i = s32[] constant(1)", "r = f32[2,3] dynamic-update-slice(x, y, i, i)"], Y),
    "zeros around": (["o = f32[] constant(0)", "r = f32[4,3] pad(x, o), padding=1_1x0_0"], np.pad(X, ((1, 1), (0, 0)))),
    "zeros behind, cut before": (
        ["o = f32[] constant(0)", "r = f32[2,4] pad(x, o), padding=0_0x-1_2"],
        np.pad(X[:, 1:], ((0, 0), (0, 2))),
    ),
    "zeros before, cut behind": (
        ["o = f32[] constant(0)", "r = f32[2,3] pad(x, o), padding=0_0x1_-1"],
        np.pad(X[:, :2], ((0, 0), (1, 0))),
    ),
    "the other way round": (["r = f32[2,3] reverse(x), dimensions={0,1}"], X[::-1, ::-1]),
    "one way round": (["r = f32[2,3] reverse(x), dimensions={1}"], X[:, ::-1]),
    "behind each other": (["r = f32[2,6] concatenate(x, y), dimensions={1}"], np.concatenate([X, Y], 1)),
    "a constant": (
        ["c = f32[2,3] constant({ {1,2,3}, {4,5,6.5} })", "r = f32[2,3] add(c, x)"],
        np.array([[1, 2, 3], [4, 5, 6.5]]) + X,
    ),
    "counted": (["i = f32[2,3] iota(), iota_dimension=1", "r = f32[2,3] multiply(i, x)"], X * np.arange(3)),
    "a product": (["r = f32[2,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}"], X @ W),
    "a product over the first": (
        ["r = f32[3,3] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}"],
        X.T @ Y,
    ),
    "a product per row": (
        [
            "r = f32[2,2] dot(x, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
            "rhs_contracting_dims={1}"
        ],
        np.einsum("ij,ijk->ik", X, B),
    ),
    "a product over two": (
        ["r = f32[2] dot(x, b), lhs_contracting_dims={0,1}, rhs_contracting_dims={0,1}"],
        np.einsum("ij,ijk->k", X, B),
    ),
    "all products": (
        ["r = f32[3,2,3] dot(v, x), lhs_contracting_dims={}, rhs_contracting_dims={}"],
        V[:, None, None] * X,
    ),
    "a product of what is repeated along what is added": (
        [
            "q = f32[5,3] broadcast(s), dimensions={}",
            "r = f32[5,4] dot(q, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
        ],
        np.full((5, 3), 1.5) @ W,
    ),
    "a product of two that are repeated": (
        [
            "q = f32[5,3] broadcast(s), dimensions={}",
            "u = f32[3,2] broadcast(s), dimensions={}",
            "r = f32[5,2] dot(q, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
        ],
        np.full((5, 2), 3 * 1.5**2),
    ),
    "a product of what is repeated along what stays": (
        [
            "q = f32[5,3] broadcast(v), dimensions={1}",
            "r = f32[5,4] dot(q, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
        ],
        np.repeat((V @ W)[None], 5, 0),
    ),
    "a product of what is repeated in the middle": (
        [
            "q = f32[3,6] broadcast(v), dimensions={0}",
            "u = f32[2,6] broadcast(s), dimensions={}",
            "r = f32[2,3] dot(u, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
        ],
        np.full((2, 1), 6 * 1.5) * V,
    ),
    "a product with turned results": (
        [
            "q = f32[2,3] broadcast(s), dimensions={}",
            "r = f32[2,2,2] dot(b, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
        ],
        np.repeat(B.sum(1)[..., None], 2, 2) * 1.5,
    ),
    "called": (["r = f32[2,3] call(x), to_apply=up"], X + 1),
    **{
        f"the branch of {asked}": (
            [
                f"q = pred[] constant({asked})",
                "r = f32[2,3] conditional(q, x, y), true_computation=up, false_computation=down",
            ],
            made,
        )
        for asked, made in (("true", X + 1), ("false", -Y))
    },
    **{
        f"branch {asked}": (
            [
                f"q = s32[] constant({asked})",
                "r = f32[2,3] conditional(q, x, y, p), branch_computations={up, same, down}",
            ],
            made,
        )
        for asked, made in ((0, X + 1), (1, Y), (2, -P), (3, -P), (-1, -P))
    },
}


def test_an_operation_computes_what_numpy_does(tmp_path):
    for name, (lines, expected) in OPERATIONS.items():
        made = computed(tmp_path, *lines)
        assert made.shape == np.shape(expected), name
        wanted = np.asarray(expected, dtype=np.float64)
        np.testing.assert_allclose(made, wanted, rtol=1e-12, atol=1e-12, err_msg=name)


REFUSED = {
    "truncation to integers": ["r = s32[2,3] convert(x)"],
    "compare them with 0": ["r = pred[2,3] convert(n)"],
    "rounding of integers": ["r = s32[2,3] divide(n, n)"],
    "bitwise operations on integers": ["r = s32[2,3] and(n, n)"],
    "only and, or, not of booleans are supported": [
        "a = pred[2,3] compare(x, y), direction=LT",
        "r = pred[2,3] xor(a, a)",
    ],
    "only reductions with add, maximum or minimum": [
        "o = f32[] constant(1)",
        "r = f32[3] reduce(x, o), dimensions={0}, to_apply=times",
    ],
    "a reduction of booleans": [
        "a = pred[2,3] compare(x, y), direction=LT",
        "o = pred[] constant(false)",
        "r = pred[3] reduce(a, o), dimensions={0}, to_apply=most",
    ],
    "slices with a stride are not supported": ["r = f32[2,2] slice(x), slice={[0:2], [0:3:2]}"],
    "padding between elements": ["o = f32[] constant(0)", "r = f32[2,5] pad(x, o), padding=0_0x0_0_1"],
    "padding with anything but zeros": ["o = f32[] constant(1)", "r = f32[2,4] pad(x, o), padding=0_0x0_1"],
    "padding that leaves nothing of the tensor is not supported": [
        "o = f32[] constant(0)",
        "r = f32[2,3] pad(x, o), padding=0_0x-3_3",
    ],
    "shorter along several dimensions": [
        "i = s32[] constant(0)",
        "q = f32[1,2] slice(x), slice={[0:1], [0:2]}",
        "r = f32[2,3] dynamic-update-slice(x, q, i, i)",
    ],
    "a start index that depends on data": [
        "i = s32[1,1] slice(n), slice={[0:1], [0:1]}",
        "j = s32[] reshape(i)",
        "r = f32[1,3] dynamic-slice(x, j, j), dynamic_slice_sizes={1,3}",
    ],
    "the branch depends on data": [
        "i = s32[1,1] slice(n), slice={[0:1], [0:1]}",
        "j = s32[] reshape(i)",
        "r = f32[2,3] conditional(j, x, y), branch_computations={up, down}",
    ],
    "a bitcast to another type": ["r = s32[2,3] bitcast(x)"],
    "a constant that is not a number": [
        "o = f32[] constant(nan)",
        "q = f32[2,3] broadcast(o), dimensions={}",
        "r = f32[2,3] add(x, q)",
    ],
    "a constant of 65 different numbers": [
        f"c = f32[65] constant({{{','.join(map(str, range(65)))}}})",
        "o = f32[] constant(0)",
        "q = f32[] reduce(c, o), dimensions={0}, to_apply=sums",
        "u = f32[2,3] broadcast(q), dimensions={}",
        "r = f32[2,3] add(x, u)",
    ],
    "elements of type u8": ["r = u8[2,3] convert(x)"],
}
MISTAKEN = {
    "the result has shape [3, 2], but its type is f32[2,3]": ["r = f32[2,3] transpose(x), dimensions={1,0}"],
    "2 operands; the operation takes 1": ["r = f32[2,3] negate(x, y)"],
    "operands of shapes [2, 3], [3, 4] for a result f32[2,3]": ["r = f32[2,3] add(x, w)"],
    "give each dimension its own": ["r = f32[2,3] broadcast(x), dimensions={0}"],
    "each size must stay the same, or be 1": ["r = f32[3,3] broadcast(x), dimensions={0,1}"],
    "1 ranges for [2, 3]": ["r = f32[2,3] slice(x), slice={[0:2]}"],
    "[0:4] is out of bounds for a dimension of size 3": ["r = f32[2,4] slice(x), slice={[0:2], [0:4]}"],
    "1 start indices for [2, 3]": [
        "i = s32[] constant(0)",
        "r = f32[1,3] dynamic-slice(x, i), dynamic_slice_sizes={1,3}",
    ],
    "a slice f32[3,3] does not fit into [2, 3]": [
        "i = s32[] constant(0)",
        "r = f32[3,3] dynamic-slice(x, i, i), dynamic_slice_sizes={3,3}",
    ],
    "[3, 4] does not fit into [3, 3]": [
        "i = s32[] constant(0)",
        "q = f32[3,3] slice(w), slice={[0:3], [0:3]}",
        "r = f32[3,3] dynamic-update-slice(q, w, i, i)",
    ],
    "[1, 1] is not a permutation of the dimensions": ["r = f32[3,3] transpose(x), dimensions={1,1}"],
    "reverse r: dimensions [2] do not exist": ["r = f32[2,3] reverse(x), dimensions={2}"],
    "concatenated along dimensions [2]": ["r = f32[2,6] concatenate(x, y), dimensions={2}"],
    "dimensions [2] do not exist in [2, 3]": [
        "o = f32[] constant(0)",
        "r = f32[2] reduce(x, o), dimensions={2}, to_apply=sums",
    ],
    "dimensions [0, 0] do not exist in [2, 3]": [
        "o = f32[] constant(0)",
        "r = f32[3] reduce(x, o), dimensions={0,0}, to_apply=sums",
    ],
    "does not give f32[4,2]": ["r = f32[4,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}"],
    "have different lengths": ["r = f32[3,4] dot(x, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}"],
    "or differ in number between the operands": [
        "r = f32[2,4] dot(x, w), lhs_contracting_dims={0,1}, rhs_contracting_dims={0}"
    ],
    "contracting or batch dimensions repeat, do not exist": [
        "r = f32[2,4] dot(x, w), lhs_contracting_dims={2}, rhs_contracting_dims={0}"
    ],
    "q is used before it is defined": ["r = f32[2,3] negate(q)"],
    "the value is f32[2,3], but its type is s32[2,3]": ["r = s32[2,3] copy(x)"],
}


def test_what_the_language_lacks_is_not_followed(tmp_path):
    for reason, lines in REFUSED.items():
        with pytest.raises(UncoveredError) as raised:
            program(tmp_path, lines)
        assert reason in str(raised.value)
        assert "one.hlo, line " in str(raised.value), reason


@pytest.mark.parametrize("fold", ["twice", "alone"])
def test_what_folds_one_of_two_numbers_alone_is_no_sum_and_no_maximum(tmp_path, fold):
    lines = ["o = f32[] constant(0)", f"r = f32[3] reduce(x, o), dimensions={{0}}, to_apply={fold}"]
    with pytest.raises(UncoveredError, match="only reductions with add, maximum or minimum"):
        program(tmp_path, lines)


def test_texts_that_contradict_themselves_are_refused(tmp_path):
    for reason, lines in MISTAKEN.items():
        with pytest.raises(VerifyError) as raised:
            program(tmp_path, lines)
        assert reason in str(raised.value)
        assert "one.hlo, line " in str(raised.value), reason


def test_a_dot_that_names_no_dimensions_goes_along_the_last_and_the_first(tmp_path):
    path = tmp_path / "dot.mlir"
    path.write_text(
        "module {\n  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) -> tensor<2x4xf32> {\n"
        "    %0 = stablehlo.dot %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>\n"
        "    return %0 : tensor<2x4xf32>\n  }\n}\n",
        encoding="utf-8",
    )
    made = single_program(path)
    parts = {name: (Part(array, whole(array.shape)),) for name, array in (("arg0", X), ("arg1", W))}
    np.testing.assert_allclose(run(made, parts, Reals())[made.outputs[0].name][0].array, X @ W, rtol=1e-12)
