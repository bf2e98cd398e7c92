"""What ranks have beside one device over fields: right is what is equal under the same conditions, and nothing else."""

from dataclasses import replace
from fractions import Fraction
from math import pi

from looped import looped

from p2smt.tensor.comparison import compare
from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.expression import Call, Number, ProgramAxis, Read
from p2smt.tensor.field.primes import prime_of
from p2smt.tensor.field.radicals import nearest, root_of
from p2smt.tensor.ranks.fields import equal_in_fields
from p2smt.tensor.ranks.joining import flat
from p2smt.tensor.ranks.programs import Delivery, NamedExchange, OneRankCall, RankPrograms
from p2smt.tensor.ranks.rank_field import RankField
from p2smt.tensor.ranks.verification import verify_ranks
from p2smt.tensor.shapes import wholes
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.equality import Equal
from p2smt.tensor.verification.smallest import differs
from p2smt.verify.verdict import Proved, Refuted

MESH = (ProgramAxis("ranks", 2),)
X = Read("x")


def ranks(single, statements, outputs=(("y", "y"),), shape=(4,)):
    """Both ranks have x whole, and statements of their own."""
    names = {name for each in statements for name in (each.names if isinstance(each, NamedExchange) else (each.name,))}
    return RankPrograms(
        name="f",
        mesh=MESH,
        sources=single.sources,
        statements=tuple(statements),
        shapes=(dict.fromkeys(names, shape),) * 2,
        outputs=outputs,
        updates=(),
    )


def said(body, *statements):
    single = parse_program(f"program p\ninput x : f64[4]\n{body}\noutput y\n")
    return equal_in_fields(ranks(single, statements), single)


def both(name, call):
    return [OneRankCall(name, rank, call) for rank in range(2)]


DOUBLE = Call("add", (X, X))


def test_ranks_that_compute_otherwise_are_equal_by_value():
    alone = OneRankCall("y", 0, DOUBLE), OneRankCall("y", 1, Call("mul", (X, Number(2))))
    assert isinstance(said("y = x * 2.0", *alone), Equal)
    assert "rank 1 has another value of y" in said(
        "y = x * 2.0", alone[0], OneRankCall("y", 1, Call("mul", (X, Number(3))))
    )


def test_sums_and_messages_between_ranks_are_followed():
    half = both("h", Call("mul", (X, Number(0.5))))
    summed = NamedExchange(AllReduce(), (0, 1), ("h", "h"), ("y", "y"))
    assert isinstance(said("y = x * 1.0", *half, summed), Equal)
    sent = [OneRankCall("d", 0, DOUBLE), Delivery("y", "d", 0, 0), Delivery("y", "d", 0, 1)]
    assert isinstance(said("y = x + x", *sent), Equal)


def test_a_division_that_one_device_lacks_is_not_claimed():
    less = both("s", Call("sub", (X, Number(1000))))
    product = both("p", Call("mul", (X, Read("s"))))
    statements = [*less, *product, *both("y", Call("div", (Read("p"), Read("s"))))]
    assert "y is defined where div of other values" in said("y = x * 1.0", *statements)


def test_random_numbers_are_those_of_each_rank():
    statements = both("y", Call("dropout", (X,), (0.5, 1)))
    assert "draws random numbers" in said("y = dropout(x, 0.5, 1)", *statements)


SOURCES = "program p\ninput x : f64[4]\ninput t : i64[2]\n"


def beside(body, run):
    """What is said of two ranks that both run the second program, beside the first."""
    single, theirs = (parse_program(f"{SOURCES}{text}\noutput y\n") for text in (body, run))
    known = wholes(parse_program(SOURCES + "output x\n"))
    statements = flat(theirs.statements, known)
    shapes = {name: each.shape for name, each in known.items()}
    alone = tuple(OneRankCall(each.name, rank, each.expression) for each in statements for rank in range(2))
    return equal_in_fields(replace(ranks(single, ()), statements=alone, shapes=(shapes, shapes)), single)


