"""`p2smt shard`: what is written is right, what is asked for in vain gets one line."""

import json
import pickle
from pathlib import Path

import pytest
from command_line import output, refused
from spmd.deep_program import DEEP

import p2smt.tensor
from p2smt.cli.main import run
from p2smt.spmd import request
from p2smt.spmd.engines import elimination, solving
from p2smt.spmd.search import memory
from p2smt.tensor.comparison import compare
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.prime_field import PrimeField
from p2smt.tensor.text.parser import parse_program

EXAMPLES = Path(p2smt.tensor.__file__).parent / "examples"
STEP, SGD = str(EXAMPLES / "mlp_step.tp"), str(EXAMPLES / "sgd.tp")
HERE = ["--system", "hap-a100-p100", "--speed", "1Gflop/s"]
MESHED = ["--system", "dgx-h100:2x4", "--speed", "1Gflop/s"]


@pytest.fixture(scope="module", autouse=True)
def _found_once():
    """The same search is made once: for a document, then for a table."""
    whole, known = request.shard, {}

    def shard(*arguments, **more):
        asked = pickle.dumps((arguments, sorted(more.items())))
        if asked not in known:
            known[asked] = whole(*arguments, **more)
        return known[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(request, "shard", shard)
        yield


@pytest.mark.thorough  # programs of the search are compared in tests/spmd/test_programs.py
def test_the_program_that_is_written_computes_the_same(tmp_path, capsys):
    path = tmp_path / "dist.tp"
    assert run(["shard", STEP, *HERE, "--out", str(path), "--certify"]) == 0
    text, said = capsys.readouterr()
    assert f"next: p2smt verify {path} --against {STEP}" in said
    assert "strategy: data parallel over" in text
    assert "(certified)" in text
    program = parse_program(path.read_text(encoding="utf-8"))
    assert isinstance(infer(program), Inferred)
    assert compare(program, parse_program(Path(STEP).read_text(encoding="utf-8")), PrimeField(1)) is None


@pytest.mark.thorough  # keys are in test_json_keys.py, their values in tests/spmd
def test_the_document_has_times_bounds_layouts_and_baselines(capsys):
    document = json.loads(output(["shard", STEP, "--system", "hap-a100-p100", "--json", "--certify"], capsys))
    assert document["lower_bound_s"] <= document["stages_s"] <= document["sum_s"]
    assert document["time_s"] == document["stages_s"], "computing is priced by speeds"
    assert document["proved"] is True
    assert len(document["devices"]) == len(document["memory"]) == 4
    assert {"time_s", "lower_bound_s", "gap", "engine", "shares", "layouts", "instructions"} <= document.keys()
    assert [one["name"] for one in document["candidates"]] == ["even", "proportional"]
    names = [one["name"] for one in document["baselines"]]
    assert "data parallel, even" in names
    assert "data parallel, all sliced (ZeRO-3), proportional" in names
    assert all(one["time_s"] >= document["time_s"] for one in document["baselines"])
    assert {one["name"]: one["layout"] for one in document["layouts"]}["w1"] == "replicated"


def test_the_step_is_that_of_the_time_line_and_the_bound_is_said_beside_it(capsys):
    asked = [STEP, "--system", "dgx-h100:1x4", "--condition", "x sliced(0)"]
    document = json.loads(output(["shard", *asked, "--json"], capsys))
    line = document["time_line"]
    assert document["time_s"] == line["seconds"] != document["stages_s"]
    sent = line["collectives"]
    assert len(sent) == sum(each["way"] is not None for each in document["instructions"]) > 0
    assert sum(each["end_s"] - each["start_s"] for each in sent) == pytest.approx(line["communication_s"])
    assert sum(each["hidden_s"] for each in sent) == pytest.approx(line["hidden_s"])
    text = " ".join(output(["shard", *asked], capsys).split())
    assert "(the step is" in text
    assert "that bound is of times by stages" in text
    assert "runner-ups: what they take more by stages, one after the other" in text
    asked += ["--tensor", "w1"]
    assert "longest beside it" in output(["explain", *asked], capsys)
    assert json.loads(output(["explain", *asked, "--json"], capsys))["time_s"] == document["time_s"]


def test_what_is_printed_is_fastest_as_emitted_and_what_is_proved_is_said_of_a_call_for_each(tmp_path, capsys):
    """Where data parallelism wins once its sums are one call, and loses with a call for each."""
    path, written = tmp_path / "deep.tp", tmp_path / "dist.tp"
    path.write_text(DEEP, encoding="utf-8")
    asked = ["shard", str(path), "--system", "lab:2x2", "--speed", "500Mflop/s"]
    document = json.loads(output([*asked, "--json", "--out", str(written)], capsys))
    assert (document["meaning"], document["buckets"]) == (["data"], 25 * 2**20)
    assert max(len(each["bucket"]) for each in document["instructions"]) == 7, "six gradients and the loss"
    assert document["time_s"] < document["lower_bound_s"] <= document["searched_s"]
    assert "AllReduce" in written.read_text(encoding="utf-8")
    text = output([*asked, "--certify"], capsys)
    assert "1 call for several, of at most 25 MiB" in text
    assert "with a call for each collective, and outputs in parts, the fastest takes" in " ".join(text.split())
    apart = json.loads(output([*asked, "--buckets", "off", "--json"], capsys))
    assert (apart["meaning"], apart["buckets"], apart["time_s"]) == (["replicated"], 0, document["searched_s"])


def test_a_condition_is_kept(capsys):
    document = json.loads(
        output(
            ["shard", STEP, *HERE, "--condition", "w1 sliced(0)", "--condition", "states replicated", "--json"], capsys
        )
    )
    layouts = {one["name"]: one["layout"] for one in document["layouts"]}
    assert layouts["w1"].startswith("sliced(0")
    assert layouts["v1"] == layouts["v2"] == layouts["x"] == "replicated"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([STEP, *HERE, "--shares", "0.5/0.5"], "2 shares for 4 devices; write one per device"),
        ([STEP, *HERE, "--shares", "0.5/0.25/0.25/0.25"], "the shares sum to 1.25, not 1; scale them so that they do"),
        ([STEP, *HERE, "--shares", "fair"], "shares 'fair' do not parse; write vertices, even, proportional"),
        ([STEP, *HERE, "--shares", "1e9/1/1/1"], "shares '1e9/1/1/1' do not parse"),
        ([STEP, *HERE, "--condition", "w3 replicated"], "'w3' is not a tensor of the program"),
        ([STEP, *HERE, "--condition", "w1 whole"], "condition 'w1 whole' does not parse; write NAME [not] replicated"),
        (
            [STEP, *HERE, "--condition", "w1 sliced(2)"],
            ("condition 'w1 sliced(2)': w1 has the shape [32, 128]; name one of its dimensions, numbered from 0"),
        ),
        ([STEP, *HERE, "--condition", "lr sliced"], "lr cannot be stored as the conditions require; drop one of them"),
        ([STEP, "--system", "hap-a100-p100", "--speed", "fast"], "speed 'fast' is not a positive speed"),
        ([STEP, *HERE, "--condition", "at most 0GB"], "condition 'at most 0GB': bytes '0GB' is not a size"),
        ([STEP, *HERE, "--condition", "at most lots"], "write a positive whole number of bytes such as 1GiB"),
        (
            [STEP, *HERE, "--condition", "at most 20kB"],
            "more; use more devices, other sharding ratios or fewer conditions",
        ),
        ([STEP, *HERE, "--buckets", "many"], "bytes 'many' is not a size"),
        (
            [STEP, *HERE, "--export", "jax"],
            "--export jax is the format of the file that --out names; give --out FILE as well",
        ),
        (
            [SGD, *HERE, "--shares", "0.4/0.3/0.2/0.1", "--export", "dtensor", "--out", "plan.py"],
            "DTensor cuts it into",
        ),
        (
            [STEP, *HERE, "--without", "order"],
            "--without order is for engine astar; add --engine astar",
        ),
        ([STEP, *MESHED, "--mesh", "2,2"], "mesh 2,2 has 4 devices, but the system has 8; the two must be equal"),
        (
            [STEP, *MESHED, "--mesh", "8,"],
            "mesh '8,' does not parse; write the sizes of at most 4 axes such as 8,8 or data=8",
        ),
        ([STEP, *MESHED, "--mesh", "0,8"], "mesh '0,8' does not parse"),
        (
            [STEP, "--system", "hap-v100-p100", "--mesh", "8,8"],
            "has measured collectives among all devices alone ([profile]), so there are",
        ),
        (
            [STEP, *MESHED, "--mesh", "2,4", "--shares", "1/0"],
            "--shares 1/0 is not supported on a mesh; write one of vertices, even, proportional",
        ),
        ([STEP, *MESHED, "--mesh", "2,4", "--engine", "astar"], "engine astar searches one axis"),
        ([STEP, *MESHED, "--mesh", "2,4", "--published", "sources-stay"], "--published restricts searches on one axis"),
        (
            [STEP, *MESHED, "--mesh", "2,4", "--programs"],
            "--programs works on one axis of all devices; leave out --programs or",
        ),
        (
            [STEP, *MESHED, "--virtual", "node", "--programs"],
            "--programs works on one axis of all devices; leave out --programs or",
        ),
        (
            [STEP, "--system", "hap-v100-p100", "--programs"],
            "hap-v100-p100 has times of whole collectives, but not of the steps of",
        ),
        (
            [STEP, "--system", "gpu:1", "--programs"],
            "--programs support 2 to 1024 devices, but the system has 1; leave --programs out",
        ),
        (["missing.tp", *HERE], "cannot read missing.tp"),
        ([str(EXAMPLES / "adam.tp"), *HERE], "already has layouts or collectives; give the single-device program"),
    ],
)
def test_a_mistake_gets_one_line(arguments, said, capsys):
    assert said in refused(["shard", *arguments], capsys)


