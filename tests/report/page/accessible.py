"""What every page has to keep in a browser, whatever is on it."""

import sys
from pathlib import Path

import pytest
from report.browser import media
from tiers import sample

AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = "const [rules, done] = arguments; axe.run(document, {resultTypes: ['violations'], ...rules}).then(done)"


# Names what is too wide, scrolls without a sign or a way by keys, leaves its figure, or lies on another text, and rows
# that are tall because of a cell which nobody sees before scrolling.
_LAYOUT = """
    const faults = [], width = document.documentElement.clientWidth;
    const rectangle = (found) => found.getBoundingClientRect();
    if (document.documentElement.scrollWidth > width) faults.push("the page is wider than the screen");
    for (const found of document.querySelectorAll("main *, header *, footer *")) {
        if (!found.checkVisibility() || found.closest(".spoken, svg")) continue;
        if (found.scrollWidth <= found.clientWidth + 1) continue;
        const style = getComputedStyle(found), name = found.tagName + " " + found.textContent.slice(0, 40);
        if (style.overflowX === "hidden") faults.push("cut off: " + name);
        if (style.overflowX !== "auto" || found.tagName === "PRE") continue;
        if (found.tabIndex < 0) faults.push("scrolls, but not by keys: " + name);
        if (style.backgroundImage === "none") faults.push("scrolls without a sign: " + name);
    }
    for (const row of document.querySelectorAll("tr"))
        if (row.checkVisibility() && rectangle(row).height > 420) faults.push("a page of a row: " + row.textContent);
    for (const row of document.querySelectorAll(".scroll tbody tr")) {
        if (!row.checkVisibility()) continue;
        const box = rectangle(row), edge = rectangle(row.closest(".scroll")).right - 25;
        const texts = [...row.cells].map((cell) => {
            const text = document.createRange();
            text.selectNodeContents(cell);
            return rectangle(text);
        });
        const seen = texts.filter((text) => text.left < edge).map((text) => text.bottom);
        if (box.bottom - Math.max(box.top, ...seen) > 50) faults.push("tall and empty: " + row.textContent);
    }
    for (const figure of [...document.querySelectorAll("svg")].filter((one) => one.checkVisibility())) {
        const edge = rectangle(figure);
        const labels = [...figure.querySelectorAll("text")].filter((one) => one.textContent.trim());
        const boxes = labels.map(rectangle);
        boxes.forEach((box, place) => {
            const text = labels[place].textContent;
            if (box.right > edge.right + 1 || box.left < edge.left - 1) faults.push("outside of its figure: " + text);
            boxes.slice(place + 1).forEach((other, more) => {
                const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
                const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
                const under = labels[place + 1 + more].textContent;
                if (across > 1 && down > 2) faults.push("overlap: " + text + ", " + under);
            });
        });
    }
    return faults;
"""


def faults(driver):
    """What a reader of the open page cannot see."""
    return driver.execute_script(_LAYOUT)


def fits_every_screen(driver, address):
    """Nothing is cut off, hidden or on top of something else, from the smallest telephone to a desk; folds are open."""
    media(driver, "screen")  # another test may have left the browser at paper
    for width in sample((400, 320, 800, 1400), 1):
        sizes = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sizes)
        try:
            driver.get(address)
            driver.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true })")
            assert faults(driver) == [], width
        finally:
            driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def prepare_axe(driver):
    """Put axe-core into the open page; skips the test where it is missing."""
    if not AXE.exists():
        pytest.skip("axe-core is missing from the environment (npm install --prefix .venv/axe axe-core@4)")
    driver.execute_script(AXE.read_text(encoding="utf-8"))


def violations(driver, *rules):
    """The rules that the open page breaks, each with its elements, and how many rules it keeps: of these, or of all."""
    result = driver.execute_async_script(_RUN, {"runOnly": rules} if rules else {})
    broken = [(found["id"], [node["html"] for node in found["nodes"]]) for found in result["violations"]]
    return broken, len(result["passes"])


def axe_finds_nothing(driver, address, least):
    """No rule is broken in light or dark, and at least so many are kept."""
    for scheme in ("light", "dark"):
        media(driver, prefers_color_scheme=scheme)
        driver.get(address)
        prepare_axe(driver)
        broken, kept = violations(driver)
        assert broken == []
        assert kept > least
    media(driver)
