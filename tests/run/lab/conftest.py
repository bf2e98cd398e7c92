"""A laboratory for tests, and proof that none is left."""

import multiprocessing
import multiprocessing.util
import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab_support import FLAT, left_of, surroundings

from p2smt.errors import LabError
from p2smt.run.lab.laboratory import Laboratory


@pytest.fixture(scope="session")
def real() -> None:
    """Skip unless laboratories can be made here."""
    try:
        with Laboratory(FLAT):
            pass
    except LabError as error:
        pytest.skip(f"no laboratory here: {error}")


@pytest.fixture
def lab(real: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An id of which nothing is left after the test, with the machine's own network as it was."""
    multiprocessing.util.get_temp_dir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setitem(os.environ, "TMPDIR", str(tmp_path))
    before, children, name = surroundings(), multiprocessing.active_children(), secrets.token_hex(3)
    yield name
    assert left_of(name) == []
    assert surroundings() == before
    assert multiprocessing.active_children() == children
    assert list(tmp_path.glob("pymp-*")) == []
