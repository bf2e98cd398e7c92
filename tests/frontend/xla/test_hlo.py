"""HLO: what is read as what, and every message."""

import numpy as np
import pytest
from frontend.plan_files import FOLDER
from frontend.xla.xla_programs import HLO_ADD
from frontend.xla.xla_texts import HLO
from looped import looped
from tiers import is_full
from verify.interpreter import run

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.xla import ssa_run, ssa_store, words
from p2smt.frontend.xla.hlo import parse_hlo
from p2smt.verify.check import verify
from p2smt.verify.plan_verdict import PlanProof
from p2smt.verify.verdict import Proved, Refuted, Unknown

PARAMETER = "  %p = f32[8]{0} parameter(0)\n"


def text(body, head="replica_count=4"):
    computations = HLO_ADD.replace("s64", "f32") + HLO_ADD.replace("s64", "f32").replace("%add {", "%max {").replace(
        "add(", "maximum("
    )
    return f"HloModule m, {head}\n{computations}ENTRY %main {{\n{PARAMETER}{body}\n}}\n".encode()


def test_what_is_verified_is_named_in_the_words_of_the_text():
    verdict = verify(parse_hlo((FOLDER / "pairs_then_all.hlo").read_bytes(), "f"))
    assert verdict.counter_example.message == (
        "step 3 (all-reduce psum.7, line 29), group [0, 1, 2, 3, 4, 5, 6, 7]: "
        "data[0] of device 0 counts the contribution of device 1 2 times"
    )


def test_a_number_that_is_no_branch_takes_the_last():
    """Of three branches, which give the payload once, twice and three times; numbers are -1 to 2, and 1 to 4."""
    computations = "".join(
        f"%b{times} (x: f32[8]) -> f32[8] {{\n %x = f32[8] parameter(0)\n %k = f32[] constant({times})\n"
        f" %w = f32[8] broadcast(%k), dimensions={{}}\n ROOT %m = f32[8] multiply(%x, %w)\n}}\n"
        for times in (1, 2, 3)
    )
    for added, wanted in ((-1, [3, 1, 2, 3]), (1, [2, 3, 3, 3])):
        body = (
            f" %i = u32[] replica-id()\n %n = s32[] convert(%i)\n %o = s32[] constant({added})\n"
            " %c = s32[] add(%n, %o)\n"
            " ROOT %r = f32[8] conditional(%c, %p, %p, %p), branch_computations={%b1, %b2, %b3}"
        )
        plan = parse_hlo(text(body).replace(b"ENTRY", computations.encode() + b"ENTRY"), "f")
        assert run(plan, np.ones((4, 1), dtype=int)).tolist() == [[times] for times in wanted]


@pytest.mark.parametrize("names", ["true_computation=%twice, false_computation=%less", ""])
def test_a_device_takes_the_branch_of_its_own_truth_value_with_the_operand_of_that_branch(names):
    """Devices 0 and 1 give their payload twice, 2 and 3 that of device 0 without the sign, in whichever order."""
    computations = (
        "%twice (x: f32[8]) -> f32[8] {\n %x = f32[8] parameter(0)\n ROOT %t = f32[8] add(%x, %x)\n}\n"
        "%less (y: f32[8]) -> f32[8] {\n %y = f32[8] parameter(0)\n ROOT %n = f32[8] negate(%y)\n}\n"
    )
    turned = "false_computation=%less, true_computation=%twice"
    body = (
        " %s = f32[8] collective-broadcast(%p), replica_groups={{0,1,2,3}}\n %i = u32[] replica-id()\n"
        " %z = u32[] constant(2)\n %c = pred[] compare(%i, %z), direction=LT\n"
        f" ROOT %r = f32[8] conditional(%c, %p, %s), {names or turned}"
    )
    plan = parse_hlo(text(body).replace(b"ENTRY", computations.encode() + b"ENTRY"), "f")
    assert run(plan, np.array([[1], [20], [300], [4000]])).tolist() == [[2], [40], [-1], [-1]]


