"""HAP's comparisons on a small model: what is predicted hangs together, and what cannot be is refused in one line."""

import importlib
import json
import sys
from dataclasses import replace

import pytest
from paths import ROOT

from p2smt.frontend.torch_graph.settings import Example, Size
from p2smt.tensor.text.parser import parse_program


def run(monkeypatch, *arguments):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    monkeypatch.setattr(sys, "argv", ["reproduce_hap.py", *arguments])
    return importlib.import_module("reproduce_hap").main()


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("reproduce_hap")


def test_samples_and_experts_grow_with_the_gpus(script):
    for gpus in (8, 64):
        assert script.settings(Example.VGG, gpus, Size.PAPER, None).batch == 64 * gpus
        moe = script.settings(Example.MOE, gpus, Size.PAPER, 2)
        assert (moe.batch, moe.experts, moe.layers) == (32 * gpus, 2 * gpus, 2)


def test_other_numbers_of_experts_have_as_many_samples_each(script):
    found = [script.settings(Example.MOE, 4, Size.PAPER, None, experts) for experts in (4, 5, 8)]
    assert [(each.batch, each.experts) for each in found] == [(64, 4), (80, 5), (128, 8)]
    assert script.settings(Example.BERT, 4, Size.PAPER, None, 5) == script.settings(Example.BERT, 4, Size.PAPER, None)


@pytest.mark.thorough  # a script for results: what it calls is tested in its room
def test_a_row_hangs_together_and_is_printed_in_80_columns(script, monkeypatch, capsys):
    """The layer of experts takes the place of the model, whose capture takes longer than everything else."""
    report = importlib.import_module("hap_report")
    step = parse_program((ROOT / "p2smt" / "tensor" / "examples" / "moe_layer.tp").read_text(encoding="utf-8"))
    monkeypatch.setattr(script, "capture_example", lambda model, sizes: step)
    assert (
        run(
            monkeypatch, "--models", "bert-moe", "--cluster", "hap-a100-p100", "--gpus", "4", "--experts", "8", "--json"
        )
        == 0
    )
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    found = report.Row(**row)
    assert (found.model, found.cluster, found.gpus, found.batch) == ("bert-moe", "hap-a100-p100", 4, 128)
    assert found.experts == 8
    assert 0 < found.lower_bound_s <= found.time_s <= min(found.baselines.values())
    assert found.time_s <= found.program_s <= found.data_even_s
    assert found.shares_s <= found.program_s
    assert found.data_proportional_s == found.baselines["data parallel, proportional"]
    assert found.expert_s == found.baselines["expert parallel, even"]
    assert found.too_large == []
    large = replace(found, expert_s=2 * found.time_s, too_large=["answer", "expert parallel, even"])
    lines = report.text([found, large]).splitlines()
    assert max(map(len, lines)) <= 80
    assert f"{found.data_even_s / found.time_s:.2f}" in lines[3]
    assert "2.00*" in lines[4]
    assert f"{found.time_s:.3f}s*" in lines[4]


def test_kept_rows_are_printed_beside_what_the_paper_says(script, monkeypatch, capsys, tmp_path):
    """As the page of results has them."""
    results = ROOT / "scripts" / "results"
    assert run(monkeypatch, "--kept", str(results / "hap.jsonl")) == 0
    text = capsys.readouterr().out
    assert text in (results / "hap.md").read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 80
    beside = text.split("(BERT-MoE: as expert parallelism)\n")[1].splitlines()[1:]
    assert beside[0].split()[:3] == ["vgg", "hap-v100-p100", "32"]
    rows = [json.loads(line) for line in (results / "hap.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all(row["lower_bound_s"] <= row["time_s"] <= min(row["baselines"].values()) for row in rows)
    path = tmp_path / "none.jsonl"
    assert run(monkeypatch, "--kept", str(path)) == 2
    path.write_text("{}\n", encoding="utf-8")
    assert run(monkeypatch, "--kept", str(path)) == 2
    assert capsys.readouterr().err.count("has no rows") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--gpus", "12"), "hap-v100-p100 has 8 machines of 8 GPUs; 12 is not a multiple of 8 up to 64"),
        (("--gpus", "8", "128"), "128 is not a multiple of 8 up to 64"),
        (
            ("--cluster", "hap-p100", "--gpus", "0"),
            "hap-p100 has 4 machines of 8 GPUs; 0 is not a multiple of 4 up to 32",
        ),
        (("--models", "vit", "--gpus", "8", "--layers", "-1"), "layers -1"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_searched(monkeypatch, capsys, arguments, message):
    assert run(monkeypatch, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
