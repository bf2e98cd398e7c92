"""Emitted files on ranks as torchrun starts them, but forked: a Python for each would import torch for seconds."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

LAUNCH = """
import json, os, runpy, socket, sys
import torch._dynamo, torch.nn.parallel

def run(path):
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        return end.code
    return 0

def forked(path, rank, ranks, port):
    child = os.fork()
    if child == 0:
        code = 70
        os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(ranks),
                       "LOCAL_WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        try:
            code = run(path)
            sys.stdout.flush()
        finally:
            os._exit(code or 0)
    return child

for path, ranks in json.loads(sys.argv[1]).items():
    assert len(os.listdir("/proc/self/task")) == 1, "a process with threads must not be forked"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    children = [forked(path, rank, ranks, port) for rank in range(ranks)]
    print(path, *[os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children], flush=True)
"""


def environment() -> dict[str, str]:
    """Of processes on this machine's loopback, without p2smt."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}


def on_ranks(folder: Path, texts: Mapping[str, tuple[str, int]], **variables: str) -> dict[str, tuple[str, list[int]]]:
    """What rank 0 of each file prints, and how its ranks exit; every file is given with its number of ranks."""
    (folder / "p2smt.py").write_text("raise ImportError('the emitted file imports p2smt')\n", encoding="utf-8")
    for path, (text, _) in texts.items():
        (folder / path).write_text(text, encoding="utf-8")
    ranks = json.dumps({path: count for path, (_, count) in texts.items()})
    done = subprocess.run(
        [sys.executable, "-c", LAUNCH, ranks],
        cwd=folder, env=environment() | variables, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found, printed = {}, ""
    for line in done.stdout.splitlines():
        path, *codes = line.split(" ")
        if path in texts:
            found[path], printed = (printed, [int(code) for code in codes]), ""
        else:
            printed += f"{line}\n"
    return found
