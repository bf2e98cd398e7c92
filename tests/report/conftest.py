"""A browser for the tests of the page, and a page opened in it."""

from dataclasses import replace

import pytest
from report.browser import browser, media, requests
from report_support import example_report, report, report_on
from support import plans, problem
from tiers import is_full

from p2smt.report.page.page import page_text


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="session")
def shown():
    return report((4, 4), (4, 4), (1,))


@pytest.fixture(scope="session")
def large():
    """A cluster of which some devices of every kind are drawn."""
    return report((16, 8, 8), (8, 8, 16), (0,), limit=3 if is_full() else 2)


@pytest.fixture(scope="session")
def large_text(large):
    return page_text(large)


@pytest.fixture(scope="session")
def address(shown, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page_text(shown), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="session")
def job_shown():
    return example_report("job")


@pytest.fixture(scope="session")
def job_address(job_shown, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "job.html"
    path.write_text(page_text(job_shown), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="session")
def chunks_address(tmp_path_factory):
    """The page of a plan in chunks."""
    asked = problem((2, 4), (8,))
    plan = replace(plans(asked)[-1], chunks=40)
    path = tmp_path_factory.mktemp("page") / "chunks.html"
    path.write_text(page_text(report_on(asked, also=plan.matrix, plan=plan)), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def page(chromium, address):
    """The page just opened; afterwards its console must be empty and nothing but the file asked for."""
    yield from _opened(chromium, address)


@pytest.fixture
def job_page(chromium, job_address):
    """The same for the page of a job."""
    yield from _opened(chromium, job_address)


@pytest.fixture
def chunks_page(chromium, chunks_address):
    """The same for the page of a plan in chunks."""
    yield from _opened(chromium, chunks_address)


def _opened(chromium, address):
    media(chromium)
    requests(chromium)
    chromium.get_log("browser")
    chromium.get(address)
    yield chromium
    assert chromium.get_log("browser") == []
    assert requests(chromium) == [address]