def test_a_device_has_the_number_of_its_replica_and_of_its_partition():
    """Device 3 r + p is partition p of replica r; each gives its payload 10 r + p + 1 times."""
    body = (
        " %r = u32[] replica-id()\n %p.1 = u32[] partition-id()\n %t = u32[] constant(10)\n %o = u32[] constant(1)\n"
        " %a = u32[] multiply(%r, %t)\n %b = u32[] add(%a, %p.1)\n %c = u32[] add(%b, %o)\n %d = f32[] convert(%c)\n"
        " %e = f32[8] broadcast(%d), dimensions={}\n ROOT %m = f32[8] multiply(%p, %e)"
    )
    plan = parse_hlo(text(body, "replica_count=2, num_partitions=3"), "f")
    assert run(plan, np.ones((6, 1), dtype=int)).tolist() == [[1], [2], [3], [11], [12], [13]]


def test_all_axes_of_a_mesh_are_manual():
    data = (FOLDER / "before_partitioning.hlo").read_bytes().replace(b'["x"=8]', b'["x"=8, "y"=2]')
    assert "axis 'y' of the mesh is not manual, so the compiler adds communication along it" in HLO.message(data)


def test_several_parameters_are_one_payload_and_may_change_places_with_their_results():
    body = "  %q = f32[8]{0} parameter(1)\n  ROOT %t = (f32[8], f32[8]) tuple(%q, %p)"
    plan = parse_hlo(text(body), "f")
    assert plan.goal.source.length == 2
    given = np.array([[1, 2], [3, 4], [5, 6], [7, 8]])
    assert run(plan, given).tolist() == [[2, 1], [4, 3], [6, 5], [8, 7]]


def test_calls_fusions_and_asynchronous_computations_are_what_they_compute():
    wrapped = "%wrapped {\n  %x = f32[8] parameter(0)\n  ROOT %y = f32[8] all-reduce(%x), to_apply=%add\n}\nENTRY"
    body = (
        "  %s = ((f32[8]), f32[8]) async-start(%p), calls=%wrapped\n  %u = f32[8] async-update(%s)\n"
        "  ROOT %d = f32[8] async-done(%u)"
    )
    for body_ in (body, "  ROOT %c = f32[8] fusion(%p), kind=kLoop, calls=%wrapped"):
        found = text(body_).replace(b"ENTRY", wrapped.encode())
        assert verify(parse_hlo(found, "f")) == Proved(PlanProof(4))


def test_without_counts_the_largest_device_in_a_group_is_the_last():
    data = text("  ROOT %r = f32[8] all-reduce(f32[8]{0} %p), replica_groups={{0,1,2,3,4,5}}, to_apply=%add")
    assert verify(parse_hlo(data.replace(b", replica_count=4", b""), "f")) == Proved(PlanProof(6))


def test_partitions_communicate_by_channels():
    body = "  ROOT %r = f32[8] all-reduce(%p), channel_id=1, replica_groups={GROUPS}, to_apply=%add"
    for groups in ("", "{0}"):
        assert verify(parse_hlo(text(body.replace("GROUPS", groups), "num_partitions=4"), "f")) == Proved(PlanProof(4))


def test_dimensions_of_size_one_do_not_matter_to_a_bitcast():
    body = "  %b = f32[8,1]{0,1} bitcast(%p)\n  ROOT %r = f32[8] bitcast(%b)"
    assert parse_hlo(text(body), "f").steps == ()


AR = "all-reduce(%p), replica_groups="
REDUCED = "%m = f32[2,4] reshape(%p)\n %z = f32[] constant(ONE)\n ROOT %r = f32[4] reduce(%m, %z), dimensions={0},"
NUMBER = "%c = f32[] constant(ONE)\n %d = f32[8] broadcast(%c), dimensions={}\n ROOT %r = f32[8] "


