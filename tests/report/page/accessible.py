"""What every page has to keep in a browser, whatever is on it."""

import sys
from pathlib import Path

import pytest
from report.browser import media
from tiers import sample

AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = "const [rules, done] = arguments; axe.run(document, {resultTypes: ['violations'], ...rules}).then(done)"


def fits_every_screen(driver, address):
    """Nothing is wider than the screen, from the smallest telephone on; the page is open afterwards."""
    for width in sample((320, 400, 1400), 1):
        sizes = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sizes)
        driver.get(address)
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
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
