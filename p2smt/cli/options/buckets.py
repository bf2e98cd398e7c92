"""Options for a sharded program's collectives: `--buckets`, the bytes of one call, and `--programs`."""

import click

OFF = "off"

PROGRAMS = click.option(
    "--programs",
    is_flag=True,
    help="Of a sharded program: collectives by reduction programs of up to three steps too, where one is faster.",
)


def buckets_of(text: str | None) -> int | None:
    """Bytes of a bucket at most: 0 for off, None where nothing is said. ProblemError for a text that is no size."""
    from p2smt.problem.quantity import parse_bytes

    return None if text is None else 0 if text == OFF else parse_bytes(text)
