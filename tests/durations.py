"""What tests took once, in seconds of the processor: which files to begin with, and what a quick run leaves out.

`pytest --record-durations` writes them anew, for the tests that it ran; those of children that were waited for count.
What a fixture that tests share takes counts for each of them: whichever runs first pays it.
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
QUICK_S = 0.4
"""Functions that take more are left out by `--quick`."""
_OWN, _SHARED = "cpu seconds", "cpu seconds of shared fixtures"


def function_of(nodeid: str) -> str:
    """A test without its parameters, and without the group that pytest-xdist appends to its name.

    >>> function_of("tests/test_a.py::test_one[2]@tests/test_a.py"), function_of("tests/test_a.py::test_one@lab")
    ('tests/test_a.py::test_one', 'tests/test_a.py::test_one')
    """
    return nodeid.partition("[")[0].partition("@")[0]


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
        self._shared: defaultdict[str, float] = defaultdict(float)
        self._fixtures: dict[tuple[str, str], float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        before = _now()
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self._fixtures[fixturedef.argname, fixturedef.baseid] = _now() - before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        before = _now()
        try:
            return (yield)
        finally:
            item.user_properties.append((_OWN, _now() - before))
            item.user_properties.append((_SHARED, self._shared_by(item)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            properties, function = dict(report.user_properties), function_of(report.nodeid)
            self._seconds[function] += properties.get(_OWN, 0.0)
            self._shared[function] = max(self._shared[function], properties.get(_SHARED, 0.0))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workerinput") or not self._seconds:
            return
        files = {name.partition("::")[0] for name in self._seconds}
        kept = {name: own for name, own in listed().items() if name.partition("::")[0] not in files}
        taken = {name: own + self._shared[name] for name, own in self._seconds.items()}
        kept |= {name: all_of_it for name, all_of_it in taken.items() if all_of_it >= LEAST_S}
        write(kept)

    def _shared_by(self, item: pytest.Item) -> float:
        names = item.fixturenames if isinstance(item, pytest.Function) else []
        made = self._fixtures.items()
        return sum(own for (name, base), own in made if name in names and item.nodeid.startswith(base))


def write(seconds: Mapping[str, float]) -> None:
    """The file, longest first."""
    rows = sorted(seconds.items(), key=lambda row: (-round(row[1], 1), row[0]))
    FILE.write_text("".join(f'"{name}" = {own:.1f}\n' for name, own in rows), encoding="utf-8")


def _now() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
