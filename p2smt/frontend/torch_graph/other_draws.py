"""Random numbers that Python or numpy draws in a step, which a program would keep as they were in one run.

Both keep the state of one generator for a process, which every draw changes. The line is found in a second run, whose
lines Python reports (`sys.settrace`): it is the first one of the user's files after which a state is another one. A
state takes 0.1 ms to compare, so lines of libraries are left out. Generators that the code made itself are not seen.

Example: `lam = numpy.random.beta(0.2, 0.2)` in a loss would be one number for all steps.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import numpy as np

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.lines import is_users

if TYPE_CHECKING:
    from _typeshed import TraceFunction

_DRAWING = (random.__file__, str(Path(np.__file__).parent))
"""Files that draw for the line that called them."""


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

    def found_at(frame: FrameType | None, line: int) -> None:
        if frame is not None and not found and state() != first:
            found.append(f"{frame.f_code.co_filename}:{line}: ")

    def entered(frame: FrameType, event: str, given: object) -> "TraceFunction | None":
        """Follow the lines of a user's frame; what was drawn before it was entered is of the line that called it."""
        if found or not _is_users(frame):
            return None
        caller = frame.f_back
        while caller is not None and not _is_users(caller):
            caller = caller.f_back
        found_at(caller, 0 if caller is None else caller.f_lineno)
        at_work = frame.f_lineno

        def stepped(frame: FrameType, event: str, given: object) -> "TraceFunction":
            nonlocal at_work
            # An event comes before its own line runs, so that what changed the state is the line before.
            found_at(frame, at_work)
            at_work = frame.f_lineno
            return stepped

        return stepped

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        run()
    finally:
        sys.settrace(before)
    return found[0] if found else ""


def _is_users(frame: FrameType) -> bool:
    path = frame.f_code.co_filename
    return is_users(path) and not path.startswith(_DRAWING)
