"""`p2smt example`."""

from pathlib import Path

import click


@click.command("example")
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout.")
def command(out: Path | None) -> None:
    """Print an annotated problem file to start from.

    \b
    Example:
      p2smt example --out problem.toml && p2smt synth problem.toml
    """  # noqa: D301
    from p2smt.cli.files import write_result
    from p2smt.problem.file import example_text

    write_result(out, example_text())
