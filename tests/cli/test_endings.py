"""Where something is missing, late or wrong commands say so, in text, document and exit code; edges of options."""

from dataclasses import replace
from functools import cache

import click
import pytest
from command_line import refused
from paths import ROOT
from support import problem

from p2smt.cli.commands import place
from p2smt.cli.commands.measure import _say
from p2smt.cli.exit_code import ExitCode
from p2smt.cli.main import run
from p2smt.cli.options.plan import parse_chunks
from p2smt.cli.options.search import SearchOptions
from p2smt.cli.output.certificate import certificate_document, print_certificate, write_obligation
from p2smt.cli.output.explain import print_explanation
from p2smt.cli.output.mesh import Orders, orders_document, print_orders, reading_document
from p2smt.cli.output.rank import print_ranking, ranking_document
from p2smt.cli.output.run import print_step, step_document
from p2smt.cli.output.synth import synthesis_document, unsearched_lines
from p2smt.cli.output.table import table_lines
from p2smt.cost.any_length import Cheaper, Reach
from p2smt.cost.any_length_proof import AnyLength, DistanceProver
from p2smt.cost.certificate import certify
from p2smt.cost.cheapest import programs_in_one_list
from p2smt.cost.explanation import explain
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.ranking import rank
from p2smt.errors import OutputError
from p2smt.job.mesh_price import MeshPrice
from p2smt.job.optimize import optimize
from p2smt.job.orders import best_order
from p2smt.placement import enumeration
from p2smt.placement.mesh_reading import read_given
from p2smt.problem.build import build_workload
from p2smt.problem.file import SearchEntry
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import Reduction
from p2smt.reduction.plan.model import MAX_CHUNKS
from p2smt.reduction.synth.session import Synthesizer
from p2smt.run.lab import namespaces, sweep
from p2smt.run.lab.sweep import LabStatus
from p2smt.run.local.step import StepReport
from p2smt.run.measure.loop import Counts
from p2smt.smt.answer import Enumeration, Stop

ASKED = problem((2, 2), (2, 2), (1,))
COST = cost_of(ASKED.system)
SMALL = ["--system", "2x2", "--axes", "2,2", "--reduce", "1"]
LATE = Cheaper(None, Reach.LATE)
TENSORS, SCHEDULES = ROOT / "p2smt" / "tensor" / "examples", ROOT / "p2smt" / "schedule" / "examples"


@cache
def found():
    return Synthesizer().synthesize(ASKED)


@cache
def ranked():
    return rank(found(), COST)


def text(capsys):
    return " ".join(capsys.readouterr().out.split())


def test_a_certificate_says_what_it_is_not_of(tmp_path, capsys):
    whole = certify(found(), ranked(), COST)
    print_certificate(whole, ASKED)
    said = text(capsys)
    assert "NOT CERTIFIED" not in said
    assert "was not complete" not in said
    part = replace(whole, complete=False, script=None)
    print_certificate(part, ASKED)
    assert "is proved on 2 of 2 placements" in (said := text(capsys))
    assert "the search was not complete, so there may be more programs" in said
    late = replace(whole, proofs=tuple(replace(one, any_length=AnyLength(missing="deadline")) for one in whole.proofs))
    for claim, proved in ((whole, True), (late, False)):
        document = certificate_document(claim)["certificate"]
        assert (document["proved"], document["proved_any_length"]) == (True, proved)
        assert {one["any_length"]["proved"] for one in document["placements"]} == {proved}
    with pytest.raises(OutputError, match="there is no proof obligation to write to"):
        write_obligation(part, tmp_path / "never.smt2", force=True)


def test_an_explanation_says_what_was_late_and_what_ties(capsys):
    one = replace(found(), placements=found().placements[:1])
    explained = explain(ranked()[0].programs[0].plan, one, COST)
    for reach, said in ((Reach.LATE, True), (Reach.LEVELS, True), (Reach.UNLIKE, True), (Reach.CHEAPEST, False)):
        print_explanation(replace(explained, reach=reach), ASKED.system, Nccl())
        assert (f"longer than the limit: {reach}" in text(capsys)) is said
    for factor, said in (
        (1.0, ("next best", "ties with it")),
        (2.0, ("next best", "loses to it")),
        (0.5, ("better", "beats it")),
    ):
        print_explanation(replace(explained, runner_up_seconds=factor * explained.seconds), ASKED.system, Nccl())
        shown = text(capsys)
        assert all(word in shown for word in said)


