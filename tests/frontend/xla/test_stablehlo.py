"""StableHLO: both of its forms, and every message."""

import pytest
from frontend.plan_files import FOLDER
from frontend.xla.xla_programs import MLIR_ADD
from frontend.xla.xla_texts import STABLEHLO
from looped import looped
from tiers import is_full

from p2smt.frontend.xla import ssa_run
from p2smt.frontend.xla.stablehlo import parse_stablehlo
from p2smt.verify.check import verify
from p2smt.verify.plan_verdict import PlanProof
from p2smt.verify.verdict import Proved, Refuted

GROUPS = "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"
TYPE = "(tensor<8xi64>) -> tensor<8xi64>"


def text(body, attributes="mhlo.num_replicas = 4 : i32"):
    return (
        f"module @m attributes {{{attributes}}} {{\n  func.func @main(%x: tensor<8xi64>) -> tensor<8xi64> {{\n"
        f"    {body}\n    return %0 : tensor<8xi64>\n  }}\n}}\n"
    ).encode()


def all_reduce(inside=GROUPS, region=MLIR_ADD):
    return f'%0 = "stablehlo.all_reduce"(%x) <{{{inside}}}> {region} : {TYPE}'


@looped(
    "body",
    [
        all_reduce(),
        all_reduce("replica_groups = dense<> : tensor<0x0xi64>"),
        f'%0 = "stablehlo.all_reduce"(%x) {MLIR_ADD} {{{GROUPS}}} : {TYPE} loc(#loc1)',
        f"{all_reduce().replace('%0', '%1')}\n %0 = stablehlo.optimization_barrier %1 : tensor<8xi64>",
        f'{all_reduce().replace("%0", "%1")}\n %0 = "stablehlo.reshape"(%1) : {TYPE}',
        f"{all_reduce().replace('%0', '%1')}\n %2 = stablehlo.tuple %1, %x : tuple<tensor<8xi64>, tensor<8xi64>>\n"
        " %0 = stablehlo.get_tuple_element %2[0] : (tuple<tensor<8xi64>, tensor<8xi64>>) -> tensor<8xi64>",
        f"{all_reduce().replace('%0', '%1')}\n %z = stablehlo.constant dense<0> : tensor<i64>\n"
        " %2 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<i64>) -> tensor<8xi64>\n"
        " %0 = stablehlo.add %1, %2 : tensor<8xi64>",
        f"{all_reduce().replace('%0', '%1')}\n"
        " %2:2 = stablehlo.optimization_barrier %x, %1 : tensor<8xi64>, tensor<8xi64>\n"
        " %3, %0 = stablehlo.optimization_barrier %x, %2#1 : tensor<8xi64>, tensor<8xi64>",
    ],
)
def test_forms_of_one_all_reduce(body):
    assert verify(parse_stablehlo(text(body), "f")) == Proved(PlanProof(4))


def test_functions_that_are_called_may_stand_behind():
    data = text("%0 = func.call @sum(%x) : (tensor<8xi64>) -> tensor<8xi64>")
    other = f"  func.func private @sum(%x: tensor<8xi64>) -> tensor<8xi64> {{\n{all_reduce()}\n return {{}}%0 : i64 }}"
    other = other.replace("{}%0 : i64", "%0 : tensor<8xi64>")
    assert verify(parse_stablehlo(data[:-2] + other.encode() + b"}\n", "f")) == Proved(PlanProof(4))


