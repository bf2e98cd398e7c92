"""`p2smt schedule`: verdicts as exit codes, text and documents; mistakes in one sentence."""

import json
from functools import partial

import pytest
from command_line import output, refused

from p2smt.cli.main import run
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner import search
from p2smt.tensor.text.parser import parse_program

TAIL = """program tail
input x : f32[6, 4] partial(+)
parameter b : f32[4]
sum = AllReduce(x)
out = relu(sum + b)
rows = softmax(out, 0)
output rows
"""
FUSED = "rs, ag = split sum rs-ag\ns, whole = reorder ag past out\nf = fuse rs, s, whole\n"
WRONG = "rs, ag = split sum rs-ag\ns, t, whole = reorder ag past out, rows\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(program=TAIL, steps=FUSED):
        (tmp_path / "p.tp").write_text(program, encoding="utf-8")
        (tmp_path / "s.steps").write_text(steps, encoding="utf-8")
        return ["schedule", "p.tp", "--steps", "s.steps"]

    return write


def test_a_valid_schedule_prints_its_proof_and_the_program(files, capsys):
    text = output([*files(), "--ranks", "4"], capsys)
    assert "valid: tail on 4 ranks computes the same after 3 steps" in text
    assert "# f = fuse rs, s, whole" in text
    program = parse_program(text[text.index("program tail") :])
    assert [each.name for each in program.statements] == ["rs", "s", "whole", "rows"]
    assert max(map(len, text.splitlines())) <= 100
    assert "program tail" not in output([*files(), "--ranks", "4", "--check"], capsys)


def test_the_program_is_written_where_it_is_asked_for(files, capsys, tmp_path):
    output([*files(), "--ranks", "4", "--out", "after.tp"], capsys)
    assert parse_program((tmp_path / "after.tp").read_text(encoding="utf-8")).mesh == ()


SEARCH = ["schedule", "p.tp", "--system", "dgx-h100:1x4", "--ranks", "4", "--depth", "2", "--top", "1"]


def test_the_fastest_of_a_search_is_kept_as_a_program_and_as_steps(files, capsys, tmp_path):
    files()
    text = output([*SEARCH, "--out", "best.tp", "--steps-out", "best.steps"], capsys)
    found = (tmp_path / "best.steps").read_text(encoding="utf-8")
    steps = [line for line in found.splitlines() if not line.startswith("#")]
    assert steps
    assert [line.strip() for line in text.splitlines() if " = " in line] == steps
    again = ["schedule", "p.tp", "--steps", "best.steps", "--ranks", "4"]
    assert "valid: tail on 4 ranks computes the same" in output([*again, "--out", "again.tp"], capsys)
    assert (tmp_path / "again.tp").read_bytes() == (tmp_path / "best.tp").read_bytes()
    assert "--steps-out writes the steps that a search finds, but the given steps are" in refused(
        [*again, "--steps-out", "b.steps"], capsys
    )


def test_printed_steps_are_read_back_from_a_pipe_and_from_a_screen(files, capsys, tmp_path, monkeypatch):
    names = [f"a_statement_with_a_long_name_{number}" for number in range(6)]
    text = "".join(f"{name} = relu({['x', *names][number]})\n" for number, name in enumerate(names))
    program = f"program long\nmesh rank=4\ninput x : f32[8, 4]\n{text}output {names[-1]}\n"
    files(program, f"f = fuse {', '.join(names)}\n")
    for columns in ("", "60"):
        monkeypatch.setenv("COLUMNS", columns)
        printed = output(["schedule", "p.tp", "--steps", "s.steps", "--check"], capsys).partition("proved:")[0]
        pasted = printed.removeprefix("  1")
        assert (pasted.strip().count("\n") > 0) is (columns == "60")
        assert parse_schedule(pasted) == parse_schedule((tmp_path / "s.steps").read_text(encoding="utf-8"))


