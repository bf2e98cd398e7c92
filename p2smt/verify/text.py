"""Verdicts in words."""

from p2smt.verify.verdict import Example


def example_text(example: Example) -> str:
    """What to contribute, and what comes of it, as a sentence."""
    given = (f"device {d} contribute {number} to chunk {c}" for (d, c), number in example.contributions.items())
    return (
        f"try it: let {', '.join(given)} and all else be 0; "
        f"device {example.device} ends with {example.got} in chunk {example.at} instead of {example.wanted}"
    )
