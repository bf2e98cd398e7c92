"""Programs whose contractions read flattened tensors say what they said, on every rank."""

import numpy as np
from looped import looped

from p2smt.emit.torch.program.flattening import with_flat_operands
from p2smt.emit.torch.program.in_place import with_counts_inside
from p2smt.emit.torch.program.rows import with_rows_once
from p2smt.tensor.comparison import split
from p2smt.tensor.interpreter import run
from p2smt.tensor.printer import print_program
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

ROWS = """program rows
mesh r=2
input x : f32[4, 3, 2, 5] sliced(0)
input g : f32[4, 6, 3, 2] sliced(0)
parameter w : f32[6, 5]
h = transpose(g, 0, 2, 3, 1) * 2
m = matmul(h, w)
t = reshape(transpose(h, 3, 0, 1, 2), 6, 24)
f = reshape(x, 24, 5)
d = matmul(t, f)
s = sum(h, 0, 1, 2)
output m sliced(0)
output d partial(+)
output s partial(+)
"""
WHOLE = ROWS.replace(" sliced(0)", "").replace(" partial(+)", "")
HEADS = """program heads
mesh r=2
input a : f32[4, 2, 3, 5] sliced({dim})
input g : f32[4, 3, 7]{layout}
d = einsum("b s o, b h s i -> o h i", g, a)
v = reshape(transpose(a, 0, 2, 1, 3), 4, 3, 10)
y = v * 2
output d {summed}
output y sliced({out})
"""
BATCHES = HEADS.format(dim=0, layout=" sliced(0)", summed="partial(+)", out=0)
CASES = {
    "rows": (ROWS, with_rows_once, ("t = transpose(h.rows, 1, 0)", "s = sum(h.rows, 0)")),
    "rows that are turned in another way": (
        WHOLE.replace("transpose(h, 3, 0, 1, 2)", "transpose(h, 3, 1, 0, 2)"),
        with_rows_once,
        ("m = matmul(h, w)",),
    ),
    "heads": (BATCHES, with_flat_operands, ('d.flat = einsum("b s o, b s h -> o h", g, v)',)),
    "heads on ranks": (
        HEADS.format(dim=1, layout="", summed="sliced(1)", out="2"),
        with_flat_operands,
        ('d = einsum("b s o, b h s i -> o h i", g, a)',),
    ),
    "labels that are apart": (
        BATCHES.replace("-> o h i", "-> h o i"),
        with_flat_operands,
        ('d = einsum("b s o, b h s i -> h o i", g, a)',),
    ),
}


@looped("name", CASES)
def test_flattened_programs_compute_the_same(name):
    text, rewritten, lines = CASES[name]
    program = parse_program(text)
    made = rewritten(program)
    for line in lines:
        assert line in print_program(made), print_program(made)
    meaning = Reals(3)
    sources = {each.name: each for each in program.sources}
    arrays = {source.name: meaning.random(source.shape, source.dtype) for source in program.sources}
    given = {key: split(sources[key], array, program, meaning) for key, array in arrays.items()}
    before, after = (run(each, given, meaning, 1) for each in (program, made))
    for output in program.outputs:
        for mine, theirs in zip(after[output.name], before[output.name], strict=True):
            np.testing.assert_allclose(mine.array, theirs.array, rtol=1e-12, err_msg=name)


COUNTS = """program counts
mesh r=1
state c : i64[]
state e : i64[]
n = c + 1
m = e + 1
c.new = update(c, n)
e.new = update(e, m)
output m
"""


def test_counts_that_nothing_else_reads_are_added_to_in_place():
    text = print_program(with_counts_inside(parse_program(COUNTS)))
    assert "c.new = update(c, c + 1)" in text
    assert "e.new = update(e, m)" in text