@looped(
    ("body", "head", "wanted"),
    [
        (f"ROOT %r = f32[8] {AR}{{}}, to_apply=%max", "", "all-reduce r: max is maximum, not an addition; only sums"),
        (f"ROOT %r = f32[8] {AR}{{}}, to_apply=%no", "", "all-reduce r: no is unknown, not an addition"),
        (f"ROOT %r = f32[8] {AR}{{}}", "", "all-reduce r: its region is unknown, not an addition"),
        ("ROOT %r = f32[8] copy(%q)", "", "copy r: q is used before it is defined"),
        (
            f"ROOT %r = f32[8] {AR}{{{{0,1}}}}, to_apply=%add",
            "",
            "device 2 is in no group; name all 4 devices, or none",
        ),
        (f"ROOT %r = f32[8] {AR}{{{{0,9}}}}, to_apply=%add", "", "its groups name device 9; devices are 0 to 3"),
        (f"ROOT %r = f32[8] {AR}{{{{0,1}},{{1,2}}}}, to_apply=%add", "", "its groups name device 1 twice"),
        (
            f"ROOT %r = f32[8] {AR}{{}}, to_apply=%add",
            "replica_count=2, num_partitions=2",
            "2 replicas and 2 partitions, and numbers that may be either; write use_global_device_ids",
        ),
        (
            f"ROOT %r = f32[8] {AR}{{}}, to_apply=%add",
            "num_partitions=4",
            "without a channel only replicas communicate, and there is 1 of 4 partitions; write channel_id",
        ),
        (
            f"ROOT %r = f32[8] {AR}{{{{0,1,2,3}}}}, channel_id=1, to_apply=%add",
            "num_partitions=4",
            "groups name replicas, and there is 1 of 4 partitions; write use_global_device_ids",
        ),
        (
            f"ROOT %r = f32[8] {AR}{{{{0,1,2,3}}}}, channel_id=1, use_global_device_ids=false, to_apply=%add",
            "num_partitions=4",
            "groups name replicas, and there is 1 of 4 partitions; write use_global_device_ids",
        ),
        (
            "%q = f32[2,4] reshape(%p)\n ROOT %r = (f32[8], f32[8]) all-to-all(%p, %q), replica_groups={{0,1}}",
            "replica_count=2",
            "2 operands in groups of 2; there must be one for each member, all of one shape",
        ),
        (f"{REDUCED} to_apply=%max".replace("ONE", "0"), "", "reduce r: max is maximum, not an addition; only sums"),
        (
            f"{REDUCED} to_apply=%add".replace("ONE", "1"),
            "",
            "only a sum of one tensor with the initial value 0 is supported",
        ),
        (
            NUMBER.replace("ONE", "3") + "divide(%d, %p)",
            "",
            "data is divided by data; only multiplication and division by constants",
        ),
        (NUMBER.replace("ONE", "0") + "divide(%p, %d)", "", "divide r: data is divided by 0"),
        ("ROOT %r = f32[8] copy(%p)", "replica_count=0, num_partitions=4", "replica_count=0; it is a whole number"),
        ("ROOT %r = f32[8] copy(%p)", "replica_count=5000", "replica_count=5000; it is a whole number from 1 to 4096"),
        ("ROOT %r = f32[8] copy(%p)", "a=1", "0 devices follow from the numbers of replicas and partitions, or else"),
        (
            "ROOT %r = f32[4] reduce-scatter(%p), dimensions={0}, to_apply=%add",
            "",
            "the result is f32[2], but its type is f32[4]",
        ),
        (
            "ROOT %r = f32[4] slice(%p), slice={[0:4]}",
            "",
            "the results have [4] elements, the",
        ),
        (
            "ROOT %r = f32[2] reduce-scatter(%p), dimensions={3}, to_apply=%add",
            "",
            "or does not divide into 4 equal blocks",
        ),
        (
            "ROOT %r = f32[8] all-gather(%p), dimensions={0}, replica_groups={{0},{1,2,3}}",
            "",
            "groups of 1 and of 3 devices; this operation needs groups of one size",
        ),
        ("ROOT %r = f32[8] all-to-all(%p, %p), replica_groups={}", "", "2 operands in groups of 4; there must be one"),
        (
            "ROOT %r = f32[8] sort(%p), dimensions={0}",
            "",
            "sort r: this operation is not supported; supported are reshape, bitcast, ",
        ),
        (
            "%c = f32[] constant(1)\n %d = f32[8] broadcast(%c), dimensions={}\n ROOT %r = f32[8] add(%p, %d)",
            "",
            "line 16: add r: a constant other than 0 (f32[8]) where data is expected",
        ),
        (
            "%c = f32[8] constant({0,0,0,0,0,0,0,1})\n ROOT %r = f32[8] add(%p, %c)",
            "",
            "line 15: add r: a constant other than 0 (f32[8]) where data is expected",
        ),
        ("%c = f32[] constant(one)", "", "constant c: 'one' is not a number of type f32"),
        (
            "%c = f32[3] constant({1, 2})",
            "",
            "constant c: the constant has 2 numbers for f32[3]; give one, or one for each element",
        ),
        (
            "ROOT %r = f32[8] collective-permute(%p), source_target_pairs={{0,1},{0,2}}",
            "",
            "the sources of its pairs name device 0 twice",
        ),
        (
            "ROOT %r = f32[8] collective-permute(%p), source_target_pairs={{0,1},{2,1}}",
            "",
            "the targets of its pairs name device 1 twice",
        ),
        (
            "ROOT %r = f32[8] collective-permute(%p), source_target_pairs={{0}}",
            "",
            "[0] is not a pair of a source and a",
        ),
        ("ROOT %r = f32[3] reshape(%p)", "", "f32[8] is reshaped to f32[3], which has another number of elements"),
        (
            "ROOT %r = s32[8] bitcast(%p)",
            "",
            "f32[8] is reinterpreted as s32[8]; a bitcast to another type is not supported",
        ),
        (
            "ROOT %r = s32[8] convert(%p)",
            "",
            "f32[8] is converted to s32[8]; only conversions between floating-point types",
        ),
        (
            "ROOT %r = f32[8,2] broadcast(%p), dimensions={1}",
            "",
            "is broadcast to f32[8,2] along dimensions [1]; each size must stay",
        ),
        (
            "ROOT %r = f32[8,2] broadcast(%p), dimensions={}",
            "",
            "along dimensions []; give each dimension of the operand its own",
        ),
        (
            "ROOT %r = f32[8] multiply(%p, %p)",
            "",
            "data is multiplied with each other; only multiplication and division by constants",
        ),
        ("ROOT %r = f32[8] abs(%p)", "", "abs r: an operand depends on data; it must be a constant"),
        (
            "ROOT %r = f32[4] slice(%p), slice={[6:10]}",
            "",
            "slice r: slice [6:10:1] is out of bounds for a dimension of size 8",
        ),
        ("ROOT %r = f32[4] slice(%p), slice={[0:4], [0:1]}", "", "2 ranges for f32[8]; give one for each dimension"),
        (
            "ROOT %r = f32[4] slice(%p), slice={[0:x]}",
            "",
            "expected two or three numbers of a slice or padding, found '0:x'",
        ),
        ("ROOT %r = f32[8] transpose(%p), dimensions={1}", "", "[1] is not a permutation of the dimensions of f32[8]"),
        ("ROOT %r = f32[8] reverse(%p), dimensions={1}", "", "dimensions [1] do not exist in f32[8], or occur twice"),
        (
            "ROOT %r = f32[16] concatenate(%p, %p), dimensions={1}",
            "",
            "f32[8] has no dimension 1 to concatenate along",
        ),
        ("ROOT %r = f32[8] dynamic-slice(%p, %p)", "", "the index of a part depends on data; it must be a constant"),
        (
            "ROOT %r = f32[8] while(%p), condition=%add, body=%add",
            "",
            "while r: add has 2 parameters, but is called with 1 arguments",
        ),
        ('ROOT %r = f32[8] custom-call(%p), custom_call_target="x"', "", 'custom-call "x" r: this operation is not'),
        (
            "%i = u32[] partition-id()\n %j = u32[] replica-id()\n ROOT %r = f32[8] all-reduce(%p), "
            "replica_groups={{0,1}}, to_apply=%add",
            "a=1",
            "partition-id and replica-id are both used, but num_replicas",
        ),
        ("ROOT %r = f32[8] get-tuple-element(%p), index=0", "", "element 0 of a value that is not a tuple"),
        (
            "%q = f32[4] parameter(1)\n ROOT %r = f32[8] add(%p, %q)",
            "",
            "f32[8], f32[4] cannot be added; only two numeric tensors",
        ),
        (
            "ROOT %r = f32[8] call(%p), to_apply=%main",
            "",
            "computation 'main' does not exist, or calls are nested more than 32 deep",
        ),
        ("ROOT %r = f32[0] copy(%p)", "", "f32[0]: a tensor has 1 to 2^48 elements and at most 32 dimensions"),
        ("ROOT %r = f32[<=8] copy(%p)", "", "dimension '<='; sizes have to be whole numbers"),
        ("ROOT %r = f32[8] all-gather-start(%p)", "", "must be a tuple of 2 elements or more; number 1 is its result"),
        ("%p = f32[8] copy(%p)", "", "p is defined twice, or two parameters have one number"),
        ("%q = f32[8] parameter(2)", "", "has no instruction, or its parameters are not numbered from 0 on"),
        ("ROOT %r = f32[8] copy(%p", "", "'}' where ',' is expected"),
    ],
)
def test_what_is_not_read_says_so(body, head, wanted):
    found = HLO.message(text("  " + body, head or "replica_count=4"))
    assert found.startswith("f.hlo")
    assert wanted in found


