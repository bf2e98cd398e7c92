"""A laboratory for tests, and proof that none is left."""

import multiprocessing
import multiprocessing.util
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab_support import FLAT, clear, left_in_the_end, surroundings

from p2smt.run.lab.laboratory import Laboratory

ALLOWED = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
if libc.unshare(0x40000000 | 0x00020000):
    sys.exit(os.strerror(ctypes.get_errno()))
if libc.mount(b"none", b"/", None, 0x4000 | 0x40000, None):
    sys.exit(os.strerror(ctypes.get_errno()))
"""
"""Makes a network namespace and a mount namespace for itself, which is all that `ip netns` needs."""


def missing() -> str:
    """Why no laboratory can be made here, found out without the code that is tested; empty when one can."""
    if not sys.platform.startswith("linux"):
        return "this is not Linux"
    if os.geteuid() != 0:
        return f"user {os.geteuid()} is not root"
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
    if lacking := [tool for tool in ("ip", "tc") if shutil.which(tool, path=path) is None]:
        return f"{' and '.join(lacking)} of iproute2 not installed"
    done = subprocess.run([sys.executable, "-c", ALLOWED], capture_output=True, text=True, check=False)
    return f"root may not make namespaces: {done.stderr.strip()}" if done.returncode else ""


@pytest.fixture(scope="session")
def real() -> None:
    """Skip where laboratories cannot be made for lack of root, tools or permission; anything else is a failure."""
    if reason := missing():
        pytest.skip(f"no laboratory here: {reason}")
    with Laboratory(FLAT):
        pass


@pytest.fixture
def lab(real: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An id of which nothing is left after the test, with the machine's own network as it was.

    What a test leaves is removed all the same, so that a failure stays the only one.
    """
    multiprocessing.util.get_temp_dir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setitem(os.environ, "TMPDIR", str(tmp_path))
    before, children, name = surroundings(), multiprocessing.active_children(), secrets.token_hex(3)
    yield name
    left = left_in_the_end(name)
    clear(name)
    assert left == []
    assert surroundings() == before
    assert multiprocessing.active_children() == children
    assert list(tmp_path.glob("pymp-*")) == []
