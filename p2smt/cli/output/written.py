"""--json of commands whose answer is a file: a document on the file in the place of its text and of the note on it."""

import click

_DOCUMENT = "p2smt.cli.document"


def _keep(context: click.Context, _option: click.Parameter, value: bool) -> None:
    context.meta[_DOCUMENT] = value


WRITTEN_JSON = click.option(
    "--json",
    is_flag=True,
    expose_value=False,
    callback=_keep,
    help="One JSON document on stdout: what was written, where, and the text unless it is in a file.",
)


def wants_document() -> bool:
    """True if the running command writes a file and was called with --json."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_DOCUMENT))
