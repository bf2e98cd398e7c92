"""Text that is shown or exported runs nothing, and is as exact as that allows."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2smt.problem.text import printable
from p2smt.sweep.cells import json_value, spreadsheet_cell

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXT)
def test_what_is_visible_is_printable_and_what_was_printable_stays(text):
    assert printable(text).isprintable()
    assert printable(text) == text or not text.isprintable()


@given(st.lists(st.one_of(TEXT, st.integers(), st.none(), st.binary(), st.floats()), min_size=1))
def test_cells_come_back_from_csv(values):
    written = io.StringIO(newline="")
    cells = [spreadsheet_cell(value) for value in values]
    csv.writer(written, lineterminator="\n").writerow(["first", *cells])
    (row,) = csv.reader(io.StringIO(written.getvalue(), newline=""))
    assert row[1:] == [str(cell) for cell in cells]
    assert not any(cell[:1] in "=+@＝＋＠" for cell in row if isinstance(cell, str) and cell)


@given(TEXT)
def test_plain_text_is_not_touched(text):
    plain = text.isprintable() and text.lstrip()[:1] not in tuple("=+-@＝＋－＠")
    assert (spreadsheet_cell(text) == text) == (plain or _lines_of_plain(text))


def _lines_of_plain(text):
    head = text.lstrip()[:1]
    return all(line.isprintable() for line in text.split("\n")) and (not head or head not in "=+-@＝＋－＠")


def test_json_has_no_infinite_numbers_and_no_bytes():
    assert [json_value(value) for value in (float("inf"), b"\xff", 1.5, None, "a")] == ["inf", "ff", 1.5, None, "a"]


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_what_a_spreadsheet_would_run_is_text(sign):
    """Spaces before it do not keep it from being run; line ends stay, other control characters are spelled out."""
    texts = [f"{sign}1", f" {sign}1", f"\n {sign}1", f"a\r\nb\x07{sign}"]
    spelled = [f"'{sign}1", f"' {sign}1", f"'\n {sign}1", f"a\nb\\x07{sign}"]
    assert [spreadsheet_cell(text) for text in texts] == spelled


@pytest.mark.parametrize("number", ["inf", "-inf", "nan"])
def test_no_number_that_json_lacks_is_a_number(number):
    assert json_value(float(number)) == number