def test_rankings_say_of_which_placements_longer_programs_are_not_known(capsys):
    listed = programs_in_one_list(ranked())
    first, second = ranked()
    for these, known in (((first, second), True), ((first, replace(second, cheaper=LATE)), False)):
        assert ranking_document(found(), Nccl(), these, listed)["best_of_any_length"] is known
        lines = list(unsearched_lines(these, 5))
        assert lines == ([] if known else [f"longer than --limit 5, on 1 of 2 placements: {Reach.LATE}"])
    for count in (1, 2, 3):
        same = [replace(listed[0], rank=7)] * count
        print_ranking(found(), Nccl(), ranked(), same)
        assert ("7=" in text(capsys)) is (count > 1)
    cut_off = replace(first, placed=replace(first.placed, stop=Stop.DEADLINE))
    placements = synthesis_document(found(), (cut_off, second), 1, show_all=False)["placements"]
    assert [one["complete"] for one in placements] == [False, True]


def test_orders_of_a_search_that_stopped_are_not_all(capsys):
    reduction = Reduction(name="r", axes=(0,), payload=Payload(1 << 20, "float32"))
    job = build_workload(find_system("2x4"), [Axis("a", 4), Axis("b", 2)], [reduction])
    optimum = optimize(job, cost_of(job.system))
    for complete in (True, False):
        orders = Orders(optimum, replace(best_order(optimum, cost_of(job.system)), complete=complete))
        print_orders(orders)
        assert ("stopped early: not every placement" in text(capsys)) is not complete
        assert orders_document(orders)["complete"] is complete
        reading = read_given("axes:a,b", job)
        assert reading_document(reading, MeshPrice(1.0), orders)["complete"] is complete


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_one_wrong_result_is_wrong(wrong, tmp_path, capsys):
    report = StepReport(differing=(("first", 0), ("second", wrong)), ranks=2, torch_version="2.9.0", debug=False)
    print_step(report, "a step")
    assert (f"WRONG: {wrong} results differ" in (said := text(capsys))) is bool(wrong)
    assert said.count("wrong") == bool(wrong)
    assert step_document(report)["ok"] is not bool(wrong)
    measured = _say(Counts(pairs=2, measured=2, known=0, wrong=wrong), tmp_path / "t.csv", as_json=False)
    assert measured is (ExitCode.NEGATIVE if wrong else ExitCode.FOUND)


def test_a_table_that_just_fits_is_one():
    lines = list(table_lines(["a" * 30, "b" * 26], [["c" * 30, "d" * 26]], (), 60))
    assert lines == [f"  {'a' * 30}  {'b' * 26}", f"  {'c' * 30}  {'d' * 26}"]
    assert len(list(table_lines(["a" * 30, "b" * 27], [["c", "d"]], (), 60))) == 2


