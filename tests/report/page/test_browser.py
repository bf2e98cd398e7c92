"""The page in headless Chromium: placements chosen, programs stepped through, also of jobs and large clusters."""

import pytest
from report.browser import choose, choose_by_hand, find, find_all, requests, texts, visible
from report.steps import letters_of, longest
from report_support import plan_of
from tiers import sample

from p2smt.report.content.group_letters import group_letter

pytestmark = pytest.mark.slow


@pytest.mark.thorough  # test_another_placement_of_a_job_changes_table_drawing_and_programs chooses too
def test_every_placement_is_drawn_when_it_is_chosen(page, shown):
    for number, placement in enumerate(shown.placements):
        choose_by_hand(page, "#cluster-placement", number)
        assert texts(page, "[data-cluster] .number") == [str(device) for device in range(16)]
        coordinates = [",".join(map(str, place)) for place in placement.coordinates]
        assert texts(page, "[data-cluster] .detail") == coordinates
        assert str(placement.matrix) in find(page, "[data-cluster] svg").get_attribute("aria-label")
        assert texts(page, "[data-devices] tbody tr")[5] == "5" + coordinates[5].replace(",", "")
        steps = find(page, "#steps-placement")
        assert steps.get_attribute("value") == str(number)


def test_the_colour_is_the_coordinate_on_the_axis_chosen(page, shown):
    for axis in (0, 1):
        choose(page, "#cluster-axis", axis)
        fills = page.execute_script(
            "return [...document.querySelectorAll('[data-cluster] .cell')].map(cell => getComputedStyle(cell).fill)"
        )
        by_value = {}
        for fill, place in zip(fills, shown.placements[0].coordinates, strict=True):
            by_value.setdefault(place[axis], set()).add(fill)
        assert len(by_value) == 4
        assert all(len(own) == 1 for own in by_value.values())
        assert len(set.union(*by_value.values())) == 4
        assert f"the colour is the coordinate on axis{axis}." in find(page, "#cluster-words").text


@pytest.mark.thorough  # keys step through the same programs in test_access.py
def test_programs_are_stepped_through_by_clicks(page, shown):
    own = "#steps"
    for number, result in sample(enumerate(shown.results), 1):
        choose(page, f"{own}-placement", number)
        for place, program in sample(enumerate(result.programs), 2):
            choose(page, f"{own}-program", place)
            plan = plan_of(shown, number, program.text)
            assert find(page, f"{own} [data-text]").text == program.text
            several = len(program.steps) > 1
            assert find(page, f"{own} .walk").is_displayed() == several
            for step, content in enumerate(program.steps):
                if step:
                    find(page, f"{own} [data-go='1']").click()
                assert texts(page, f"{own} [data-drawing] .detail") == letters_of(plan, step)
                assert find(page, f"{own} [data-say]").text.startswith(f"Step {step + 1} of {len(program.steps)}: ")
                assert content.what in find(page, f"{own} tr[aria-current='step']").text
            assert not find(page, f"{own} [data-go='1']").is_enabled()
            if several:
                find_all(page, f"{own} .timeline button")[0].click()
            assert texts(page, f"{own} [data-drawing] .detail") == letters_of(plan, 0)
            assert not find(page, f"{own} [data-go='-1']").is_enabled()


def test_the_group_followed_is_outlined(page, shown):
    own, (number, place, program) = "#steps", longest(shown)
    choose(page, f"{own}-placement", number)
    choose(page, f"{own}-program", place)
    plan = plan_of(shown, number, program.text)
    for group, members in sample(enumerate(sorted(plan.groups(plan.steps[0].groups))), 2):
        choose(page, f"{own}-group", group)
        classes = page.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(cell => cell.getAttribute('class'))",
            f"{own} [data-drawing] .cell",
        )
        assert tuple(device for device, names in enumerate(classes) if "stroke-accent" in names) == members
        points = find(page, f"{own} [data-drawing] .ring").get_attribute("points")
        assert len(points.split()) == len(members)


