"""Put deliberate faults into a copy of the tree, one at a time, and say which tier of the tests notices each.

    scripts/mutate.py --check                      every fault of scripts/faults applies, and the file still parses
    scripts/mutate.py --room cost --out /tmp/cost.jsonl
    scripts/mutate.py --jobs 2 --out /tmp/all.jsonl --report scripts/results/mutations.md

For each fault the tests that it names run first, then the tests of its room, then those of rooms that import it, up to
the first failure. What the standard tier does not notice is tried with --all in the same order. A test that fails
without the fault as well does not count, and is left out from then on. A test that does not end within --limit seconds
notices the fault.

Verdicts are written to --out as they come; with the same file a later call judges only what is new or changed, or was
judged on another commit. Ctrl-C ends all processes and removes the copies.

Exit code 0: the standard tier notices at least 95 % of what the full tier notices (with one tier: all faults are
noticed); 1: it does not; 2: wrong input.
"""

import argparse
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from fault_records import Fault, FaultError, check_fault, mutated, read_faults

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "scripts" / "faults"
ENOUGH = 0.95
"""Of what the full tier notices, the standard tier has to notice this part."""


class Tier(StrEnum):
    """The two sizes of a run of the tests; tests/tiers.py says what belongs to each."""

    STANDARD = "standard"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which tier notices a fault, and by which test; no tier: it survives."""

    id: str
    tier: Tier | None
    by: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of pytest ended: the test that failed or was at work when the time was up, None if none did."""

    failed: str | None
    timeout: bool = False


Run = Callable[[Path, Sequence[str]], Outcome]
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
_AT_WORK = re.compile(r"^(\S+::.*?) *$", re.MULTILINE)
_NONE_COLLECTED = 5
COLLECTION = "loading the tests"
"""Stands for a test where pytest does not come so far."""


class StoppedError(Exception):
    """Ctrl-C was pressed while a process ran."""


class Pytest:
    """Runs pytest in a copy of the tree, which its processes import the package from."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._stopping = threading.Event()

    def stop(self) -> None:
        """End the runs that are at work, with an error."""
        self._stopping.set()

    def __call__(self, tree: Path, arguments: Sequence[str]) -> Outcome:
        """Run up to the first failure."""
        command = [sys.executable, "-m", "pytest", "-x", "-v", "--tb=no", "-p", "no:cacheprovider"]
        process = subprocess.Popen(
            [*command, *arguments],
            cwd=tree,
            env=environment(tree),
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert process.stdout is not None
        with process.stdout:
            try:
                text, late = self._read(process, process.stdout.fileno())
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if late:
            at_work = _AT_WORK.findall(text)
            return Outcome(at_work[-1] if at_work else COLLECTION, timeout=True)
        if process.returncode in (0, _NONE_COLLECTED):
            return Outcome(None)
        failed = _FAILED.search(text)
        return Outcome(failed[1] if failed else COLLECTION)

    def _read(self, process: "subprocess.Popen[bytes]", descriptor: int) -> tuple[str, bool]:
        """What is printed, and whether no test ended for too long."""
        pieces, last = list[bytes](), time.monotonic()
        while True:
            if self._stopping.is_set():
                raise StoppedError
            ready, _, _ = select.select([descriptor], [], [], 0.2)
            if ready:
                piece = os.read(descriptor, 1 << 16)
                if not piece:
                    process.wait()
                    return b"".join(pieces).decode(errors="replace"), False
                pieces.append(piece)
                last = time.monotonic()
            elif time.monotonic() - last > self._limit_s:
                return b"".join(pieces).decode(errors="replace"), True


def environment(tree: Path) -> dict[str, str]:
    """The package of the copy comes first, in processes that tests start as well."""
    paths = [str(tree), *filter(None, [os.environ.get("PYTHONPATH")])]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "P2SMT_"))}
    return own | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1"}


def files_of(root: Path) -> list[str]:
    """Tracked files, and those that are neither tracked nor ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return sorted({name for name in listed.split("\0") if name and (root / name).is_file()})


def commit_of(root: Path) -> str:
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout.strip()


