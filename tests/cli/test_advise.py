"""`p2smt advise`: the answer first, on 80 columns; the same as `optimize` on the job that it writes."""

import json

import pytest
from command_line import golden, output, refused

from p2smt.cli.main import run
from p2smt.cli.output.steps_document import steps_document
from p2smt.job.step.cluster import usual_cluster
from p2smt.job.step.grid import FixedDegrees
from p2smt.job.step.search import StepQuestion, search_steps
from p2smt.problem.transformer.model import Zero
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.split import Dispatcher, Framework, Recompute

ONE = ["advise", "--model", "llama-70b", "--system", "dgx-h100:8x8", "--tp", "8", "--pp", "4", "--dp", "2"]
SMALL = ["advise", "--model", "llama-8b", "--system", "dgx-h100:4x8"]
LONG = ["--model", "llama2-7b", "--system", "dgx-h100:4x8", "--tp", "2", "--cp", "16", "--sequence", "262144"]

SCREENS = {
    "one": ONE,
    "auto": [*SMALL, "--split", "auto", "--memory", "24GB", "--top", "4", "--what-if"],
    "loses": ["advise", *LONG, "--batch", "8"],
    "no_order": ["advise", "--model", "llama2-7b", "--system", "node:4,gpu:6", "--tp", "4", "--batch", "48"],
    "experts": [
        "advise",
        "--model",
        "mixtral-8x7b",
        "--system",
        "dgx-h100:4x8",
        "--tp",
        "4",
        "--ep",
        "8",
        "--etp",
        "1",
        "--framework",
        "torchtitan",
        "--zero",
        "3",
        "--groups",
        "--recompute",
    ],
}


@pytest.mark.parametrize("name", SCREENS)
def test_screens_fit_80_columns(name, capsys):
    text = output(SCREENS[name], capsys)
    wide = [line for line in text.splitlines() if len(line) > 80 and "recompute" not in line]
    assert [line for line in wide if not line.startswith(("    ", "  tp ", "groups "))] == []
    golden(f"advise_{name}.txt", text)


def test_the_answer_comes_first(capsys):
    text = output(ONE, capsys)
    lines = text.splitlines()
    first = " ".join(" ".join(lines[:2]).split())
    assert first.startswith("split tp 8 x pp 4 x dp 2, ZeRO 1, micro-batch 1, recompute none: a step takes 127.")
    assert "where  tp inside the node; pp, dp across nodes" in lines
    assert "usual  the usual order (tp innermost, pp outermost) is this: it loses nothing" in lines
    typed = " ".join(text.split())
    assert "type Megatron-LM: --tensor-model-parallel-size 8 --pipeline-model-parallel-size 4" in typed
    assert "--sequence-parallel --tp-comm-overlap --use-distributed-optimizer" in typed
    assert "--micro-batch-size 1 --global-batch-size 1024 --seq-length 8192 --cross-entropy-loss-fusion --bf16" in typed


def test_the_document_says_what_is_printed(capsys):
    document = json.loads(output([*ONE, "--json", "--groups"], capsys))
    (best,) = document["splits"]
    assert {name: best["split"][name] for name in ("tp", "pp", "dp", "cp", "ep", "zero")} == {
        "tp": 8,
        "pp": 4,
        "dp": 2,
        "cp": 1,
        "ep": 1,
        "zero": 1,
    }
    parts = {name: seconds for name, seconds in best["parts"].items() if name != "hidden"}
    assert best["step_s"] == pytest.approx(sum(parts.values()))
    assert best["tokens_per_s"] == pytest.approx(1024 * 8192 / best["step_s"])
    assert best["memory"]["fits"]
    assert document["parameters"] == 70553706496
    assert document["words"] == "tp inside the node; pp, dp across nodes"
    assert document["loss"] == document["step_loss"] == 0.0
    assert document["split"] == best["split"]
    assert document["bubble"] == pytest.approx(3 / 512)
    assert list(document["type"]) == ["megatron", "torchtitan", "deepspeed", "torch", "nemo"]
    assert "refused" in document["type"]["torchtitan"]
    assert document["groups"]["tp"][0] == list(range(8))


def test_optimize_says_the_same_of_the_job_that_is_written(tmp_path, capsys):
    path = tmp_path / "job.toml"
    arguments = [*SMALL, "--tp", "8", "--json", "--out", str(path)]
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    assert err == f"p2smt: {path}: the job; next: p2smt mesh {path} --to devicemesh\n"
    placement = json.loads(out)
    optimum = json.loads(output(["optimize", str(path), "--json"], capsys))
    assert placement["job"] == optimum["job"]
    assert placement["placements"][0]["cost_s"] == optimum["cost_s"]
    assert placement["placements"][0]["matrix"] == optimum["placements"][0]["matrix"]


