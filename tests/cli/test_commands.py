"""What the commands print: tables as golden text, JSON documents by their keys, exit codes."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import jsonschema
import pytest
from command_line import golden, output

from p2smt.cli.main import COMMANDS, run
from p2smt.problem.file import ProblemFile
from p2smt.problem.typed import json_schema
from p2smt.reduction.plan.file import read_plan
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.answer import Stop

EXAMPLE = ["--system", "node:4,gpu:16", "--axes", "data:4,model:16", "--reduce", "model", "--bytes", "1GiB"]


def without_time(text: str) -> str:
    return re.sub("; found in .*", "", text, count=1)


def test_synth_table(capsys):
    golden("synth_4x16.txt", without_time(output(["synth", *EXAMPLE], capsys)))


def test_place_table(capsys):
    golden("place_2x4.txt", output(["place", "--system", "2x4", "--axes", "2,4"], capsys))


def test_synth_document(capsys):
    document = json.loads(output(["synth", *EXAMPLE, "--algorithm", "ring", "--json", "--all"], capsys))
    assert document["version"] == 1
    assert document["complete"] is True
    assert (document["grammar"], document["limit"], document["total_programs"]) == ("full", 5, 189)
    assert document["problem"]["reduce"] == ["model"]
    crossing = document["placements"][1]
    assert crossing["matrix"] == [[2, 2], [2, 8]]
    assert crossing["levels"] == [2, 8]
    assert crossing["programs"] == len(crossing["all"]) == 93
    assert crossing["best"]["cost_s"] < crossing["allreduce_cost_s"]
    assert crossing["best"] == crossing["all"][0]
    first = crossing["best"]["steps"][0]
    assert (first["collective"], first["form"], first["slice"]) == ("ReduceScatter", "InsideGroup", "node")
    assert first["groups_preview"][:2] == [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]]
    assert "all" not in json.loads(output(["synth", *EXAMPLE, "--json"], capsys))["placements"][0]


@pytest.mark.usefixtures("anew")
def test_the_same_input_gives_the_same_bytes(capsys):
    def document() -> dict[str, object]:
        small = ["--system", "2x4", "--axes", "2,4", "--reduce", "1"]
        found = json.loads(output(["synth", *small, "--json", "--all"], capsys))
        del found["elapsed_s"]
        return found

    assert document() == document()


def test_place_lists_what_keeps_the_conditions(capsys):
    asked = ["place", "--system", "node:4,gpu:8", "--axes", "dp:8,tp:4", "--condition", "tp inside node"]
    assert output(asked, capsys).startswith("1 placement of dp=8, tp=4 on node=4 x gpu=8, of 3, with tp inside node\n")
    document = json.loads(output([*asked, "--json"], capsys))
    assert (document["matrices"], document["conditions"]) == ([[[4, 2], [1, 4]]], ["tp inside node"])
    asked += ["--condition", "dp not split"]
    said = "none of 3 placements keeps: tp inside node; dp not split; leave out one of these\n"
    assert output(asked, capsys, code=1) == said
    assert json.loads(output([*asked, "--json"], capsys, code=1))["clash"] == ["tp inside node", "dp not split"]


def test_place_document(capsys):
    document = json.loads(output(["place", "--system", "4x16", "--axes", "8,2,4", "--json", "--maps"], capsys))
    assert document["count"] == len(document["matrices"]) == 5
    assert document["matrices"][0] == [[1, 8], [1, 2], [4, 1]]
    for of_device, at in zip(document["coordinates_of_device"], document["device_at_coordinates"], strict=True):
        assert [at[f"({','.join(map(str, c))})"] for c in of_device] == list(range(64))


def test_flags_win_over_the_problem_file(tmp_path, capsys):
    path = tmp_path / "problem.toml"
    assert run(["example", "--out", str(path)]) == 0
    assert capsys.readouterr().err.startswith(f"p2smt: {path}: an example of a problem; next: ")
    from_file = json.loads(output(["synth", str(path), "--json"], capsys))
    assert from_file["total_programs"] == 189
    paper = json.loads(output(["synth", str(path), "--grammar", "paper", "--reduce", "data", "--json"], capsys))
    assert (paper["grammar"], paper["problem"]["reduce"]) == ("paper", ["data"])
    assert paper["total_programs"] == 53


def test_the_example_fits_the_printed_schema(capsys):
    import tomllib

    schema = json.loads(output(["schema", "problem"], capsys))
    assert schema == json.loads(json.dumps(json_schema(ProblemFile, "problem")))
    jsonschema.validate(tomllib.loads(output(["example"], capsys)), schema)
    jsonschema.Draft202012Validator.check_schema(json.loads(output(["schema", "plan"], capsys)))


@pytest.mark.thorough  # that engines find the same is tested in reduction/synth/
@pytest.mark.usefixtures("anew")
def test_engines_print_the_same(capsys):
    arguments = ["synth", "--system", "2x4", "--axes", "8", "--reduce", "0", "--all", "--json"]
    expected = None
    for engine in ("explicit", "levels", "bitvec"):
        placements = json.loads(output([*arguments, "--engine", engine], capsys))["placements"]
        assert placements == (expected or placements), engine
        expected = placements


def test_no_program_is_a_negative_answer(capsys):
    mixed = ["--system", "4", "--axes", "2,2", "--reduce", "0", "--hierarchy", "a"]
    assert "none" in output(["synth", *mixed], capsys, code=1)
    assert run(["plan", *mixed]) == 1
    assert "no program does this reduction" in capsys.readouterr().err


@pytest.mark.usefixtures("anew")
def test_a_deadline_gives_partial_results_marked_so(capsys):
    four = ["--system", "2x2x2x2", "--axes", "16", "--reduce", "0", "--limit", "8"]
    document = json.loads(output(["synth", *four, "--timeout", "0.1", "--json"], capsys, code=3))
    assert document["complete"] is False
    assert document["stopped"] == "deadline"
    assert "INCOMPLETE (deadline)" in output(["synth", *four, "--timeout", "0.1"], capsys, code=3)


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize("command", ["synth", "rank", "plan"])
def test_a_search_that_had_no_time_never_says_that_there_is_nothing(command, capsys):
    assert run([command, "--system", "2x2x2x2", "--axes", "16", "--reduce", "0", "--timeout", "1e-6"]) == 3
    out, err = capsys.readouterr()
    said = " ".join((err if command == "plan" else out).split())
    assert "nothing was found in this time; allow a longer --timeout, or try a smaller --limit" in said
    assert "no program" not in said
    assert "best program" not in said


def test_reducing_over_axes_of_size_one_is_nothing_to_do(capsys):
    document = json.loads(output(["synth", "--system", "2x4", "--axes", "8,1", "--reduce", "1", "--json"], capsys))
    assert document["placements"][0]["best"]["text"] == "skip"
    assert document["placements"][0]["levels"] == []


def test_every_command_has_help_with_an_example(capsys):
    for command in COMMANDS:
        text = output([command, "--help"], capsys)
        assert "Example:" in text, command
        assert f"p2smt {command}" in text, command


def test_help_loads_nothing_heavy():
    code = "import sys; from p2smt.cli.main import run; run(['--help']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"z3", "torch", "numpy", "rich", "msgspec", "networkx"} & set(loaded)


TELLING = """
import os, signal, sys
from p2smt.cli.main import main
from p2smt.reduction.rules import programs

