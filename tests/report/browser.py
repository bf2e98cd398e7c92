"""A headless Chromium that starts without a network and leaves nothing behind."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PATIENCE_S = 60
# What the browser shows by itself: its start page loads hundreds of things, some of them late.
OWN_PAGES = ("chrome:", "chrome-untrusted:")
SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--lang=en",
    "--window-size=1200,900",
)


@contextmanager
def browser(profile: Path) -> Iterator[Any]:
    """A driver with an empty profile; console and network are logged, and all processes are gone afterwards.

    Skips the test where a program is missing.
    """
    pytest.importorskip("selenium", reason="selenium is missing (the test extra has it)")
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("chromium or chromedriver is missing (Debian: apt-get install chromium chromium-driver)")
    options = ChromeOptions()
    options.binary_location = chromium
    for switch in (*SWITCHES, f"--user-data-dir={profile}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = ChromeService(executable_path=chromedriver)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("no_proxy", "NO_PROXY"):  # the driver listens on this machine
            patch.setenv(name, "localhost,127.0.0.1")
        try:
            driver = Chrome(options=options, service=service)
            try:
                driver.command_executor.client_config.timeout = PATIENCE_S
                driver.set_page_load_timeout(PATIENCE_S)
                driver.set_script_timeout(PATIENCE_S)
                driver.get("about:blank")
                yield driver
            finally:
                driver.quit()
        finally:
            service.stop()


def requests(driver: Any) -> list[str]:
    """The addresses that pages have asked for since this was last called, but for the browser's own pages."""
    messages = (json.loads(entry["message"])["message"] for entry in driver.get_log("performance"))
    sent = (one["params"] for one in messages if one["method"] == "Network.requestWillBeSent")
    return [one["request"]["url"] for one in sent if not one["documentURL"].startswith(OWN_PAGES)]


def media(driver: Any, kind: str = "", **features: str) -> None:
    """Show the page as on this kind of medium, with these preferences of its user."""
    wanted = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": wanted})


def find(page, selector):
    return page.find_element("css selector", selector)


def find_all(page, selector):
    return page.find_elements("css selector", selector)


def texts(page, selector):
    return page.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(found => found.textContent)", selector
    )


def visible(page, selector):
    """The text of all that the selector finds and that can be seen, asked for at once."""
    return page.execute_script(
        """return [...document.querySelectorAll(arguments[0])]
            .filter(found => found.checkVisibility({opacityProperty: true, visibilityProperty: true}))
            .map(found => found.textContent)""",
        selector,
    )


def choose_by_hand(page, selector, value):
    """Choose an option as a user does, which takes five times as long as `choose`."""
    from selenium.webdriver.support.select import Select

    Select(find(page, selector)).select_by_value(str(value))


def choose(page, selector, value):
    """Choose an option, and tell the page what a browser does then."""
    page.execute_script(
        """const [select, value] = [document.querySelector(arguments[0]), arguments[1]];
        select.value = value;
        if (select.value !== value) throw new Error(`there is no option ${value}`);
        for (const kind of ["input", "change"]) select.dispatchEvent(new Event(kind, {bubbles: true}));""",
        selector,
        str(value),
    )


def press(page, *keys):
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(page, duration=0).send_keys(*keys).perform()