def test_what_elimination_has_no_memory_for_is_searched_by_highs_or_left_out_with_a_line(tmp_path, capsys):
    """The bound on memory is far below what any search takes: the answer is there, and says what happened."""
    pytest.importorskip("scipy")
    path = tmp_path / "layer.tp"
    path.write_text(
        "program layer\ninput x : f32[64, 32]\nparameter w : f32[32, 128]\n"
        "loss = sum(relu(matmul(x, w)))\noutput loss\n",
        encoding="utf-8",
    )
    asked = ["shard", str(path), *HERE, "--shares", "even", "--search-memory", "100B"]
    document = json.loads(output([*asked, "--json"], capsys))
    free = json.loads(output(["shard", str(path), *HERE, "--shares", "even", "--json"], capsys))
    searched, *left_out = document["notes"]
    assert "HiGHS searched instead; with --search memory=1GB elimination does" in searched
    assert any(note.startswith("data parallel, even is left out of the comparison: elimination") for note in left_out)
    assert (document["baselines"], free["notes"]) == ([], [])
    assert document["searched_s"] == free["searched_s"]
    text = output(asked, capsys)
    assert "HiGHS searched" in text
    assert "tensor parallel, even is left out" in text
    assert "leave certify out, or give --search memory=1GB" in refused([*asked, "--certify"], capsys)
    on_mesh = ["shard", str(path), *MESHED, "--mesh", "2,4", "--json", "--search-memory", "100B"]
    assert any("HiGHS searched instead" in note for note in json.loads(output(on_mesh, capsys))["notes"])


