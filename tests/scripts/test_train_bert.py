"""The script that trains a small BERT by emitted optimizers: losses are those of DDP, states are in slices."""

import sys

import pytest
from scripts.loading import script_module

pytestmark = pytest.mark.slow
SMALL = ("--steps", "6", "--runs", "1", "--width", "32", "--layers", "1", "--length", "4", "--rows", "2")


@pytest.mark.thorough  # emitted optimizers train as torch.optim does in tests/schedule/emission/test_optimizer.py
def test_losses_are_those_of_ddp_and_states_in_slices(tmp_path, capsys, monkeypatch):
    report = tmp_path / "report.md"
    monkeypatch.setattr(sys, "argv", ["train_bert", "lab:1x2", *SMALL, "--report", str(report)])
    code = script_module("train_bert").main()
    out, err = capsys.readouterr()
    assert code == 0, err
    assert report.read_text(encoding="utf-8") == out
    rows = [line.split() for line in out.splitlines() if line.startswith(("AdamW", "LAMB"))]
    assert [row[:3] for row in rows] == [
        ["AdamW,", "DDP,", "whole"],
        ["AdamW,", "emitted,", "slices"],
        ["LAMB,", "DDP,", "whole"],
        ["LAMB,", "emitted,", "slices"],
    ]
    whole, sliced, *others = (int(row[-4]) for row in rows)
    assert (whole, others) == (2 * sliced, [whole, sliced])
    assert float(rows[0][-1]) == 0.0
    assert max(float(row[-1]) for row in rows) < 1e-4


def test_a_system_that_is_none_is_told(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["train_bert", "nothing"])
    assert script_module("train_bert").main() == 2
    assert capsys.readouterr().err.startswith("train_bert: ")
