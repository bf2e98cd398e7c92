"""What `p2smt calibrate --speeds` prints of timings."""

from p2smt.cli.output.speeds import print_timings
from p2smt.problem.system.timings import COLLECTIVES, Timings


def test_timings_are_a_line_for_each_size_within_80_columns(capsys):
    print_timings(Timings(**dict.fromkeys(COLLECTIVES, ((4, 5.2e-3), (2_097_152, 0.1088)))))
    title, heading, *rows = capsys.readouterr().out.splitlines()
    assert title == "timings among all devices"
    assert heading.split() == ["collective", "bytes", "of", "the", "whole", "time"]
    cells = [row.split() for row in rows if row]
    assert [row[0] for row in cells[::2]] == list(COLLECTIVES)
    assert [row[-3:] for row in cells[:2]] == [["4", "5.2", "ms"], ["2097152", "109", "ms"]]
    assert max(map(len, [heading, *rows])) <= 80
