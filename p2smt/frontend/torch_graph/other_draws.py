"""Random numbers that Python or numpy draws in a step, which a program would keep as they were in one run.

Both keep the state of one generator for a process, which every draw changes. The line is found in a second run, whose
calls Python reports (`sys.setprofile`): it is that of the first call after which a state is another one. Generators
that the code made itself are not seen.

Example: `lam = numpy.random.beta(0.2, 0.2)` in a loss would be one number for all steps.
"""

import random
import sys
from collections.abc import Callable
from types import FrameType

import numpy as np

from p2smt.errors import CaptureError

_LIBRARIES = ("random", "numpy", "torch", "p2smt")
"""Packages whose lines are not the user's."""


def state() -> object:
    """The state of both generators, to be compared."""
    name, keys, *rest = np.random.get_state(legacy=True)
    return random.getstate(), name, np.asarray(keys).tobytes(), rest


def refuse(before: object, again: Callable[[], object]) -> None:
    """Raise CaptureError if the state is another than before a step, which `again` runs once more."""
    if state() != before:
        raise CaptureError(
            f"{_line_of_draw(again)}the step draws numbers of Python's or numpy's generator, which would be the same "
            "in every step of a program; draw them with torch, or outside the step, and pass them in the batch"
        )


def _line_of_draw(run: Callable[[], object]) -> str:
    """Return the line of a function's first draw, or nothing if none is seen."""
    found: list[str] = []
    first = state()

    def seen(frame: FrameType, event: str, called: object) -> None:
        if not found and state() != first:
            user: FrameType | None = frame
            while user is not None and user.f_globals.get("__name__", "").partition(".")[0] in _LIBRARIES:
                user = user.f_back
            found.append("" if user is None else f"{user.f_code.co_filename}:{user.f_lineno}: ")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        run()
    finally:
        sys.setprofile(before)
    return found[0] if found else ""