@looped(
    ("body", "attributes", "wanted"),
    [
        (
            all_reduce(region=MLIR_ADD.replace("add", "maximum")),
            "",
            "is stablehlo.maximum, not an addition; only sums are supported",
        ),
        (all_reduce(region=MLIR_ADD.replace("i64", "i1")), "", "is something else, not an addition"),
        (all_reduce(region=""), "", "all_reduce %0: its region is unknown, not an addition"),
        (all_reduce("replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"), "", "device 2 is in no group; name all 4"),
        (
            all_reduce(),
            "mhlo.num_partitions = 4 : i32",
            "without a channel only replicas communicate, and there is 1 of 4",
        ),
        (
            all_reduce(f"{GROUPS}, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>"),
            "mhlo.num_partitions = 4 : i32",
            "without a channel only replicas communicate, and there is 1 of 4",
        ),
        (all_reduce(), "mhlo.num_partitions = 0 : i32", "mhlo.num_partitions = 0; it is a whole number from 1 to 4096"),
        (
            "%0 = stablehlo.sine %x : tensor<8xi64>",
            "",
            "stablehlo.sine %0: this operation is not supported; supported are reshape",
        ),
        ("%0 = stablehlo.constant dense<1> : tensor<8xi64>", "", "a constant other than 0 (i64[8]) where data is"),
        (
            "%0 = stablehlo.constant opaque<1> : tensor<8xi64>",
            "",
            "a constant that begins with opaque <; only dense<...> is",
        ),
        ('%0 = stablehlo.constant dense<"0x00"> : tensor<8xi64>', "", "are not numbers of type 'i64'"),
        ("%0 = stablehlo.add %x, %1 : tensor<8xi64>", "", "stablehlo.add %0: %1 is used before it is defined"),
        ("%0 = stablehlo.add %x, %x : tensor<?xi64>", "", "tensor<? xi64; sizes are whole numbers"),
        (
            "%0 = stablehlo.add %x, %x : vector<8xi64>",
            "",
            "type 'vector' is not supported; supported are tensor<4x8xf32>",
        ),
        (
            f"%0 = func.call @f(%x) : {TYPE}",
            "",
            "computation '@f' does not exist, or calls are nested more than 32 deep",
        ),
        (
            f"%0 = func.call @main(%x) : {TYPE}",
            "",
            "computation '@main' does not exist, or calls are nested more than 32 deep",
        ),
        (
            f'%0 = "stablehlo.all_to_all"(%x) <{{split_dimension = 0 : i64, concat_dimension = 0 : i64, '
            f"split_count = 2 : i64, {GROUPS}}}> : {TYPE}",
            "",
            "split_count has to be the size of the groups",
        ),
        (
            f'%0 = "stablehlo.all_to_all"(%x) <{{split_dimension = 0 : i64, concat_dimension = 1 : i64, {GROUPS}}}> : '
            "(tensor<8xi64>) -> tensor<2x4xi64>",
            "",
            "dimension 0 or 1 of i64[8] does not exist, or does not divide into 4",
        ),
        (
            "%0 = stablehlo.add %x, %x : tensor<8xi64>\n %0 = stablehlo.add %x, %x : tensor<8xi64>",
            "",
            "%0 is defined twice",
        ),
        ("%0 = stablehlo.while(%y = %x) : tensor<8xi64>\n cond {", "", "'}' where 'do' is expected"),
    ],
)
def test_what_is_not_read_says_so(body, attributes, wanted):
    found = STABLEHLO.message(text(body, attributes or "mhlo.num_replicas = 4 : i32"))
    assert found.startswith("f.mlir")
    assert wanted in found


@looped(
    ("data", "wanted"),
    [
        (b"", "the text ends inside its module, or has 0 functions and none is @main"),
        (b"module {", "the text ends inside its module"),
        (b"HloModule m", "line 1: 'HloModule' where a module, sdy.mesh or func.func is expected"),
        (b"func.func @f() { " + b'"a.b"() ({ ' * 9999, "line 1: regions nested deeper than 16"),
        (b"func.func @f(%a: tensor<" + b"9" * 9999 + b"xf32>", "line 1: dimension '9999"),
        (b"sdy.mesh @m = <[]> sdy.mesh @m = <[]>", "line 1: mesh @m is declared twice"),
    ],
)
def test_what_is_no_stablehlo(data, wanted):
    assert wanted in STABLEHLO.message(data)


def test_only_parameters_change_their_shape_at_the_border_of_a_shard_map():
    data = (FOLDER / "shard_map_sharded.mlir").read_bytes()
    twice = data.replace(b"    %0 = sdy", b"    %9 = stablehlo.add %arg0, %arg0 : tensor<64xf32>\n    %0 = sdy")
    assert "line 8: stablehlo.add %9: the operation takes a sharded tensor as a whole" in STABLEHLO.message(twice)


def test_all_numbers_of_a_constant_go_into_a_shard_map():
    """Scaled by ones the sum is right, scaled by ones and a two it is not."""
    data = (FOLDER / "shard_map_sharded.mlir").read_text(encoding="utf-8")
    for numbers, right in (("1.0", True), ("[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0]", False)):
        scaled = (
            data.replace("    %0 = sdy", f"    %c = stablehlo.constant dense<{numbers}> : tensor<8xf32>\n    %0 = sdy")
            .replace("computation(%arg0)", "computation(%arg0, %c)")
            .replace('in_shardings=[<@mesh, [{"x"}]>]', 'in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>]')
            .replace("(%arg1: tensor<8xf32>)", "(%arg1: tensor<8xf32>, %d: tensor<8xf32>)")
            .replace("sdy.return %1 :", "%9 = stablehlo.multiply %1, %d : tensor<8xf32>\n      sdy.return %9 :")
            .replace(": (tensor<64xf32>) -> tensor<64xf32>", ": (tensor<64xf32>, tensor<8xf32>) -> tensor<64xf32>")
        )
        verdict = verify(parse_stablehlo(scaled.encode(), "f"))
        assert isinstance(verdict, Proved if right else Refuted)


