"""How large indices may be that a file draws to check itself: the shortest of all tables that they are looked up in."""

import pytest

from p2smt.emit.torch.program.indices import index_limits
from p2smt.tensor.text.parser import parse_program

GIVEN = """program looked_up
input i : i64[4]
input j : i64[4]
input w : f32[6, 3]
input v : f32[5, 3]
input x : f32[4, 7]
input g : f32[4, 3]
"""


@pytest.mark.parametrize(
    ("lines", "limits"),
    [
        ("y = embedding(w, i)", {"i": 6}),
        ("y = embedding(w, i) + embedding(v, i)", {"i": 5}),
        ("y = embedding(v, i) + embedding(w, i)", {"i": 5}),
        ("y = embedding(v, i) + embedding(w, j)", {"i": 5, "j": 6}),
        ("y = pick(x, i)", {"i": 7}),
        ("y = embedding_backward(g, i, 9)", {"i": 9}),
        ("y = one_hot(i, 8)", {"i": 8}),
        ("a = reshape(i, 2, 2)\nb = transpose(a, 1, 0)\ny = embedding(w, b)", {"i": 6}),
        ("a = cat(i, j, dim=0)\ny = embedding(w, a)\nz = one_hot(j, 4)\nu = sum(y) + sum(z)", {"i": 6, "j": 4}),
        ("a = i + 1\ny = embedding(w, a)", {}),
        ("y = w * 2", {}),
    ],
)
def test_an_index_is_below_the_length_of_the_shortest_table(lines, limits):
    last = lines.rpartition("\n")[2].partition(" ")[0]
    assert index_limits(parse_program(f"{GIVEN}{lines}\noutput {last}\n")) == limits


def test_what_is_gathered_is_an_index_all_the_same():
    text = "program p\nmesh r=2\ninput i : i64[4] sliced(0)\ninput w : f32[6, 3]\n"
    text += "a = AllGather(i, 0)\ny = embedding(w, a)\noutput y\n"
    assert index_limits(parse_program(text)) == {"i": 6}


def test_a_part_that_is_looked_up_says_nothing_of_the_rest():
    lines = "a = slice(i, 0, 0, 2)\nb = reshape(j, 2, 2)\ny = embedding(w, a)\nz = embedding(w, b)\nu = sum(y) + sum(z)"
    program = parse_program(f"{GIVEN}{lines}\noutput u\n")
    assert index_limits(program, parts=False) == {"j": 6}
    assert index_limits(program) == {"i": 6, "j": 6}
