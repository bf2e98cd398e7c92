"""HLO that no importer may take for a plan: numbers that cannot be computed, branches and loops that differ."""

import pytest
from frontend.xla.test_hlo import text
from frontend.xla.xla_texts import HLO
from looped import looped

NUMBER = " %i = u32[] replica-id()\n %n = s32[] convert(%i)\n"
DATA = "\n ROOT %r = f32[8] copy(%p)"
CALLED = """%more (a: f32[8]) -> pred[] {
  %a = f32[8] parameter(0)
  %i = u32[] replica-id()
  %z = u32[] constant(2)
  ROOT %c = pred[] compare(%i, %z), direction=LT
}
%same (b: f32[8]) -> f32[8] {
  %b = f32[8] parameter(0)
  ROOT %s = f32[8] copy(%b)
}
%half (d: f32[8]) -> f32[4] {
  %d = f32[8] parameter(0)
  ROOT %h = f32[4] slice(%d), slice={[0:4]}
}
%two (e: f32[8]) -> (f32[8], f32[8]) {
  %e = f32[8] parameter(0)
  ROOT %t = (f32[8], f32[8]) tuple(%e, %e)
}
%one (g: f32[8]) -> (f32[8]) {
  %g = f32[8] parameter(0)
  ROOT %o = (f32[8]) tuple(%g)
}
%whole (j: f32[8]) -> f32[8] {
  %j = f32[8] parameter(0)
  ROOT %w = f32[8] all-reduce(%j), replica_groups={}, to_apply=%add
}
"""


def branches(*names):
    """Every rank takes the branch of its number, the last where there is none."""
    operands = ", ".join(["%p"] * len(names))
    return f"{NUMBER} ROOT %r = f32[8] conditional(%n, {operands}), branch_computations={{{', '.join(names)}}}"


@looped(
    ("body", "wanted"),
    [
        (
            "%a = s32[2] constant({1,2})\n %b = s32[3] constant({1,2,3})\n %c = s32[3] add(%a, %b)" + DATA,
            "add of constants of shapes [2], [3]; the shapes must be equal",
        ),
        (
            "%a = s32[2] constant({1,2})\n %c = s32[3] add(%a, %a)" + DATA,
            "of constants gives shape [2], but its type is s32[3]",
        ),
        (
            "%a = s32[] constant(-1)\n %b = s32[] constant(1)\n %c = s32[] shift-right-logical(%a, %b)" + DATA,
            "a right shift of a negative constant",
        ),
        (
            "%a = s32[] constant(1)\n %b = s32[] constant(0)\n %c = s32[] divide(%a, %b)" + DATA,
            "an integer constant is divided by 0",
        ),
        (
            "%a = s32[] constant(1)\n %b = s32[] constant(0)\n %c = s32[] remainder(%a, %b)" + DATA,
            "an integer constant is divided by 0",
        ),
        (
            "%k = pred[] constant(true)\n %l = pred[] negate(%k)" + DATA,
            "negate is not defined for constants of type truth values",
        ),
        (
            "%k = pred[] constant(true)\n %l = pred[] subtract(%k, %k)" + DATA,
            "subtract is not defined for constants of type truth values, truth values",
        ),
        (
            "%k = f32[] constant(2)\n %l = f32[] shift-left(%k, %k)" + DATA,
            "shift-left is not defined for constants of type floating",
        ),
        ("%a = s3[] constant(1)" + DATA, "constants of type 's3' are not supported"),
        ("%a = f32[] constant(0x7F8000)" + DATA, "'0x7F8000' is not a number of type f32"),
        ("%a = s64[] constant(99999999999999999999)" + DATA, "99999999999999999999 does not fit into 64 bits"),
        ("%a = u64[] constant(-1)" + DATA, "a constant of type u64 is 2^63 or more"),
        (
            "%k = pred[] constant(true)\n ROOT %r = f32[8] select(%k, %p)",
            "2 operands; a select takes a condition and two",
        ),
        (
            "%a = f32[2] constant({1,2})\n %z = f32[] constant(0)\n"
            " %c = f32[] reduce(%a, %a, %z, %z), dimensions={0}, to_apply=%add" + DATA,
            "a reduction of 4 constants; only one at a time",
        ),
        ("ROOT %r = f32[8] get-tuple-element(), index=0", "the operand is missing; it must be a tuple"),
        ("%a = f32[8] slice(%p), slice={[4:4]}" + DATA, "the result has no elements"),
        (
            "ROOT %r = f32[8] while(%p), condition=%more, body=%same",
            "devices run this loop a different number of times",
        ),
        ("ROOT %r = f32[8] while(%p), body=%same", "1 computations; a loop has a condition and a body"),
        (f"{NUMBER} ROOT %r = f32[8] conditional(%n, %p, %p)", "the conditional has no branches"),
        (branches("%same", "%half"), "branches return tensors of different shapes"),
        (branches("%same", "%two"), "branches return tensors of different shapes"),
        (branches("%one", "%two"), "branches return different numbers of values"),
        (branches("%one", "%same"), "branches return different numbers of values"),
        (branches("%same", "%whole"), "devices take different branches, and a branch communicates"),
    ],
)
def test_what_is_computed_is_computable_and_the_same_on_all_devices(body, wanted):
    data = text("  " + body).replace(b"ENTRY", CALLED.encode() + b"ENTRY")
    assert wanted in HLO.message(data)


@pytest.mark.parametrize("body", [branches("%same", "%same"), branches("%whole", "%whole").replace("(%n", "(%k")])
def test_branches_that_do_not_differ_are_read(body):
    one = " %k = s32[] constant(1)\n"
    data = text(one + body).replace(b"ENTRY", CALLED.encode() + b"ENTRY")
    assert not HLO.refused(data)