def test_a_refusal_names_rule_and_numbers_and_writes_nothing(files, capsys, tmp_path):
    text = output([*files(steps=WRONG), "--ranks", "4", "--out", "after.tp"], capsys, code=1)
    assert "refused: the operation combines elements along a sliced dimension: softmax" in " ".join(text.split())
    assert "counter-example: 2 ranks, x [2, 3], b [3]: rows: rank 0, element [0, 0] is 1," in " ".join(text.split())
    assert "refused: step 2 of 2, line 2" in text
    assert not (tmp_path / "after.tp").exists()


def test_the_document_of_a_refusal(files, capsys):
    document = json.loads(output([*files(steps=WRONG), "--ranks", "4", "--json"], capsys, code=1))
    assert document["verdict"] == "refused"
    assert document["rule"] == "LOOKS_ACROSS"
    assert document["line"] == 2
    assert document["counter_example"]["ranks"] == 2
    assert parse_program(document["program"]).statements[0].name == "rs"


def test_what_no_numbers_tell_apart_is_not_proved(files, capsys):
    one = TAIL.replace("6, 4", "1, 4")
    text = output([*files(one, WRONG), "--ranks", "2"], capsys, code=3)
    assert "not proved: step 2 of 2, line 2" in text


def test_what_does_not_fit_is_refused(files, capsys, tmp_path):
    text = output([*files(), "--ranks", "2", "--memory", "100B", "--out", "after.tp"], capsys, code=1)
    assert "memory: at most 304 B a rank at f, 96 B of it in flight; refused: a rank has 100 B" in " ".join(
        text.split()
    )
    assert not (tmp_path / "after.tp").exists()
    refused = json.loads(output([*files(), "--ranks", "2", "--memory", "303B", "--json"], capsys, code=1))
    assert (refused["verdict"], refused["memory"]["fits"]) == ("refused", False)
    document = json.loads(output([*files(), "--ranks", "2", "--memory", "1kB", "--json"], capsys))
    assert document["verdict"] == "valid"
    assert document["memory"] == {"bytes": 304, "unit": "f", "in_flight": 96, "limit": 1000, "fits": True}


def test_a_search_in_which_nothing_fits_says_what_the_smallest_holds(files, capsys):
    files()
    arguments = ["schedule", "p.tp", "--system", "1x2", "--ranks", "2", "--depth", "1", "--memory", "100B"]
    text = " ".join(output(arguments, capsys, code=1).split())
    assert "no schedule that was found fits into 100 B a rank: the smallest of" in text
    assert run([*arguments[:-1], "much"]) == 2
    assert "bytes 'much' is not a size" in capsys.readouterr().err


def test_a_search_that_is_cut_off_is_partial(files, capsys, monkeypatch):
    files()
    arguments = ["schedule", "p.tp", "--system", "1x2", "--ranks", "2", "--depth", "2"]
    output(arguments, capsys)
    monkeypatch.setattr(search, "tune", partial(search.tune, most=3))
    assert "3 schedules were found" in output(arguments, capsys, code=3)
    assert json.loads(output([*arguments, "--json"], capsys, code=3))["cut_off"] == "3 schedules were found"


@pytest.mark.thorough  # the time line: tests/schedule/test_explained.py
def test_an_explanation_draws_a_time_line(files, capsys):
    arguments = [*files(), "--ranks", "4", "--system", "dgx-h100:1x4", "--explain"]
    text = output(arguments, capsys)
    for heading in ("what each step buys", "time line of", "where it pays"):
        assert f"\n{heading}" in text
    assert max(map(len, text.splitlines())) <= 80
    why = json.loads(output([*arguments, "--json"], capsys))["explained"]
    assert [step["step"] for step in why["steps"]] == FUSED.splitlines()
    assert why["spans"][-1]["end_s"] == pytest.approx(why["scheduled_s"])
    assert run([*files(), "--ranks", "4", "--explain"]) == 2
    assert "--explain and --report show a timeline on a system; add --system SYSTEM" in capsys.readouterr().err


SUM = "program sum\ninput x : f32[6, 4] partial(+)\ns = AllReduce(x)\noutput s\n"