def copy_tree(root: Path, target: Path) -> None:
    for name in files_of(root):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, target / name)


def check_import(tree: Path, package: str) -> None:
    """An editable installation must not come before the copy."""
    program = f"import {package}; print({package}.__file__)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tree, env=environment(tree), capture_output=True, text=True, check=False)
    if done.returncode or not Path(done.stdout.strip()).is_relative_to(tree):
        raise FaultError(f"{package} is not imported from the copy {tree}: {done.stdout}{done.stderr}")


def put(tree: Path, file: str, text: str) -> None:
    """Write a source, and drop its bytecode: two texts of one second and one length share theirs."""
    path = tree / file
    path.write_text(text, encoding="utf-8")
    for stale in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        stale.unlink()


def stages(tree: Path, fault: Fault) -> list[list[str]]:
    """What to run, nearest first: the tests of the fault, those of its room, those of rooms that import it."""
    if not fault.top_room:
        return [list(fault.tests)]
    near = [f"tests/{fault.top_room}"]
    users = [f"tests/{room}" for room in _users(tree, fault)]
    found = [list(fault.tests)]
    for paths in (near, users):
        there = [path for path in paths if (tree / path).is_dir() and path not in fault.tests]
        found += [there] if there else []
    return found


def _users(tree: Path, fault: Fault) -> Iterator[str]:
    named = re.compile(rf"\b{fault.package}\.{fault.top_room}\b")
    for room in sorted(path for path in (tree / fault.package).iterdir() if path.is_dir()):
        if room.name != fault.top_room and any(
            named.search(file.read_text(encoding="utf-8")) for file in room.rglob("*.py")
        ):
            yield room.name


@dataclass(kw_only=True)
class Judge:
    """Judges faults in one copy of the tree; what it knows of tests is shared with other judges."""

    tree: Path
    run: Run
    tiers: Sequence[Tier]
    nearest: bool = False
    holds: dict[tuple[Tier, str], bool] = field(default_factory=dict)

    def verdict(self, fault: Fault) -> Verdict:
        """Try one tier after the other; the copy is whole again afterwards."""
        began = time.monotonic()
        text = (self.tree / fault.file).read_text(encoding="utf-8")
        tier, by = None, ""
        for tier_tried in self.tiers:
            if noticed := self._noticed(fault, text, tier_tried):
                tier, by = tier_tried, noticed
                break
        return Verdict(fault.id, tier, by, round(time.monotonic() - began, 1))

    def _noticed(self, fault: Fault, text: str, tier: Tier) -> str:
        """The test that notices the fault, "" for none."""
        for paths in stages(self.tree, fault)[: 1 if self.nearest else None]:
            while True:
                wrong = [test for (of, test), holds in self.holds.items() if of is tier and not holds]
                left_out = [f"--deselect={test}" for test in wrong]
                put(self.tree, fault.file, mutated(text, fault))
                try:
                    outcome = self.run(self.tree, [*_flags(tier), *left_out, *paths])
                finally:
                    put(self.tree, fault.file, text)
                if outcome.failed is None:
                    break
                if outcome.failed in wrong:
                    raise FaultError(f"pytest runs {outcome.failed} although it is told to leave it out")
                if self._is_right(outcome.failed, tier, paths):
                    return f"timeout of {outcome.failed}" if outcome.timeout else outcome.failed
        return ""

    def _is_right(self, test: str, tier: Tier, paths: Sequence[str]) -> bool:
        """Whether the test passes without a fault; what cannot even be loaded then is an error of the tree."""
        if "::" not in test:
            if self.run(self.tree, [*_flags(tier), "--collect-only", *paths]).failed is not None:
                raise FaultError(f"tests cannot be loaded without a fault either: {test} of {' '.join(paths)}")
            return True
        if (tier, test) not in self.holds:
            self.holds[tier, test] = self.run(self.tree, [*_flags(tier), test]).failed is None
            if not self.holds[tier, test]:
                say(f"{test} fails without a fault as well ({tier} tier); it is left out")
        return self.holds[tier, test]


def _flags(tier: Tier) -> list[str]:
    return ["--all"] if tier is Tier.FULL else []


