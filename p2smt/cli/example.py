"""`p2smt example`."""

from pathlib import Path

import click


@click.command("example")
@click.argument("kind", type=click.Choice(["problem", "system"]), default="problem")
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout.")
def command(kind: str, out: Path | None) -> None:
    """Print an annotated problem file, or system file, to start from.

    \b
    Example:
      p2smt example --out problem.toml && p2smt synth problem.toml
      p2smt example system --out cluster.toml && p2smt synth problem.toml --system cluster.toml
    """  # noqa: D301
    from p2smt.cli.files import write_result
    from p2smt.problem.file import example_text
    from p2smt.problem.system_file import system_example_text

    write_result(out, example_text() if kind == "problem" else system_example_text())
