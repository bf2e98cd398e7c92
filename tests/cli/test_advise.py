"""`p2smt advise`: the answer first, on 80 columns; the same as `optimize` on the job that it writes."""

import json

import pytest
from command_line import golden, output, refused

from p2smt.cli.main import run

ONE = ["advise", "--model", "llama-70b", "--system", "dgx-h100:8x8", "--tp", "8", "--pp", "4", "--dp", "2"]
SMALL = ["advise", "--model", "llama-8b", "--system", "dgx-h100:4x8"]
LONG = ["--model", "llama2-7b", "--system", "dgx-h100:4x8", "--tp", "2", "--cp", "16", "--sequence", "262144"]


SCREENS = {
    "one": ONE,
    "auto": [*SMALL, "--split", "auto", "--memory", "24GB"],
    "loses": ["advise", *LONG, "--batch", "8"],
    "no_order": ["advise", "--model", "llama2-7b", "--system", "node:4,gpu:6", "--tp", "4", "--batch", "48"],
    "experts": ["advise", "--model", "mixtral-8x7b", "--system", "dgx-h100:4x8", "--tp", "4", "--ep", "8"],
}


@pytest.mark.parametrize("name", SCREENS)
def test_screens_fit_80_columns(name, capsys):
    text = output(SCREENS[name], capsys)
    assert max(map(len, text.splitlines())) <= 80
    golden(f"advise_{name}.txt", text)


def test_the_answer_comes_first(capsys):
    lines = output(ONE, capsys).splitlines()
    assert lines[:3] == [
        "where  tp inside the node; pp, dp across nodes",
        "usual  the usual order (tp innermost, pp outermost) is this: it loses nothing",
        "type   Megatron: --tensor-model-parallel-size 8 --pipeline-model-parallel-size 4",
    ]


def test_the_document_says_what_is_printed(capsys):
    document = json.loads(output([*ONE, "--json"], capsys))
    assert document["words"] == "tp inside the node; pp, dp across nodes"
    assert document["split"] == {"tp": 8, "pp": 4, "dp": 2, "cp": 1, "ep": 1, "zero": 1}
    assert document["seconds"] == document["placements"][0]["seconds"]
    assert document["seconds"] == document["placements"][0]["cost_s"] > document["sends_s"]
    assert document["sends_s"] > 0.3
    assert (document["loss"], document["memory"]["fits"]) == (0.0, True)
    assert list(document["type"]) == ["Megatron", "TorchTitan", "DeepSpeed", "torch", "JAX"]


def test_optimize_says_the_same_of_the_job_that_is_written(tmp_path, capsys):
    path = tmp_path / "job.toml"
    arguments = [*SMALL, "--tp", "8", "--json", "--out", str(path)]
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    assert err == f"p2smt: {path}: the job; next: p2smt mesh {path} --to devicemesh\n"
    advice = json.loads(out)
    optimum = json.loads(output(["optimize", str(path), "--json"], capsys))
    assert advice["job"] == optimum["job"]
    assert advice["placements"][0]["cost_s"] == optimum["cost_s"]
    assert advice["placements"][0]["matrix"] == optimum["placements"][0]["matrix"]


def test_a_system_file_goes_into_the_job(tmp_path, capsys):
    system, job = tmp_path / "mine.toml", tmp_path / "job.toml"
    assert run(["system", "dgx-h100:4x8", "--out", str(system)]) == 0
    assert run(["advise", "--model", "llama-8b", "--system", str(system), "--tp", "8", "--out", str(job)]) == 0
    capsys.readouterr()
    assert "nvswitch" in job.read_text(encoding="utf-8")
    output(["mesh", str(job), "--from", "megatron"], capsys)


def test_flags_that_are_given_stay_in_a_search(capsys):
    document = json.loads(output([*SMALL, "--split", "auto", "--tp", "4", "--json"], capsys))
    splits = [one["split"] for one in document["splits"]]
    assert {split["tp"] for split in splits} == {4}
    assert len(splits) + len(document["too_large"]) == 4  # pp 1, 2, 4, 8 divide 32 layers and 8 devices
    assert document["complete"]
    asked = json.loads(output([*SMALL, "--json"], capsys))
    assert len(asked["splits"]) + len(asked["too_large"]) > 10


def test_a_model_that_does_not_fit_is_said_to(capsys):
    text = output(["advise", "--model", "llama-70b", "--system", "dgx-h100:2x8", "--tp", "8"], capsys)
    assert "DOES NOT FIT" in text
    none = ["advise", "--model", "llama-405b", "--system", "dgx-h100:2x8"]
    text = " ".join(output(none, capsys, code=1).split())
    assert "fits; " in text
    assert "needs least" in text
    assert json.loads(output([*none, "--json"], capsys, code=1))["splits"] == []


@pytest.mark.usefixtures("anew")
def test_a_deadline_gives_what_was_priced(capsys):
    document = json.loads(output([*SMALL, "--split", "auto", "--timeout", "1e-6", "--json"], capsys, code=3))
    assert (document["complete"], document["splits"]) == (False, [])
    assert document["unpriced"]
    said = output([*SMALL, "--split", "auto", "--timeout", "1e-6"], capsys, code=3)
    assert "before any split was priced" in " ".join(said.split())
    assert "before any placement was priced" in output([*SMALL, "--tp", "8", "--timeout", "1e-6"], capsys, code=3)


def test_models_are_listed(capsys):
    text = output(["advise", "--model", "list"], capsys)
    assert "llama-70b      Llama 3.1 70B: 70.55 billion" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "lama-70b", "--system", "dgx-h100"], "did you mean llama-70b?"),
        (["--model", "llama-70b"], "--system is missing; give it, `p2smt system` lists the presets"),
        (["--model", "llama-70b", "--system", "dgx-h10"], "did you mean dgx-h100?"),
        (["--model", "llama-70b", "--system", "dgx-h100:8x8", "--tp", "8", "--dp", "4"], "leave --dp out to take what"),
        (["--model", "llama-70b", "--system", "dgx-h100:8x8", "--tp", "16"], "tp 16 does not divide kv_heads 8"),
        (["--model", "gpt2", "--system", "dgx-h100:8x8", "--pp", "16", "--tp", "4"], "layers 12 are fewer than pp 16"),
        (["--model", "llama-8b", "--system", "dgx-h100:4x8", "--tp", "0"], "Invalid value for '--tp'"),
        (["--model", "llama-8b", "--system", "dgx-h100:4x8", "--tp", "8", "--out", "-"], "--out takes a file"),
        ([*SMALL[1:], "--split", "auto", "--out", "-"], "--out takes a file; the answer goes to stdout"),
    ],
)
def test_bad_input(arguments, said, capsys):
    assert said in refused(["advise", *arguments], capsys)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--split", "auto", "--batch", "100", "--dp", "8"], "no split of 32 devices keeps the model's rules"),
        (["--memory", "80"], "none of 17 splits fits"),
    ],
)
def test_where_there_is_no_split_it_is_said_why(arguments, said, capsys):
    assert said in " ".join(output([*SMALL, *arguments], capsys, code=1).split())