def test_a_system_file_goes_into_the_job(tmp_path, capsys):
    system, job = tmp_path / "mine.toml", tmp_path / "job.toml"
    assert run(["system", "dgx-h100:4x8", "--out", str(system)]) == 0
    assert run(["advise", "--model", "llama-8b", "--system", str(system), "--tp", "8", "--out", str(job)]) == 0
    capsys.readouterr()
    assert "nvswitch" in job.read_text(encoding="utf-8")
    output(["mesh", str(job), "--from", "megatron"], capsys)


def test_flags_that_are_given_stay_in_a_search(capsys):
    given = ["--split", "auto", "--tp", "4", "--recompute", "full", "--micro-batch", "2", "--json"]
    document = json.loads(output([*SMALL, *given], capsys))
    splits = [one["split"] for one in document["splits"]]
    assert {(split["tp"], split["recompute"], split["micro_batch"]) for split in splits} == {(4, "full", 2)}
    assert document["complete"]
    steps = [one["step_s"] for one in document["splits"]]
    assert steps == sorted(steps)
    assert json.loads(output([*SMALL, "--json"], capsys))["splits"][0]["step_s"] < steps[0]


def test_a_users_own_model(tmp_path, capsys):
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "model_type": "qwen3",
                "hidden_size": 4096,
                "num_hidden_layers": 36,
                "num_attention_heads": 32,
                "num_key_value_heads": 8,
                "head_dim": 128,
                "intermediate_size": 12288,
                "vocab_size": 151936,
                "tie_word_embeddings": False,
                "max_position_embeddings": 40960,
            }
        ),
        encoding="utf-8",
    )
    asked = ["advise", "--model", str(config), "--system", "dgx-h100:1x8", "--framework", "torchtitan", "--json"]
    document = json.loads(output(asked, capsys))
    assert (document["parameters"], document["sequence"]) == (8190735360, 8192)
    assert document["type"]["torchtitan"][0] == "[parallelism]"
    assert document["dispatcher"] is None


def test_the_document_says_what_sends_tokens_to_experts():
    fixed = FixedDegrees(tp=1, pp=1, cp=1, ep=8, zero=Zero.PARAMETERS, micro_batch=1, recompute=Recompute.FULL)
    model, cluster = named_model("mixtral-8x7b", 32), usual_cluster("H100", 32)
    for wanted, sent in ((None, "deepep"), (Dispatcher.HYBRIDEP, "alltoall")):  # TorchTitan does not have HybridEP
        asked = StepQuestion(
            transformer=model, cluster=cluster, framework=Framework.TORCHTITAN, fixed=fixed, dispatcher=wanted
        )
        document = steps_document(search_steps(asked), "", "", None, better=None, changes=(), groups=False)
        assert document["dispatcher"] == sent, wanted


def test_a_model_that_does_not_fit_is_said_to(capsys):
    text = output(["advise", "--model", "llama-70b", "--system", "dgx-h100:2x8", "--tp", "8"], capsys)
    assert "DOES NOT FIT" in text
    none = ["advise", "--model", "llama-405b", "--system", "dgx-h100:2x8"]
    text = " ".join(output(none, capsys, code=1).split())
    assert "fits; " in text
    assert "needs least" in text
    assert text.endswith("a device; take more devices")
    given = [
        "--recompute",
        "--zero",
        "3",
        "--micro-batch",
        "1",
        "--tp",
        "8",
        "--pp",
        "1",
        "--dp",
        "2",
        "--split",
        "auto",
    ]
    fixed = " ".join(output([*none, *given, "--split", "auto"], capsys, code=1).split())
    assert fixed.endswith("take more devices, or leave out --zero, --recompute, --micro-batch, --tp, --pp or --dp")
    assert json.loads(output([*none, "--json"], capsys, code=1))["splits"] == []


@pytest.mark.usefixtures("anew")
def test_a_deadline_gives_what_was_priced(capsys):
    document = json.loads(output([*SMALL, "--split", "auto", "--timeout", "1e-6", "--json"], capsys, code=3))
    assert (document["complete"], document["splits"]) == (False, [])
    said = output([*SMALL, "--split", "auto", "--timeout", "1e-6"], capsys, code=3)
    assert "stopped before any split that fits was priced" in " ".join(said.split())


