"""The processes of a laboratory: one per rank, each inside its host's namespace."""

import multiprocessing
import multiprocessing.util
import os
import shutil
import signal
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection, wait

from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.message import LabStart
from p2smt.run.lab.names import part_name
from p2smt.run.lab.namespaces import enter
from p2smt.run.local.message import Start
from p2smt.run.local.processes import Processes


class LabProcesses(Processes):
    """Joined processes, as on one machine, but each in its host's namespace and with its host's network card."""

    def __init__(self, laboratory: Laboratory, timeout_s: float, debug: bool) -> None:
        """Start all ranks; raises RunError when one does not join in time."""
        self._laboratory = laboratory
        super().__init__(laboratory.shape.devices, timeout_s, debug, part_name(laboratory.lab, "run-"))

    def _entry(self, start: Start) -> Callable[[Connection], None]:
        host = self._laboratory.host_of(start.rank)
        folders = (str(self.folder), multiprocessing.util.get_temp_dir())
        first = self._laboratory.hosts[0].address
        return partial(_enter, LabStart(start, host.namespace, host.interface, first, folders))


def _enter(start: LabStart, pipe: Connection) -> None:
    """Where a rank begins, before anything in it has opened a socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(start.start.stderr, "w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 2)
    enter(start.namespace)
    threading.Thread(target=_end_with_launcher, args=(start.folders,), daemon=True).start()
    from p2smt.run.lab.worker import serve

    serve(start, pipe)


def _end_with_launcher(folders: tuple[str, ...]) -> None:
    """A launcher that was killed ends nobody: its ranks end themselves, and clear away its files."""
    launcher = multiprocessing.parent_process()
    assert launcher is not None
    wait([launcher.sentinel])
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