@pytest.mark.parametrize("asked", [HERE, [*MESHED, "--mesh", "2,4"]])
def test_the_engine_ilp_eliminates_nothing_and_has_baselines(asked, monkeypatch, capsys):
    pytest.importorskip("scipy")

    def never(*_, **__):
        raise AssertionError("elimination")

    monkeypatch.setattr(elimination, "eliminate", never)
    monkeypatch.setattr(solving, "eliminate", never)
    document = json.loads(output(["reproduce", "shard", SGD, *asked, "--engine", "ilp", "--json"], capsys))
    assert document["baselines"]
    assert document["notes"] == []


def test_the_engine_that_tries_everything_refuses_what_it_would_not_end(capsys):
    said = "partial assignments of 76 choices, and tries at most 300000; use --engine elimination, which"
    assert said in refused(["shard", STEP, *HERE, "--engine", "brute"], capsys)


def test_an_unknown_operation_is_named_with_its_line(tmp_path, capsys):
    path = tmp_path / "odd.tp"
    path.write_text("program odd\ninput x : f32[4]\ny = rellu(x)\noutput y\n", encoding="utf-8")
    assert "line 3" in refused(["shard", str(path), *HERE], capsys)


def large(tmp_path, length):
    """A product whose weight has `length` rows and columns."""
    path = tmp_path / "large.tp"
    path.write_text(
        f"program large\ninput x : f32[4, {length}]\nparameter w : f32[{length}, {length}]\n"
        "y = matmul(x, w)\noutput y\n",
        encoding="utf-8",
    )
    return ["shard", str(path), "--system", "hap-a100-p100", "--condition", "w replicated"]


