"""The judge of schedules: medians over turns, what is chosen and what was fastest, gains, and the stored report."""

import subprocess
import sys
from math import log

import pytest
from scripts.loading import SCRIPTS, script_module

SETTING = "p2p N=65536, 4 ranks, 100 Mb/s"
SLICED = "sl, ag = split y slice-ag\nscSend, scZ, scPart = reorder ag past next, z, part\n"


def rows(name, steps, seconds, sent):
    row = script_module("measure_schedules").Row
    return [
        row(setting=SETTING, name=name, steps=steps, turn=turn, seconds=each, sent=sent, wrong=0)
        for turn, each in enumerate(seconds, start=1)
    ]


@pytest.fixture(scope="module")
def judged():
    """A group of 2 ranks sends 262,144 bytes to the next one, each all of it or each its half."""
    judge = script_module("judge_schedules")
    taken = [*rows("untouched", "", [0.02, 0.9, 0.02], 275_000), *rows("p2p_sliced", SLICED, [0.01] * 3, 137_500)]
    return judge, judge.points(taken, judge.read_rates(judge.RATES))


def test_a_point_is_the_median_of_its_turns_beside_the_bytes_of_the_model(judged):
    _, (whole, sliced) = judged
    assert (whole.measured, sliced.measured) == (0.02, 0.01)
    assert (whole.payload, sliced.payload) == (pytest.approx(262_144), pytest.approx(131_072))
    assert whole.off == pytest.approx(log(whole.predicted / 0.02))


def test_sliced_messages_are_as_many_times_as_fast_as_ranks_share_them(judged):
    judge, points = judged
    (pair,) = judge.slices(points)
    assert (pair.measured, pair.hoped) == (2.0, 2.0)
    assert pair.predicted == pytest.approx(2.0, rel=0.2)


def test_what_is_predicted_to_be_fastest_is_right_if_nothing_was_more_than_5_percent_faster(judged):
    judge, points = judged
    (choice,) = judge.choices(points)
    assert (choice.chosen.name, choice.best.name, choice.is_right) == ("p2p_sliced", "p2p_sliced", True)
    found = judge.summary(points)
    assert (found["points"], found["settings"], found["right"], found["left"]) == (2, 1, 1, 0)
    assert found["slices"]["enough"] == 1


def test_the_busiest_card_is_that_of_a_rank_and_not_of_a_step(judged):
    """Ranks of the first group send half of 131,072 bytes to each other and half to the next group, which gathers."""
    judge, _ = judged
    (setting,) = (each for each in judge.SETTINGS if str(each) == "pipeline B=1 S=64 H=512, 4 ranks, 100 Mb/s")
    steps = dict(script_module("measure_schedules").packaged(setting))["pipeline_rs_ag"]
    scheduled = judge.check_schedule(judge.program_of(setting), judge.parse_schedule(steps)).scheduled
    machine = judge.machine_of(4, 100, judge.read_rates(judge.RATES).of(4))
    assert judge.payload(scheduled, machine) == pytest.approx(2 * 131_072 / 2)


def test_loops_hide_what_they_gain_of_what_was_predicted_beside_the_same_collectives_in_turn(judged):
    """What the tuner found counts too; what is predicted to gain 5 % or less, or has no chunks, does not."""
    judge, _ = judged
    (setting,) = (each for each in judge.SETTINGS if str(each).startswith("mlp_tail B=1 S=64"))

    def point(name, measured, predicted, *, in_chunks=False, in_halves=False):
        return judge.Point(
            setting=setting,
            name=name,
            measured=measured,
            predicted=predicted,
            sent=0,
            payload=0.0,
            wrong=0,
            in_chunks=in_chunks,
            in_halves=in_halves,
        )

    found = [
        point("untouched", 12.0, 12.0),
        point("mlp_rs_ag", 10.0, 11.0, in_halves=True),
        point("mlp_overlapped in 2", 9.5, 10.6, in_chunks=True, in_halves=True),
        point("mlp_overlapped in 8", 9.0, 9.0, in_chunks=True, in_halves=True),
        point("tuned 1", 9.8, 8.0, in_chunks=True, in_halves=True),
        point("tuned 2", 11.0, 10.0, in_chunks=True),
        point("tuned 3", 8.0, 8.0),
    ]
    pairs = [*judge.overlaps(found)]
    assert [(pair.point.name, pair.other.name) for pair in pairs] == [
        ("mlp_overlapped in 8", "mlp_rs_ag"),
        ("tuned 1", "mlp_rs_ag"),
        ("tuned 2", "untouched"),
    ]
    assert [*map(judge.hidden, pairs)] == pytest.approx([1 / 2, 0.2 / 3, 1 / 2])
    products = judge.summary(found)["products"]
    assert (products["pairs"], products["half"], products["hidden"]) == (3, 2, pytest.approx(2.2 / 7))
    head, *lines = judge.loops_text(found).splitlines()
    assert [line.split()[-5:] for line in lines] == [
        ["1.11x", "1.22x", "50%", "in", "8"],
        ["1.02x", "1.38x", "7%", "tuned", "1"],
        ["1.09x", "1.20x", "50%", "tuned", "2"],
    ]
    assert all(len(line) <= 80 for line in (head, *lines))
    assert "2 of 3 hide at least half of what is predicted\n    together they hide 31% of it" in judge.text(
        judge.summary(found)
    )


def report_text():
    return (SCRIPTS / "results" / "schedules.md").read_text(encoding="utf-8")


@pytest.mark.thorough  # a stored table; what the judge says of one is tested above
def test_lines_of_the_stored_report_are_what_the_stored_table_says():
    """Of a setting of every program, predicted and judged again; a line depends on no other setting."""
    judge = script_module("judge_schedules")
    taken = judge.read(judge.TABLE, judge.Row)
    few = {name.partition(" ")[0]: name for name in judge.KNOWN}
    found = judge.points([row for row in taken if row.setting in few.values()], judge.read_rates(judge.RATES))
    stored = report_text().splitlines()
    lines = [*judge.settings_text(found).splitlines(), *judge.loops_text(found).splitlines()]
    assert len(lines) > len(few) + 4
    assert [line for line in lines if line not in stored] == []
    for name in {row.setting for row in taken}:
        assert any(line.startswith(f"{name[:47]:47} ") for line in stored), name


@pytest.mark.slow
@pytest.mark.thorough  # a stored table; what the judge says of one is tested above
def test_the_stored_report_is_what_the_stored_table_says():
    """The standard tier judges some of its lines again."""
    done = subprocess.run(
        [sys.executable, str(SCRIPTS / "judge_schedules.py")], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.strip() in report_text()
