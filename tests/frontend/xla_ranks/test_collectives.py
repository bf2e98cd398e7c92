"""Collectives of two devices on texts of a few lines: right beside what they compute, wrong beside anything else."""

import pytest
from looped import looped

from p2smt.errors import VerifyError
from p2smt.frontend.xla_ranks.module import single_program
from p2smt.frontend.xla_ranks.ranks import UserStatements, verify_text
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted, Unknown

FOLDS = "".join(
    f"{name} {{\n  {name}.a = f32[] parameter(0)\n  {name}.b = f32[] parameter(1)\n"
    f"  ROOT {name}.c = f32[] {operation}({name}.a, {name}.b)\n}}\n"
    for name, operation in (("sums", "add"), ("most", "maximum"), ("least", "minimum"), ("times", "multiply"))
)
X = "x = f32[4,6] parameter(0), sharding={devices=[2,1]<=[2]}"
WHOLE = "x = f32[8,6] parameter(0), sharding={replicated}"
GROUPS = "replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true"
ALONE = "replica_groups={{0},{1}}, channel_id=1, use_global_device_ids=true"


def written(tmp_path, lines, head="HloModule m, num_partitions=2"):
    path = tmp_path / "two.hlo"
    body = [f"  {line}" for line in lines[:-1]] + [f"  ROOT {lines[-1]}"]
    path.write_text("\n".join([head, FOLDS, "ENTRY main {", *body, "}", ""]), encoding="utf-8")
    return path


def single(*lines, x="input x : f32[8, 6]"):
    return parse_program("\n".join(["program one", x, *lines, "output y", ""]))


def folded(name):
    return [
        X,
        f"o = f32[] constant({ {'sums': '0', 'most': '-inf', 'least': 'inf'}[name] })",
        f"a = f32[6] reduce(x, o), dimensions={{0}}, to_apply={name}",
        f"r = f32[6] all-reduce(a), {GROUPS}, to_apply={name}",
    ]


JUDGED = {
    "sums": (folded("sums"), "y = sum(x, 0)", "y = max(x, 0)"),
    "maxima": (folded("most"), "y = max(x, 0)", "y = sum(x, 0)"),
    "minima": (folded("least"), "y = neg(max(neg(x), 0))", "y = max(x, 0)"),
    "parts behind each other": (
        [X, f"r = f32[8,6] all-gather(x), {GROUPS}, dimensions={{0}}"],
        "y = x + 0",
        "y = x * 2",
    ),
    "among itself a device gets what it has": (
        [WHOLE, f"r = f32[8,6] all-reduce(x), {ALONE}, to_apply=sums"],
        "y = x + 0",
        "y = x + x",
    ),
    "of all of them a sum": ([WHOLE, f"r = f32[8,6] all-reduce(x), {GROUPS}, to_apply=sums"], "y = x + x", "y = x + 0"),
    "blocks of a sum": (
        [
            WHOLE,
            f"a = f32[4,6] reduce-scatter(x), {GROUPS}, dimensions={{0}}, to_apply=sums",
            f"r = f32[8,6] all-gather(a), {GROUPS}, dimensions={{0}}",
        ],
        "y = x + x",
        "y = x + 0",
    ),
    "two at once": (
        [
            X,
            "n = f32[4,6] negate(x)",
            "o = f32[] constant(0)",
            "a = f32[6] reduce(x, o), dimensions={0}, to_apply=sums",
            "b = f32[6] reduce(n, o), dimensions={0}, to_apply=sums",
            f"t = (f32[6], f32[6]) all-reduce(a, b), {GROUPS}, to_apply=sums",
            "r = f32[6] get-tuple-element(t), index=1",
        ],
        "y = sum(neg(x), 0)",
        "y = sum(x, 0)",
    ),
    "the one who has it": ([WHOLE, f"r = f32[8,6] collective-broadcast(x), {GROUPS}"], "y = x + 0", "y = x + x"),
}


NOT_PROVED = {
    "minima": "it has other expressions than one",
}
"""What is right, and not proved: other expressions."""


@looped("name", JUDGED)
def test_a_collective_is_right_beside_what_it_computes_alone(tmp_path, name):
    lines, right, wrong = JUDGED[name]
    path = written(tmp_path, lines)
    verdict = verify_text(path, single(right), UserStatements(layouts={})).verdict
    match verdict:
        case Unknown():
            assert NOT_PROVED[name] in verdict.reason
        case _:
            assert isinstance(verdict, Proved)
            assert name not in NOT_PROVED
    assert isinstance(verify_text(path, single(wrong), UserStatements(layouts={})).verdict, Refuted)


