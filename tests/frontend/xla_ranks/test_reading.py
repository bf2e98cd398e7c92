"""What of a text is followed, what is not, and what is said of either."""

import pytest
from frontend.xla_ranks.executed import TEXTS, judged

from p2smt.errors import VerifyError
from p2smt.frontend.xla.mesh import DeviceList
from p2smt.frontend.xla_ranks.module import single_program
from p2smt.frontend.xla_ranks.ranks import UserStatements, verify_text
from p2smt.frontend.xla_ranks.ranks_mesh import common_mesh, layouts
from p2smt.frontend.xla_ranks.tilings import UncoveredError, tiling
from p2smt.tensor.expression import AxisLayout, ProgramAxis
from p2smt.tensor.layout import Sliced
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Refuted, Unknown

ROWS = """
module attributes {{mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(%arg0: tensor<2x6xf32>{cut}, %arg1: tensor<6x4xf32>) -> (tensor<2x4xf32>{after}) {{
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x4xf32>) -> tensor<2x4xf32>
    {more}
    return %{last} : tensor<2x4xf32>
  }}
}}
"""  # noqa: E501
SINGLE = """program rows
input x : f32[8, 6]
parameter w : f32[6, 4]
y = matmul(x, w)
output y
"""
CUT = ' {mhlo.sharding = "{devices=[4,1]<=[4]}"}'


def rows(tmp_path, cut=CUT, after="", more="", said=None, last=0):
    path = tmp_path / "rows.mlir"
    path.write_text(ROWS.format(cut=cut, after=after, more=more, last=last), encoding="utf-8")
    return verify_text(path, parse_program(SINGLE), said or UserStatements(layouts={})).verdict


@pytest.mark.parametrize(
    "cut",
    [
        CUT,
        ' {mhlo.sharding = "{devices=[4,1]0,1,2,3}"}',
        ' {mhlo.sharding = "{devices=[4,1,1]<=[4] last_tile_dim_replicate}"}',
        ' {mhlo.sharding = "{devices=[4,1]<=[2,2]T(1,0)}"}',
    ],
)
def test_text_that_says_what_each_device_has_is_read_by_its_annotations(tmp_path, cut):
    assert isinstance(rows(tmp_path, cut), Proved)


def test_a_layout_said_beside_the_text_takes_the_place_of_an_annotation(tmp_path):
    said = UserStatements(layouts={"x": (AxisLayout(Sliced(0)),)}, mesh=(ProgramAxis("ranks", 4),))
    assert isinstance(rows(tmp_path, "", said=said), Proved)
    with pytest.raises(VerifyError, match=r"x has shape \[2, 6\] on every device.*--layout 'x=sliced\(0\)'"):
        rows(tmp_path, "")


GATHERED = """HloModule m, num_partitions=2
ENTRY main {{
  p0 = f32[2,3] parameter(0), sharding={{devices=[2,1]{held}}}
  n = f32[2,3] negate(p0)
  ROOT g = f32[4,3] all-gather(n), dimensions={{0}}, replica_groups={{{{{group}}}}}, channel_id=1, use_global_device_ids=true
}}
"""  # noqa: E501


@pytest.mark.parametrize(("held", "group"), [("0,1", "0,1"), ("0,1", "1,0"), ("1,0", "0,1"), ("1,0", "1,0")])
def test_blocks_of_a_gather_follow_the_order_in_which_its_group_is_written(tmp_path, held, group):
    path = tmp_path / "gathered.hlo"
    path.write_text(GATHERED.format(held=held, group=group), encoding="utf-8")
    single = parse_program("program s\ninput x : f32[4, 3]\ny = neg(x)\noutput y\n")
    verdict = verify_text(path, single, UserStatements(layouts={})).verdict
    assert isinstance(verdict, Proved | Unknown if held == group else Refuted | Unknown)
    assert isinstance(verdict, Proved) or (held, group) != ("0,1", "0,1")


