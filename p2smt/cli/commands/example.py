"""`p2smt example`."""

import tomllib
from pathlib import Path

import click

from p2smt.cli.example_files import EXAMPLES
from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.shared import FORCE
from p2smt.cli.options.values import one_of
from p2smt.cli.output.written import WRITTEN_JSON


@click.command("example", cls=HelpPage)
@click.argument("kind", type=one_of(tuple(EXAMPLES)), default="problem")
@click.option("--out", type=OutputPath(), help="File to write instead of stdout.")
@FORCE
@WRITTEN_JSON
def command(kind: str, out: Path | None, force: bool) -> ExitCode:
    """Print an annotated file to start from: a problem, a system, a job, a study, your own code, your own log.

    \b
    KIND is one of
      problem, system, study                what synth, any command, and study read
      job, dense-70b, moe, long-context     training jobs, for optimize, mesh and report
      function, layer, layer-program        code for torch.distributed, for verify
      model, training                       a step for capture, a script that trains
      optimizer, optimizer-steps            AdamW, for schedule and emit
      log                                   nccl-tests, for calibrate

    \b
    Example:
      p2smt example --out problem.toml && p2smt synth problem.toml
      p2smt example dense-70b --out job.toml && p2smt optimize job.toml
      p2smt example model --out model.py && p2smt capture model.py:step --run-python --out step.tp
      p2smt example study --out sweep.toml && p2smt study sweep.toml
      p2smt example system --out cluster.toml && p2smt synth problem.toml --system cluster.toml
    """  # noqa: D301
    from p2smt.cli.output.files import write_and_say

    example = EXAMPLES[kind]
    text = example.text()
    use = example.use.format(out or "FILE")
    write_and_say(
        out,
        text,
        example.noun,
        f"edit it, then {use}" if example.is_toml else use,
        force=force,
        facts={"kind": kind, "values": tomllib.loads(text) if example.is_toml else None},
    )
    return ExitCode.FOUND
