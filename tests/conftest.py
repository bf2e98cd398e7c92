"""Surroundings of all tests: the same on every machine, and an order that no test leans on."""

import faulthandler
import gc
import multiprocessing.util
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import durations
import parts
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
EXAMPLES = 10
"""Of a property that does not say how many it needs."""

SEARCHES = (
    "cli/test_complete.py",
    "cli/test_interrupt.py",
    "cli/test_streams.py",
    "job/test_bounds.py",
    "job/test_stopping.py",
    "reduction/synth/*",
    "smt/*",
    "sweep/*",
)
"""Tests of searches themselves, stopped ones among them: here nothing is known before. Elsewhere what the solver found
in one test serves all others, as it does from run to run."""

WITH_DOCTESTS = ("conftest.py", "durations.py", "parts.py", "tiers.py")

# Folders whose tests look at the whole machine, or share something that takes long to make.
TOGETHER = ("lab", "page")
SHARED_CACHE = "P2SMT_TEST_CACHE"
"""Names a folder for what the solver found, which the parts of one run share."""

QUICK_OF_A_FILE = 1
"""Tests of one file that a quick run has at most, of those that take next to no time."""

HEAVY = re.compile("torch|jax|forked_|CallRanks|Cluster")
"""The words of files of tests that load torch or JAX, or start ranks."""

PACKAGE = "p2smt"
PACKAGE_S = 20.0
"""Of the examples in docstrings of the package, imports and collection in it."""
ENDING_S = 300.0
"""The time that the process has to end after its last test, for threads and processes that tests have left."""

_CHOSEN = pytest.StashKey[set[str]]()
SYNTAX_READERS = ("test_exhaustive.py", "test_house.py", "test_questions.py")
"""Files whose tests share the parsed modules of p2smt."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--reverse", action="store_true", help="run all tests last first: none leans on one before it")
    parser.addoption("--quick", action="store_true", help="a few tests of most files, which take next to no time")
    parser.addoption("--all", action="store_true", help="the full tier: thorough tests, all cases, more examples")
    parser.addoption("--part", type=parts.Part.read, help="of the files only those of this part, such as 1/2")
    parser.addoption("--record-durations", action="store_true", help="write tests/durations.toml anew")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Only files of tests are looked at: helpers would be imported for nothing, some of them with torch or JAX."""
    if collection_path.suffix != ".py":
        return None
    return None if _is_tested(collection_path) and _is_here(collection_path, config) else True


def _is_tested(path: Path) -> bool:
    return path.name.startswith("test_") or path.name in WITH_DOCTESTS


def _is_here(path: Path, config: pytest.Config) -> bool:
    """Whether the part of the tests that this process runs has the file."""
    chosen = config.stash.get(_CHOSEN, None)
    return chosen is None or _group(path.relative_to(config.rootpath)) in chosen


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
    folder = os.environ.get(SHARED_CACHE, "")
    if not folder:
        own = tempfile.TemporaryDirectory(prefix="p2smt-tests-")
        config.add_cleanup(own.cleanup)
        folder = own.name
    os.environ["P2SMT_CACHE"] = folder
    if part := config.getoption("--part"):
        config.stash[_CHOSEN] = part.of(_seconds(config))
        # Examples in docstrings of the package are a part of their own; no hook of this file is asked about its files.
        config.args[:] = [path for path in config.args if path != PACKAGE or PACKAGE in config.stash[_CHOSEN]]
    if PACKAGE in config.args:
        config.args.remove(PACKAGE)
        config.args.extend(_with_examples(config.rootpath))


def _with_examples(root: Path) -> list[str]:
    """Modules of the package that have examples: to look for them in all others takes a third of collecting."""
    modules = sorted((root / PACKAGE).rglob("*.py"))
    return [path.relative_to(root).as_posix() for path in modules if b">>> " in path.read_bytes()]


def pytest_unconfigure() -> None:
    """Let a process that does not end say what it waits for, and end it; `faulthandler_timeout` is about tests."""
    faulthandler.dump_traceback_later(ENDING_S, exit=True, file=sys.__stderr__)


def _seconds(config: pytest.Config) -> dict[str, float]:
    """What the groups of files take that this run was asked for, those first that load what takes seconds to load."""
    asked = [config.invocation_params.dir / argument.partition("::")[0] for argument in config.args]
    listed = durations.by_file(durations.listed())
    found = dict.fromkeys([PACKAGE], PACKAGE_S) if PACKAGE in config.args else {}
    heavy = set(found)
    for file in sorted(filter(_is_tested, (config.rootpath / "tests").rglob("*.py"))):
        if any(file.is_relative_to(path) for path in asked):
            name = file.relative_to(config.rootpath)
            group = _group(name)
            found[group] = found.get(group, 0.0) + listed.get(name.as_posix(), parts.UNLISTED_S)
            if any(HEAVY.search(path.read_text(encoding="utf-8")) for path in (file, *file.parent.glob("conftest.py"))):
                heavy.add(group)
    return {group: found[group] for group in sorted(found, key=lambda group: (group not in heavy, group))}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The tier and the part that were asked for; a file that is named is collected, whatever part it belongs to."""
    if not config.getoption("--all"):
        _leave_out(config, items, {item for item in items if item.get_closest_marker("thorough")})
    if config.getoption("--quick"):
        names = {item: durations.function_of(item.nodeid) for item in items if not item.get_closest_marker("slow")}
        chosen = durations.quick(names.values(), durations.listed())
        by_file: dict[Path, list[pytest.Item]] = {}
        for item in (item for item in items if names.get(item) in chosen):
            by_file.setdefault(item.path, []).append(item)
        kept = {item for some in by_file.values() for item in tiers.evenly_spaced(some, QUICK_OF_A_FILE)}
        _leave_out(config, items, set(items) - kept)
    if config.getoption("--part"):
        _leave_out(config, items, {item for item in items if not _is_here(item.path, config)})
    if config.getoption("--reverse"):
        items.reverse()


def _leave_out(config: pytest.Config, items: list[pytest.Item], others: set[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=[item for item in items if item in others])
    items[:] = [item for item in items if item not in others]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Garbage is looked for seldom, and not among the modules and thousands of tests that stay: a tenth of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _group(path: Path) -> str:
    """Name of what stays in one process: a file, or several that share something."""
    if path.parts[0] == PACKAGE:
        return PACKAGE
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