def test_the_line_of_a_mistake():
    assert HLO.message(text("  ROOT %r = f32[8] sort(%p)")).startswith("f.hlo, line 14: sort r: ")


@looped(
    ("data", "wanted"),
    [
        (b"", "line 1: HLO text must begin with HloModule and a name"),
        (b"\x00", "line 1: '\\x00' is an unexpected character in HLO or MLIR"),
        (b"\xff\xfe", "f.hlo is not text: byte 0 is not UTF-8; give the text that XLA prints"),
        (b"HloModule m", "no computation is marked ENTRY"),
        (b"HloModule m\nENTRY e { p = " + b"(" * 99_999, "line 2: tuples nested deeper than 8"),
        (b"HloModule m\nENTRY e { p = f32[" + b"9" * 99_999 + b"]", "line 2: dimension '99999999"),
    ],
)
def test_what_is_no_hlo(data, wanted):
    assert wanted in HLO.message(data)


def test_the_words_of_a_text_are_bounded(monkeypatch):
    most = words.MOST_WORDS if is_full() else 1000
    monkeypatch.setattr(words, "MOST_WORDS", most)
    assert f"more than {most} words, the limit" in HLO.message(b"HloModule m, a=" + b"(" * (most + 1))


def test_work_is_bounded(monkeypatch):
    adds = "\n".join(f"  %r{place} = f32[8] add(%p, %p)" for place in range(600))
    with monkeypatch.context() as patch:
        most = ssa_store.MAX_CELLS if is_full() else 2**16
        patch.setattr(ssa_store, "MAX_CELLS", most)
        asked = text(adds, f"replica_count={4096 if is_full() else 64}")
        assert f"the groups of all steps name more than {most} devices" in HLO.message(asked)
    calls = "".join(
        f"%c{n} {{ %q = f32[8] parameter(0)\n %r = f32[8] call(%q), to_apply=%c{n - 1}\n"
        f" ROOT %s = f32[8] call(%r), to_apply=%c{n - 1} }}\n"
        for n in range(1, 30)
    )
    leaf = "%c0 { %q = f32[8] parameter(0)\n ROOT %r = f32[8] copy(%q) }\n"
    deep = text("  ROOT %r = f32[8] call(%p), to_apply=%c29").replace(b"ENTRY", (leaf + calls).encode() + b"ENTRY")
    limit = ssa_run.MAX_STEPS if is_full() else 1024
    monkeypatch.setattr(ssa_run, "MAX_STEPS", limit)
    assert f"more than {limit} instructions are executed" in HLO.message(deep)


