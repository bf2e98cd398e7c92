"""Ctrl-C while z3 runs: it is never lost, and the exception is only raised in our own code.

By default a Ctrl-C can be lost in four ways. z3 handles the signal itself during every check: its handler waits for a
lock that the interrupted code may hold, and a signal is dropped if the answer is already there (so `solver.py` switches
this handler off). Python's own handler cannot run while C code does. An exception that it raises inside a `__del__` of
z3's objects is printed and dropped; one raised while ctypes converts an argument becomes another exception.

So the signal is deferred while z3's Python code runs. A thread, woken by Python's C-level handler
(`signal.set_wakeup_fd`), interrupts the current check, and resends a deferred signal until it is handled.
"""

import _thread
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ContextDecorator, suppress
from select import select
from types import FrameType
from typing import ClassVar, Protocol, Self, TypeVar, runtime_checkable

# Seconds between two tries to deliver a waiting signal: short, since gaps between calls of z3 are short.
_AGAIN_S = 0.001


@runtime_checkable
class EndsAtOnce(Protocol):
    """A signal handler that ends the process at the second press, even if the main thread is inside z3."""

    def end(self) -> None:
        """End the process, called from another thread."""
        ...


Result = TypeVar("Result")
Handler = Callable[[int, FrameType | None], object]


class _Watch:
    """A SIGINT handler that replaces `handler` while z3 runs in the main thread."""

    current: ClassVar["_Watch | None"] = None

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._lock = threading.Lock()
        self._interrupt: Callable[[], None] | None = None
        self._interrupted = False
        self._unheard = False
        self.waiting = False
        self._sent_again = False
        self._woken = self._sent = 0  # bytes that are no press: those of the main thread, those of the other
        self._end = handler.end if isinstance(handler, EndsAtOnce) else None
        self._reader, self._writer = os.pipe()
        # Required by signal.set_wakeup_fd: the C handler must not block when the pipe is full.
        os.set_blocking(self._writer, False)
        self.thread = threading.get_ident()
        self.depth = 0

    def start(self) -> None:
        """Start receiving signals."""
        signal.signal(signal.SIGINT, self._hear)  # first, and given up last: none may raise in between
        self._forward = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        _thread.start_new_thread(self._run, ())

    def stop(self) -> None:
        """Restore the original handler, and deliver a deferred signal to it."""
        signal.set_wakeup_fd(self._forward)
        signal.signal(signal.SIGINT, self._handler)
        os.close(self._writer)  # which ends the thread
        self.deliver()

    def check(self, check: Callable[[], Result], interrupt: Callable[[], None]) -> Result:
        """Run a check; it is repeated if a signal interrupted it and the handler raised nothing."""
        while True:
            with self._lock:
                self._interrupt, self._interrupted = interrupt, False
            try:
                result = check()
            finally:
                with self._lock:
                    self._interrupt, self._unheard = None, False  # this thread runs again, and hears
            self.deliver()
            if not self._interrupted:
                return result

    def _hear(self, number: int, frame: FrameType | None) -> None:
        again, self._sent_again = self._sent_again, False
        if again and not self.waiting:
            return  # delivered while this one was on its way
        if _may_not_raise(frame):
            self.waiting = True
            self._wake(number)
        else:
            self.waiting = False
            self._handler(number, frame)

    def deliver(self) -> None:
        """Call the handler if a signal is deferred."""
        if self.waiting:
            self.waiting = False
            self._handler(signal.SIGINT, sys._getframe())

    def _wake(self, number: int) -> None:
        self._woken += 1  # before the thread can read the byte
        try:
            os.write(self._writer, bytes((number,)))
        except BlockingIOError:  # full: the thread will wake all the same
            self._woken -= 1

    def _run(self) -> None:
        """Run the thread, which ends when the pipe is closed."""
        presses, nudging = 0, False
        while True:
            if nudging and not select([self._reader], (), (), _AGAIN_S)[0]:
                nudging = self._nudge()
                continue
            number = os.read(self._reader, 1)
            if not number:
                break
            if self._forward >= 0:
                with suppress(OSError):
                    # Whoever had the wake-up descriptor before (asyncio, for instance) still hears of every signal.
                    os.write(self._forward, number)
            if number[0] == signal.SIGINT:
                presses += 1
                # A second press: the main thread may be inside z3 and hear nothing, so the process is ended from
                # here.
                if self._end is not None and presses - self._woken - self._sent > 1:
                    self._end()
                with self._lock:
                    self._unheard = True
                nudging = self._nudge()
        os.close(self._reader)

    def _nudge(self) -> bool:
        """Interrupt the check, or resend the signal; True if either was needed."""
        with self._lock:  # the solver must not be gone before it is interrupted
            if self._interrupt is not None and (self._unheard or self.waiting):
                self._interrupted = True
                self._interrupt()
            elif self.waiting:
                self._sent_again = True
                self._sent += 1
                signal.pthread_kill(self.thread, signal.SIGINT)
            else:
                return False
        return True


class Interruptible(ContextDecorator):
    """A context or decorator in which terms can be built and checked without losing a Ctrl-C.

    Has no effect if the handler is not a Python function, or outside the main thread, which alone receives signals.
    """

    def __enter__(self) -> Self:
        """Start watching, unless a caller already does."""
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if _Watch.current is None and callable(handler):
                _Watch.current = _Watch(handler)
                _Watch.current.start()
            if _Watch.current is not None:
                _Watch.current.depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        """Raise a deferred Ctrl-C."""
        watch = _Watch.current
        if watch is not None and watch.thread == threading.get_ident():
            watch.depth -= 1
            if not watch.depth:
                _Watch.current = None
                watch.stop()


def checked(check: Callable[[], Result], interrupt: Callable[[], None]) -> Result:
    """Run a check that `interrupt` ends early on Ctrl-C, which then raises KeyboardInterrupt."""
    watch = _Watch.current
    if watch is None or watch.thread != threading.get_ident():
        return check()
    return watch.check(check, interrupt)


def deliver() -> None:
    """Raise a deferred Ctrl-C; called between terms, when z3's own code has just returned.

    Code that builds many terms is almost always inside z3, so a resent signal would rarely arrive outside it.
    """
    watch = _Watch.current
    if watch is not None and watch.waiting and watch.thread == threading.get_ident():
        watch.deliver()


def _may_not_raise(frame: FrameType | None) -> bool:
    """True while z3's Python code or this module's is on the stack."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module == __name__ or module.partition(".")[0] == "z3":
            return True
        frame = frame.f_back
    return False
