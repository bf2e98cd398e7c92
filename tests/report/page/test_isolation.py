"""Nothing leaves the page, and the tests of it would see if something did."""

import socket

import pytest
from report.browser import requests

pytestmark = pytest.mark.slow


@pytest.fixture
def listener():
    """A place on this machine where a request would arrive."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)
        yield server


def test_nothing_can_leave_the_page(chromium, address, listener):
    chromium.get(address)
    attempt = """
        const [address, done] = arguments, found = [];
        document.addEventListener("securitypolicyviolation", (event) => {
          found.push(event.effectiveDirective);
          if (found.length === 3) done(found.sort());
        });
        new Image().src = address;
        const script = document.createElement("script");
        script.src = address;
        document.body.append(script);
        fetch(address).catch(() => {});
    """
    target = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    blocked = chromium.execute_async_script(attempt, target)
    assert blocked == ["connect-src", "img-src", "script-src-elem"]
    listener.setblocking(False)
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_what_leaves_a_page_would_be_seen(chromium, tmp_path, listener):
    target = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    plain = tmp_path / "plain.html"
    plain.write_text("<!DOCTYPE html><title>plain</title><img src='missing.png' alt=''>", encoding="utf-8")
    requests(chromium)
    chromium.get(plain.as_uri())
    assert requests(chromium) == [plain.as_uri(), (tmp_path / "missing.png").as_uri()]
    assert chromium.get_log("browser") != []
    chromium.execute_script("new Image().src = arguments[0]", target)
    listener.accept()[0].close()