def test_models_are_listed(capsys):
    text = output(["advise", "--model", "list"], capsys)
    assert "Llama 3.1 70B: 70.55 billion" in text
    assert max(map(len, text.splitlines())) <= 80
    for name in ("qwen3-235b-a22b", "deepseek-v3", "gpt-oss-120b", "gemma3-27b", "mixtral-8x7b", "gpt3-175b"):
        assert name in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "lama-70b", "--system", "dgx-h100"], "did you mean llama-70b?"),
        (
            ["--model", "llama-70b"],
            "--system is missing; give a preset or a system file (`p2smt system` lists the presets)",
        ),
        (["--model", "llama-70b", "--system", "dgx-h10"], "did you mean dgx-h100?"),
        (
            ["--model", "llama-70b", "--system", "dgx-h100:8x8", "--tp", "8", "--dp", "4"],
            "; leave --dp out to use the remaining devices",
        ),
        (["--model", "llama-70b", "--system", "dgx-h100:8x8", "--tp", "16"], "tp 16 does not divide kv_heads 8"),
        (["--model", "gpt2", "--system", "dgx-h100:8x8", "--pp", "16", "--tp", "4"], "layers 12 are fewer than pp 16"),
        (["--model", "llama-8b", "--system", "dgx-h100:4x8", "--tp", "0"], "Invalid value for '--tp'"),
        (["--model", "llama-8b", "--system", "dgx-h100:4x8", "--tp", "8", "--out", "-"], "--out needs a file name"),
        ([*SMALL[1:], "--split", "auto", "--out", "-"], "--out needs a file name, because the answer goes to stdout"),
        (["--model", "llama-8b", "--system", "mixed-29"], "different numbers of devices"),
        (
            ["--model", "nowhere.json", "--system", "dgx-h100"],
            "give a config.json, a TOML with [transformer], or a name",
        ),
    ],
)
def test_bad_input(arguments, said, capsys):
    assert said in refused(["advise", *arguments], capsys)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--split", "auto", "--batch", "100", "--dp", "8"], "no split of 32 devices keeps the rules"),
        (["--memory", "1MB"], "fits; "),
    ],
)
def test_where_there_is_no_split_it_is_said_why(arguments, said, capsys):
    assert said in " ".join(output([*SMALL, *arguments], capsys, code=1).split())


def test_the_steps_are_drawn(capsys, tmp_path):
    path = tmp_path / "steps.svg"
    assert run([*ONE, "--svg", str(path)]) == 0
    assert "next: open it in a browser" in capsys.readouterr().err
    drawn = path.read_text(encoding="utf-8")
    assert "tp 8 x pp 4 x dp 2" in drawn
    assert "stages that wait" in drawn
    assert "give --force to overwrite it" in refused([*ONE, "--svg", str(path)], capsys)
    assert "--svg needs a file name" in refused([*ONE, "--svg", "-"], capsys)
    other = tmp_path / "job.toml"
    assert "give two files" in refused([*ONE, "--svg", str(other), "--out", str(other)], capsys)
    assert not other.exists()


def test_what_is_faster_with_the_same_degrees_is_said(capsys):
    """ZeRO 3 gathers parameters for every micro-batch: with TP inside the node it waits for the network."""
    given = ["advise", "--model", "llama-70b", "--system", "dgx-h100:16x8", "--tp", "8", "--dp", "16", "--zero", "3"]
    document = json.loads(output([*given, "--json"], capsys))
    better = document["better"]
    assert {name: better["split"][name] for name in ("tp", "pp", "dp", "cp")} == {"tp": 8, "pp": 1, "dp": 16, "cp": 1}
    assert better["memory"]["fits"]
    assert better["step_s"] < 0.95 * document["splits"][0]["step_s"]
    text = output(given, capsys)
    assert "faster --micro-batch 2 takes" in text
    again = json.loads(output([*given, "--micro-batch", "2", "--json"], capsys))
    assert again["splits"][0]["step_s"] == better["step_s"]
    assert json.loads(output([*ONE, "--json"], capsys))["better"] is None


def test_a_split_that_does_not_fit_comes_with_one_that_does(capsys):
    given = ["advise", "--model", "llama-405b", "--system", "dgx-h100:128x8", "--tp", "8", "--pp", "8", "--cp", "2"]
    assert "fits   --" in output(given, capsys)


def test_a_batch_that_nobody_trains_is_said(capsys):
    huge = ["advise", "--model", "llama-8b", "--system", "dgx-h100:10000x8", "--tp", "8"]
    text = " ".join(output(huge, capsys).split())
    assert "batch 655.4 M tokens a step, more than published trainings take (up to 63 M); give --batch" in text
    assert "batch " not in output(ONE, capsys).replace("micro-batch", "")


@pytest.mark.parametrize("name", ["llama3-70b", "meta-llama/Llama-3.3-70B-Instruct", "Meta-Llama-3-70B"])
def test_names_of_versions_with_the_same_sizes_are_known(name, capsys):
    document = json.loads(output([*ONE[:2], name, *ONE[3:], "--json"], capsys))
    assert document["parameters"] == 70553706496
