"""Pairs of programs that were taken for each other, by the kind of what was not seen; none may be called right."""

import tracemalloc

import pytest
from looped import looped
from scripts.loading import script_module
from tiers import examples

from p2smt.tensor.comparison import compare
from p2smt.tensor.field.primes import is_prime, prime_of
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.prime_field import PrimeField
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.check import verify_program
from p2smt.tensor.verification.effort import effort
from p2smt.tensor.verification.verdict import Equality
from p2smt.verify.verdict import Proved, Refuted, Unknown


def judged(sources, ours, theirs, mesh="m=2", given=None):
    """The verdict on y = ours on ranks, which are given sources in these layouts, beside y = theirs on one device."""
    lines = [f"input {each}" for each in sources.split("; ")]
    placed = lines if given is None else [f"input {each}" for each in given.split("; ")]
    many = "\n".join(["program d", f"mesh {mesh}", *placed, f"y = {ours}", "output y"])
    one = "\n".join(["program s", *lines, f"y = {theirs}", "output y"])
    return verify_program(parse_program(many), parse_program(one))


X, XZ = "x : f32[4]", "x : f32[4]; z : f32[4]"
DIFFERENT = {
    "another seed": ("x : f32[16]", "dropout(x, 0.1, 1)", "dropout(x, 0.1, 4)"),
    "another seed of few elements": ("x : f32[2]", "dropout(x, 0.1, 1)", "dropout(x, 0.1, 4)"),
    "another seed of a small share": ("x : f32[64]", "dropout(x, 0.001, 1)", "dropout(x, 0.001, 2)"),
    "another small share": ("x : f32[4]", "dropout(x, 0.001, 1) * 0.999", "dropout(x, 0.002, 1) * 0.998"),
    "no dropout": ("x : f32[2]", "dropout(x, 0.0001, 1) * 0.9999", "x"),
    "an index of half": (X, "one_hot(cast(x * 0.5, i64), 5)", "one_hot(cast(x, i64), 5)"),
    "an index of a magnitude": (X, "one_hot(cast(abs(x), i64), 5)", "one_hot(cast(x, i64), 5)"),
    "a looked up square": ("x : f32[4]; t : f32[7, 3]", "embedding(t, cast(x * x, i64))", "embedding(t, cast(x, i64))"),
    "half as a whole number": (X, "x * cast(cast(0.5, i32), f32)", "x * 0.5"),
    "a number beyond the range": (X, "x * cast(1e6, f16)", "x * 1e6"),
    "picked": ("x : f32[4]; t : f32[4, 7]", "pick(t, cast(x * x, i64))", "pick(t, cast(x, i64))"),
    "added at": (
        XZ,
        "embedding_backward(reshape(z, 4, 1), cast(x * 2, i64), 3)",
        "embedding_backward(reshape(z, 4, 1), cast(x, i64), 3)",
    ),
    "the largest of two": ("x : f32[2]", "topk_indices(abs(x) + 8, 1)", "topk_indices(x, 1)"),
    "an order of one element": ("x : f32[2]", "gt(x * x, 0)", "gt(x, 0)"),
    "cut off": (X, "cast(cast(x, i32), f32)", "x * 1"),
    "cut off before a sum": (XZ, "cast(x, i32) + cast(z, i32)", "cast(x + z, i32)"),
    "truth of a negative": (X, "-cast(cast(x, bool), f32)", "cast(cast(-x, bool), f32)"),
    "a smaller type and back": (X, "cast(cast(x, f16), f32)", "x * 1"),
    "whole numbers through f16": ("x : i64[4]", "cast(cast(x, f16), f32)", "cast(x, f32)"),
    "a product with a fraction is not a whole number": (
        "x : i32[4]",
        "cast(cast(x * 0.5, i64), f32)",
        "cast(x, f32) * 0.5",
    ),
    "over relu": (XZ, "x * relu(z) / relu(z)", "x * 1"),
    "over itself": (XZ, "x * z / z", "x * 1"),
    "over signs": (XZ, "x * 1", "x * (sign(z) / sign(z))"),
    "over logarithms": (XZ, "x * (log(z) / log(z))", "x * 1"),
    "less the same logarithm": (XZ, "x + log(z) - log(z)", "x * 1"),
    "a root times 0": (XZ, "x + sqrt(z) * 0", "x * 1"),
    "0 over a value": (XZ, "x + 0 / z", "x * 1"),
    "a root squared": (X, "sqrt(x) * sqrt(x)", "x + 0 * sqrt(x * x)"),
    "a negative power": (XZ, "x + pow(z, 0 - 1) * 0", "x * 1"),
    "half an index": ("x : i64[4]", "slice(one_hot(x * 0.5, 3), 1, 0, 1)", "reshape(cast(eq(x * 0.5, 0), f32), 4, 1)"),
    "another type": (X, "cast(x, f16)", "cast(x, f64)"),
    "whole numbers for reals": ("x : i64[4]", "x * 1", "cast(x, f32)"),
    "another rank": ("x : f32[2, 4]", "sum(x, 0)", "sum(x)"),
    "another rank, the other way": ("x : f32[2, 4]", "sum(x)", "sum(x, 0)"),
    "a length more": ("x : f32[4]", "reshape(x, 4, 1)", "x * 1"),
    "a constant modulo 2^61 - 1": (X, "x + x * (1073741824 * 2147483648 * 1e-30) - x * 1e-30", "x * 1"),
    "a branch of mentioned numbers": ("x : i64[4]", "eq(x, -100)", "lt(x, -99)"),
    "infinite, of the other sign": (
        "x : f32[4]; c : bool[4]",
        "softmax(where(c, 1 / 0, x), 0)",
        "softmax(where(c, -1 / 0, x), 0)",
    ),
}