ADDED = "  %a = f32[8] all-reduce(%p), to_apply=%add\n"
EIGHTH = ADDED + "  %c = f32[] constant(0.25)\n  %b = f32[8] broadcast(%c), dimensions={}\n"


@looped(
    ("body", "average", "right"),
    [
        (EIGHTH + "  ROOT %r = f32[8] multiply(%b, %a)", True, True),
        (EIGHTH + "  ROOT %r = f32[8] multiply(%a, %b)", False, False),
        (EIGHTH.replace("0.25", "4") + "  ROOT %r = f32[8] divide(%a, %b)", True, True),
        (
            EIGHTH.replace("0.25", "3") + "  %t = f32[8] multiply(%a, %b)\n  ROOT %r = f32[8] divide(%t, %b)",
            False,
            True,
        ),
        (EIGHTH.replace("0.25", "0.75") + "  ROOT %r = f32[8] multiply(%a, %b)", True, False),
        (EIGHTH.replace("0.25", "-0.25") + "  %t = f32[8] multiply(%a, %b)\n  ROOT %r = f32[8] negate(%t)", True, True),
        (EIGHTH.replace("0.25", "-4") + "  ROOT %r = f32[8] divide(%a, %b)", True, False),
        (ADDED + "  %t = f32[8] subtract(%a, %p)\n  ROOT %r = f32[8] add(%p, %t)", False, True),
        (ADDED + "  ROOT %r = f32[8] subtract(%a, %p)", False, False),
    ],
)
def test_scaling_by_constants(body, average, right):
    verdict = verify(parse_hlo(text(body), "f", AskedGoal(average=average)))
    assert isinstance(verdict, Proved if right else Refuted)


