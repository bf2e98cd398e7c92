"""Surroundings of all tests: the same on every machine, and an order that no test leans on."""

import gc
import multiprocessing.util
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import durations
import pytest
import tiers
from _pytest.doctest import DoctestModule
from forked_tracers import forked_tracers
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from p2smt.placement.enumeration import every_table
from p2smt.run.local import processes

# Hypothesis draws constants from all local modules that are loaded by then: what is drawn would depend on which tests
# ran before, and on every edit anywhere.
providers.is_local_module_file = lambda _: False
EXAMPLES = 20
"""Of a property that does not say how many it needs."""

SEARCHES = (
    "cli/test_complete.py", "cli/test_interrupt.py", "cli/test_streams.py", "job/test_bounds.py",
    "job/test_stopping.py", "reduction/synth/*", "smt/*", "sweep/*",
)  # fmt: skip
"""Tests of searches themselves, stopped ones among them: here nothing is known before. Elsewhere what the solver found
in one test serves all others, as it does from run to run."""

WITH_DOCTESTS = ("conftest.py", "durations.py", "tiers.py")

# Folders whose tests look at the whole machine, or share something that takes long to make.
TOGETHER = ("lab", "page")
SYNTAX_READERS = ("test_exhaustive.py", "test_house.py", "test_questions.py")
"""Files whose tests share the parsed modules of p2smt."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reverse", action="store_true", help="run all tests last first: none leans on one before it")
    parser.addoption("--quick", action="store_true", help="only what takes next to no time, and some of most files")
    parser.addoption("--all", action="store_true", help="the full tier: thorough tests, all cases, more examples")
    parser.addoption("--record-durations", action="store_true", help="write tests/durations.toml anew")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Only files of tests are looked at: helpers would be imported for nothing, some of them with torch or JAX."""
    named = collection_path.name.startswith("test_") or collection_path.name in WITH_DOCTESTS
    return True if collection_path.suffix == ".py" and not named else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """Files of tests have no examples in docstrings; to look for them takes a tenth of collecting."""
    collectors = yield
    is_test = file_path.name.startswith("test_")
    return [each for each in collectors if not (is_test and isinstance(each, DoctestModule))]


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C end what tests start: a shell's background jobs ignore it, and their children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ[tiers.VARIABLE] = tiers.FULL if config.getoption("--all") else "standard"
    settings.register_profile("p2smt", derandomize=True, deadline=None, max_examples=tiers.examples(EXAMPLES))
    settings.load_profile("p2smt")
    if config.getoption("--record-durations"):
        config.pluginmanager.register(durations.Recorder())
    if not hasattr(config, "workerinput"):  # workers of pytest-xdist share the folder of the process that started them
        folder = tempfile.TemporaryDirectory(prefix="p2smt-tests-")
        os.environ["P2SMT_CACHE"] = folder.name
        config.add_cleanup(folder.cleanup)


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files that take long come first; with several workers the tests of a file stay together, of some folders too."""
    seconds = durations.listed()
    if not config.getoption("--all"):
        _leave_out(config, items, {item for item in items if item.get_closest_marker("thorough")})
    if config.getoption("--quick"):
        names = {item: durations.function_of(item.nodeid) for item in items if not item.get_closest_marker("slow")}
        chosen = durations.quick(names.values(), seconds)
        _leave_out(config, items, {item for item in items if names.get(item) not in chosen})
    if config.getoption("--reverse"):
        items.reverse()
    if config.pluginmanager.hasplugin("xdist"):
        groups = {item: _group(item.path.relative_to(config.rootpath)) for item in items}
        for item, group in groups.items():
            item.add_marker(pytest.mark.xdist_group(group))
        sums: Counter[str] = Counter()
        for file, taken in durations.by_file(seconds).items():
            sums[_group(Path(file))] += taken
        if not config.getoption("--reverse"):
            items.sort(key=lambda item: -sums[groups[item]])


def _leave_out(config: pytest.Config, items: list[pytest.Item], others: set[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=[item for item in items if item in others])
    items[:] = [item for item in items if item not in others]


def pytest_collection_finish(session: pytest.Session) -> None:
    """The tests of a file share what takes long to make only where the worker was told that they belong together.

    Garbage is looked for seldom, and not among the modules and thousands of tests that stay: a tenth of all time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    if getattr(session.config.option, "loadgroup", False):
        apart = [item.nodeid for item in session.items if "@" not in item.nodeid]
        assert not apart, f"pytest-xdist sends the tests of one file to several workers: {apart[:3]}"
    named = [item.nodeid for item in session.items if _is_named_by_a_set(item)]
    assert not named, f"workers call these tests by other names, as sets have no order: {named[:3]}"


def _is_named_by_a_set(item: pytest.Item) -> bool:
    values = item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    return any(isinstance(value, set | frozenset) and len(value) > 1 and str(value) in item.nodeid for value in values)


def _group(path: Path) -> str:
    if path.name in SYNTAX_READERS:
        return "syntax"
    return (path.parent if path.parent.name in TOGETHER else path).as_posix()


@pytest.fixture(scope="session", autouse=True)
def _surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Temporary files that tests and their processes leave go when pytest's own do; system tools are found.

    What DDP and optimizers load takes two seconds on every rank, unless ranks are forked with it.
    """
    multiprocessing.util.get_temp_dir()  # this process's own, which it removes itself when it ends
    with pytest.MonkeyPatch.context() as patch, forked_tracers():
        folder = str(tmp_path_factory.mktemp("tmp"))
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        patch.delenv("COLUMNS", raising=False)
        patch.setattr(processes, "PRELOADED", (*processes.PRELOADED, "torch.nn.parallel", "torch._dynamo"))
        patch.setenv("PATH", os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"]))
        yield


@pytest.fixture(scope="module", autouse=True)
def _known_programs(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if any(request.path.match(pattern) for pattern in SEARCHES):
            patch.setenv("P2SMT_CACHE", "")
        yield


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test of a search in a file that is not among `SEARCHES`: nothing is known before."""
    monkeypatch.setenv("P2SMT_CACHE", "")


@pytest.fixture(autouse=True)
def _unknown_tables() -> None:
    """Tests ask the solver for placements themselves: no table is known from a test before."""
    every_table.cache_clear()
