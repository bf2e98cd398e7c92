"""Ctrl-C on the command line: KeyboardInterrupt once, where it can be raised; a second press ends the process at once.

What Python raises by itself is lost in a `__del__`, becomes another error while a module is imported, and leaves a
traceback when the process begins or ends. So a press waits where nothing may be raised, and a timer brings it again.
"""

import os
import signal
import sys
from types import FrameType

from p2smt.cli.exit_code import ExitCode

_AGAIN_S = 0.002


class CtrlC:
    """A receiver of SIGINT; `end` is called at a second press if this thread cannot receive it."""

    def __init__(self) -> None:
        self._pressed = False

    def __call__(self, _number: int, frame: FrameType | None) -> None:
        """Hear a press."""
        if self._pressed:
            self.end()
        self._pressed = True
        self._deliver(frame)

    def end(self) -> None:
        """End the process, and those that it started, at once; files appear whole or not at all in any case."""
        module, files = sys.modules.get("multiprocessing"), sys.modules.get("p2smt.cli.output.files")
        if module is not None and hasattr(module, "active_children"):  # a module that is being imported has nothing yet
            for child in module.active_children():
                child.kill()
        if files is not None and hasattr(files, "remove_unfinished"):
            files.remove_unfinished()
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, b"p2smt: interrupted\n")
        os._exit(ExitCode.INTERRUPTED)

    def again(self, _number: int, frame: FrameType | None) -> None:
        """Bring a press again that had to wait."""
        heard_by: object = signal.getsignal(signal.SIGINT)
        if heard_by is self:
            self._deliver(frame)
        else:  # the solver is at work, which is interrupted by its own handler
            self._pressed = False
            signal.raise_signal(signal.SIGINT)

    def _deliver(self, frame: FrameType | None) -> None:
        if _may_raise(frame):
            raise KeyboardInterrupt
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)


def hear_ctrl_c() -> None:
    """Hear Ctrl-C from now on, unless it is ignored, as in a shell's background jobs."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        ctrl_c = CtrlC()
        signal.signal(signal.SIGALRM, ctrl_c.again)
        signal.signal(signal.SIGINT, ctrl_c)


def leave_to_system() -> None:
    """Let Ctrl-C end the process at once and silently from now on: before there is anything to lose, and afterwards."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _may_raise(frame: FrameType | None) -> bool:
    """True if no import, no finaliser and none of z3's own code is running."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if frame.f_code.co_name == "__del__" or module.startswith("importlib.") or module.partition(".")[0] == "z3":
            return False
        frame = frame.f_back
    return True