def test_a_program_that_fits_is_found_where_the_fastest_does_not(tmp_path, capsys):
    document = json.loads(output([*large(tmp_path, 60000), "--json"], capsys))
    assert document["lacks"] == []
    assert max(document["memory"][2:]) <= 16 * 10**9
    assert document["time_s"] >= document["lower_bound_s"]


def test_a_program_that_is_found_and_does_not_fit_is_no_success(capsys, monkeypatch):
    """As if no search within the limits had ended with a program whose peak is within them too."""
    monkeypatch.setattr(memory, "ATTEMPTS", 0)
    even = ["shard", SGD, *HERE, "--shares", "even", "--buckets", "off"]
    most = max(json.loads(output([*even, "--json"], capsys))["memory"])
    capped = [*even, "--condition", f"at most {most - 1}B"]
    document = json.loads(output([*capped, "--json"], capsys, code=1))
    assert document["lacks"] != []
    assert "lacks 1 byte" in output(capped, capsys, code=1)
    assert json.loads(output([*even, "--condition", f"at most {most}B", "--json"], capsys))["lacks"] == []


def test_what_fits_nowhere_is_said_with_the_device_that_lacks_memory(tmp_path, capsys):
    said = refused(large(tmp_path, 70000), capsys)
    assert said.startswith("no sharding fits into memory: device 2 (p100) has")
    assert "19600280000, 3600280000 more" in said


def test_a_cap_on_memory_is_a_condition(capsys):
    document = json.loads(output(["shard", SGD, *HERE, "--condition", "at most 1MB", "--json"], capsys))
    assert {device["memory"] for device in document["devices"]} == {10**6}
    assert max(document["memory"]) <= 10**6


def test_the_answer_says_what_it_is_known_as_and_why_others_lose(capsys):
    apart = ["shard", STEP, *HERE, "--buckets", "off"]
    document = json.loads(output([*apart, "--json"], capsys))
    assert document["recognised"][0]["name"] == "Megatron's tensor parallelism"
    others = document["runner_ups"]
    assert all(one["slower_s"] >= 0 and one["why"] for one in others)
    assert {one["name"] for one in others} >= {"data parallel, even", "every device does everything"}
    text = output(apart, capsys)
    assert "Megatron's tensor parallelism: w1 by columns, w2 by rows" in text
    assert "runner-ups, and why they lose" in text