@pytest.mark.parametrize(
    "command", [["synth"], ["rank"], ["plan", "--out", "plan.json"], ["report", "--figure", "program"]]
)
def test_what_was_not_looked_for_in_time_makes_an_answer_partial(command, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert run([*command, *SMALL, "--limit", "1"]) == 0
    monkeypatch.setattr("p2smt.cost.ranking.cheaper_program", lambda *_: LATE)
    assert run([*command, *SMALL, "--limit", "1", *["--force"] * (command[0] in ("plan", "report"))]) == 3
    capsys.readouterr()


def test_distances_that_were_late_make_a_certified_answer_partial(monkeypatch, capsys):
    assert run(["synth", *SMALL, "--certify"]) == 0
    monkeypatch.setattr(DistanceProver, "proof", lambda *_: AnyLength(missing="deadline"))
    assert run(["synth", *SMALL, "--certify"]) == 3
    capsys.readouterr()


@pytest.mark.parametrize("stop", Stop)
def test_placements_that_were_not_all_found_are_partial(stop, monkeypatch, capsys):
    whole = enumeration.all_placements(ASKED).items
    monkeypatch.setattr(enumeration, "all_placements", lambda *_: Enumeration(whole, stop))
    assert run(["place", *SMALL]) == (0 if stop is Stop.EXHAUSTED else 3)
    capsys.readouterr()


def test_as_many_devices_as_can_be_are_listed(monkeypatch, capsys):
    monkeypatch.setattr(place, "MOST_MAPPED", 4)
    assert run(["place", *SMALL, "--maps"]) == 0
    capsys.readouterr()
    monkeypatch.setattr(place, "MOST_MAPPED", 3)
    assert "--maps lists every device, and 4 are too many; the limit is 3" in refused(
        ["place", *SMALL, "--maps"], capsys
    )


@pytest.mark.parametrize("removed", [True, False])
def test_a_laboratory_that_stays_is_no_success(removed, monkeypatch, capsys):
    monkeypatch.setattr(namespaces, "require_tools", lambda: None)
    monkeypatch.setattr(sweep, "find_labs", lambda: [LabStatus(lab, 2, (), in_use=False) for lab in ("one", "two")])
    monkeypatch.setattr(sweep, "sweep", lambda lab, **_: removed or lab == "one")
    assert run(["lab", "down"]) == (0 if removed else 1)
    assert ("a run is under way" in capsys.readouterr().out) is not removed


def test_numbers_of_chunks_go_from_one_to_the_most():
    assert [parse_chunks(word) for word in ("1", str(MAX_CHUNKS), "auto")] == [1, MAX_CHUNKS, None]
    for word in ("0", str(MAX_CHUNKS + 1), "-1", "1.5", "", "٣"):
        with pytest.raises(click.BadParameter, match=f"is neither a number from 1 to {MAX_CHUNKS} nor auto"):
            parse_chunks(word)


def test_options_that_are_off_or_nothing_win_over_a_file():
    given = SearchOptions(limit=0, collapse=False).over(SearchEntry(limit=7, collapse=True))
    assert (given.limit, given.collapse) == (0, False)
    kept = SearchOptions().over(SearchEntry(limit=7, collapse=False))
    assert (kept.limit, kept.collapse) == (7, False)


STEP, TAIL = str(TENSORS / "mlp_step.tp"), str(SCHEDULES / "mlp_tail.tp")
SLICED, WHOLE = str(TENSORS / "sgd_sliced.tp"), str(TENSORS / "sgd.tp")
SHARD = ["shard", STEP, "--system", "hap-a100-p100"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["calibrate", "--system", "2x2", "--speeds", "--commands"], "--speeds takes its own measurements; leave out"),
        (
            ["calibrate", "--system", "2x2", "--speeds", "rows.csv"],
            "--speeds takes its own measurements; leave out rows.csv",
        ),
        (
            ["capture", "model.py:step", "--example", "mlp"],
            "there is no step to capture, or two; give either FILE.py:FUNCTION or --example",
        ),
        (["emit", SLICED, "--kernels", "triton"], "--kernels are for schedules; add --steps FILE"),
        (
            [*SHARD, "--without", "fused"],
            "--without fused is for engine astar; add --engine astar",
        ),
        ([*SHARD, "--segments", "2", "--recompute", "1"], "--segments keeps one program per round"),
        (["verify", SLICED, "--against", WHOLE, "--devices-per-machine", "2"], "--against compares tensor programs"),
        (
            ["verify", "x.py:f", "--run-python", "--against", WHOLE, "--mesh", "a=2,b=2", "--devices", "3"],
            "--mesh a=2,b=2 has 4 ranks, but --devices is 3; the two must be equal",
        ),
        (
            ["verify", "x.py:f", "--run-python", "--against", WHOLE, "--mesh", "a=2,b=2", "--devices", "5"],
            "--mesh a=2,b=2 has 4 ranks, but --devices is 5; the two must be equal",
        ),
        (
            ["report", *SMALL, "--figure", "sensitivity", "--matrix", "1x2/2x1"],
            "shows all placements, and --matrix one; leave --matrix out",
        ),
        (
            ["report", *SMALL, "--figure", "ranking", "--matrix", "1x2/2x1"],
            "shows all placements, and --matrix one; leave --matrix out",
        ),
        (
            ["schedule", TAIL, "--ranks", "4", "--system", "1x4", "--speed", "0Tflop/s"],
            "speed '0Tflop/s' is not a positive speed",
        ),
        (["schedule", TAIL, "--flops", "2e13"], "--flops was renamed --speed; write --speed 20Tflop/s"),
        (["synth", *SMALL, "--timeout", "0"], "timeout 0.0 is out of range"),
    ],
)
def test_what_does_not_go_together_is_refused_in_one_line(arguments, message, capsys):
    assert message in refused(arguments, capsys)
