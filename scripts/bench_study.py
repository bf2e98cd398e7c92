"""How fast a sweep is, as JSON: 2,015 different problems of up to 4,096 devices, on two processes.

With `--kill 10` the same sweep is run once more and killed (SIGKILL) so many times at random moments before it may
end; the exports of both stores must be the same bytes. `--seed` chooses the moments.
"""

import argparse
import hashlib
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tomli_w

from p2smt.cli.output.progress import working
from p2smt.sweep.sweep import expand
from p2smt.sweep.sweep_file import read_sweep

LIMIT_S = 600
COMMAND = [sys.executable, "-c", "from p2smt.cli.main import main; main()", "study"]
SYSTEMS = {
    2: ["4x8", "8x8", "dgx-h100:16x8", "32x8", "p2-a100:4x16", "64x16", "dgx-a100:128x8", "256x16"],
    3: ["2x4x8", "4x4x8", "8x8x8", "rack:4,node:8,gpu:8", "16x8x8", "16x16x8", "16x32x8"],
}


def sweep() -> dict[str, object]:
    """Grids of 1 to 3 axes: 2,015 problems, all different."""
    half = {"grammars": ["full", "paper"], "algorithms": ["ring", "tree"]}
    small, large = ["64KiB", "1MiB"], ["256MiB", "4GiB"]
    grids: list[dict[str, object]] = []
    for systems in SYSTEMS.values():
        pairs = {"systems": systems[:5], "axes": ["every data,model"], "reduce": ["each"]}
        grids.append({"systems": systems, "axes": ["every 1"], "reduce": [0], "bytes": small + large, **half})
        grids.append({**pairs, "bytes": ["1MiB", *large], **half})
        grids.append({"systems": systems[:2], "axes": ["every 3"], "reduce": ["every"]})
    return {"grid": grids}


def run(folder: Path, store: str) -> subprocess.Popen[bytes]:
    arguments = ["sweep.toml", "--store", store, "--executor", "local:2"]
    return subprocess.Popen(
        [*COMMAND, *arguments], cwd=folder, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def finished(process: subprocess.Popen[bytes]) -> float:
    """Seconds until it ends by itself."""
    began = time.perf_counter()
    said, _ = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, said.decode()
    return time.perf_counter() - began


def exported(folder: Path, store: str) -> dict[str, str]:
    """The SHA-256 of every table."""
    found = {}
    for table in ("problems", "placements", "environments"):
        export = [*COMMAND, "export", store, "--format", "jsonl", "--table", table]
        data = subprocess.run(export, cwd=folder, check=True, capture_output=True, timeout=LIMIT_S).stdout
        found[table] = hashlib.sha256(data).hexdigest()
    return found


def killed(folder: Path, times: int, whole_s: float, seed: int) -> dict[str, object]:
    """Kill a run so many times, at moments spread over what it would take; then let it end."""
    dice = random.Random(seed)
    moments = []
    for _ in range(times):
        process = run(folder, "killed.sqlite")
        moments.append(dice.uniform(0.2, max(1.0, 2 * whole_s / times)))
        try:
            process.communicate(timeout=moments[-1])
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        assert is_gone(process.pid), "processes are left"
    return {"kills": times, "after_s": moments, "last_run_s": finished(run(folder, "killed.sqlite"))}


def is_gone(group: int) -> bool:
    """Whether no process of a group runs 10 s after its parent was killed."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        found = subprocess.run(["ps", "-eo", "pgid=,stat="], check=True, capture_output=True, text=True).stdout
        if not any(int(its) == group and state[0] not in "ZX" for its, state in map(str.split, found.splitlines())):
            return True
        time.sleep(0.1)
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kill", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sweep.toml").write_text(tomli_w.dumps(sweep()), encoding="utf-8")
        tasks = expand(read_sweep(folder / "sweep.toml")).tasks
        with working(f"solving {len(tasks)} problems"):
            seconds = finished(run(folder, "whole.sqlite"))
        report: dict[str, object] = {
            "problems": len(tasks),
            "devices_most": max(task.problem.devices for task in tasks.values()),
            "workers": 2,
            "seconds": seconds,
            "problems_per_s": len(tasks) / seconds,
            "limit_s": LIMIT_S,
            "store_mb": (folder / "whole.sqlite").stat().st_size / 1e6,
        }
        ok = seconds <= LIMIT_S
        if given.kill:
            with working("solving them again, killed now and then"):
                report["killed"] = killed(folder, given.kill, seconds, given.seed)
            report["same"] = exported(folder, "whole.sqlite") == exported(folder, "killed.sqlite")
            ok = ok and bool(report["same"])
    report["peak_memory_of_a_process_mb"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    report["machine"] = {"python": platform.python_version(), "cpus": os.cpu_count()}
    print(json.dumps(report, indent=2))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