CENTRED = "c = x - sum_kept(x, 0) / 4\ny = c * rsqrt(sum_kept(c * c, 0) / {} + 0.00001)"
SHIFTED = "z = x - max_kept(x, 0)\ns = sum_kept(exp({}), 0)\ny = z - log(s)"


@looped(
    ("body", "run", "is_equal"),
    [
        ("y = softmax(x, 0)", "y = exp(x) / sum_kept(exp(x), 0)", True),
        ("y = log_softmax(x, 0)", SHIFTED.format("z"), True),
        ("y = log_softmax(x, 0)", SHIFTED.format("x"), False),
        (
            "y = layernorm(x, dim=0)",
            "c = x - sum_kept(x, 0) / 4\ny = c * rsqrt(sum_kept(c * c, 0) / 4 + 0.00001)",
            True,
        ),
        (
            "y = layernorm(x, dim=0)",
            "c = x - sum_kept(x, 0) / 4\ny = c * rsqrt(sum_kept(c * x, 0) / 3 + 0.00001)",
            False,
        ),
        ("y = relu(x)", "y = x * gt(x, 0)", True),
        ("y = relu(x)", "y = x * lt(x, 0)", False),
        ("y = maximum(x, 1.0)", "y = maximum(maximum(x, 0), 1)", True),
        ("y = maximum(x, 1.0)", "y = maximum(maximum(x, 2), 1)", False),
        ("y = x + 0", "y = x * ge(x, 2) + x * lt(x, 2)", True),
        ("y = x * x + 1.0", "s = sqrt(x * x + 1)\ny = s * s", True),
        ("y = sigmoid(x)", "y = exp(x) / (1 + exp(x))", True),
        ("y = x - log(1 + exp(x))", "y = minimum(x, 0) - log(1 + exp(-abs(x)))", True),
        ("y = x - log(1 + exp(x))", "y = minimum(x, 0) - log(1 + exp(-x))", False),
        ("y = relu_backward(x, x)", "y = relu_backward(x, relu(x))", True),
        ("y = relu_backward(x, x)", "y = relu_backward(x, relu(-x))", False),
        ("y = x / sqrt(8)", "y = x * 0.5946035575013605 * 0.5946035575013605", True),
        ("y = x / sqrt(8)", "y = x * 0.3535533905932738", True),
        ("y = x / sqrt(8)", "y = x * 0.35355339059327", False),
        ("y = x / 3", "y = x * 0.3333333333333333", True),
        ("y = x / 3", "y = x * 0.33333333333", False),
        ("y = x * 0.1", "y = x * 0.1000000001", False),
        ("y = sigmoid(x)", "y = exp(x) / (1 + exp(x)) * 1.000000001", False),
    ],
)
def test_identities_of_numbers_are_known_and_no_others(body, run, is_equal):
    assert isinstance(beside(body, run), Equal) == is_equal


def test_numbers_that_are_taken_for_what_they_are_nearest_to_are_said():
    found = beside("y = x / sqrt(8)", "y = x * 0.3535533905932738")
    assert found.assumed == ("the fractions or roots that they are nearest to are meant by 0.3535533905932738",)


@looped(
    ("number", "meant"),
    [
        (8**-0.25, (Fraction(1, 8), 2)),
        (0.1, (Fraction(1, 10), 0)),
        (9.999999747378752e-06, (Fraction(1, 10**5), 0)),
        (1e-5, (Fraction(1, 10**5), 0)),
        (0.5, None),
        (pi, None),
        (0.1000000001, None),
        (1.000000001, None),
        (0.333333343267, None),
        (1e300, None),
    ],
)
def test_written_numbers_are_near_to_small_fractions_and_their_roots(number, meant):
    assert nearest(number) == meant


