"""Options for a sharded program's collectives: `--buckets`, the bytes of a fused call, and `--programs`."""

import click

OFF = "off"

PROGRAMS = click.option(
    "--programs",
    is_flag=True,
    help="Of a sharded program: collectives by reduction programs of up to three steps too, where one is faster.",
)


def buckets_of(text: str | None) -> int | None:
    """Return the most bytes per bucket: 0 for "off", None if not given. Raises ProblemError for an invalid size."""
    from p2smt.problem.quantity import parse_bytes

    return None if text is None else 0 if text == OFF else parse_bytes(text)