def test_without_scripts_the_fastest_placement_is_shown(page, shown, address):
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        requests(page)
        page.get(address)
        assert visible(page, "select, button") == []
        drawn = visible(page, "[data-cluster] .detail")
        assert drawn == [",".join(map(str, place)) for place in shown.placements[0].coordinates]
        assert visible(page, "[data-drawing] svg")
        assert visible(page, "[data-steps]")
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.thorough  # what the page says of each is in test_page.py, another placement is chosen above
def test_a_thousand_devices_are_drawn_by_kind_on_every_placement(chromium, large, large_text, tmp_path):
    found = large
    path = tmp_path / "large.html"
    path.write_text(large_text, encoding="utf-8")
    chromium.get_log("browser")
    chromium.get(path.as_uri())
    assert len({placement.selection.counts for placement in found.placements}) > 1
    for number in sample((0, 5, len(found.placements) - 1), 2):
        choose(chromium, "#cluster-placement", number)
        selection = found.placements[number].selection
        assert texts(chromium, "[data-cluster] .number") == [str(device) for device in selection.devices]
        assert texts(chromium, "[data-drawing] .number") == [str(device) for device in selection.devices]
        note = f"{len(selection.devices)} of 1024 devices are drawn"
        assert find(chromium, "[data-note]").text.startswith(note)
    assert chromium.get_log("browser") == []


def test_another_placement_of_a_job_changes_table_drawing_and_programs(job_page, job_shown):
    from p2smt.report.content.naming import naming_of
    from p2smt.report.page.job_section import job_contents

    contents = job_contents(job_shown, naming_of(job_shown.system, job_shown.axes))
    for number in sample((2, 1, 0), 1):
        placement, text = job_shown.placements[number], contents.texts[number]
        choose(job_page, "#reductions-placement", number)
        assert texts(job_page, "[data-cluster] .detail") == [",".join(map(str, one)) for one in placement.coordinates]
        assert texts(job_page, "[data-rows] tbody tr") == ["".join(row) for row in text.rows]
        assert find(job_page, "[data-sentence]").text.startswith(f"Placement {placement.matrix}: ")
        for place, program in enumerate(job_shown.programs[number]):
            choose(job_page, "#steps-program", place)
            assert find(job_page, "#steps [data-text]").text == program.text
            rows = texts(job_page, "#steps [data-steps] tbody tr")
            assert [step.what in row for step, row in zip(program.steps, rows, strict=True)] == [True] * len(rows)
            for step in program.steps:
                roots = sorted({*step.roots} - {-1})
                letters = [group_letter(roots.index(root)) if root >= 0 else "" for root in step.roots]
                expected = ["local"] * len(letters) if step.among == 1 else letters
                assert texts(job_page, "#steps [data-drawing] .detail") == expected
                if len(program.steps) > 1:
                    find_all(job_page, "#steps [data-go]")[1].click()


def test_the_reduction_looked_at_stays_when_the_placement_changes(job_page, job_shown):
    assert find(job_page, "#steps-program").get_attribute("value") == "1"  # the slowest on the first placement
    choose(job_page, "#steps-program", 3)
    choose(job_page, "#cluster-placement", 2)
    assert find(job_page, "#steps-program").get_attribute("value") == "3"
    assert find(job_page, "#steps [data-text]").text == job_shown.programs[2][3].text


@pytest.mark.thorough  # test_without_scripts_the_fastest_placement_is_shown
def test_a_job_without_scripts_shows_the_best_placement(job_page, job_shown, job_address):
    job_page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        requests(job_page)
        job_page.get(job_address)
        assert visible(job_page, "select, button") == []
        rows = visible(job_page, "[data-rows] tbody tr")
        for program in job_shown.programs[0]:
            assert any(program.text.split("; ")[-1] in row for row in rows)
        assert visible(job_page, "[data-drawing] svg")
    finally:
        job_page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