def test_where_nothing_is_faster_the_next_best_says_why(files, capsys):
    files(SUM)
    arguments = ["schedule", "p.tp", "--system", "dgx-h100:1x4", "--ranks", "4", "--depth", "1"]
    text = " ".join(output(arguments, capsys).split())
    assert "leave it as it is: nothing that was found is faster; the next best, s" in text
    assert "of start-ups" in text
    assert "nothing is hidden" in text


def test_a_report_is_written_and_announced(files, capsys, tmp_path):
    arguments = [*files(), "--ranks", "4", "--system", "dgx-h100:1x4", "--report", "r.html"]
    assert run(arguments) == 0
    assert "r.html: the schedule of tail" in capsys.readouterr().err
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert run(arguments) == 2
    assert "--force" in capsys.readouterr().err
    search = ["schedule", "p.tp", "--ranks", "4", "--system", "dgx-h100:1x4", "--depth", "1", "--report", "q.html"]
    assert run(search) == 0
    assert (tmp_path / "q.html").exists()


def test_a_search_explains_the_fastest_that_is_not_the_program_as_it_is(files, capsys):
    files()
    arguments = ["schedule", "p.tp", "--system", "dgx-h100:1x2", "--ranks", "2", "--depth", "1", "--explain"]
    assert "\nwhat each step buys" in output(arguments, capsys)
    why = json.loads(output([*arguments, "--json"], capsys))
    assert why["explained"]["untouched_s"] == why["untouched"]["seconds"]


def test_same_input_same_bytes(files, capsys):
    arguments = [*files(steps=WRONG), "--ranks", "3", "--json"]
    assert output(arguments, capsys, code=1) == output(arguments, capsys, code=1)


MISTAKES = {
    "no ranks": (TAIL, FUSED, [], "program tail has no mesh; give the number of ranks, such as --ranks 4"),
    "other ranks": (
        TAIL.replace("program tail", "program tail\nmesh r=2"),
        FUSED,
        ["--ranks", "3"],
        "program tail is for the mesh r=2, not for 3 ranks; leave --ranks out",
    ),
    "no rank at all": (TAIL, FUSED, ["--ranks", "0"], "--ranks 0 is out of range; give 1 to 65536"),
    "a step": (TAIL, "fuze a\n", ["--ranks", "2"], "s.steps: line 1, column 1: 'fuze' is not a step"),
    "a name": (
        TAIL,
        "\nrs, ag = split summ rs-ag\n",
        ["--ranks", "2"],
        "line 2: 'summ' is not a name of the program; did you mean sum?",
    ),
    "a name twice": (
        TAIL,
        "rs, out = split sum rs-ag\n",
        ["--ranks", "2"],
        "line 1: 'out' is already defined; give the result of the step a new name",
    ),
    "too few names": (
        TAIL,
        "rs = split sum rs-ag\n",
        ["--ranks", "2"],
        (
            "line 1: the step assigns 1 names, but it makes 2: the first collective, the second; give "
            "one name per result"
        ),
    ),
    "names of nothing": (TAIL, "a = dead sum\n", ["--ranks", "2"], "it makes nothing that has a name"),
    "a program": ("program tail\nx = 1\n", FUSED, ["--ranks", "2"], "p.tp: "),
    "a program without layouts": (
        TAIL.replace("AllReduce(x)", "AllGather(x, 0)"),
        FUSED,
        ["--ranks", "2"],
        "the program is invalid before any step: sum: ",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_sentence(name, files, capsys):
    program, steps, more, message = MISTAKES[name]
    assert run([*files(program, steps), *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


def test_files_that_are_not_there_or_no_text(files, capsys, tmp_path):
    arguments = files()
    (tmp_path / "s.steps").write_bytes(b"\xff\xfe")
    assert run([*arguments, "--ranks", "2"]) == 2
    assert "s.steps is not UTF-8 text (byte 0); give a schedule" in capsys.readouterr().err
    (tmp_path / "s.steps").unlink()
    assert run([*arguments, "--ranks", "2"]) == 2
    assert "cannot read s.steps: No such file or directory" in capsys.readouterr().err