@looped("seed", list(range(1, 6)))
def test_roots_of_small_numbers_multiply_as_those_of_real_numbers(seed):
    prime = prime_of(seed)
    two, three = root_of(2, prime), root_of(3, prime)
    assert root_of(6, prime) == two * three % prime
    assert root_of(two, prime) is not None
    assert root_of(prime - 1, prime) is None


def test_what_is_nothing_has_nothing_for_an_inverse():
    field = RankField(1)
    values = [2, field.prime - 1, 3**30]
    assert all(field._inverse(value) * value % field.prime == 1 for value in values)
    assert field._inverse(0) == field._inverse(field.prime) == 0


LOST = "y = (x * 1000000000 + x) - x * 1000000000"
"""x, but for what float64 loses."""


def test_what_float64_loses_is_not_wrong():
    single = parse_program(f"program p\ninput x : f64[4]\n{LOST}\noutput y\n")
    same = both("y", Call("mul", (X, Number(1))))
    assert isinstance(verify_ranks(ranks(single, same), single).verdict, Proved)
    twice = both("y", Call("mul", (X, Number(2))))
    assert isinstance(verify_ranks(ranks(single, twice), single).verdict, Refuted)
    plain = parse_program("program p\ninput x : f64[4]\ny = x * 1.0\noutput y\n")
    assert differs(plain, single) is None


LOOKED_UP = "e = embedding(reshape(x, 2, 2), t)\nrow = sum(e, 0)\n"


@looped(
    ("whole", "parts"),
    [
        ("weighted_rms_norm(e, row)", "e * rsqrt(sum_kept(e * e, 1) / 2 + 0.00001) * row"),
        ("layernorm(e, dim=1)", "c * rsqrt(sum_kept(c * c, 1) / 2 + 0.00001)"),
    ],
)
def test_norms_of_looked_up_rows_are_those_of_each_case(whole, parts):
    centred = f"{LOOKED_UP}c = e - sum_kept(e, 1) / 2\n"
    assert isinstance(beside(f"{LOOKED_UP}y = {whole}", f"{centred}y = {parts}"), Equal)


UPPER = """above = ge(t, 2)
moved = t - 2
own = where(above, moved, 0)
part = reshape(slice(x, dim=0, start=2, stop=4), 2, 1)
"""


@looped(
    ("last", "said"),
    [
        ("y = reshape(embedding(part, own), 2) * above", None),
        ("y = reshape(embedding(part, moved), 2) * above", "an index is not known to be among those"),
        ("y = reshape(embedding(part, own), 2) * 1.0", "another value of y"),
    ],
)
def test_indices_of_a_known_domain_are_looked_up_case_by_case(last, said):
    """Both ranks have the upper half of the table: what is picked there, and nothing below."""
    found = beside("y = reshape(embedding(reshape(x, 4, 1), t), 2) * ge(t, 2)", UPPER + last)
    assert isinstance(found, Equal) if said is None else said in found, found


GIVEN = """program p
input g : f64[3]
input x : f64[3, 4]
input i : i64[3]
l = log_softmax(x, 1)
row = sum(x, 0)
c = reshape(x, 3, 2, 1, 2)
d = reshape(l, 3, 2, 1, 2)
s = slice(reshape(row, 4, 1), dim=0, start=0, stop=2)
y = {}
output y
"""
SAME = (
    ("cross_entropy_backward(g, l, i, 4)", "log_softmax_backward(pick_backward(g, i, 4), l, 1)"),
    ("silu_backward(x, l)", "x * (sigmoid(l) * (1 + l * (1 - sigmoid(l))))"),
    ("sigmoid_backward(x, l)", "x * l - x * l * l"),
    *(
        (each.format(norm), parts.format(norm))
        for norm in ("layernorm", "rms_norm")
        for each, parts in (
            ("weighted_{}(x, row)", "{}(x, dim=1) * row"),
            ("weighted_{}_backward(x, l, row)", "{}_backward(x * row, l, dim=1)"),
            ("{}_weight_backward(x, l)", "sum(x * {}(l, dim=1), 0)"),
        )
    ),
    ("weighted_layernorm(x, row, row)", "layernorm(x, dim=1) * row + row"),
    (
        "group_norm(c, s, s)",
        "reshape(layernorm(reshape(c, 3, 2, 2), dim=2), 3, 2, 1, 2) * reshape(s, 2, 1, 1) + reshape(s, 2, 1, 1)",
    ),
    (
        "group_norm_backward(c, d, s)",
        "reshape(layernorm_backward(reshape(c * reshape(s, 2, 1, 1), 3, 2, 2),"
        " reshape(d, 3, 2, 2), dim=2), 3, 2, 1, 2)",
    ),
    ("group_norm_weight_backward(c, d)", "sum(c * reshape(layernorm(reshape(d, 3, 2, 2), dim=2), 3, 2, 1, 2), 0, 3)"),
)


