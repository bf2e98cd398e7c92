"""What tests took once, in seconds of the processor: which files to begin with, and what a quick run leaves out.

`pytest --record-durations` writes them anew, for the tests that it ran; those of all processes below count.
A test's own seconds stand alone, or before those of the fixtures that it shares with others: whichever of these runs
first pays them. What the solver found for one test serves others, so that some take longer without those: together with
`--quick` it only adds tests and seconds.
"""

import os
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

FILE = Path(__file__).with_suffix(".toml")
LEAST_S = 0.1
"""Functions that take less, all their parameters together, are not listed, and are what `--quick` runs."""
ONLY_S = 0.5
"""Of a file that has none of these it runs the one that takes least, if that is less than this."""
_OWN, _SHARED = "cpu seconds", "cpu seconds of shared fixtures"


def function_of(nodeid: str) -> str:
    """A test without its parameters.

    >>> function_of("tests/test_a.py::test_one[2]"), function_of("tests/test_a.py::test_one")
    ('tests/test_a.py::test_one', 'tests/test_a.py::test_one')
    """
    return nodeid.partition("[")[0]


class Taken(NamedTuple):
    """Seconds of a test itself, and of the fixtures that it shares with others."""

    own: float
    shared: float = 0.0

    @property
    def alone(self) -> float:
        """What it takes to run this test and no other."""
        return self.own + self.shared


def listed() -> dict[str, Taken]:
    """Seconds per function."""
    read = tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return {name: Taken(*taken) if isinstance(taken, list) else Taken(taken) for name, taken in read.items()}


def by_file(seconds: Mapping[str, Taken]) -> dict[str, float]:
    """Seconds per file, the dearest shared fixtures once.

    >>> by_file({"a.py::x": Taken(1, 9), "a.py::y": Taken(2, 9), "b.py::x": Taken(4)})
    {'a.py': 12.0, 'b.py': 4.0}
    """
    sums: dict[str, float] = {}
    dearest: dict[str, float] = {}
    for name, taken in seconds.items():
        file = name.partition("::")[0]
        sums[file] = sums.get(file, 0.0) + taken.own
        dearest[file] = max(dearest.get(file, 0.0), taken.shared)
    return {file: own + dearest[file] for file, own in sums.items()}


def quick(names: Collection[str], seconds: Mapping[str, Taken]) -> set[str]:
    """Those of these functions that a quick run has: what takes next to no time, and something of most files.

    >>> sorted(quick(["a.py::x", "a.py::y", "b.py::x", "b.py::y"], {"a.py::y": Taken(9), "b.py::x": Taken(0, 0.4),
    ...                                                            "b.py::y": Taken(0.5)}))
    ['a.py::x', 'b.py::x']
    """
    short = {name for name in names if name not in seconds}
    files = {name.partition("::")[0] for name in short}
    for name in sorted(set(names) - short, key=lambda name: (seconds[name].alone, name)):
        file = name.partition("::")[0]
        if file not in files and seconds[name].alone < ONLY_S:
            short.add(name)
            files.add(file)
    return short


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
        if not self._seconds:
            return
        files = {name.partition("::")[0] for name in self._seconds}
        measured = {name: Taken(own, self._shared[name]) for name, own in self._seconds.items()}
        longer = {name: taken for name, taken in measured.items() if taken.alone >= LEAST_S}
        if session.config.getoption("--quick"):
            known = listed()
            write(known | {name: max([taken, known.get(name, taken)]) for name, taken in longer.items()})
            return
        write({name: taken for name, taken in listed().items() if name.partition("::")[0] not in files} | longer)

    def _shared_by(self, item: pytest.Item) -> float:
        names = item.fixturenames if isinstance(item, pytest.Function) else []
        made = self._fixtures.items()
        return sum(own for (name, base), own in made if name in names and item.nodeid.startswith(base))


def write(seconds: Mapping[str, Taken]) -> None:
    """The file, longest first."""
    rows = sorted(seconds.items(), key=lambda row: (-round(row[1].alone, 1), row[0]))
    FILE.write_text("".join(f'"{name}" = {_value(taken)}\n' for name, taken in rows), encoding="utf-8")


def _value(taken: Taken) -> str:
    return f"[{taken.own:.1f}, {taken.shared:.1f}]" if taken.shared >= 0.05 else f"{taken.own:.1f}"


def _now() -> float:
    """Seconds of this process, of what it waited for, and of all that runs below it, ranks and forked tracers too."""
    times = os.times()
    own = times.user + times.system + times.children_user + times.children_system
    return own + sum(_taken_below(os.getpid()))


def _taken_below(process: int) -> Iterator[float]:
    """Seconds of every process below this one, with what each waited for; none where there is no /proc."""
    children: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    if not os.path.exists("/proc/self/stat"):
        return
    # Younger processes alone, as children are: to look at all of them takes longer than most tests.
    for number in (name for name in os.listdir("/proc") if name.isdecimal() and int(name) > process):
        with suppress(OSError):  # it has ended meanwhile
            text = Path("/proc", number, "stat").read_text(encoding="utf-8", errors="replace")
            fields = text.rpartition(")")[2].split()
            ticks = sum(map(int, fields[11:15]))
            children[int(fields[1])].append((int(number), ticks / os.sysconf("SC_CLK_TCK")))
    below = [process]
    for parent in below:
        for child, taken in children[parent]:
            below.append(child)
            yield taken
