"""Emitted files on ranks as torchrun starts them, but forked: a Python for each would import torch for seconds."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path

from forked_torch import SERVER, Ended

LIMIT_S = 300.0
ALONE = "raise ImportError('the emitted file imports p2smt')\n"


def environment() -> dict[str, str]:
    """Of processes on this machine's loopback, without p2smt."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}


def started(folder: Path, name: str, ranks: int, **variables: str) -> Ended:
    """What this file in a folder does on ranks; with p2smt only if the folder says where it is."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    world = {"WORLD_SIZE": str(ranks), "LOCAL_WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1"}
    everywhere = environment() | variables | world | {"MASTER_PORT": str(port)}
    environments = [everywhere | {"RANK": str(rank), "LOCAL_RANK": str(rank)} for rank in range(ranks)]
    return SERVER.run(name, folder=folder, environments=environments, timeout=LIMIT_S)


def on_ranks(folder: Path, texts: Mapping[str, tuple[str, int]], **variables: str) -> dict[str, tuple[str, list[int]]]:
    """What the ranks of each file print, and how they exit; every file is given with its number of ranks.

    Nought ranks are one process that torchrun has not started; what it says on stderr is printed, too.
    """
    (folder / "p2smt.py").write_text(ALONE, encoding="utf-8")
    printed = {}
    for name, (text, ranks) in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        if ranks:
            ended = started(folder, name, ranks, **variables)
            printed[name] = ended.out.decode(), ended.codes
        else:
            ended = SERVER.run(name, folder=folder, environments=[environment() | variables], timeout=LIMIT_S)
            printed[name] = ended.err.decode(), ended.codes
    return printed
