"""The report on units of unlike size: the devices that there are, groups of unlike size, and what is left out."""

import json
import re

import pytest
from command_line import golden
from report.browser import choose, find_all, texts
from report.page.accessible import axe_finds_nothing, fits_every_screen
from report.steps import lengths_after, letters_of
from report_support import Page, plan_of, report_on
from unlike_plans import LOCAL_AND_MASTERS, unlike_problem

from p2smt.reduction.plan.model import CollectiveStep
from p2smt.report.content.naming import naming_of
from p2smt.report.content.words import group_lines
from p2smt.report.figures.cluster_drawing import placement_drawing
from p2smt.report.figures.program_drawing import program_drawing
from p2smt.report.figures.shapes import on_paper
from p2smt.report.figures.svg import svg_text
from p2smt.report.page.page import page_text


@pytest.fixture(scope="module")
def found():
    """A node of three devices beside one of two, with every program step by step."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("p2smt.report.content.collect.MOST_PROGRAMS", 100)
        return report_on(unlike_problem("node:[3,2]", (5,)))


@pytest.fixture(scope="module")
def masters(found):
    return next(program for program in found.results[0].programs if program.text == LOCAL_AND_MASTERS)


def test_the_cluster_is_drawn_as_it_was(found):
    drawing = placement_drawing(found.placements[0], naming_of(found.system, found.axes), 0)
    golden("report_cluster_unlike.svg", svg_text(on_paper(drawing)))


def test_a_program_is_drawn_as_it_was(found, masters):
    drawing = program_drawing(masters, found.placements[0].selection, naming_of(found.system, found.axes))
    golden("report_program_unlike.svg", svg_text(on_paper(drawing)))


def test_steps_have_the_groups_of_the_devices_that_there_are(masters):
    """By hand: the nodes are 0, 1, 2 and 3, 4; their first devices are 0 and 3."""
    local, across, back = masters.steps
    for step in (local, back):
        assert (step.groups, step.sizes, step.members) == (2, (2, 3), (3, 3, 3, 2, 2))
        assert step.roots == (0, 0, 0, 3, 3)
        assert group_lines(step, range(5)) == ["A: devices 0, 1, 2", "B: devices 3, 4"]
    assert (across.groups, across.sizes, across.roots) == (1, (2,), (0, -1, -1, 0, -1))
    whole = masters.payload
    assert local.held == across.held == (whole, 0, 0, whole, 0)
    assert back.held == (whole,) * 5


def test_every_program_of_five_devices(found):
    programs = found.results[0].programs
    assert len(programs) == found.total == 47
    several = 0
    for program in programs:
        plan = plan_of(found, 0, program.text)
        for step, planned, held in zip(program.steps, plan.steps, lengths_after(plan), strict=True):
            assert step.held == held
            if isinstance(planned, CollectiveStep):
                groups = list(plan.groups(planned.groups))
                own = {member: group for group in groups for member in group}
                assert step.members == tuple(len(own.get(device, ())) for device in range(5))
                assert step.roots == tuple(own.get(device, (-1,))[0] for device in range(5))
                assert (step.groups, step.sizes) == (len(groups), tuple(sorted({*map(len, groups)})))
                several += len(step.sizes) > 1
        assert sum(step.seconds for step in program.steps) == pytest.approx(program.seconds)
    assert several > 20


def test_the_page_draws_no_device_that_is_not_there_and_says_what_is_left_out(found):
    text = page_text(found)
    page = Page(text)
    assert text == page_text(found)
    drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    clusters = [drawing for drawing in drawings if ' cell"' in drawing]
    assert len(clusters) == 4  # the cluster, the step, and two to be filled, one for phones
    assert [drawing.count(' cell"') for drawing in clusters] == [5] * 4
    assert "on node 2 × gpu [3,2]" in page.text
    assert "Put axis0 over 2 nodes x up to 3 gpus of each" in page.text
    assert "axis0 has 2 on node, up to 3 on gpu" in page.text
    assert "the lower bound of the links is known for units of one size alone" in page.text
    assert "above the lower bound of the links" not in page.text
    assert "where one member is left of a group, it does nothing in that step" in " ".join(page.text.split())
    data = json.loads(page.raw[1])
    assert data["lists"][data["placements"][0]["devices"]] == [0, 1, 2, 3, 4]
    identities = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(identities) == len({*identities})


def test_ranks_of_the_mesh_to_take_away_are_those_of_the_placement():
    page = Page(page_text(report_on(unlike_problem("node:[8,8,4]", (5, 4)))))
    assert 'init_device_mesh("cuda", (5, 4), mesh_dim_names=("axis0", "axis1"))' in page.text
    assert "megatron" not in page.text.lower().split("the cluster")[0]


@pytest.fixture
def address(found, tmp_path):
    path = tmp_path / "unlike.html"
    path.write_text(page_text(found), encoding="utf-8")
    return path.as_uri()


@pytest.mark.thorough  # another page in the same browser as in test_browser.py; its content is compared above
@pytest.mark.slow
def test_the_page_in_a_browser(chromium, found, masters, address):
    chromium.get_log("browser")
    chromium.get(address)
    choose(chromium, "#steps-program", found.results[0].programs.index(masters))
    plan = plan_of(found, 0, masters.text)
    for step in range(3):
        assert texts(chromium, "#steps [data-drawing] .number") == ["0", "1", "2", "3", "4"]
        assert texts(chromium, "#steps [data-drawing] .detail") == letters_of(plan, step)
        find_all(chromium, "#steps [data-go]")[1].click()
    assert texts(chromium, "[data-cluster] .unit") == ["cluster", "node 0", "node 1"]
    assert chromium.get_log("browser") == []
    fits_every_screen(chromium, address)


@pytest.mark.slow
@pytest.mark.thorough  # made by what makes the page of test_access.py, where axe looks
def test_axe_finds_nothing(chromium, address):
    """The page is made by what makes that of `test_access`, where the standard tier looks."""
    axe_finds_nothing(chromium, address, 30)