LOOP = """%c = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i64>, tensor<8xi64>
    cond {
      %n = stablehlo.constant dense<TIMES> : tensor<i64>
      %2 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i64>
      %3 = stablehlo.add %i, %one : tensor<i64>
      BODY
      stablehlo.return %3, %0 : tensor<i64>, tensor<8xi64>
    }
    %0 = stablehlo.reshape %1#1 : (tensor<8xi64>) -> tensor<8xi64>"""


@pytest.mark.parametrize(("times", "right"), [(1, True), (2, False), (0, False)])
def test_loops_are_carried_out_as_often_as_they_say(times, right):
    body = LOOP.replace("TIMES", str(times)).replace("BODY", all_reduce().replace("(%x)", "(%y)"))
    assert isinstance(verify(parse_stablehlo(text(body), "f")), Proved if right else Refuted)


def test_loops_that_depend_on_data_are_refused(monkeypatch):
    body = LOOP.replace("BODY", "%0 = stablehlo.reshape %y : (tensor<8xi64>) -> tensor<8xi64>")
    unending = body.replace("TIMES", "1").replace("add %i, %one", "subtract %i, %one")
    limit = ssa_run.MAX_STEPS if is_full() else 4096
    monkeypatch.setattr(ssa_run, "MAX_STEPS", limit)
    assert f"more than {limit} instructions are executed" in STABLEHLO.message(text(unending))
    data = body.replace("%i, %n, SIGNED", "%y, %y, SIGNED").replace("TIMES", "1")
    assert "line 7: stablehlo.compare %2: an operand depends on data" in STABLEHLO.message(text(data))


@pytest.mark.parametrize("axis", ["x", "y"])
def test_meshes_may_be_inlined(axis):
    mesh = '<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>]>'
    axes = f'axes = [#stablehlo.axis_ref<name = "{axis}">]'
    groups = f"#stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh{mesh}, {axes}>"
    plan = parse_stablehlo(text(all_reduce(f"replica_groups = {groups}")), "f")
    assert plan.steps[0].groups == (((0, 2), (1, 3)) if axis == "x" else ((0, 1), (2, 3)))


def test_what_becomes_another_part_of_all_is_refused():
    data = (FOLDER / "shard_map_sharded.mlir").read_bytes()
    result = b'-> (tensor<64xf32> {jax.result_info = "result"'
    same = data.replace(result, result + b', sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>')
    assert verify(parse_stablehlo(same, "f")) == Proved(PlanProof(8))
    other = data.replace(result, result + b", sdy.sharding = #sdy.sharding<@mesh, [{}]>")
    assert "gets <@mesh,[{}]>, which moves data, and the compiler decides how" in STABLEHLO.message(other)
    one_axis = data.replace(b'["x"=8]', b'["x"=8, "y"=2]')
    assert "axis 'y' of the mesh is not manual" in STABLEHLO.message(one_axis)


TWICE = """module @m attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%p: tensor<8xi64>) -> tensor<8xi64> {
    %1 = sdy.manual_computation(%p) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x", "y"} (%x: tensor<4xi64>) {
      SUM
      sdy.return %0 : tensor<4xi64>
    } : (tensor<8xi64>) -> tensor<8xi64>
    %2 = sdy.manual_computation(%1, %p) in_shardings=[FIRST, SECOND] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x", "y"} (%a: tensor<4xi64>, %b: tensor<4xi64>) {
      sdy.return %a : tensor<4xi64>
    } : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi64>
    return %2 : tensor<8xi64>
  }
}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("second", "third", "said"),
    [
        ("x", "x", ""),
        ("y", "x", 'with the sharding <@mesh,[{"y"}]> after <@mesh,[{"x"}]>; only parameters may change'),
        ("x", "y", "only an unused parameter may have different shapes on different devices"),
    ],
)
def test_what_is_shared_out_in_one_way_is_not_taken_as_if_it_were_in_another(second, third, said):
    """Both ways give parts of one shape, of a parameter as of what was computed, and other devices have other parts."""
    inside = f"{GROUPS}, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"
    text_ = TWICE.replace("SUM", all_reduce(inside).replace("8xi64", "4xi64"))
    text_ = text_.replace("FIRST", f'<@mesh, [{{"{second}"}}]>').replace("SECOND", f'<@mesh, [{{"{third}"}}]>')
    if said:
        assert said in STABLEHLO.message(text_.encode())
    else:
        assert verify(parse_stablehlo(text_.encode(), "f")) == Proved(PlanProof(4))


def test_parameters_that_are_results_may_move():
    body = """module @m attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["a"=8]>
  func.func public @main(%x: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<64xf32> {
    return %x : tensor<64xf32>
  }
}
"""
    assert "line 1: a result is a sharded parameter" in STABLEHLO.message(body.encode())