@looped("name", DIFFERENT)
def test_programs_of_other_values_are_not_right(name):
    assert not isinstance(judged(*DIFFERENT[name]), Proved)


LOST = {
    "truths added up": ("f32[4]", "AllReduce(cast(x, bool))", "cast(x, bool)", "partial(+)"),
    "the largest truth": ("f32[4]", "AllReduce(cast(x, bool), max)", "cast(x, bool)", "partial(max)"),
    "cut off and added up": ("f32[4]", "AllReduce(cast(x, i32))", "cast(x, i32)", "partial(+)"),
    "whole numbers cut off": ("f64[4]", "AllReduce(cast(x, i64))", "cast(x, i64)", "partial(+)"),
}


@pytest.mark.parametrize("name", LOST)
def test_a_cast_that_is_no_sum_is_shown_wrong(name):
    source, ours, theirs, layout = LOST[name]
    found = judged(f"x : {source}", ours, theirs, given=f"x : {source} {layout}")
    assert isinstance(found, Refuted)
    assert found.counter_example.wrong.rank == 0


SAME = {
    "a divisor that is above 0": (XZ, "x * exp(z) / exp(z)", "x * 1"),
    "a divisor of a square": (XZ, "x * (z * z + 0.1) / (z * z + 0.1)", "x * 1"),
    "a divisor of roots": (XZ, "x * (sqrt(z * z) + 1) / (sqrt(z * z) + 1)", "x * 1"),
    "a sum of exponentials": (XZ, "x * sum(exp(z)) / sum(exp(z))", "x * 1"),
    "the same seed": (XZ, "dropout(x + z, 0.1, 3)", "dropout(x, 0.1, 3) + dropout(z, 0.1, 3)"),
    "no share": (X, "dropout(x, 0, 3) + x", "x * 2"),
    "a larger type": (X, "cast(cast(x, f64), f32) + x", "x * 2"),
    "a looked up row as a product": ("x : i64[4]; t : f32[7, 3]", "embedding(t, x)", "matmul(one_hot(x, 7), t)"),
    "a choice": ("x : f32[4]; c : bool[4]", "where(c, x, x * 3)", "cast(c, f32) * (x - x * 3) + x * 3"),
    "the same quotient": (XZ, "(x + z) / z + 1", "1 + z / z + x / z"),
    "half a whole number": ("x : i64[4]", "x / 2", "cast(x, f32) / 2"),
    "a sum of truth values": ("x : bool[4]", "sum(x)", "sum(cast(x, f32))"),
    "there and back": ("x : bf16[4]", "cast(cast(x, f32), bf16) + x", "x * 2"),
    "a power": (X, "pow(x, 2) - x", "x * x - x"),
    "a number as a type": (X, "x * cast(0.25, f32) + x * 0.25", "x * 0.5"),
}


@looped("name", SAME)
def test_programs_of_the_same_values_are_still_right(name):
    found = judged(*SAME[name])
    assert isinstance(found, Proved), found


def test_what_is_assumed_is_said():
    found = judged(XZ, "(x + z) / z + 1", "1 + z / z + x / z")
    assert found.evidence.equality is Equality.FIELD
    assert found.evidence.assumed[0].startswith("no value is divided by 0")
    for types in (("f32", "bf16"), ("f32", "f16"), ("f64", "f32")):
        before, after = types
        given = f"x : {before}[4] partial(+)"
        found = judged(f"x : {before}[4]", f"AllReduce(cast(x, {after}))", f"cast(x, {after})", given=given)
        assert found.evidence.assumed == (f"no summand, and no sum, that is cast to {after} is beyond its range",)
    found = judged("x : f16[4]", "AllReduce(cast(x, f32))", "cast(x, f32)", given="x : f16[4] partial(+)")
    assert found.evidence.assumed == ()


