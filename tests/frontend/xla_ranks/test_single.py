"""The program that one device runs alone: what its sources and results are called, and which texts are none."""

import pytest
from looped import looped

from p2smt.errors import VerifyError
from p2smt.frontend.xla_ranks.module import is_text, read_module, single_program, source_names

NAMED = 'metadata={{op_name="{}"}}'


def text(names, root, module="HloModule m"):
    """A text of parameters with these names for the user, none where they are empty."""
    given = [
        f"  p{number} = f32[2] parameter({number}){', ' + NAMED.format(name) if name else ''}"
        for number, name in enumerate(names)
    ]
    return "\n".join([module, "ENTRY main {", *given, f"  ROOT r = {root}", "}", ""])


@pytest.fixture
def read(tmp_path):
    def written(*asked, **more):
        path = tmp_path / "one.hlo"
        path.write_text(text(*asked, **more), encoding="utf-8")
        return path

    return written


@looped(
    ("names", "found"),
    [
        (("x", "y"), ("x", "y")),
        (("y", "x"), ("y", "x")),
        (("x", ""), ("arg0", "arg1")),
        (("x", "x"), ("arg0", "arg1")),
        (("x", "ranks"), ("arg0", "arg1")),
        (("x", "2y"), ("arg0", "arg1")),
    ],
)
def test_sources_have_the_users_names_where_all_have_one_of_their_own(read, names, found):
    path = read(names, "f32[2] subtract(p0, p1)")
    assert source_names(read_module(path)) == found
    assert tuple(source.name for source in single_program(path).sources) == found


@pytest.mark.parametrize(
    ("root", "names"),
    [
        ("f32[2] add(p0, p1)", ["result"]),
        ("(f32[2], f32[2]) tuple(p1, p0)", ["result0", "result1"]),
        ("(f32[2], f32[2]) tuple(p0, p0)", ["result0", "result1"]),
        ("((f32[2], f32[2]), f32[2]) tuple(t, p1)", ["result0", "result1", "result2"]),
        ("(f32[2], f32[2]) tuple(s, s)", ["result0", "result1"]),
    ],
)
def test_every_result_has_a_name_also_one_that_is_a_parameter_or_given_twice(read, root, names):
    path = read(("x", "y"), root)
    made = "  s = f32[2] add(p0, p1)\n  t = (f32[2], f32[2]) tuple(p0, p1)\n  ROOT"
    path.write_text(path.read_text(encoding="utf-8").replace("  ROOT", made), encoding="utf-8")
    program = single_program(path)
    assert [output.name for output in program.outputs] == names
    assert [source.name for source in program.sources] == ["x", "y"]


def test_only_texts_for_xla_that_are_files_are_texts(tmp_path):
    hlo, mlir, other = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "c.txt"
    hlo.write_text(text((), "f32[2] iota(), iota_dimension=0"), encoding="utf-8")
    mlir.write_text("module @m {\n  func.func @main() {\n    return\n  }\n}\n", encoding="utf-8")
    other.write_text("program p\n", encoding="utf-8")
    assert [is_text(path) for path in (hlo, mlir, other, tmp_path, tmp_path / "none")] == [True, True, *[False] * 3]
    assert read_module(mlir).entry == "@main"
    assert read_module(hlo).entry == "main"


def test_a_text_for_several_devices_may_ask_which_it_is_and_is_for_the_first(read):
    """Where it says nothing of devices there is one, as for XLA."""
    for module in ("HloModule m", "HloModule m, num_partitions=4", "HloModule m, replica_count=2"):
        path = read((), "u32[] partition-id()", module=module)
        path.write_text(
            path.read_text(encoding="utf-8").replace(
                "  ROOT r = u32[] partition-id()",
                "\n".join(
                    [
                        "  d = u32[] partition-id()",
                        "  c = s32[] convert(d)",
                        "  f = f32[] convert(c)",
                        "  ROOT r = f32[2] broadcast(f), dimensions={}",
                    ]
                ),
            ),
            encoding="utf-8",
        )
        program = single_program(path)
        assert [output.name for output in program.outputs] == ["result"]


MANUAL = """
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"d"}]>] out_shardings=[<@mesh, [{"d"}]>] manual_axes={"d"} (%arg1: tensor<2xf32>) {
    %1 = stablehlo.add %arg1, %arg1 : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""  # noqa: E501


def test_a_text_of_what_each_of_several_devices_does_is_no_program_for_one(tmp_path):
    path = tmp_path / "many.mlir"
    path.write_text(MANUAL, encoding="utf-8")
    with pytest.raises(VerifyError, match="is a program for several devices; the reference program has to be for one"):
        single_program(path)
