"""What tests took once, in seconds of the processor: which files to begin with, and what a quick run leaves out.

`pytest --record-durations` writes them anew, for the tests that it ran; those of children that were waited for count.
"""

import os
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

FILE = Path(__file__).with_suffix(".toml")
LEAST_S = 0.3
"""Functions that take less, all their parameters together, are not listed."""
QUICK_S = 0.7
"""Functions that take more are left out by `--quick`."""
_KEY = "cpu seconds"


def function_of(nodeid: str) -> str:
    """A test without its parameters."""
    return nodeid.partition("[")[0]


def listed() -> dict[str, float]:
    """Seconds per function."""
    return tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def by_file(seconds: Mapping[str, float]) -> dict[str, float]:
    """Seconds per file."""
    sums: defaultdict[str, float] = defaultdict(float)
    for name, own in seconds.items():
        sums[name.partition("::")[0]] += own
    return sums


class Recorder:
    """Measures every test where it runs, and writes the file where all reports arrive."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        before = _now()
        try:
            return (yield)
        finally:
            item.user_properties.append((_KEY, _now() - before))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self._seconds[function_of(report.nodeid)] += dict(report.user_properties).get(_KEY, 0.0)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput") or not self._seconds:
            return
        files = {name.partition("::")[0] for name in self._seconds}
        kept = {name: own for name, own in listed().items() if name.partition("::")[0] not in files}
        kept |= {name: own for name, own in self._seconds.items() if own >= LEAST_S}
        write(kept)


def write(seconds: Mapping[str, float]) -> None:
    """The file, longest first."""
    rows = sorted(seconds.items(), key=lambda row: (-round(row[1], 1), row[0]))
    FILE.write_text("".join(f'"{name}" = {own:.1f}\n' for name, own in rows), encoding="utf-8")


def _now() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
