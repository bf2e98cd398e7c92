"""Runs of `p2smt study` in processes of their own, in a group of which nothing is left afterwards."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tiers import is_full

from p2smt.sweep.export import ExportTable, export_jsonl
from p2smt.sweep.sweep import Expansion, expand
from p2smt.sweep.sweep_file import read_sweep

LIMIT_S = 300

MANY = f"""\
[[grid]]
systems = ["2x4", "2x2x2"]
axes = ["every 1", "every data,model"]
reduce = ["each"]
bytes = ["64KiB", "1GiB"]
grammars = ["full", "paper"]
algorithms = {'["ring", "tree"]' if is_full() else '["ring"]'}
limits = [2]

[[job]]
models = {'["gpt2", "llama-8b"]' if is_full() else '["gpt2"]'}
systems = ["2x4", "2x2x2"]
limits = [2, 3]
"""
"""Problems and, after them, jobs, which take longer: when half is done there is still something to do."""

FEW = """\
[[grid]]
systems = ["2x4"]
axes = ["8", "data:2,model:4"]
reduce = ["each"]
limits = [3]
"""


def expanded(folder: Path, text: str) -> Expansion:
    """The problems of a sweep file, which is written as sweep.toml."""
    (folder / "sweep.toml").write_text(text, encoding="utf-8")
    return expand(read_sweep(folder / "sweep.toml"))


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command in a process group of its own; whatever is left of the group is killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "p2smt", "study", *arguments],
        cwd=folder,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=LIMIT_S)


def finished(folder: Path, *arguments: str) -> str:
    """What a run prints that ends with 0, and on stderr says where its results are and nothing else."""
    with running(folder, *arguments) as process:
        out, err = process.communicate(timeout=LIMIT_S)
        assert (process.returncode, err) == (0, written(arguments[arguments.index("--store") + 1]))
        return out


def written(store: str) -> str:
    """What a run says on stderr that has written a store."""
    return f"p2smt: {store}: the results; next: p2smt study query {store}\n"


def rows(store: Path) -> int:
    """How many problems and jobs are in a store now; what a killed process left half-written is rolled back."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"{store.as_uri()}?mode=rw", uri=True)) as found:
        (count,) = found.execute("SELECT (SELECT count(*) FROM problems) + (SELECT count(*) FROM jobs)").fetchone()
        return int(count)
    return 0


def wait_for_rows(store: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Until a store has so many problems and jobs, or the process has ended."""
    deadline = time.monotonic() + LIMIT_S
    while rows(store) < count and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_gone(group: int) -> bool:
    """Whether all processes of a group end within 20 seconds; a dead one that nobody has waited for is gone."""
    deadline = time.monotonic() + 20
    while any(_is_running_in(group, folder) for folder in Path("/proc").glob("[0-9]*")):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _is_running_in(group: int, folder: Path) -> bool:
    try:
        state, _, its, *_ = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return False
    return int(its) == group and state not in "ZX"


def said_to_be_solved(tasks: int, text: str) -> int:
    """How many tasks a run says that it has solved, of `tasks` that it says there are."""
    match = re.match(r"(?:(\d+) problems?)?(?: and )?(?:(\d+) jobs?)?: (\d+) solved now", text)
    assert match is not None, text
    assert int(match[1] or 0) + int(match[2] or 0) == tasks
    return int(match[3])


def exported(store: Path, folder: Path) -> dict[str, str]:
    """All compared tables of a store, as JSON Lines."""
    found = {}
    for table in ExportTable:
        path = folder / f"{store.stem}-{table}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            export_jsonl(store, table, file)
        found[str(table)] = path.read_text(encoding="utf-8")
    return found
