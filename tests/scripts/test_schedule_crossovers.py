"""Which packaged schedule is fastest at which size: rows are changes of the fastest, and their parts add up."""

import sys
from itertools import pairwise

import pytest
from scripts.loading import script_module

from p2smt.problem.system.text import find_system
from p2smt.schedule.cost.machine import Machine


@pytest.fixture(scope="module")
def script():
    return script_module("schedule_crossovers")


@pytest.mark.thorough  # a script for results: what it calls is tested in its room
def test_small_optimizers_reduce_whole_and_large_ones_in_slices(script, monkeypatch):
    monkeypatch.setattr(script, "POWERS", range(8, 28, 3))
    found = script.rows("adam", Machine.of(find_system("dgx-h100:2x8")), 16)
    assert found[0].fastest == "ar_opt"
    assert found[-1].fastest in ("fused", "overlapped")
    assert [row.elements for row in found] == sorted({row.elements for row in found})
    for row in found:
        assert row.start_ups + row.moving - row.hidden >= 0
    assert all(one.fastest != other.fastest for one, other in pairwise(found))


def test_the_script_prints_every_change(script, monkeypatch, capsys):
    monkeypatch.setattr(script, "POWERS", range(8, 12, 3))
    monkeypatch.setattr(sys, "argv", ["schedule_crossovers.py", "sgd", "--system", "dgx-h100:1x2"])
    assert script.main() == 0
    assert capsys.readouterr().out.startswith("sgd   from        256: fused, ")
    monkeypatch.setattr(sys, "argv", ["schedule_crossovers.py", "--system", "nowhere"])
    assert script.main() == 2
    assert "schedule_crossovers: " in capsys.readouterr().err


@pytest.mark.thorough  # crossovers are tested in tests/cost
def test_the_paper_stands_beside_every_assumption(script, monkeypatch, capsys):
    monkeypatch.setattr(script, "POWERS", range(8, 28, 9))
    monkeypatch.setattr(script, "ASSUMED_OF", ((script.DGX_2, "ring", True),))
    monkeypatch.setattr(sys, "argv", ["schedule_crossovers.py", "--paper"])
    assert script.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert "| adam | DGX-2, rings, LL, LL128, Simple | nowhere | fused |" in lines
    assert sum("measured" in line for line in lines) == 2
