"""Start Python processes that don't import modules from the current folder."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_VARIABLE = "PYTHONSAFEPATH"


@contextmanager
def safe_path() -> Iterator[None]:
    """Keep the current folder off the import path of processes that start meanwhile.

    multiprocessing starts them with `python -c`, which looks for modules in the current folder first. A user's file
    named like a standard module (`pickle.py`, `types.py`) would be imported in its place.
    """
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before
