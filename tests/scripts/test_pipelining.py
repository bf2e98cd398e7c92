"""How far above the wire plans in chunks are: never farther than in one piece."""

import json

import pytest
from scripts.loading import script_module


@pytest.mark.thorough  # chunks are priced in tests/cost/test_pipelining.py
@pytest.mark.parametrize(
    ("system", "placements"),  # of 2, 4, 8 devices
    [("2x4", 2 + 2 + 1), ("2x2x2", 3 + 3 + 1)],
)
def test_a_small_system(capsys, monkeypatch, system, placements):
    script = script_module("pipelining")
    monkeypatch.setattr("sys.argv", ["pipelining.py", "--json", "--system", system])
    script.main()
    (row,) = json.loads(capsys.readouterr().out).values()
    assert row["placements"] == placements
    for kind in ("median", "nine_of_ten", "worst"):
        assert 1 <= row["chunks"][kind] <= row["best"][kind] <= row["plain"][kind]
    assert sum(row["chunks"].values()) < sum(row["best"].values())
