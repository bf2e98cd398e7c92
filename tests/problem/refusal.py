"""What a call is refused with, for tests that try many cases in one loop."""

from p2smt.errors import ProblemError


def refusal(call, *arguments, **more):
    """The message of the error for users, one line of moderate length; "accepted" if there is none."""
    try:
        call(*arguments, **more)
    except ProblemError as error:
        text = str(error)
        assert "\n" not in text
        assert 0 < len(text) < 1000, text
        return text
    return "accepted"