def test_a_result_that_is_handed_on_as_another_part_is_wrong(tmp_path):
    assert isinstance(rows(tmp_path, after=' {mhlo.sharding = "{devices=[4,1]<=[4]}"}'), Proved)
    verdict = rows(tmp_path, after=' {mhlo.sharding = "{devices=[4,1]3,2,1,0}"}')
    assert isinstance(verdict, Refuted | Unknown)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("%1 = stablehlo.cosine %0 : tensor<2x4xf32>", ""),
        ("%1 = stablehlo.cbrt %0 : tensor<2x4xf32>", "line 5: stablehlo.cbrt %1: the operation is not supported"),
        ("%1 = stablehlo.custom_call @Other(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32>", "custom_call"),
    ],
)
def test_what_is_not_covered_is_named_with_its_line(tmp_path, more, reason):
    verdict = rows(tmp_path, more=more)
    if not reason:
        assert isinstance(verdict, Proved)
        return
    assert isinstance(verdict, Unknown), verdict
    assert reason in verdict.reason
    assert "rows.mlir, line 5" in verdict.reason


def sent(name, operand, pairs):
    return (
        f'%{name} = "stablehlo.collective_permute"(%{operand}) <{{source_target_pairs = dense<{pairs}> : '
        f"tensor<{len(pairs)}x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}}> : "
        "(tensor<2x4xf32>) -> tensor<2x4xf32>"
    )


SWAP = [[0, 1], [1, 0], [2, 3], [3, 2]]


def test_messages_move_the_parts_that_devices_have(tmp_path):
    there, back = sent(1, 0, SWAP), sent(2, 1, SWAP)
    both = rows(tmp_path, more=f"{there}\n{back}", last=2)
    assert isinstance(both, Proved), both
    assert isinstance(rows(tmp_path, after=CUT, more=there, last=1), Refuted)
    swapped = ' {mhlo.sharding = "{devices=[4,1]1,0,3,2}"}'
    verdict = rows(tmp_path, after=swapped, more=there, last=1)
    assert not isinstance(verdict, Refuted), "what is said to be in that order is in that order"
    some = rows(tmp_path, after=CUT, more=sent(1, 0, SWAP[:2]), last=1)
    assert isinstance(some, Refuted)
    assert "ranks that receive nothing hold zeros, which no conversion gives" in str(some.counter_example.refusal)
    turned = rows(
        tmp_path,
        cut=' {mhlo.sharding = "{devices=[4,1]<=[2,2]T(1,0)}"}',
        after=CUT,
        last=1,
        more=sent(1, 0, [[0, 0], [2, 1], [1, 2], [3, 3]]),
    )
    assert isinstance(turned, Proved), turned


def test_text_that_is_not_partitioned_is_refused():
    with pytest.raises(VerifyError, match="compile the text, if it is not partitioned yet"):
        verify_text(TEXTS / "mlp" / "single.mlir", wide(), UserStatements(devices=1, layouts={}))


def wide():
    return parse_program(
        "program mlp\ninput x : f64[16, 6]\nparameter w1 : f64[6, 12]\nparameter w2 : f64[12, 4]\n"
        "y = matmul(relu(matmul(x, w1)), w2)\noutput y\n"
    )


def test_a_tensor_program_written_by_hand_is_what_the_text_is_compared_with():
    text = "program mlp\ninput x : f64[8, 6]\nparameter w1 : f64[6, 12]\nparameter w2 : f64[12, 4]\n"
    single = parse_program(f"{text}y = matmul(relu(matmul(x, w1)), w2)\noutput y\n")
    assert isinstance(verify_text(TEXTS / "mlp" / "right.mlir", single, UserStatements(layouts={})).verdict, Proved)
    other = parse_program(f"{text}y = matmul(tanh(matmul(x, w1)), w2)\noutput y\n")
    assert isinstance(verify_text(TEXTS / "mlp" / "right.mlir", other, UserStatements(layouts={})).verdict, Refuted)


def test_new_versions_of_parameters_are_results_behind_the_outputs(tmp_path):
    single = """program sgd
parameter w1 : f64[6, 12]
parameter w2 : f64[12, 4]
input x : f64[8, 6]
input y : f64[8, 4]
h = relu(matmul(x, w1))
e = matmul(h, w2) - y
loss = sum(e * e, 0, 1) / 32
g = e / 16
g2 = matmul(transpose(h, 1, 0), g)
g1 = matmul(transpose(x, 1, 0), relu_backward(matmul(g, transpose(w2, 1, 0)), matmul(x, w1)))
w1.after = update(w1, w1 - 0.125 * g1)
w2.after = update(w2, w2 - 0.125 * g2)
output loss
"""
    verdict = verify_text(TEXTS / "sgd" / "right.mlir", parse_program(single), UserStatements(layouts={})).verdict
    assert isinstance(verdict, Proved), verdict
    wrong = verify_text(TEXTS / "sgd" / "no_sum.mlir", parse_program(single), UserStatements(layouts={})).verdict
    assert isinstance(wrong, Refuted), wrong


