"""The report of a schedule: what was checked and searched is on the page, and nothing of a program is markup."""

import re
from dataclasses import replace
from functools import cache

import pytest
from paths import ROOT
from report.browser import media, texts
from report.page.accessible import axe_finds_nothing, fits_every_screen

from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.system.text import find_system
from p2smt.report.content.schedule_content import schedule_report, searched_report
from p2smt.report.page.schedule_page import schedule_page
from p2smt.schedule.check import check_schedule, on_ranks
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.explained_words import change_text
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner.search import tune
from p2smt.tensor.text.parser import parse_program

EXAMPLES = ROOT / "p2smt" / "schedule" / "examples"
MACHINE = Machine.of(find_system("dgx-h100:1x4"))
TAIL = """program tail
input x : f32[1024, 512] partial(+)
parameter b : f32[512]
sum = AllReduce(x)
out = relu(sum + b)
rows = softmax(out, 0)
output rows
"""


LOOP = "rs, ag = split sum rs-ag\ns, whole = reorder ag past out\noverlap rs, s, whole chunks 4 dim 1\n"


def made(steps):
    return schedule_report(check_schedule(parse_program(TAIL), parse_schedule(steps), 4), MACHINE)


report_of = cache(made)


def page(steps, command=()):
    return schedule_page(report_of(steps), command)


def words(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def test_a_page_has_steps_graphs_and_a_time_line():
    text = page(LOOP)
    said = words(text)
    for heading in ("Steps, and what each buys", "Before and after", "When what runs", "Where it pays"):
        assert heading in said
    assert "rs, ag = split sum rs-ag" in said
    assert "a gather of the scattered sum" in said
    assert "rs beside s beside whole in 4 chunks of dimension 1." in said
    assert "loop.rs: 4 chunks in turn" in said
    assert text.count("<svg") == 4
    assert text == schedule_page(made(LOOP))


def test_steps_have_their_own_changes_and_memory_is_that_before_and_after():
    report = report_of(LOOP)
    rows = [
        [words(cell) for cell in re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall("<tr>(.*?)</tr>", schedule_page(report).split("</table>")[0])[1:]
    ]
    before = report.why.parts_before
    for row, step in zip(rows, report.why.steps, strict=True):
        assert row[1] == format_seconds(step.seconds)
        assert row[2:5] == [change_text(new - old) for new, old in zip(step.parts, before, strict=True)]
        before = step.parts
    assert len({tuple(row[2:5]) for row in rows}) == 3
    held = replace(report.why.before.held, peak=5 << 20)
    least = replace(report.why.before, holding=lambda: held)
    said = words(schedule_page(replace(report, why=replace(report.why, before=least))))
    now = format_bytes(report.why.after.held.peak)
    assert f"A rank holds at most 5 MiB, with the schedule {now}, " in said
    assert now != "5 MiB"


def test_a_schedule_that_is_slower_is_not_called_faster():
    report = report_of("rs, ag = split sum rs-ag\n")
    more = report.why.after.seconds - report.why.before.seconds
    assert more > 0
    said = words(schedule_page(report))
    assert f"tail on 4 ranks: by prediction the schedule takes {format_seconds(more)} more" in said
    assert "times as fast" not in said


def test_the_page_reaches_nothing_and_runs_nothing():
    text = page("f = fuse sum, out\n", ("p2smt", "schedule", "<b>.tp"))
    assert "<script" not in text
    assert "default-src 'none'" in text
    assert "&lt;b&gt;.tp" in text
    assert "http" not in re.sub(r'http-equiv="|xmlns="[^"]*"', "", text)


def test_a_refusal_has_its_reason_and_numbers():
    said = words(page("rs, ag = split sum rs-ag\ns, t, whole = reorder ag past out, rows\n"))
    assert "the schedule is refused" in said
    assert "LOOKS_ACROSS" in said
    assert "2 ranks, x [2, 3], b [3]: rows: rank 0, element" in said


@pytest.mark.parametrize(
    ("lines", "heading"),
    [
        ("y = relu(sum)\nz = softmax(y, 0)\n", "times as fast, by prediction"),
        ("z = softmax(sum, 0)\n", "left as it is"),
    ],
)
def test_a_search_shows_what_else_there_is_and_what_was_refused(lines, heading):
    text = f"program p\ninput x : f32[64, 64] partial(+)\nsum = AllReduce(x)\n{lines}output z\n"
    tuned = tune(on_ranks(parse_program(text), 4), MACHINE, depth=2)
    said = words(schedule_page(searched_report(tuned, MACHINE)))
    assert {each.reason.name for each in tuned.refusals} == {name for name, _ in tuned.refused}
    assert "LOOKS_ACROSS" in said
    assert f"{len(tuned.found) - 1} other schedules that compute the same" in said
    assert heading in said


@pytest.fixture
def address(tmp_path):
    path = tmp_path / "schedule.html"
    path.write_text(page(LOOP + "a, b = reorder whole past rows\n", ("p2smt",)), encoding="utf-8")
    return path.as_uri()


@pytest.mark.thorough  # pages are looked at in test_access.py
@pytest.mark.slow
def test_in_a_browser_it_fits_every_screen(chromium, address):
    media(chromium)
    chromium.get_log("browser")
    fits_every_screen(chromium, address)
    assert texts(chromium, "h2")[:2] == ["Steps, and what each buys", "Before and after"]
    assert chromium.get_log("browser") == []


@pytest.mark.slow
@pytest.mark.thorough  # style and parts are those of the page in test_access.py, where axe looks
def test_axe_finds_nothing(chromium, address):
    """The page has the style and the parts of that of `test_access`, where the standard tier looks."""
    axe_finds_nothing(chromium, address, least=20)