def test_integers_drop_the_fraction():
    body = ADDED + "  %c = f32[8] constant({4,4,4,4,4,4,4,4})\n  ROOT %r = f32[8] divide(%a, %c)"
    whole = text(body).replace(b"f32", b"s32")
    assert parse_hlo(whole, "f", AskedGoal(average=True)).integers
    assert verify(parse_hlo(whole, "f", AskedGoal(average=True))) == Proved(PlanProof(4))
    first = "  %c = s32[8] constant(4)\n  %q = s32[8] divide(%p, %c)\n  ROOT %a = s32[8] all-reduce(%q), to_apply=%add"
    early = text(first).replace(b"f32", b"s32")
    assert isinstance(verify(parse_hlo(early, "f", AskedGoal(average=True))), Refuted)
    less = early.replace(b"ROOT %a", b"%b").replace(b"%add\n}\n", b"%add\n  ROOT %a = s32[8] negate(%b)\n}\n")
    verdict = verify(parse_hlo(less, "f", AskedGoal(average=True)))
    assert isinstance(verdict, Unknown)
    assert verdict.reason.startswith("integers are both subtracted and divided")


@pytest.mark.parametrize("first", ["f32", "s32"])
@pytest.mark.parametrize("second", ["f32", "s32"])
def test_numbers_of_one_kind_alone_are_divided(first, second):
    body = (
        "  %q = SECOND[8] parameter(1)\n  %c = FIRST[8] constant(4)\n  %d = SECOND[8] constant(4)\n"
        "  %x = FIRST[8] divide(%p, %c)\n  %y = SECOND[8] divide(%q, %d)\n"
        "  ROOT %r = (FIRST[8], SECOND[8]) tuple(%x, %y)"
    )
    data = text(body).replace(b"f32", first.encode())
    data = data.replace(b"FIRST", first.encode()).replace(b"SECOND", second.encode())
    said = "the program divides both integers and floating-point numbers; only one of the two is supported"
    if first == second:
        assert parse_hlo(data, "f").integers is (first == "s32")
    else:
        assert said in HLO.message(data)


