"""Stop in an orderly way on signals."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def stopped_by_signals() -> Iterator[Callable[[], bool]]:
    """Yield a function that is true after Ctrl-C, SIGTERM or SIGHUP; a second signal raises KeyboardInterrupt.

    Signals that are ignored (nohup, background jobs of a shell) stay ignored.
    """
    came = threading.Event()

    def note(_number: int, _frame: FrameType | None) -> None:
        if came.is_set():
            raise KeyboardInterrupt
        came.set()

    if threading.current_thread() is not threading.main_thread():
        yield came.is_set
        return
    heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, note) for number in heard}
    try:
        yield came.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