@pytest.mark.parametrize(("export", "said"), [("dtensor", '"w1": (Shard(1),),'), ("jax", '"w1": PartitionSpec(None, ')])
def test_what_is_stored_is_written_for_frameworks(export, said, tmp_path, capsys):
    path = tmp_path / "plan.py"
    asked = ["--shares", "even", "--buckets", "off", "--export", export, "--out", str(path)]
    assert run(["shard", STEP, *HERE, *asked]) == 0
    capsys.readouterr()
    assert said in path.read_text(encoding="utf-8")


def test_a_report_is_written_and_announced(tmp_path, capsys):
    path = tmp_path / "sharding.html"
    assert run(["shard", SGD, *HERE, "--report", str(path)]) == 0
    assert f"{path}: the sharding, " in capsys.readouterr().err
    page = path.read_text(encoding="utf-8")
    assert "What each device waits for" in page
    assert run(["shard", SGD, *HERE, "--report", str(path)]) == 2


def test_the_search_of_the_paper_and_its_restrictions(capsys):
    """Without the estimate, and with all restrictions of the published code, which do not make it faster."""
    step = str(EXAMPLES / "sgd.tp")
    free = json.loads(output(["shard", step, *HERE, "--json"], capsys))
    told = ["--engine", "astar", "--without", "estimate", "--without", "fused"]
    same = json.loads(output(["reproduce", "shard", step, *HERE, *told, "--json"], capsys))
    assert same["engine"] == "astar"
    assert same["sum_s"] == free["sum_s"]
    published = [
        word for name in ("one-collective", "sources-stay", "no-linear-sums") for word in ("--published", name)
    ]
    assert run(["shard", step, *HERE, *published, "--json"]) == 0
    out, err = capsys.readouterr()
    assert "p2smt reproduce shard" in err
    narrow = json.loads(out)
    assert narrow["sum_s"] >= free["sum_s"]


def test_a_mesh_of_two_axes_is_searched_in_all_placements_and_written(tmp_path, capsys):
    path = tmp_path / "meshed.tp"
    arguments = ["shard", SGD, "--system", "dgx-h100:2x2", "--out", str(path), "--certify"]
    document = json.loads(output([*arguments, "--mesh", "2,2", "--json"], capsys))
    assert [(each["size"]) for each in document["mesh"]] == [2, 2]
    assert {each["placement"] for each in document["meshes"]} == {"1x2/2x1", "2x1/1x2"}
    assert document["exact"]
    assert document["proved"]
    assert document["lower_bound_s"] <= document["time_s"]
    assert document["baselines"]
    program = parse_program(path.read_text(encoding="utf-8"))
    assert compare(program, parse_program(Path(SGD).read_text(encoding="utf-8")), PrimeField(1)) is None
    assert run(["verify", str(path), "--against", SGD]) == 0


def test_all_meshes_are_compared_and_those_that_cannot_be_faster_passed_over(capsys):
    text = output(["shard", SGD, "--system", "dgx-h100:2x2", "--mesh", "auto"], capsys)
    assert "meshes, of which" in text
    assert "4x1" in text
    assert "passed over" in text


def test_explain_takes_the_options_of_what_it_explains(tmp_path, capsys):
    (tmp_path / "plan.json").write_text("{}", encoding="utf-8")
    assert "give --system" in refused(["explain", STEP], capsys)
    assert "--by-hop is not for a tensor program" in refused(["explain", STEP, *HERE, "--by-hop"], capsys)
    assert "--tensor is not for a plan or a job" in refused(["explain", "plan.json", "--tensor", "w"], capsys)
    assert "--mesh is not for a plan or a job" in refused(["explain", "job.toml", "--mesh", "2,2"], capsys)
    said = refused(["explain", STEP, *HERE, "--tensor", "weight_1"], capsys)
    assert said.startswith("'weight_1' is not a tensor of the program; some are ")
