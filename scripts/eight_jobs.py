"""Do the first hour's jobs as a newcomer does: every command of the README, and how much it prints, in one folder.

A job ends where the README's next comment begins another one; none may take more than five commands. Needs torch and
scipy; run `.venv/bin/python scripts/eight_jobs.py` in a clone. Exits with 1 if a command does not end with 0.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_COMMANDS = 5

JOBS = (
    ("install", ("p2smt --version",)),
    ("place a job", ("p2smt advise --model llama-70b --system dgx-h100:8x8 --tp 8 --pp 4 --dp 2",)),
    ("a slow all-reduce to running code", ("p2smt plan", "p2smt verify plan.json", "p2smt emit plan.json", "torchrun")),
    ("own log to calibrated system to answer", ("p2smt example log", "p2smt calibrate", "p2smt synth --system mine")),
    (
        "verify own function and layer",
        (
            "p2smt example function",
            "p2smt verify average.py",
            "p2smt example layer --",
            "p2smt example layer-program",
            "p2smt verify layer.py",
        ),
    ),
    (
        "shard own model and train",
        (
            "p2smt example model",
            "p2smt capture model.py",
            "p2smt shard step.tp",
            "p2smt example training",
            "torchrun --standalone --nproc-per-node 2 train.py",
        ),
    ),
    (
        "schedule an optimizer",
        (
            "p2smt example optimizer",
            "p2smt schedule adamw.tp",
            "p2smt emit adamw.tp",
            "torchrun --standalone --nproc-per-node 4 sharded_adamw.py",
        ),
    ),
    ("study and report", ("p2smt example study", "p2smt study sweep.toml", "p2smt report --system 2x2")),
)
"""Jobs and how each of their commands begins in the README."""


def readme_commands() -> list[str]:
    """The lines of the README's blocks of shell and of what commands print, without comments."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"^```(?:sh)?\n(.*?)^```$", text, re.M | re.S) for line in block.splitlines()]
    return [re.sub(r"\s+#.*", "", line.removeprefix("$ ")).strip() for line in lines]


def command_of(beginning: str, known: list[str]) -> str:
    """The README's only line with this beginning; `--version` is in `p2smt --help`."""
    found = [line for line in dict.fromkeys(known) if line.startswith(beginning)]
    if beginning == "p2smt --version":
        return beginning
    if beginning == "torchrun":
        found = [line for line in found if line.endswith("reduction.py")]
    if len(found) != 1:
        raise SystemExit(f"{beginning!r} begins {len(found)} lines of the README; the list of jobs needs another one")
    return found[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=6, help="lines of each answer to print [6]")
    parser.add_argument("--list", action="store_true", help="print the commands, run none")
    given = parser.parse_args()
    known, failed, ran = readme_commands(), 0, 0
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    with tempfile.TemporaryDirectory() as folder:
        for number, (title, beginnings) in enumerate(JOBS, 1):
            commands = [command_of(each, known) for each in beginnings]
            assert len(commands) <= MOST_COMMANDS, title
            print(f"\n=== {number} {title}: {len(commands)} commands")
            for command in commands:
                print(f"$ {command}", flush=True)
                if given.list:
                    continue
                begin = time.monotonic()
                done = subprocess.run(
                    command,
                    shell=True,
                    cwd=folder,
                    env={**os.environ, "PATH": path},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    check=False,
                )
                ran, failed = ran + 1, failed + (done.returncode != 0)
                print("\n".join(done.stdout.splitlines()[: given.lines]))
                print(f"[exit {done.returncode}, {time.monotonic() - begin:.1f} s]", flush=True)
    print(f"\n{ran} commands, {failed} not exit 0")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