def test_numbers_of_parameters_and_results_have_to_agree():
    single = single_program(TEXTS / "mlp" / "single.mlir")
    with pytest.raises(VerifyError, match=r"has 5 parameters .*, and single has the 3 sources arg0, arg1, arg2"):
        verify_text(TEXTS / "biased" / "right.mlir", single, UserStatements(layouts={}))


def test_uneven_blocks_are_not_followed(tmp_path):
    path = tmp_path / "rows.mlir"
    path.write_text(ROWS.format(cut=CUT, after="", more="", last=0), encoding="utf-8")
    verdict = verify_text(path, parse_program(SINGLE.replace("8, 6", "7, 6")), UserStatements(layouts={})).verdict
    assert isinstance(verdict, Unknown)
    assert "cut into blocks of [2, 6], which are uneven" in verdict.reason


def test_a_copy_that_lies_in_memory_in_another_order_is_seen():
    """Bitcasts read what a copy has turned; taking them for reshapes called a right text wrong."""
    verdict = judged(TEXTS / "heads" / "right.hlo")
    assert not isinstance(verdict, Refuted)


def test_parts_that_are_read_otherwise_are_not_called_wrong():
    """Which part of a tensor an array is can be read in several ways; one that does not hold says nothing."""
    assert isinstance(judged(TEXTS / "ulysses" / "partitioned_read_otherwise.hlo"), Proved)


def test_tilings_are_layouts_along_the_axes_that_all_of_them_go_along():
    rows_, columns = (
        tiling(text, 4, {})
        for text in (
            "{devices=[2,1,2]<=[4] last_tile_dim_replicate}",
            "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}",
        )
    )
    mesh = common_mesh(4, [rows_, columns], [])
    assert mesh.axes == (ProgramAxis("axis0", 2), ProgramAxis("axis1", 2))
    assert layouts(rows_, mesh) == (AxisLayout(Sliced(0), "axis0"),)
    assert layouts(columns, mesh) == (AxisLayout(Sliced(1), "axis1"),)
    both = tiling("{devices=[4,1]<=[2,2]T(1,0)}", 4, {})
    assert layouts(both, mesh) == (AxisLayout(Sliced(0), "axis1"), AxisLayout(Sliced(0), "axis0"))
    assert common_mesh(4, [], [((0, 2), (1, 3))]).axes == (ProgramAxis("axis0", 2), ProgramAxis("axis1", 2))
    assert common_mesh(4, [], [((0, 1, 2, 3),)]).axes == (ProgramAxis("ranks", 4),)


def test_the_first_of_several_axes_that_cut_a_dimension_is_the_outer_one():
    """Device a * 3 + b is at (a, b) of the mesh, unless the mesh says who is where."""
    plain = {"@mesh": DeviceList((("a", 2), ("b", 3)))}
    assert tiling('<@mesh, [{"a", "b"}]>', 6, plain).blocks == ((0,), (1,), (2,), (3,), (4,), (5,))
    assert tiling('<@mesh, [{}, {"b", "a"}]>', 6, plain).blocks == ((0, 0), (0, 2), (0, 4), (0, 1), (0, 3), (0, 5))
    other = {"@mesh": DeviceList((("a", 2), ("b", 3)), (5, 4, 3, 2, 1, 0))}
    assert tiling('<@mesh, [{"b", "a"}]>', 6, other).blocks == ((5,), (3,), (1,), (4,), (2,), (0,))


def test_shardings_that_are_not_followed_are_named():
    mesh = {"@mesh": DeviceList((("a", 2), ("b", 2)))}
    assert tiling('<@mesh, [{"a", "b"}, {?}]>', 4, mesh).counts == (4, 1)
    assert tiling("{devices=[2,1,2]<=[4] last_tile_dims={replicated, replicated}}", 4, mesh).counts == (2,)
    for text in (
        "{manual}",
        "{maximal device=0}",
        '<@mesh, [{"a":(1)2}]>',
        '<@mesh, [{}], unreduced={"a"}>',
        "{devices=[2,1,2]<=[4] last_tile_dims={manual, replicated}}",
    ):
        with pytest.raises(UncoveredError, match="sharding"):
            tiling(text, 4, mesh)
    for text in ("{devices=[3,1]<=[3]}", "{devices=[2,2]0,1,1,2}", "<@other, [{}]>", '<@mesh, [{"a"}, {"a"}]>'):
        with pytest.raises(VerifyError):
            tiling(text, 4, mesh)