GIVEN_ROWS = """program p
input q : f64[1, 4, 3, 2]
input k : f64[1, 2, 3, 2]
input v : f64[1, 2, 3, 2]
input g : f64[1, 4, 3, 2]
input b : f64[1, 1, 3, 3]
ks = reshape(expand(reshape(k, 1, 2, 1, 3, 2), 1, 2, 2, 3, 2), 1, 4, 3, 2)
vs = reshape(expand(reshape(v, 1, 2, 1, 3, 2), 1, 2, 2, 3, 2), 1, 4, 3, 2)
s = einsum("b h i d, b h j d -> b h i j", q, ks) * 0.7071067811865476 + expand(b, 1, 4, 3, 3)
w = softmax(s, 3)
o = einsum("b h i j, b h j d -> b h i d", w, vs)
d = softmax_backward(einsum("b h i d, b h j d -> b h i j", g, vs), w, 3) * 0.7071067811865476
y = {}
output y
"""
ATTENDED = (
    ("attention(q, k, v, b)", "o * 1.0"),
    ("attention_query_backward(g, q, k, v, o, b)", 'einsum("b h i j, b h j d -> b h i d", d, ks)'),
    (
        "attention_key_backward(g, q, k, v, o, b)",
        'sum(reshape(einsum("b h i j, b h i d -> b h j d", d, q), 1, 2, 2, 3, 2), 2)',
    ),
    (
        "attention_value_backward(g, q, k, v, o, b)",
        'sum(reshape(einsum("b h i j, b h i d -> b h j d", w, g), 1, 2, 2, 3, 2), 2)',
    ),
    (
        "attention_bias_backward(g, q, k, v, o, b)",
        'sum_kept(softmax_backward(einsum("b h i d, b h j d -> b h i j", g, vs), w, 3), 0, 1)',
    ),
)


@looped(("whole", "parts"), ATTENDED)
def test_attention_is_what_it_is_put_together_of(whole, parts):
    first, second = (parse_program(GIVEN_ROWS.format(each)) for each in (whole, parts))
    assert compare(first, second, RankField(1)) is None
    assert compare(first, parse_program(GIVEN_ROWS.format(f"{parts} * 2")), RankField(1)) is not None


def test_attention_that_is_causal_takes_nothing_of_later_keys():
    first, second, third = (
        parse_program(f"program p\ninput q : f64[1, 1, 2, 4]\ny = slice({each}, dim=2, start=0, stop=1)\noutput y\n")
        for each in ("attention(q, q, q, causal=1)", "q * 1.0", "attention(q, q, q)")
    )
    assert compare(first, second, RankField(1)) is None
    assert compare(third, second, RankField(1)) is not None


@looped(("whole", "parts"), SAME)
def test_gradients_are_what_they_are_put_together_of(whole, parts):
    first, second = (parse_program(GIVEN.format(each)) for each in (whole, parts))
    assert compare(first, second, RankField(1)) is None
    assert compare(first, parse_program(GIVEN.format(f"{parts} * 2")), RankField(1)) is not None