def test_devices_that_the_text_does_not_count_are_told():
    data = text("  ROOT %r = f32[8] all-reduce(%p), to_apply=%add", "a=1")
    assert "0 devices follow from the numbers of replicas" in HLO.message(data)
    assert verify(parse_hlo(data, "f", devices=4)) == Proved(PlanProof(4))
    with pytest.raises(VerifyError, match="f: --devices is 8, but the text is for 4 devices"):
        parse_hlo(text("  ROOT %r = f32[8] all-reduce(%p), to_apply=%add"), "f", devices=8)


def test_types_that_are_left_out_and_constants_as_operands():
    body = (
        "  %i = s32[] multiply(s32[] constant(2), s32[] constant(2))\n"
        "  %s = f32[4] dynamic-slice(%p, %i)\n  %t = f32[4] slice(%p), slice={[0:4]}\n"
        "  %j = f32[8] concatenate(%t, %s), dimensions={0}\n  %a = f32[8] all-reduce(%j), to_apply=%add\n"
        "  ROOT r = tuple(%a)"
    )
    assert verify(parse_hlo(text(body), "f")) == Proved(PlanProof(4))


def test_parameters_may_be_tuples():
    body = "%add {\n  %t = (f32[8], f32[2]) parameter(0)\n" + (
        "  %x = f32[8] get-tuple-element(%t), index=0\n  %y = f32[2] get-tuple-element(%t), index=1\n"
        "  %a = f32[8] all-reduce(%x), to_apply=%add\n  %b = f32[2] all-reduce(%y), to_apply=%add\n"
        "  ROOT %r = (f32[8], f32[2]) tuple(%a, %b)\n}\n"
    )
    data = text("").decode().partition("ENTRY")[0] + "ENTRY " + body.replace("%add {", "%main {", 1)
    assert verify(parse_hlo(data.encode(), "f")) == Proved(PlanProof(4 * 5))
    bare = data.replace("all-reduce(%x)", "all-reduce(%t)")
    assert "line 16: all-reduce a: expected a tensor, found a tuple or no operand" in HLO.message(bare.encode())


def test_bitcasts_follow_the_layout_in_memory():
    body = (
        "  %m = f32[2,4]{1,0} reshape(%p)\n  %t = f32[4,2]{0,1} transpose(%m), dimensions={1,0}\n"
        "  ROOT %r = f32[8]{0} bitcast(%t)"
    )
    assert parse_hlo(text(body), "f").steps == ()
    other = parse_hlo(text(body.replace("{0,1}", "{1,0}")), "f")
    assert len(other.steps) > 1


def test_what_is_not_partitioned_is_refused():
    body = "  ROOT %r = f32[8] add(%q, %q)"
    data = text("  %q = f32[8] parameter(1), sharding={devices=[4]<=[4]}\n" + body, "num_partitions=4")
    assert "nothing communicates, and parameters are sharded" in HLO.message(data)


def test_what_stands_behind_the_sharding_of_results_is_left_out():
    data = (FOLDER / "before_partitioning.hlo").read_text(encoding="utf-8").replace("ROOT shard_map.7", "shard_map.7")
    sharding = 'frontend_attributes={xla.sdy.sharding="#sdy.sharding_per_value<[<@mesh, [{SHARED}]>]>"}'
    behind = (
        f'  s.1 = f32[64]{{0}} custom-call(shard_map.7), custom_call_target="xla.sdy.FuncResultSharding", {sharding}\n'
        "  s.2 = f32[64]{0} reshape(s.1)\n  ROOT s.3 = f32[64]{0} copy(USED)\n}"
    )
    text_ = data.rstrip().removesuffix("}") + behind.replace("SHARED", '\\"x\\"')
    assert verify(parse_hlo(text_.replace("USED", "s.1").encode(), "f")) == Proved(PlanProof(8))
    assert "line 25: copy s.3: the result is a tuple of 0 values" in HLO.message(text_.replace("USED", "s.2").encode())
    moved = data.rstrip().removesuffix("}") + behind.replace("SHARED", "").replace("USED", "s.1")
    assert 'FuncResultSharding" s.1: a value with the sharding <@mesh,[{"x"}]> gets' in HLO.message(moved.encode())
