"""How far above the wire plans in chunks are: never farther than in one piece."""

import json

from scripts.loading import script_module


def test_a_small_system(capsys, monkeypatch):
    script = script_module("pipelining")
    monkeypatch.setattr("sys.argv", ["pipelining.py", "--json", "--system", "2x2x2"])
    script.main()
    (row,) = json.loads(capsys.readouterr().out).values()
    assert row["placements"] == 3 + 3 + 1  # of 2, 4, 8 devices
    for kind in ("median", "nine_of_ten", "worst"):
        assert 1 <= row["chunks"][kind] <= row["best"][kind] <= row["plain"][kind]
    assert sum(row["chunks"].values()) < sum(row["best"].values())
