"""The script that trains whole models on ranks: they are proved, and equal plain PyTorch."""

from dataclasses import replace

import pytest
from scripts.loading import ran, script_module

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def script():
    return script_module("check_models")


@pytest.fixture(scope="module")
def ranks(script):
    running = script.Ranks()
    yield running
    running.close()


@pytest.mark.thorough  # tests/run/training/test_shard.py trains a captured model, test_attention.py captures such heads
def test_a_small_model_of_rotary_and_grouped_heads_on_uneven_devices(script, ranks, monkeypatch):
    models = script_module("checked_models")
    monkeypatch.setattr(models, "TINY", replace(models.TINY, hidden=16, layers=1, sequence=4, vocabulary=8))
    found = script.row("llama", "uneven", ranks)
    assert found.right, found
    assert found.cut > 0.5


@pytest.mark.thorough  # models train on ranks in tests/run, are proved in tests/spmd/test_captured_models.py
@pytest.mark.parametrize(("model", "layout"), [("gpt2", "mesh"), ("convnext", "uneven"), ("unet", "one")])
def test_models_are_proved_and_equal_plain_pytorch(script, ranks, model, layout):
    found = script.row(model, layout, ranks)
    assert found.right, found
    assert found.cut > 0.5


def test_what_is_no_model_is_said():
    said = ran("check_models", "--model", "zoo-model")
    assert (said.returncode, said.stderr.startswith("check_models: no model is called 'zoo-model'")) == (2, True)


def test_a_report_that_cannot_be_written_is_refused_before_the_work(tmp_path, capsys):
    for report in (tmp_path, tmp_path / "none" / "report.md"):
        with pytest.raises(SystemExit, match="2"):
            ran("check_models", "--report", report)


def test_what_is_not_proved_or_differs_is_not_right(script):
    row = script.Row(model="gpt2", layout="one", right=False, verdict="refused: x", apart=1.0)
    assert "| gpt2 | one | refused: x | 1.0e+00 |" in script.table([row])
