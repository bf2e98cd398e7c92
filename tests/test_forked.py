"""What is run in forked processes ends, in time or not, and the next one is not mixed up with it."""

import socket
import time

import pytest
from forked_torch import SERVER

NOTHING = [{"PATH": ""}]


def run(folder, text, processes=1, timeout=60.0):
    (folder / "file.py").write_text(text, encoding="utf-8")
    return SERVER.run("file.py", folder=folder, environments=processes * NOTHING, timeout=timeout)


def test_a_process_may_end_before_anybody_reads_its_number(tmp_path, monkeypatch):
    """As on a busy machine: its number and its exit code are there at once."""
    run(tmp_path, "pass")  # which loads torch
    send = socket.send_fds

    def sent_long_ago(*given):
        send(*given)
        time.sleep(0.5)

    monkeypatch.setattr(socket, "send_fds", sent_long_ago)
    for code in (3, 4):
        assert run(tmp_path, f"print({code})\nraise SystemExit({code})", 2).codes == [code, code]


def test_late_processes_are_killed_and_the_next_ones_run(tmp_path):
    # Which of two sleeps: numbers of processes tell nothing, as others of the machine may start one between them.
    text = "import os, time\ntry:\n    os.mkdir('first')\n    time.sleep(60)\nexcept FileExistsError:\n    pass"
    with pytest.raises(TimeoutError):
        run(tmp_path, text, 2, timeout=0.5)
    assert run(tmp_path, "print('there')").out == b"there\n"