ONE_ROW = ("pow(x, z)", "gt(x, z)", "gelu_backward(x, z)", "eq(x, z)", "where(gt(x, z), x, z)", "maximum(x, z)")


@looped("call", ONE_ROW)
@looped(("shapes", "cut"), [(("[2, 4]", "[1, 4]"), 0), (("[3, 2]", "[3, 1]"), 1)])
def test_one_row_per_rank_beside_a_length_of_1_is_proved(call, shapes, cut):
    if call.startswith("gelu"):
        shapes = shapes[1], shapes[0]
    typed = [f"{name} : f32{shape}" for name, shape in zip("xz", shapes, strict=True)]
    given = [f"{each} sliced({cut})" if "1" not in each.partition("[")[2] else each for each in typed]
    found = judged("; ".join(typed), call, call, given="; ".join(given))
    assert isinstance(found, Proved), found


LONE = (
    ("softmax(x, 0)", "softmax(x, 0)", "sliced(0)", "data=1"),
    ("AllReduce(relu(x))", "relu(x)", "partial(+)", "data=1"),
    (
        "AllReduce(softmax(AllGather(x, 0, axis=data), 0) * ranks(data), axis=data)",
        "softmax(x, 0)",
        "sliced(0, data)",
        "data=1, model=2",
    ),
    ("AllGather(Slice(softmax(x, 1), 0), 1)", "softmax(x, 1)", "", "data=1"),
)


@pytest.mark.parametrize(("ours", "theirs", "layout", "mesh"), LONE)
def test_an_axis_of_one_rank_changes_nothing(ours, theirs, layout, mesh):
    ours = ours.replace("ranks(data)", "1")
    found = judged("x : f32[4, 6]", ours, theirs, mesh, f"x : f32[4, 6] {layout}")
    assert isinstance(found, Proved), found
    assert sum(axis.size for axis in found.evidence.meshes[0]) == (3 if "model" in mesh else 1)


@pytest.mark.parametrize("ours", ["Broadcast(x, 1)", "AllGather(ReduceScatter(x, 0, sizes=3), 0)", "Send(x, next)"])
def test_on_one_rank_too_what_names_another_one_is_not_right(ours):
    assert not isinstance(judged(X, ours, "x", "m=1"), Proved)


def test_what_is_refused_and_changes_no_value_is_not_proved():
    found = judged(X, "AllReduce(x * 0, max)", "x * 0", given="x : f32[4] partial(+)")
    assert isinstance(found, Unknown)
    assert "has no layout" in found.reason
    assert "no output or updated state differs" in found.reason


def test_fields_are_of_random_primes():
    primes = {prime_of(seed) for seed in range(1, 30)}
    assert len(primes) == 29
    assert all(2**60 < prime < 2**61 for prime in primes)
    assert all(pow(3, prime - 1, prime) == 1 for prime in primes)
    sieve = [number for number in range(41, 4000, 2) if all(number % each for each in range(3, number, 2))]
    assert [number for number in range(41, 4000, 2) if is_prime(number)] == sieve
    assert PrimeField(1).prime != PrimeField(2).prime


@pytest.mark.parametrize("ranks", [256, 4096])
def test_a_sum_over_ranks_takes_time_in_proportion_to_them(ranks):
    """Counted in additions, of which each element of each rank takes one."""
    added = []

    class Counting(PrimeField):
        def reduced(self, reduction, arrays):
            added.append(len(arrays))
            return super().reduced(reduction, arrays)

    for body in ("AllReduce(x)", "AllGather(ReduceScatter(x, 0), 0)", "Broadcast(Reduce(x, 3), 3)"):
        many = parse_program(f"program d\nmesh m={ranks}\ninput x : f32[4] partial(+)\ny = {body}\noutput y")
        one = parse_program("program s\ninput x : f32[4]\ny = x\noutput y")
        added.clear()
        assert compare(many, one, Counting(1)) is None
        assert sum(added) <= 2 * ranks


def test_the_parts_of_an_expression_count_as_memory():
    for text in ("sum(expand(x, 400000000) + 1)", "sum(expand(x, 100000000))", "max(expand(x, 90000000) * 2)"):
        program = parse_program(f"program p\ninput x : f32[1]\ny = {text} * 2\noutput y")
        assert effort(program).elements >= 90_000_000
    tracemalloc.start()
    judged("x : f32[1]", "sum(expand(x, 400000000) + 1)", "sum(expand(x, 400000000) + 1) * 2")
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()


def test_a_campaign_of_changed_programs_finds_nothing_false():
    count = examples(len(OPERATIONS))
    found = script_module("break_programs").run(count, 7)
    assert found["false"] == []
    assert min(found["verdicts"]["right"], found["verdicts"]["wrong"]) > count / 5
    assert found["operations_without_a_pair"] == []
