"""Every error that p2smt raises for a mistake of its caller.

Each message is one line with the values, the rule they break and the way out; the command line prints it
to stderr and exits with 2.
"""


class P2Error(Exception):
    """Base of all errors that name a mistake of the caller; never raised itself."""


class ArgumentTypeError(P2Error, TypeError):
    """An argument of a public function has another type than the function takes."""


class ProblemError(P2Error):
    """The problem is malformed: sizes, names, units, options, or the file they came from."""


class ProgramError(P2Error):
    """A program's text does not parse, or the program is not valid on the hierarchy it is meant for."""


class PlanError(P2Error):
    """A plan file is malformed, or a plan cannot be used in the way that was asked for."""


class EngineError(P2Error):
    """A synthesis engine was asked for more than it is built for."""


class RunError(P2Error):
    """Processes that should run a plan could not be started or did not finish."""


class OutputError(P2Error):
    """A file could not be written."""


class CalibrationError(P2Error):
    """Measurements cannot be read, or nothing can be fitted to them."""


class VerifyError(P2Error):
    """A plan from outside cannot be read, or is larger than what is checked."""


class UserCodeError(VerifyError):
    """The user's own function raises: it is wrong on these ranks, and the message has its line."""


class CaptureError(P2Error):
    """A training step cannot be captured: it does not run, or does what the language of tensor programs lacks."""


class LabError(P2Error):
    """A system cannot be a laboratory, or a laboratory cannot be made, found or removed."""


class MeasureError(P2Error):
    """A table of measurements cannot be read or written."""


class StudyError(P2Error):
    """A sweep cannot be read or worked through, or a store cannot be opened, written or queried."""


class TimeUpError(Exception):
    """The time for a search is up, and it has no part of a result: nobody's mistake, and no P2Error."""


class DefectError(Exception):
    """P2smt itself is at fault, and says so: nobody's mistake, and no P2Error; it ends a command with its traceback."""


class InterruptedSearchError(Exception):
    """A search was interrupted from outside, so that it has no result. This is nobody's mistake, and not a P2Error."""
