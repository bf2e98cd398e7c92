"""Rows of CSV files by column, with the line on which each begins, in messages too."""

import pytest

from p2smt.errors import CalibrationError
from p2smt.problem.csv_table import CsvTable


def read(text):
    table = CsvTable(text, "some.csv", CalibrationError)
    return table.heading, list(table.rows())


def test_rows_have_the_line_on_which_they_begin():
    assert read('a, b \n1,"x\ny"\n\n2\n') == (
        ("a", "b"),
        [(2, {"a": "1", "b": "x\ny"}), (5, {"a": "2", "b": ""})],
    )
    assert read("") == ((), [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('a,"b\n1,2\n', "some.csv line 1: unexpected end of data; close every quote"),
        ('a,b\n1,2\n3,"4\n5,6\n', "some.csv line 3: unexpected end of data; close every quote"),
        ('a,b\n"' + "x" * 200_000, "some.csv line 2: field larger than field limit (131072); close every quote"),
        ("a,b\n1,2\n1,2,3\n", "some.csv line 3: 3 cells for 2 columns; put quotes around cells that contain commas"),
    ],
)
def test_what_is_not_csv_is_refused_with_its_line(text, said):
    with pytest.raises(CalibrationError) as caught:
        read(text)
    assert str(caught.value) == said
