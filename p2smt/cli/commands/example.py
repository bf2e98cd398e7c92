"""`p2smt example`."""

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import assert_never

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.shared import FORCE
from p2smt.cli.options.values import one_of
from p2smt.cli.options.written import WRITTEN_JSON
from p2smt.problem.file import JOB_EXAMPLES


class ExampleKind(StrEnum):
    """The kinds of example file, in addition to the example jobs."""

    PROBLEM = "problem"
    SYSTEM = "system"
    STUDY = "study"


KINDS = (ExampleKind.PROBLEM.value, ExampleKind.SYSTEM.value, *JOB_EXAMPLES, ExampleKind.STUDY.value)


@click.command("example", cls=HelpPage)
@click.argument("kind", type=one_of(KINDS), default=ExampleKind.PROBLEM.value)
@click.option("--out", type=OutputPath(), help="File to write instead of stdout.")
@FORCE
@WRITTEN_JSON
def command(kind: str, out: Path | None, force: bool) -> ExitCode:
    """Print an annotated file to start from: a problem, a system, a training job, a study.

    Jobs: "job" lists its reductions, "dense-70b" and "moe" describe a transformer, and on "long-context" tensor
    parallelism does not belong innermost.

    \b
    Example:
      p2smt example --out problem.toml && p2smt synth problem.toml
      p2smt example dense-70b --out job.toml && p2smt optimize job.toml
      p2smt example study --out sweep.toml && p2smt study sweep.toml
      p2smt example system --out cluster.toml && p2smt synth problem.toml --system cluster.toml
    """  # noqa: D301
    from p2smt.cli.output.files import write_and_say
    from p2smt.problem.file import job_example_text

    text = job_example_text(kind) if kind in JOB_EXAMPLES else _text(ExampleKind(kind))
    write_and_say(
        out,
        text,
        f"an example of a {_noun(kind)}",
        f"edit it, then {_use(kind)} {out or 'FILE'}",
        force=force,
        facts={"kind": kind, "values": tomllib.loads(text)},
    )
    return ExitCode.FOUND


def _noun(kind: str) -> str:
    return "job" if kind in JOB_EXAMPLES else kind


def _use(kind: str) -> str:
    """Return a command that reads this kind of example file."""
    if kind in JOB_EXAMPLES:
        return "p2smt optimize"
    match ExampleKind(kind):
        case ExampleKind.PROBLEM:
            return "p2smt synth"
        case ExampleKind.SYSTEM:
            return "p2smt synth --system"
        case ExampleKind.STUDY:
            return "p2smt study"


def _text(kind: ExampleKind) -> str:
    match kind:
        case ExampleKind.PROBLEM:
            from p2smt.problem.file import example_text

            return example_text()
        case ExampleKind.SYSTEM:
            from p2smt.problem.system.file import system_example_text

            return system_example_text()
        case ExampleKind.STUDY:
            from p2smt.sweep.sweep_file import sweep_example_text

            return sweep_example_text()
        case _:
            assert_never(kind)
