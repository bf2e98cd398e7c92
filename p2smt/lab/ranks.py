"""The processes of a laboratory: one per rank, each inside its host's namespace."""

import importlib.util
import multiprocessing
import multiprocessing.util
import os
import shutil
import signal
import tempfile
import threading
import time
from multiprocessing.connection import Connection, wait
from pathlib import Path

from p2smt.errors import RunError
from p2smt.lab.laboratory import Laboratory
from p2smt.lab.message import LabStart
from p2smt.lab.names import part_name
from p2smt.lab.namespaces import enter
from p2smt.run.message import Joined, Start
from p2smt.run.processes import Processes


class LabProcesses(Processes):
    """Joined processes, as on one machine, but each in its host's namespace and with its host's network card."""

    def __init__(self, laboratory: Laboratory, timeout_s: float, debug: bool) -> None:
        """Start all ranks; raises RunError when one does not join in time."""
        if importlib.util.find_spec("torch") is None:
            raise RunError("running a plan needs torch, which is not installed; pip install 'p2smt[torch]'")
        self._laboratory = laboratory
        self.folder = Path(tempfile.mkdtemp(prefix=part_name(laboratory.lab, "run-")))
        self.torch_version = ""
        self._pipes = []
        self._processes = []
        try:
            self._start(laboratory.shape.devices, timeout_s, debug)
        except BaseException:
            self.close()
            raise

    def _start(self, ranks: int, timeout_s: float, debug: bool) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["torch", "torch.distributed"])
        for rank in range(ranks):
            ours, theirs = context.Pipe()
            start = self._rank_start(Start(rank, ranks, str(self._stderr(rank)), timeout_s, debug))
            process = context.Process(target=_enter, args=(start, theirs), name=f"p2smt rank {rank}", daemon=True)
            self._pipes.append(ours)
            self._processes.append(process)
            process.start()
            theirs.close()
        deadline = time.monotonic() + timeout_s
        (first,) = self._answers([0], deadline, Joined)
        for pipe in self._pipes[1:]:
            pipe.send(first.port)
        self._answers(range(ranks), deadline, Joined)
        self.torch_version = first.torch_version

    def _rank_start(self, start: Start) -> LabStart:
        host = self._laboratory.host_of(start.rank)
        folders = (str(self.folder), multiprocessing.util.get_temp_dir())
        return LabStart(start, host.namespace, host.interface, self._laboratory.hosts[0].address, folders)


def _enter(start: LabStart, pipe: Connection) -> None:
    """Where a rank begins, before anything in it has opened a socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(start.start.stderr, "w") as file:
        os.dup2(file.fileno(), 2)
    enter(start.namespace)
    threading.Thread(target=_end_with_launcher, args=(start.folders,), daemon=True).start()
    from p2smt.lab.worker import serve

    serve(start, pipe)


def _end_with_launcher(folders: tuple[str, ...]) -> None:
    """A launcher that was killed ends nobody: its ranks end themselves, and clear away its files."""
    launcher = multiprocessing.parent_process()
    assert launcher is not None
    wait([launcher.sentinel])
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
