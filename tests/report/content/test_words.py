"""Steps in words: every cell and sentence of steps made by hand."""

import pytest

from p2smt.report.content.content import ProgramContent, StepContent
from p2smt.report.content.words import amounts, group_lines, members_drawn, share_text, step_cells_text, step_sentence

ACROSS = StepContent(
    "Reduce",
    (2, 3),
    2,
    ("node.data", "gpu.data"),
    (1024.0, 2048.0),
    (0.0, 4096.0),
    "nic",
    512.0,
    0.25,
    0.125,
    (0, 0, -1, 3, 3),
    (3, 3, 0, 2, 2),
    (4096.0, 0.0, 1024.0, 4096.0, 0.0),
    16384e9,
)
ALONE = StepContent(
    "local permutation", (1,), 40, (), (1024.0,), (1024.0,), "", 0.0, 0.0, 0.0, (0, -1), (1, 0), (1024.0, 1024.0)
)
PROGRAM = ProgramContent("1.", "text", 2.0, 4096, (ALONE, ACROSS))
DEVICES = (0, 1, 2, 30, 31)


def test_the_cells_of_a_step():
    assert step_cells_text(2, ACROSS) == (
        "2",
        "Reduce",
        "2 groups of 2 or 3 along node.data, gpu.data",
        "1 KiB or 2 KiB",
        "4 KiB or nothing",
        "512 B on nic",
        "250 ms",
        "16384",
        "12 %",
    )
    assert step_cells_text(1, ALONE) == (
        "1",
        "local permutation",
        "40 devices, each alone",
        "1 KiB",
        "1 KiB",
        "none",
        "0 s",
        "",
        "0 %",
    )


def test_the_sentence_of_a_step():
    assert step_sentence(PROGRAM, 1, DEVICES) == (
        "Step 2 of 2: Reduce, 2 groups of 2 or 3 along node.data, gpu.data. Group A is devices 0, 1 and 1 more. "
        "A device holds 1 KiB or 2 KiB before and 4 KiB or nothing after. The busiest link, nic, carries 512 B. "
        "250 ms, 12 % of 2 s."
    )
    assert step_sentence(PROGRAM, 0, (0, 1)) == (
        "Step 1 of 2: local permutation, 40 devices, each alone. A device holds 1 KiB before and 1 KiB after. "
        "0 s, 0 % of 2 s."
    )


def test_groups_are_those_drawn_with_the_members_that_are_not():
    assert members_drawn(ACROSS, DEVICES) == [[0, 1], [30, 31]]
    assert group_lines(ACROSS, DEVICES) == ["A: devices 0, 1 and 1 more", "B: devices 30, 31"]
    assert members_drawn(ALONE, (0, 1)) == []
    idle = StepContent("Reduce", (2,), 1, (), (1.0,), (1.0,), "", 0.0, 0.0, 0.0, (-1, -1), (0, 0), (1.0, 1.0))
    assert (members_drawn(idle, (0, 1)), group_lines(idle, (0, 1))) == ([], [])


@pytest.mark.parametrize(("count", "more"), [(16, ""), (17, " and 1 more"), (20, " and 4 more")])
def test_of_a_large_group_some_members_are_named(count, more):
    step = StepContent(
        "AllReduce", (count,), 1, (), (1.0,), (1.0,), "", 0.0, 0.0, 0.0, (0,) * count, (count,) * count, (1.0,) * count
    )
    listed = ", ".join(map(str, range(16)))
    assert group_lines(step, range(count)) == [f"A: devices {listed}{more}"]


def test_small_parts_and_amounts():
    said = [share_text(share) for share in (0.0, 0.0049, 0.005001, 0.02, 0.996, 1.0)]
    assert said == ["0 %", "<1 %", "1 %", "2 %", "100 %", "100 %"]
    assert amounts((512.0, 0.0)) == "512 B or nothing"
    assert amounts((0.0,)) == "nothing"