def test_known_numbers_whose_shapes_do_not_fit_are_refused(tmp_path):
    more = (
        "%1 = stablehlo.iota dim = 0 : tensor<3xi32>\n%2 = stablehlo.iota dim = 0 : tensor<4xi32>\n"
        "%3 = stablehlo.add %1, %2 : tensor<4xi32>"
    )
    with pytest.raises(VerifyError, match=r"line 7: stablehlo.add %3: .*shapes \[3\], \[4\]; the shapes must be equal"):
        rows(tmp_path, more=more)


SUMMANDS = """
module attributes {{mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(%arg0: tensor<8x3xf32> {columns}, %arg1: tensor<3x4xf32> {rows}) -> tensor<8x4xf32> {{
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x3xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    %1 = "stablehlo.collective_permute"(%0) <{{source_target_pairs = dense<{pairs}> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = "stablehlo.all_reduce"(%1) <{{replica_groups = dense<{groups}> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}}> ({{
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %3 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }}) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }}
}}
"""  # noqa: E501


@pytest.mark.parametrize(("groups", "wrong"), [([[0, 1], [2, 3]], True), ([[0, 2], [1, 3]], False)])
def test_summands_that_are_sent_are_no_parts_of_a_tensor(tmp_path, groups, wrong):
    """Devices 1 and 2 trade summands: those that were to be added along one axis then are along the other."""
    path = tmp_path / "summands.mlir"
    cut = '{{mhlo.sharding = "{{devices={}<=[2,2]T(1,0) last_tile_dim_replicate}}"}}'
    text = SUMMANDS.format(
        columns=cut.format("[1,2,2]"), rows=cut.format("[2,1,2]"), groups=groups, pairs=[[0, 0], [1, 2], [2, 1], [3, 3]]
    )
    path.write_text(text, encoding="utf-8")
    single = parse_program(SINGLE)
    verdict = verify_text(path, single, UserStatements(layouts={})).verdict
    assert isinstance(verdict, Refuted if wrong else Proved), verdict
    large = parse_program(SINGLE.replace("8, 6", "8000000, 6"))
    path.write_text(text.replace("8x", "8000000x"), encoding="utf-8")
    assert isinstance(verify_text(path, large, UserStatements(layouts={})).verdict, Unknown)


PARTITIONED = """
module @jit attributes {{mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x4xf32>) -> (tensor<4x4xf32>) {{
    %0 = stablehlo.custom_call @Sharding(%arg0) {{backend_config = "", mhlo.sharding = "{{devices=[1,2]<=[2]}}"}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {{backend_config = "", mhlo.sharding = "{{manual}}"}} : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %2 = stablehlo.custom_call @Sharding(%arg1) {{backend_config = "", mhlo.sharding = "{{devices=[2,1]<=[2]}}"}} : (tensor<6x4xf32>) -> tensor<6x4xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {{backend_config = "", mhlo.sharding = "{{manual}}"}} : (tensor<6x4xf32>) -> tensor<3x4xf32>
    %4 = stablehlo.dot_general %1, %3, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %5 = "stablehlo.all_reduce"(%4) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}}> ({{
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }}) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %6 = stablehlo.custom_call @Sharding(%{inside}) {{backend_config = "", mhlo.sharding = "{{manual}}"}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {{backend_config = "", mhlo.sharding = "{{{after}}}"}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %8 = stablehlo.add %7, %7 : tensor<4x4xf32>
    return %8 : tensor<4x4xf32>
  }}
}}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("inside", "after", "kind"),
    [(5, "replicated", Proved), (4, "replicated", Refuted), (5, "devices=[2,1]<=[2]", Unknown)],
)
def test_calls_of_the_partitioner_say_how_values_are_cut(tmp_path, inside, after, kind):
    """What is computed behind them is followed where every device has all of it."""
    path = tmp_path / "partitioned.mlir"
    path.write_text(PARTITIONED.format(inside=inside, after=after), encoding="utf-8")
    single = parse_program("program p\ninput x : f32[4, 6]\nparameter w : f32[6, 4]\ny = matmul(x, w) * 2\noutput y\n")
    verdict = verify_text(path, single, UserStatements(layouts={})).verdict
    assert isinstance(verdict, kind), verdict
