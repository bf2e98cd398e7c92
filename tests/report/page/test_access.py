"""The page in headless Chromium, for everybody: by keys alone, for screen readers, light, dark, narrow, on paper."""

import pytest
from report.browser import choose, find, find_all, media, press, texts, visible
from report.page.accessible import faults, fits_every_screen, prepare_axe, violations
from report.steps import letters_of, longest
from report_support import plan_of

pytestmark = pytest.mark.slow


def test_programs_are_stepped_through_by_keys_alone(page, shown):
    from selenium.webdriver.common.keys import Keys

    own, (number, place, program) = "#steps", longest(shown)
    choose(page, f"{own}-placement", number)
    choose(page, f"{own}-program", place)
    plan = plan_of(shown, number, program.text)
    page.execute_script("document.querySelector(arguments[0]).focus()", f"{own} [data-drawing]")
    last = len(program.steps) - 1
    for key, step in (
        (Keys.ARROW_RIGHT, 1),
        (Keys.ARROW_RIGHT, 2),
        (Keys.ARROW_LEFT, 1),
        (Keys.END, last),
        (Keys.ARROW_RIGHT, last),
        (Keys.HOME, 0),
        (Keys.ARROW_LEFT, 0),
    ):
        press(page, key)
        assert find(page, f"{own} [data-say]").text.startswith(f"Step {step + 1} of {last + 1}: ")
        assert texts(page, f"{own} [data-drawing] .detail") == letters_of(plan, step)

    # The focus stays on a button at the last step.
    page.execute_script("document.querySelector(arguments[0]).focus()", f"{own} [data-go='1']")
    press(page, *[Keys.ENTER] * last)
    assert page.switch_to.active_element.text == "Previous"
    press(page, *[Keys.SPACE] * last)
    assert page.switch_to.active_element.text == "Next"


def reached(page):
    """What the tabulator key comes to, in order."""
    from selenium.webdriver.common.keys import Keys

    page.execute_script("""
        window.reached = new Map();
        window.is_round = false;
        document.addEventListener("focusin", ({target}) => {
            window.is_round ||= window.reached.size > 1 && target === [...window.reached.keys()][0];
            const name = target.id || target.getAttribute("aria-label") || target.textContent;
            window.reached.set(target, [name, getComputedStyle(target).outlineStyle]);
        });
    """)
    for _ in range(10):
        press(page, *[Keys.TAB] * 20)
        if page.execute_script("return window.is_round || document.activeElement === document.body"):
            found = page.execute_script("return [...window.reached.values()]")
            assert "none" not in {outline for _, outline in found}
            return [name for name, _ in found]
    raise AssertionError("the focus never leaves the page")


@pytest.mark.thorough  # programs are stepped through by keys alone above
def test_all_controls_are_reached_by_keys_and_show_their_focus(page):
    names = reached(page)
    for wanted in (
        "Problem",
        "cluster-placement",
        "cluster-axis",
        "steps-program",
        "Steps of the program",
        "Predicted times of all programs by placement",
        "On every placement alone",
    ):
        assert any(wanted in name for name in names), wanted
    assert {select.get_attribute("id") for select in find_all(page, "select")} <= set(names)


@pytest.mark.parametrize(
    ("kind", "scheme"),
    [
        ("page", "light"),
        *(
            # Light and dark are two sets of the same colours; parts of the other pages are those of the first one.
            pytest.param(kind, scheme, marks=pytest.mark.thorough)
            for kind, scheme in (("page", "dark"), ("job_page", "light"), ("chunks_page", "dark"))
        ),
    ],
)
def test_axe_finds_nothing_but_a_list_without_a_name(kind, scheme, request):
    page = request.getfixturevalue(kind)
    media(page, prefers_color_scheme=scheme)
    for details in find_all(page, "summary"):
        details.click()
    prepare_axe(page)
    broken, kept = violations(page)
    assert broken == []
    assert kept > 30
    page.execute_script("document.querySelector('label').remove()")
    assert [rule for rule, _ in violations(page, "select-name")[0]] == ["select-name"]


def brightness(colour):
    """The sum of the parts of a colour as `getComputedStyle` writes it."""
    return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(", ")))


def test_light_and_dark_follow_the_user_and_paper_is_light(page):
    def ground():
        return page.execute_script("return getComputedStyle(document.documentElement).backgroundColor")

    media(page, prefers_color_scheme="light")
    light = ground()
    media(page, prefers_color_scheme="dark")
    assert brightness(light) > 600
    assert brightness(ground()) < 120
    media(page, "print", prefers_color_scheme="dark")
    ink = page.execute_script("return getComputedStyle(document.body).color")
    assert brightness(ink) < 150
    assert visible(page, "select, button, nav") == []
    assert visible(page, "[data-drawing] svg")


@pytest.mark.parametrize(
    "kind",
    [
        "job_address",
        # the phone below is as narrow, and tables and figures are of the same parts
        *(pytest.param(kind, marks=pytest.mark.thorough) for kind in ("address", "chunks_address")),
    ],
)
def test_nothing_is_cut_off_or_covered_at_any_width(kind, request, chromium):
    fits_every_screen(chromium, request.getfixturevalue(kind))


def test_what_is_cut_off_or_covered_is_noticed(page):
    page.execute_script("""
        document.querySelector(".scroll").style.cssText = "overflow: hidden; width: 60px";
        document.querySelector(".scroll tbody tr").lastElementChild.style.height = "200px";
        const label = document.querySelector("svg text");
        label.after(label.cloneNode(true));
    """)
    found = faults(page)
    assert {fault.partition(":")[0] for fault in found} == {"cut off", "overlap", "tall and empty"}


def test_on_a_phone_nothing_is_shrunk_and_the_answer_is_on_the_first_screen(page, shown):
    from selenium.webdriver.support.wait import WebDriverWait

    sizes = {"width": 400, "height": 850, "deviceScaleFactor": 1, "mobile": True}
    view = "return document.querySelector('[data-cluster] svg').getAttribute('viewBox')"
    before = page.execute_script(view)
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sizes)
    try:
        # A browser that has much to do tells the page of its new size a little later.
        WebDriverWait(page, 20).until(lambda now: now.execute_script(view) != before)
        drawn = "return [...document.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width)"
        ratios = page.execute_script(
            f"{drawn}.map(svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"
        )
        assert len(ratios) == 4
        assert min(ratios) > 0.99
        assert page.execute_script("return document.documentElement.scrollWidth") <= 400
        assert texts(page, "[data-cluster] .number") == [str(device) for device in range(16)]
        for selector in ("h1", ".places", ".contenders tbody th"):
            assert find(page, selector).rect["y"] < 850 - 100
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    WebDriverWait(page, 20).until(lambda now: now.execute_script(view) == before)