class Results:
    """Verdicts by fault, kept in a file of JSON lines as they come."""

    def __init__(self, path: Path | None, faults: Sequence[Fault], commit: str, tiers: Sequence[Tier]) -> None:
        self._path, self._commit, self._tiers = path, commit, "+".join(tiers)
        self._digests = {fault.id: fault.digest for fault in faults}
        self.known: dict[str, Verdict] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError, KeyError, TypeError):  # a line that was cut off
                    self._read(json.loads(line))

    def _read(self, row: dict[str, Any]) -> None:
        if (row["commit"], row["tiers"], row["digest"]) == (self._commit, self._tiers, self._digests.get(row["id"])):
            tier = None if row["tier"] is None else Tier(row["tier"])
            self.known[row["id"]] = Verdict(row["id"], tier, row["by"], row["seconds"])

    def add(self, verdict: Verdict) -> None:
        """Keep a verdict."""
        self.known[verdict.id] = verdict
        if self._path is not None:
            rest = {"digest": self._digests[verdict.id], "commit": self._commit, "tiers": self._tiers}
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(verdict) | rest) + "\n")


def judge_all(
    root: Path, faults: Sequence[Fault], results: Results, run: Run, tiers: Sequence[Tier], jobs: int, nearest: bool
) -> None:
    """Judge what is not known yet, in as many copies of the tree as there are jobs."""
    left = [fault for fault in faults if fault.id not in results.known]
    if not left:
        return
    holds: dict[tuple[Tier, str], bool] = {}
    judges: SimpleQueue[Judge] = SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="p2smt-mutate-") as folder:
        for number in range(min(jobs, len(left))):
            tree = Path(folder).resolve() / f"tree-{number}"
            copy_tree(root, tree)
            judges.put(Judge(tree=tree, run=run, tiers=tiers, nearest=nearest, holds=holds))
        for package in sorted({fault.package for fault in left}):
            check_import(tree, package)

        def judged(fault: Fault) -> Verdict:
            judge = judges.get()
            try:
                return judge.verdict(fault)
            finally:
                judges.put(judge)

        with ThreadPoolExecutor(min(jobs, len(left))) as pool:
            waiting = {pool.submit(judged, fault) for fault in left}
            try:
                while waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        results.add(future.result())
                        say(f"{len(results.known)}/{len(faults)} {_line(future.result())}")
            except BaseException:
                if isinstance(run, Pytest):
                    run.stop()
                pool.shutdown(wait=True, cancel_futures=True)
                raise


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _line(verdict: Verdict) -> str:
    found = "survives" if verdict.tier is None else f"{verdict.tier}: {verdict.by}"
    return f"{verdict.id}: {found} ({verdict.seconds:.0f} s)"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many faults there are, and how many of them each tier notices."""

    faults: int
    standard: int
    full_only: int
    survived: int


def counted(verdicts: Iterable[Verdict]) -> Counts:
    tiers = [verdict.tier for verdict in verdicts]
    return Counts(len(tiers), tiers.count(Tier.STANDARD), tiers.count(Tier.FULL), tiers.count(None))


def is_enough(counts: Counts, tiers: Sequence[Tier]) -> bool:
    """Whether the standard tier notices enough of what the full tier does; of a single tier, whether it notices all."""
    if len(tiers) == 1:
        return not counts.survived
    return counts.standard >= ENOUGH * (counts.standard + counts.full_only)


def table_text(faults: Sequence[Fault], known: dict[str, Verdict]) -> str:
    """Counts by room as a table, then every fault that the standard tier does not notice."""
    judged = [fault for fault in faults if fault.id in known]
    rooms = list(dict.fromkeys(fault.room for fault in judged))
    by_room = [(room, counted(known[fault.id] for fault in judged if fault.room == room)) for room in rooms]
    rows = [*by_room, ("all", counted(known[fault.id] for fault in judged))]
    width = max(len(room) for room, _ in rows)
    lines = [
        f"| {'room':<{width}} | faults | standard | full only | survived |",
        f"|{'-' * (width + 2)}|-------:|---------:|----------:|---------:|",
    ]
    lines += [
        f"| {room:<{width}} | {one.faults:>6} | {one.standard:>8} | {one.full_only:>9} | {one.survived:>8} |"
        for room, one in rows
    ]
    for tier, title in ((Tier.FULL, "Only the full tier notices"), (None, "No tier notices")):
        found = [fault for fault in judged if known[fault.id].tier is tier]
        if found:
            lines += ["", f"{title}:", ""]
            lines += [f"- {fault.id} ({fault.file}): {fault.means}{_by(known[fault.id])}" for fault in found]
    return "\n".join(lines) + "\n"


def _by(verdict: Verdict) -> str:
    return f" Noticed by {verdict.by}." if verdict.by else ""


def report_text(faults: Sequence[Fault], known: dict[str, Verdict]) -> str:
    """The table as a page, with the test that notices each fault."""
    noticed = [f"- {fault.id}: {fault.means} {known[fault.id].by}" for fault in faults if known[fault.id].by]
    return (
        "# Deliberate faults, and the tier of the tests that notices each\n\n"
        "Written by `scripts/mutate.py --report`; the faults are in scripts/faults. The standard tier is\n"
        "`scripts/test`, the full tier `scripts/test --all`.\n\n"
        f"{table_text(faults, known)}\n## What notices each\n\n" + "\n".join(noticed) + "\n"
    )


def chosen(faults: Sequence[Fault], only: Sequence[str], room: Sequence[str]) -> list[Fault]:
    if unknown := sorted(set(only) - {fault.id for fault in faults}):
        raise FaultError(f"there is no fault {', '.join(unknown)}")
    if unknown := sorted(set(room) - {fault.room for fault in faults}):
        raise FaultError(f"there is no room {', '.join(unknown)}; rooms are {', '.join({f.room: 0 for f in faults})}")
    return [fault for fault in faults if (not only or fault.id in only) and (not room or fault.room in room)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only check that every fault applies")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="these faults alone")
    parser.add_argument("--room", nargs="+", default=[], help="the faults of these rooms alone")
    parser.add_argument("--tier", choices=[*Tier, "both"], default="both", help="the tiers to try [both]")
    parser.add_argument("--nearest", action="store_true", help="run the tests that a fault names alone")
    parser.add_argument("--jobs", type=int, default=1, help="copies of the tree to work in at the same time [1]")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for a single test [300]")
    parser.add_argument("--out", type=Path, help="keep verdicts here, and take those that are there")
    parser.add_argument("--report", type=Path, help="write the table and what notices each fault here")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument("--faults", type=Path, default=FOLDER, help="the folder of the records [scripts/faults]")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the tree to copy [the one of this script]")
    given = parser.parse_args()
    try:
        return _answered(given)
    except FaultError as error:
        say(f"mutate: {error}")
        return 2
    except KeyboardInterrupt:
        say("mutate: interrupted; the same --out goes on from here")
        return 130


def _answered(given: argparse.Namespace) -> int:
    faults = chosen(read_faults(given.faults), given.only, given.room)
    for fault in faults:
        check_fault(given.tree, fault)
    if given.check:
        print(f"{len(faults)} faults apply")
        return 0
    if given.jobs < 1 or given.limit <= 0:
        raise FaultError("--jobs and --limit are positive")
    tiers = list(Tier) if given.tier == "both" else [Tier(given.tier)]
    results = Results(given.out, faults, commit_of(given.tree), tiers)
    judge_all(given.tree, faults, results, Pytest(given.limit), tiers, given.jobs, given.nearest)
    counts = counted(results.known.values())
    if given.report is not None:
        given.report.write_text(report_text(faults, results.known), encoding="utf-8")
    if given.json:
        verdicts = [asdict(results.known[fault.id]) for fault in faults]
        print(json.dumps({"counts": asdict(counts), "faults": verdicts}, indent=2))
    else:
        print(table_text(faults, results.known), end="")
    return 0 if is_enough(counts, tiers) else 1


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell's background jobs ignore the first
        signal.signal(number, signal.default_int_handler)
    sys.exit(main())
