"""Ctrl-C on the command line: raise KeyboardInterrupt once where that is safe; a second press ends the process at once.

Python's own handler may raise inside a `__del__`, where the exception is dropped, or during an import, where it becomes
another error; at start-up or shutdown it leaves a traceback. So a press at such a moment is deferred, and a timer
signals it again.
"""

import os
import signal
import sys
from types import FrameType

from p2smt.cli.exit_code import ExitCode

_AGAIN_S = 0.002


class CtrlC:
    """A SIGINT handler; `end` is called at a second press, by another thread if this one cannot run the handler."""

    def __init__(self) -> None:
        self._pressed = False

    def __call__(self, _number: int, frame: FrameType | None) -> None:
        """Handle a press: raise KeyboardInterrupt, defer the press, or end the process at the second press."""
        if self._pressed:
            self.end()
        self._pressed = True
        self._deliver(frame)

    def end(self) -> None:
        """End the process and its children at once. Output files are written atomically, so none is left incomplete."""
        module, files = sys.modules.get("multiprocessing"), sys.modules.get("p2smt.cli.output.files")
        if module is not None and hasattr(module, "active_children"):  # a module that is being imported has nothing yet
            for child in module.active_children():
                child.kill()
        if files is not None and hasattr(files, "remove_unfinished"):
            files.remove_unfinished()
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, b"p2smt: interrupted\n")
        os._exit(ExitCode.INTERRUPTED)

    def again(self, _number: int, frame: FrameType | None) -> None:
        """Handle a deferred press again; called by the timer."""
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
    """Install the handler for Ctrl-C, unless SIGINT is ignored, as for background jobs of a shell."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        ctrl_c = CtrlC()
        signal.signal(signal.SIGALRM, ctrl_c.again)
        signal.signal(signal.SIGINT, ctrl_c)


def leave_to_system() -> None:
    """Restore the default action, which ends the process silently; for start-up and shutdown, when nothing is lost."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _may_raise(frame: FrameType | None) -> bool:
    """True if the interrupted code is not in an import, a finaliser, or z3's Python bindings."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if frame.f_code.co_name == "__del__" or module.startswith("importlib.") or module.partition(".")[0] == "z3":
            return False
        frame = frame.f_back
    return True
