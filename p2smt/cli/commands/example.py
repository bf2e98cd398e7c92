"""`p2smt example`."""

from pathlib import Path

import click

JOB_EXAMPLES = ("job", "dense-70b", "moe", "long-context")


@click.command("example")
@click.argument("kind", type=click.Choice(["problem", "system", *JOB_EXAMPLES, "study"]), default="problem")
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout.")
def command(kind: str, out: Path | None) -> None:
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
    from p2smt.cli.output.files import write_result
    from p2smt.problem.file import example_text, job_example_text
    from p2smt.problem.system.file import system_example_text
    from p2smt.sweep.sweep_file import sweep_example_text

    texts = {"problem": example_text, "system": system_example_text, "study": sweep_example_text}
    write_result(out, texts[kind]() if kind in texts else job_example_text(kind))
