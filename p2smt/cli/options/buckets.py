"""The value of `--buckets`: how many bytes of collectives are one call."""

OFF = "off"


def buckets_of(text: str | None) -> int | None:
    """Bytes of a bucket at most: 0 for off, None where nothing is said. ProblemError for a text that is no size."""
    from p2smt.problem.quantity import parse_bytes

    return None if text is None else 0 if text == OFF else parse_bytes(text)
