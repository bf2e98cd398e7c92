"""What `p2smt calibrate --speeds` prints of timings."""

import pytest

from p2smt.cli.output.speeds import print_timings
from p2smt.problem.system.timings import COLLECTIVES, Timings


def test_timings_are_a_line_for_each_size_within_80_columns(capsys):
    print_timings(Timings(**dict.fromkeys(COLLECTIVES, ((4, 5.2e-3), (2_097_152, 0.1088)))), 4)
    title, heading, *rows = capsys.readouterr().out.splitlines()
    assert title == "timings among all devices"
    assert heading.split() == ["collective", "bytes", "of", "the", "whole", "time", "busbw", "GB/s"]
    cells = [row.split() for row in rows if row]
    assert [row[0] for row in cells[::2]] == list(COLLECTIVES)
    assert [row[-4:-1] for row in cells[:2]] == [["4", "5.2", "ms"], ["2097152", "109", "ms"]]
    rates = [float(row[-1]) for row in cells[1::2]]
    whole = 2_097_152 / 0.1088 / 1e9
    assert rates == pytest.approx([1.5 * whole, *[0.75 * whole] * 4, 0.75 / 4 * whole], rel=0.01)
    assert max(map(len, [heading, *rows])) <= 80
