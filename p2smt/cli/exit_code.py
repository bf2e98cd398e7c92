"""The exit codes of all commands, and the only conversions of verdicts, searches, checks and errors to exit codes.

The table in `cli/README.md` is the output of `table()`.
"""

import errno
from collections.abc import Mapping
from enum import IntEnum
from typing import assert_never

import click

from p2smt.errors import P2Error, UserCodeError
from p2smt.verify.verdict import Proved, Refuted, Unknown, Verdict


class ExitCode(IntEnum):
    """Exit codes 0 to 3 are results and user errors; 130 and 141 are what shells report for SIGINT and SIGPIPE."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> "ExitCode":
        """Create a member with its code and meaning."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    FOUND = 0, "proved, right, or found, and the search was complete"
    NEGATIVE = 1, "refuted, wrong numbers, or a complete search has found nothing"
    USAGE = 2, "bad input: one message with the values, the rule and the way out; no traceback"
    PARTIAL = 3, "unknown, or stopped early (`--timeout`, Ctrl-C, the solver gave up): what is printed says so"
    DEFECT = 70, "a defect of p2smt, with a traceback to report: no answer"
    INTERRUPTED = 130, "ended by Ctrl-C with nothing to print: no answer"
    UNREAD = 141, "the output was closed before its end, as `head` does: no answer"


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""The errno values for a failing write to stdout: disk full, over quota, file too large, or I/O error."""
LIMITS: Mapping[int, str] = {
    errno.EMFILE: "raise the limit of open files (ulimit -n), or give fewer --workers",
    errno.ENFILE: "close other programs, or give fewer --workers",
    errno.EAGAIN: "raise the limit of processes (ulimit -u), or give fewer --workers",
    errno.ENOMEM: "free memory, or give fewer --workers",
}
"""The errno values for limits of the machine or the user that a command runs into, and the way out of each."""


def of_verdict(verdict: Verdict[object, object]) -> ExitCode:
    """Return the exit code for a verdict."""
    match verdict:
        case Proved():
            return ExitCode.FOUND
        case Refuted():
            return ExitCode.NEGATIVE
        case Unknown():
            return ExitCode.PARTIAL
        case _:
            assert_never(verdict)


def of_search(*, found: bool = True, complete: bool) -> ExitCode:
    """Return the exit code of a search; an incomplete search counts as stopped early even if it found something."""
    if not complete:
        return ExitCode.PARTIAL
    return ExitCode.FOUND if found else ExitCode.NEGATIVE


def of_check(*, right: bool) -> ExitCode:
    """Return the exit code of a check that finished, such as a comparison of a plan's results on processes."""
    return ExitCode.FOUND if right else ExitCode.NEGATIVE


def of_error(error: BaseException) -> ExitCode:
    """Return the exit code of a command that ends with this error."""
    match error:
        case UserCodeError():
            return ExitCode.NEGATIVE
        case P2Error() | click.ClickException():
            return ExitCode.USAGE
        case KeyboardInterrupt() | click.Abort():
            return ExitCode.INTERRUPTED
        case BrokenPipeError():
            return ExitCode.UNREAD
        case OSError(errno=number) if number in (*NO_ROOM, *LIMITS):
            return ExitCode.USAGE
        case _:
            return ExitCode.DEFECT


def table() -> str:
    """Return a Markdown table of all codes and their meanings."""
    rows = (f"| {code.value} | {code.meaning} |" for code in ExitCode)
    return "\n".join(["| exit code | meaning |", "|---|---|", *rows]) + "\n"