search = programs.all_answers
def telling(name, bits, constraints, width, deadline=None, on_progress=None):
    def tell(count):
        if count == 10:
            print(name, file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGINT)
        if on_progress is not None:
            on_progress(count)

    return search(name, bits, constraints, width, deadline, tell)

programs.all_answers = telling
main()
"""


@pytest.mark.thorough  # tests/cli/test_interrupt.py
@pytest.mark.usefixtures("anew")
def test_ctrl_c_gives_partial_results_and_exit_code_three():
    four = ["--system", "2x2x2x2", "--axes", "16", "--reduce", "0", "--limit", "9"]
    command = [sys.executable, "-c", TELLING, "synth", *four, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err) == (3, "programs of 2 levels up to length 9\n")
    document = json.loads(out)
    assert (document["complete"], document["stopped"]) == (False, "interrupted")
    assert document["total_programs"] >= 9


@pytest.mark.parametrize("stop", [Stop.DEADLINE, Stop.UNKNOWN])
def test_a_plan_of_a_search_that_stopped_is_written_and_said_to_be_partial(stop, tmp_path, monkeypatch):
    out = tmp_path / "plan.json"
    arguments = ["plan", "--system", "2x4", "--axes", "8", "--reduce", "0", "--out", str(out)]
    assert run(arguments) == 0
    whole = Synthesizer.synthesize
    monkeypatch.setattr(Synthesizer, "synthesize", lambda *given, **more: replace(whole(*given, **more), stop=stop))
    out.unlink()
    assert run(arguments) == 3
    assert read_plan(out).devices == 8
