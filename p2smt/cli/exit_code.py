"""What the exit code of every command says."""

from enum import IntEnum


class ExitCode(IntEnum):
    """0 to 3 are answers and mistakes of the user; 130 and 141 are what shells expect after a signal."""

    FOUND = 0
    """There is a result, and it is whole."""
    NEGATIVE = 1
    """There is none: no program, no placement, wrong numbers, an invalid plan."""
    USAGE = 2
    """Bad input; one line on stderr says what, by which rule, and the way out."""
    PARTIAL = 3
    """Stopped early or undecided: what was found is printed, and marked so."""
    INTERRUPTED = 130
    """Ctrl-C, with nothing to print."""
    UNREAD = 141
    """Whoever read the output has closed it before the end; no answer, so that `verify FILE | head` claims nothing."""
