"""Tables at every width from 60 columns up: every word of every cell is there, whole, where it belongs."""

import sys
from io import BytesIO, TextIOWrapper

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from p2smt.cli.output.program import short_cell
from p2smt.cli.output.screen import DOT, LEAST_WIDTH, PIPE_WIDTH, say, screen_width, show, wrapped
from p2smt.cli.output.table import print_panels, print_table, table_lines
from p2smt.collective import Collective, Exchange
from p2smt.reduction.language.short_text import short_steps

WORD = st.text("abcxyz()/;,.東é", min_size=1, max_size=30)
CELL = st.lists(WORD, max_size=6).map(" ".join)


@st.composite
def tables(draw):
    columns = draw(st.lists(CELL, min_size=1, max_size=9))
    rows = draw(st.lists(st.tuples(*[CELL] * len(columns)), max_size=4))
    right = draw(st.sets(st.integers(0, len(columns) - 1)))
    return columns, rows, right


def words(texts):
    return sorted(word for text in texts for word in text.split())


@settings(max_examples=examples(13))
@given(tables(), st.integers(LEAST_WIDTH, 200))
def test_no_word_is_broken_or_left_out_at_any_width(table, width):
    columns, rows, right = table
    lines = list(table_lines(columns, rows, right, width))
    cells = [cell for row in rows for cell in row]
    heads = list(columns) if words(lines) == words([*columns, *cells]) else list(columns) * len(rows)
    assert words(lines) == words([*heads, *cells])


def read_back(lines, columns):
    """The cells of a table of one word per heading: what stands below each other from one heading to the next."""
    begins = [lines[0].index(head) for head in columns]
    parts = [
        [line[begin:end].strip() for begin, end in zip(begins, [*begins[1:], None], strict=True)] for line in lines
    ]
    rows = []
    for part in parts[1:]:
        if part[0]:
            rows.append(part)
        else:
            rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], part, strict=True)]
    return rows


ASCII = st.lists(st.text("abc/x4", min_size=1, max_size=9), min_size=1, max_size=8).map(" ".join)


@settings(max_examples=examples(13))
@given(st.lists(st.tuples(ASCII, ASCII, ASCII), min_size=1, max_size=4), st.integers(LEAST_WIDTH, 160))
def test_cells_are_read_back_from_their_columns(rows, width):
    columns = ("#", "first", "second", "third")
    numbered = [[str(number), *row] for number, row in enumerate(rows)]
    lines = list(table_lines(columns, numbered, (), width))
    assert max(map(len, lines)) <= width
    assert read_back(lines, columns) == numbered


def test_a_table_that_does_not_fit_becomes_a_block_per_row():
    wide = ["w" * 30, "x" * 25, "y" * 20]
    lines = list(table_lines(["one", "two", "three"], [wide, wide], {1}, 60))
    assert lines[:3] == ["  one    " + wide[0], "  two    " + wide[1], "  three  " + wide[2]]
    assert lines[3:] == ["", *lines[:3]]


def test_columns_go_below_each_other_with_their_labels(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    rows = [[f"row {number}", *(f"{number}.{column} nvswitch" for column in "ABCDEF")] for number in range(3)]
    print_panels("times", ["", *"ABCDEF"], rows, range(1, 7))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60
    assert [line.split() for line in lines if "row" not in line and line] == [["times"], [*"ABC"], [*"DEF"]]
    for number in range(3):
        cells = [word for line in lines if line.startswith(f"  row {number}") for word in line.split()[2:]]
        assert cells == [word for cell in rows[number][1:] for word in cell.split()]


@pytest.mark.parametrize(
    ("columns", "wide"), [("80", 80), ("200", 200), ("12", LEAST_WIDTH), ("0", PIPE_WIDTH), ("wide", PIPE_WIDTH)]
)
def test_columns_is_honoured_and_a_pipe_has_a_hundred(columns, wide, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert screen_width() == wide
    monkeypatch.delenv("COLUMNS")
    assert screen_width() == PIPE_WIDTH


def test_sentences_are_folded_and_keep_their_indent(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    say("  " + "word " * 20 + "\nend")
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("  word") and len(line) <= 60 for line in lines[:-1])
    assert lines[-1] == "end"
    assert list(wrapped("a" * 99, 60)) == ["a" * 99]


def test_a_screen_without_the_sign_gets_a_semicolon(monkeypatch):
    for encoding, shown in (("ascii", "RS gpu; AR node"), ("utf-8", f"RS gpu {DOT} AR node")):
        stream = TextIOWrapper(BytesIO(), encoding=encoding)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", stream)
            cell = short_cell("(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce)", NAMES)
            show([cell])
            stream.flush()
            assert stream.buffer.getvalue().decode(encoding) == f"{shown}\n"


NAMES = ("root", "node", "gpu")


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("(root, InsideGroup, AllReduce)", ("AR all",)),
        ("(gpu, Parallel(root), AllReduce)", ("AR all",)),
        ("(gpu, Parallel(node), AllGather)", ("AG gpu",)),
        ("(node, Master(root), Reduce); (gpu, Master(root), Broadcast)", ("Reduce node (masters)", "Broadcast all")),
        ("(node, InsideGroup, AllToAll)", ("A2A gpu",)),
        ("skip", ("skip",)),
        ("(rack, InsideGroup, AllReduce)", ("(rack, InsideGroup, AllReduce)",)),
        ("(root, Parallel(gpu), AllReduce)", ("(root, Parallel(gpu), AllReduce)",)),
        ("(node, Inside, AllReduce)", ("(node, Inside, AllReduce)",)),
        ("(node, InsideGroup, Gather)", ("(node, InsideGroup, Gather)",)),
    ],
)
def test_programs_in_short(text, short):
    assert short_steps(text, NAMES) == short


def test_every_collective_has_a_short_name_of_its_own():
    steps = [short_steps(f"(root, InsideGroup, {one})", NAMES) for one in (*Collective, *Exchange)]
    assert len(set(steps)) == len(Collective) + len(Exchange)
    assert not any("(" in step for (step,) in steps)


def test_an_empty_table_is_its_title_and_headings(capsys):
    print_table("nothing", ("a", "b"), [])
    assert capsys.readouterr().out == "nothing\n  a  b\n\n"