MISTAKEN = {
    "f32[4,6] in groups of 2 gives [4, 6], but the type of the result is f32[6,4]": [
        X,
        f"r = f32[6,4] all-reduce(x), {GROUPS}, to_apply=sums",
    ],
    "f32[4,6] in groups of 2 gives [8, 6], but the type of the result is f32[4,12]": [
        X,
        f"r = f32[4,12] all-gather(x), {GROUPS}, dimensions={{0}}",
    ],
    "f32[4,6] has no dimension 2": [X, f"r = f32[4,6,2] all-gather(x), {GROUPS}, dimensions={{2}}"],
    "dimension 0 of f32[3,6] does not divide into 2 equal blocks": [
        X,
        "s = f32[3,6] slice(x), slice={[0:3], [0:6]}",
        f"r = f32[1,6] reduce-scatter(s), {GROUPS}, dimensions={{0}}, to_apply=sums",
    ],
    "2 dimensions; the collective works along exactly one": [
        X,
        f"r = f32[8,6] all-gather(x), {GROUPS}, dimensions={{0,1}}",
    ],
    "the collective keeps the shape f32[4,6], but its type is f32[6,4]": [
        X,
        "r = f32[6,4] collective-permute(x), channel_id=1, source_target_pairs={{0,1},{1,0}}",
    ],
    "1 results for 2 operands": [X, f"r = f32[4,6] all-reduce(x, x), {GROUPS}, to_apply=sums"],
}
UNCOVERED = {
    "only reductions with add": [X, f"r = f32[4,6] all-reduce(x), {GROUPS}, to_apply=times"],
    "messages of several tensors at once": [
        X,
        "t = (f32[4,6], f32[4,6]) collective-permute(x, x), channel_id=1, source_target_pairs={{0,1},{1,0}}",
        "r = f32[4,6] get-tuple-element(t), index=0",
    ],
    "the number of its iterations depends on data": [
        X,
        "o = f32[] constant(0)",
        "a = f32[] reduce(x, o), dimensions={0,1}, to_apply=sums",
        "w = f32[] while(a), condition=less, body=more",
        "r = f32[4,6] broadcast(w), dimensions={}",
    ],
}
LOOP = """
less {
  less.a = f32[] parameter(0)
  less.o = f32[] constant(3)
  ROOT less.c = pred[] compare(less.a, less.o), direction=LT
}
more {
  more.a = f32[] parameter(0)
  ROOT more.c = f32[] add(more.a, more.a)
}
"""


@looped("reason", MISTAKEN)
def test_shapes_that_no_collective_gives_are_refused(tmp_path, reason):
    path = written(tmp_path, MISTAKEN[reason])
    with pytest.raises(VerifyError) as raised:
        verify_text(path, single("y = x + 0"), UserStatements(layouts={}))
    assert reason in str(raised.value)
    assert "two.hlo, line " in str(raised.value)


@pytest.mark.parametrize("reason", UNCOVERED)
def test_what_is_not_followed_is_not_proved(tmp_path, reason):
    path = written(tmp_path, UNCOVERED[reason], "HloModule m, num_partitions=2\n" + LOOP)
    verdict = verify_text(path, single("y = x + 0"), UserStatements(layouts={})).verdict
    assert isinstance(verdict, Unknown)
    assert reason in verdict.reason


def test_a_text_that_communicates_is_none_for_one_device(tmp_path):
    with pytest.raises(VerifyError, match=r"two\.hlo communicates; the reference program has to be for one device"):
        single_program(written(tmp_path, JUDGED["sums"][0]))


NAMED = [
    'w = f32[6,6] parameter(0), metadata={op_name="w"}',
    'x = f32[4,6] parameter(1), sharding={devices=[2,1]<=[2]}, metadata={op_name="x"}',
    "a = f32[4,6] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
    f"r = f32[8,6] all-gather(a), {GROUPS}, dimensions={{0}}",
]


def test_parameters_go_by_name_where_all_names_agree_else_by_place(tmp_path):
    one = single("y = matmul(x, w)", x="input x : f32[8, 6]\nparameter w : f32[6, 6]")
    assert isinstance(verify_text(written(tmp_path, NAMED), one, UserStatements(layouts={})).verdict, Proved)
    nameless = [line.partition(", metadata")[0] for line in NAMED]
    swapped = single("y = matmul(x, w)", x="parameter w : f32[6, 6]\ninput x : f32[8, 6]")
    assert isinstance(verify_text(written(tmp_path, nameless), swapped, UserStatements(layouts={})).verdict, Proved)
    other = verify_text(written(tmp_path, nameless), one, UserStatements(layouts={})).verdict
    assert isinstance(other, Unknown)
    assert "x of shape [8, 6] is cut into blocks of [6, 6], which are uneven" in other.reason
    alone = [line.replace("[4,6]", "[8,6]") for line in NAMED[:3]]
    named = single_program(written(tmp_path, alone, "HloModule m"))
    assert [source.name for source in named.sources] == ["w", "x"]
    assert [source.name for source in single_program(written(tmp_path, nameless[:1], "HloModule m")).sources] == [
        "arg0"
    ]


def test_numbers_and_types_of_both_have_to_agree(tmp_path):
    path = written(tmp_path, JUDGED["sums"][0])
    with pytest.raises(VerifyError, match=r"two\.hlo is for 2 devices, not for 4"):
        verify_text(path, single("y = sum(x, 0)"), UserStatements(layouts={}, devices=4))
    with pytest.raises(VerifyError, match=r"two\.hlo is for 2 devices, not for 6"):
        verify_text(
            path, single("y = sum(x, 0)"), UserStatements(layouts={}, mesh=(ProgramAxis("a", 3), ProgramAxis("b", 2)))
        )
    with pytest.raises(VerifyError, match=r"parameter 0 is f32\[4,6\], and x of one is f64"):
        verify_text(path, single("y = sum(x, 0)", x="input x : f64[8, 6]"), UserStatements(layouts={}))
    with pytest.raises(VerifyError, match=r"gives 1 results, and one observes z, y;"):
        verify_text(path, single("z = neg(x)", "y = sum(x, 0)", "output z"), UserStatements(layouts={}))
    two = [*JUDGED["sums"][0][:-1], "r = (f32[6], f32[6]) tuple(a, a)"]
    with pytest.raises(VerifyError, match=r"gives 2 results, and one observes y;"):
        verify_text(written(tmp_path, two), single("y = sum(x, 0)"), UserStatements(layouts={}))
