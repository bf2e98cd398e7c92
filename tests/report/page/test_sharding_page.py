"""The page of a sharding: its figures say what the account says, and everybody can use it in a browser."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from report.browser import find_all, media, texts
from report.page.accessible import axe_finds_nothing, fits_every_screen
from spmd.joint_problems import cluster

import p2smt.tensor
from p2smt.cli.output.shard import print_sharded
from p2smt.report.content.stages import Stages, StageWork, stages_of
from p2smt.report.figures.shapes import Box, Polyline
from p2smt.report.figures.stage_chart import ProgramBar, contender_drawing, stage_drawing
from p2smt.report.page.sharding_page import sharding_page
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.shares import even, vertices
from p2smt.spmd.reading.parameters import parameter_groups
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.text.parser import parse_program

STEP = Path(p2smt.tensor.__file__).parent / "examples" / "mlp_step.tp"
SPEEDS = (3 * 10**7, 3 * 10**7, 10**7)


@pytest.fixture(scope="session")
def sharded():
    return shard(parse_program(STEP.read_text(encoding="utf-8")), cluster(SPEEDS, 10**5), vertices(SPEEDS))


@pytest.fixture(scope="session")
def uneven():
    """With even shares the slow device is waited for."""
    return shard(parse_program(STEP.read_text(encoding="utf-8")), cluster(SPEEDS, 10**5), (even(3),), beside=False)


def test_every_device_sends_computes_and_waits_until_the_step_ends(sharded, uneven):
    for each in (sharded, uneven):
        stages = stages_of(each)
        assert sum(stages.collectives) == pytest.approx(each.account.communication / PICO)
        for work in stages.devices:
            total = sum(stages.collectives) + sum(work.computing) + sum(work.waiting)
            assert total == pytest.approx(each.account.time / PICO, rel=1e-6)
            assert sum(seconds for _, seconds in work.waits_for) == pytest.approx(sum(work.waiting))


def test_fast_devices_wait_for_the_slow_one_where_shares_are_even(uneven):
    fast, slow = (stages_of(uneven).devices[number] for number in (0, -1))
    assert sum(fast.waiting) > sum(slow.waiting) == 0
    assert [kind for kind, _ in fast.waits_for] == ["speed 10000000"]


def test_the_parts_of_a_bar_are_as_long_as_their_seconds(uneven):
    stages = stages_of(uneven)
    drawing = stage_drawing(stages, 1000.0)
    widths = {"sending": 0.0, "computing": 0.0, "inset": 0.0}
    for shape in drawing.shapes:
        if isinstance(shape, Box) and shape.fill in widths and shape.height == 20:
            widths[shape.fill] += shape.width
    computing = sum(sum(work.computing) for work in stages.devices)
    assert widths["computing"] == pytest.approx(1000 * computing / stages.total, abs=3)
    sending = len(stages.devices) * sum(stages.collectives)
    assert widths["sending"] == pytest.approx(1000 * sending / stages.total, abs=3)
    assert f"{len(stages.collectives)} stage" in drawing.description


def test_stages_follow_each_other_from_the_beginning_to_the_end_however_short():
    stages = Stages((5e-7, 1e-6, 2e-3), (StageWork("a", (3e-7, 2e-6, 1e-3), (0.0, 4e-6, 0.0), ()),))
    drawing = stage_drawing(stages, 1e6)
    bars = [shape for shape in drawing.shapes if isinstance(shape, Box) and shape.height == 20 and shape.fill]
    for before, after in pairwise(bars):
        assert after.x == pytest.approx(before.x + before.width, abs=1)
    assert (bars[0].x, bars[-1].x + bars[-1].width) == (0, pytest.approx(1e6))


@pytest.mark.parametrize(("below", "proved"), [(0, False), (0, True), (1, False), (50, True)])
def test_of_the_bound_and_memory_is_said_what_is_known(sharded, below, proved):
    """A program that may be half as fast as another one is not called the fastest, and no checker is named in vain."""
    time = sharded.searched.account.time
    found = replace(sharded, lower_bound=time - (time * below // 100), proved=proved)
    page = sharding_page(found)
    assert ("No program with the shares that were tried is faster" in page) is (below == 0)
    assert (f", {below}.0% below" in page) is (below > 0)
    assert ("which a checker of its own has accepted" in page) is proved
    assert "It does not fit" not in page
    small = tuple(replace(device, memory=1) for device in found.cluster.devices)
    lacking = replace(found, cluster=replace(found.cluster, devices=small))
    assert len(lacking.lacks) > 0
    assert all(f"It does not fit: {line}." in sharding_page(lacking) for line in lacking.lacks)


def test_what_takes_more_than_ten_times_as_long_is_cut_off():
    drawing = contender_drawing([ProgramBar("best", 1.0, 1.0), ProgramBar("worst", 100.0, 1.0)], 500.0)
    assert max(shape.x + shape.width for shape in drawing.shapes if isinstance(shape, Box)) <= 500
    marks = [shape for shape in drawing.shapes if isinstance(shape, Polyline) and shape.stroke == "surface"]
    assert len(marks) == 2
    equal = contender_drawing([ProgramBar("best", 1.0, 1.0)] * 2).shapes
    assert not [shape for shape in equal if isinstance(shape, Polyline) and shape.stroke == "surface"]
    assert "worst 101 s" in drawing.description


def test_the_page_says_what_the_answer_is_and_no_name_becomes_markup(sharded):
    page = sharding_page(sharded, ("p2smt", "shard", "<b>.tp"))
    assert page == sharding_page(sharded, ("p2smt", "shard", "<b>.tp"))
    assert "<b>.tp" not in page
    assert "script-src" not in page
    for name, candidate in sharded.baselines:
        if candidate.program != sharded.program:
            assert name in page
    groups = parameter_groups(sharded.program)
    assert groups
    for each in groups:
        assert f">{each.pattern}<" in page
        assert all(f">{layout}<" in page for layout in each.layouts)


@pytest.fixture
def sharding_address(sharded, tmp_path):
    path = tmp_path / "sharding.html"
    path.write_text(sharding_page(sharded), encoding="utf-8")
    return path.as_uri()


@pytest.mark.thorough  # pages are looked at in test_access.py; what this one says is read above
@pytest.mark.slow
def test_in_a_browser_it_fits_every_screen(chromium, sharding_address):
    media(chromium)
    chromium.get_log("browser")
    fits_every_screen(chromium, sharding_address)
    assert texts(chromium, "h2")[:3] == ["The answer", "The time line of a step", "What devices do"]
    assert len(find_all(chromium, "figure svg")) == 7
    assert chromium.get_log("browser") == []


@pytest.mark.slow
@pytest.mark.thorough  # style and parts are those of the page in test_access.py, where axe looks
def test_axe_finds_nothing(chromium, sharding_address):
    """The page has the style and the parts of that of `test_access`, where the standard tier looks."""
    axe_finds_nothing(chromium, sharding_address, least=25)


def test_a_bound_that_is_a_little_below_is_not_called_the_time(sharded, capsys):
    """Replaced options and rounding leave the bound a millionth below at most: nothing is said of what lies between."""
    time = sharded.searched.account.time
    assert time > 10**6
    near = replace(sharded, lower_bound=time - 1, proved=True)
    print_sharded(near, "links")
    for text in (sharding_page(near), capsys.readouterr().out.replace("\n", " ")):
        assert "is faster by more than a millionth" in text
