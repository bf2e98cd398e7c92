"""Describe verdicts in words."""

from p2smt.verify.plan_verdict import MistakeExample
from p2smt.wording import number_text


def example_text(example: MistakeExample) -> str:
    """Return a sentence with the contributions and their wrong result."""
    given = (
        f"device {d} contribute {number_text(number)} to chunk {c}" for (d, c), number in example.contributions.items()
    )
    got, wanted = number_text(example.got), number_text(example.wanted)
    return (
        f"try it: let {', '.join(given)} and all else be 0; "
        f"device {example.device} ends with {got} in chunk {example.at} instead of {wanted}"
    )
